import { FIRST_COLOR, type Site } from "../accounts/site.ts";
import { environment } from "../runtime/environment.ts";
import { letterOf } from "../values/graphemes.ts";
import { textOn } from "../values/text-on.ts";
import { languageOf } from "./language.ts";
import { buttonStyle, escaped, nameOf, page } from "./layout.ts";
import { pageText } from "./page-texts.ts";
import type { PageTexts } from "./texts/en.ts";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // The token is in the address, which no other site learns. With `no-referrer` browsers would hide the origin of the
  // form too, and a check of origins refuse it.
  "referrer-policy": "same-origin",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** Which mails a link ends: about a post, with its title where everybody may read it, a kind for the team, or all. */
export type UnsubscribeState = {
  scope: "post" | "all" | "new-posts" | "digest";
  title?: string | undefined;
  postId?: string;
  isEnded: boolean;
};

type Words = { title: keyof PageTexts; text: keyof PageTexts; hasButton?: true };

const ASK = { post: "askPost", all: "askAll", "new-posts": "askNewPosts", digest: "askDigest" } as const;
const ENDED = { post: "endedPost", all: "endedAll", "new-posts": "endedNewPosts", digest: "endedDigest" } as const;

function wordsOf(state: UnsubscribeState | undefined): Words {
  if (!state) return { title: "linkBroken", text: "linkBrokenText" };
  if (state.isEnded) return { title: "unsubscribed", text: ENDED[state.scope] };
  return { title: "unsubscribe", text: ASK[state.scope], hasButton: true };
}

/** What stands for a site: the first letter of its name on its colour, as on its pages. */
function markOf(name: string, color: string): string {
  const letter = escaped(letterOf(name));
  return `<svg viewBox="0 0 64 64" width="28" height="28" aria-hidden="true"><rect width="64" height="64" rx="14" fill="#${color}"/>\
<text x="32" y="46" font-size="40" text-anchor="middle" fill="#${textOn(color)}">${letter}</text></svg>`;
}

type LinkTo = (path: string, words: keyof PageTexts) => string;

/**
 * Who has left a post by mistake finds it again, where everybody may read it; other mails are chosen in the profile.
 * A post that may not be named has no link.
 */
function wayOn(state: UnsubscribeState | undefined, linkTo: LinkTo): string {
  if (state?.scope !== "post") return linkTo("/profile", "chooseMails");
  return state.title ? linkTo(`/posts/${state.postId}`, "openPost") : "";
}

/**
 * The page behind the link that ends mails: what it ends and a button, because programs that check mails follow links
 * and press no buttons. Once these mails have ended it says so, and of a link that is not whole, what to do. Its form
 * sends the token back, which is in the address of the page.
 */
export function unsubscribePage(state: UnsubscribeState | undefined, site: Site | undefined, accepted?: string) {
  const language = languageOf(accepted);
  const { title, text, hasButton } = wordsOf(state);
  const post = state?.title ? pageText("quoted", language, { title: state.title }) : pageText("thePost", language);
  const values = { site: nameOf(site), post };
  const say = (key: keyof PageTexts) => escaped(pageText(key, language, values));
  const color = site?.accentColor ?? FIRST_COLOR;
  const colors = buttonStyle(site);
  const button = `<form method="post"><button class="button" style="${colors}">${say("unsubscribe")}</button></form>\n`;
  const siteUrl = escaped(environment().SITE_URL);
  const linkTo: LinkTo = (path, words) => `<p><a href="${siteUrl}${path}">${say(words)}</a></p>\n`;
  const name = nameOf(site);
  const inner = `<p class="site" dir="auto"><a href="${siteUrl}">${markOf(name, color)}${escaped(name)}</a></p>
<h1>${say(title)}</h1>
<p dir="auto">${say(text)}</p>
${hasButton ? button : wayOn(state, linkTo)}`;
  // A copy: its encoding is added later.
  return { statusCode: 200, headers: { ...HEADERS }, body: page(pageText(title, language, values), inner, language) };
}
