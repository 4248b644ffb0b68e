import { createHash } from "node:crypto";
import { renderToString } from "preact-render-to-string";
import type { Api, Post } from "./api.ts";
import { App, loadPages } from "./app.tsx";
import { brandOf } from "./brand.ts";
import type { Answer, AnswerPage, First, Headers } from "./build.ts";
import { type Known, renderWith } from "./data.ts";
import { EARLY_SCRIPT } from "./early.ts";
import { markdown } from "./load-markdown.ts";
import * as withMarkdown from "./markdown.ts";
import { isMissing, title } from "./parts/basics.tsx";
import { NO_SCRIPT } from "./parts/post-row.tsx";
import {
  addressOf,
  isOfTeam,
  partsOf,
  pathOfImportedPost,
  pathOfPost,
  readable,
  slugIn,
  withoutFields,
  withoutSlashes,
} from "./server/addresses.ts";
import { BY_LANGUAGE, KEPT, leadTo, unlessKnown } from "./server/answers.ts";
import { colorsIn } from "./server/colors.ts";
import { documentAt } from "./server/documents.ts";
import { escaped, jsonInHtml } from "./server/escaped.ts";
import { headOf, postAt, siteOf } from "./server/head.ts";
import { clientFor, handlerOf } from "./server/lambda.ts";
import { withNeeds } from "./server/needs-script.ts";
import { SESSION_SCRIPT } from "./session.ts";
import { TEAM_SCRIPT } from "./team-place.ts";
import { type Language, language, languageOf, languages, loadTexts, t, texts } from "./text.ts";
import { THEME_SCRIPT } from "./theme.ts";

// The page as the server sends it: rendered for a visitor, with the data in it. So it can be read without JavaScript,
// and the browser asks for nothing more before it shows it.

markdown.value = withMarkdown;
await loadPages();

// The router reads the origin, which stands nowhere in the page.
globalThis.location ??= { origin: "http://localhost" } as Location;

declare const FIRST: First;

/** What a page answers because of one thing that it shows. */
function statusOf({ failure }: Known[string]): number {
  if (!failure) return 200;
  const isOurs = failure.status < 400 || failure.status === 429 || failure.status >= 500;
  return isOurs ? 503 : failure.status;
}

export const answerPage: AnswerPage = async (asked, headers, origins) => {
  if (asked.startsWith("/api/")) return { statusCode: 404, headers: {}, body: '{"message":"Not Found"}' };
  const url = readable(asked);
  const clean = withoutFields(url);
  if (clean !== undefined) return leadTo(clean, 303, "no-store");
  const plain = withoutSlashes(url);
  if (plain !== undefined) return leadTo(plain, 301);
  const { path, query } = partsOf(url);
  const imported = pathOfImportedPost(path);
  if (imported !== undefined) return leadTo(addressOf(imported, query), 301);
  const client = clientFor(headers, origins.api);
  // Programs ask for these without a look at the page.
  if (path === "/favicon.ico" || path === "/apple-touch-icon.png") return leadTo("/cards/icon.png", 302);
  const document = documentAt(path);
  // One address for each: a query would be another one for caches.
  if (document && query.size > 0) return leadTo(path, 301);
  const answer = document
    ? document(client, origins.site, await loadTexts(languageFor(headers)))
    : render(url, headers, client, origins.site);
  return unlessKnown(await answer, headers);
};

/** Where a post is now. If another one led to it, which was merged into it, the page says so. */
function presentAddressOf({ slug, mergedFrom }: Post, query: URLSearchParams): string {
  if (mergedFrom) query.set("merged", mergedFrom.slug);
  return addressOf(pathOfPost(slug), query);
}

/** The language that this browser has chosen, or else likes best. */
function languageFor({ cookie = "", "accept-language": accepted = "" }: Headers): Language {
  const [, chosen = ""] = /(?:^|;\s*)language=(\w+)/.exec(String(cookie)) ?? [];
  return languageOf(Object.hasOwn(languages, chosen) ? chosen : String(accepted));
}

async function render(url: string, headers: Headers, client: Api, siteUrl: string): Promise<Answer> {
  const chosen = languageFor(headers);
  const chosenTexts = await loadTexts(chosen);
  const speak = () => {
    language.value = chosen;
    texts.value = chosenTexts;
  };
  let heading = "";
  let isLost = false;
  const { html, known } = await renderWith(client, speak, () => {
    isMissing.value = false;
    const html = renderToString(<App url={url} />);
    heading = title.peek();
    isLost = isMissing.peek();
    return html;
  });
  const { path, query } = partsOf(url);
  const post = postAt(path, known);
  if (post && post.slug !== slugIn(path)) return leadTo(presentAddressOf(post, query), 301);
  const statusCode = Math.max(isLost ? 404 : 200, ...Object.values(known).map(statusOf));
  // Another page may have been rendered meanwhile.
  speak();
  const { title: siteTitle, logo, icon, accentColor } = siteOf(known);
  // The server knows nobody, and would call a page of the team by the sign-in that others see in its place.
  const name = statusCode === 200 && isOfTeam(path) ? `${t("manage")} · ${siteTitle}` : heading;
  const head = headOf({ url, statusCode, title: name, known }, siteUrl);
  const colors = brandSheet(accentColor) + colorsIn(html);
  return {
    statusCode,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy([logo, icon], colors),
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "cache-control": statusCode < 500 && !/[?&](token|code)=/.test(url) ? KEPT : "no-store",
      vary: BY_LANGUAGE,
    },
    body: `<!doctype html>
<html lang="${chosen}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<link rel="icon" href="${escaped(icon || "/icon.svg")}">
<link rel="apple-touch-icon" href="${escaped(icon || "/cards/icon.png")}">
<script>${FIRST_SCRIPT}</script>
<link rel="stylesheet" href="${FIRST.style}">
${preloads(path, chosen)}
<style>${colors}</style>
<script type="module" src="${FIRST.script}"></script>
<script type="application/json" id="known">${jsonInHtml(known)}</script>
</head>
<body>${leadOf(url)}<div id="app">${withNeeds(html, chosen)}</div></body>
</html>
`,
  };
}

/**
 * Names what the page's script would ask for one after the other, so that a browser asks for all of it with the script.
 * Pages of the team are nobody else's: their files come too, and where they show texts what renders those.
 */
function preloads(path: string, chosen: Language): string {
  const of = ({ scripts, texts }: Pick<typeof FIRST, "scripts" | "texts">) => [...scripts, texts[chosen]];
  const showsTexts = /^\/manage(\/(waiting|queue)?)?$/.test(path);
  const files = [...of(FIRST), ...(isOfTeam(path) ? of(FIRST.team) : []), ...(showsTexts ? [FIRST.markdown] : [])];
  const others = files.filter((file) => file !== FIRST.script);
  return others.map((file) => `<link rel="modulepreload" href="${file}">`).join("\n");
}

/** Leads a person without the script to the sign-in, which says what they need, and back to this page. */
function leadOf(url: string): string {
  const next = `<input type="hidden" name="next" value="${escaped(url)}">`;
  return `<noscript><form id="${NO_SCRIPT}" action="/sign-in">${next}</form></noscript>`;
}

/** The site's colour, for the first paint. The service lets only six hex digits be one. */
function brandSheet(color: string): string {
  const lines = Object.entries(brandOf(color)).map(([name, value]) => `${name}:${value}`);
  return `:root{${lines.join(";")}}`;
}

/** How the policy names a script or a sheet in the page itself. */
function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Runs before the first paint; the page's own script comes later. */
const FIRST_SCRIPT = [THEME_SCRIPT, SESSION_SCRIPT, TEAM_SCRIPT, EARLY_SCRIPT].join(";");
const FIRST_SCRIPT_HASH = hashOf(FIRST_SCRIPT);

// The host of a URL can have a semicolon or an asterisk, which mean something else in a policy.
const NAMED_ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;

/** Only this origin, and the site's pictures wherever the owner keeps them. */
function policy(pictures: (string | null | undefined)[], sheet: string): string {
  const origins = pictures
    .flatMap((url) => (url && URL.parse(url)?.origin) || [])
    .filter((each) => NAMED_ORIGIN.test(each));
  const images = ["'self'", "data:", ...new Set(origins)];
  return [
    `default-src 'none'; script-src 'self' ${FIRST_SCRIPT_HASH}; style-src 'self' ${hashOf(sheet)}; connect-src 'self'`,
    `img-src ${images.join(" ")}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  ].join("; ");
}

export const handler = handlerOf(answerPage);
