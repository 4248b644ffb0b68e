import { FIRST_COLOR, type Site } from "../accounts/site.ts";
import { environment } from "../runtime/environment.ts";
import type { Language } from "../values/languages.ts";
import { textOn } from "../values/text-on.ts";
import type { Quote } from "./markdown.ts";

export type Letter = { to: string; subject: string; text: string; html: string; headers: Record<string, string> };

type Link = { label: string; url: string };

type Item = { label: string; url?: string };

type Code = { label: string; code: string };

/** What a letter says, in its language: text without markup, but for the quote. */
export type Content = {
  language: Language;
  subject: string;
  before: string;
  /** What a user wrote. */
  quote?: Quote;
  /** What the letter lists, with links or without. */
  items?: Item[];
  link?: Link;
  /** What the reader types somewhere else. */
  code?: Code;
  after: string;
  /** The ways to get no more of such letters. */
  footer?: Link[];
};

/** RFC 3834: no program answers such a mail, for example with a note that its reader is away. */
const AUTOMATIC = { "Auto-Submitted": "auto-generated" };

/**
 * Makes the plain text and the HTML of a letter from the same parts, below the name and the logo of the site. Each says
 * that a program has sent it.
 */
export function laidOut(to: string, content: Content, site: Site | undefined, headers = {}): Letter {
  const { subject } = content;
  return {
    to,
    subject,
    text: textOf(content, site),
    html: htmlOf(content, site),
    headers: { ...AUTOMATIC, ...headers },
  };
}

/** The name of a site in its letters: its address until the setup gave it a title. */
export function nameOf(site: Site | undefined): string {
  return site?.title ?? environment().SITE_URL;
}

/** The colon between a label and what belongs to it, where a language has one of its own. */
const COLONS: Partial<Record<Language, string>> = { fr: "\u00a0:", ja: "：" };

function withColon(label: string, language: Language): string {
  return label + (COLONS[language] ?? ":");
}

function textOf(
  { language, before, quote, items = [], link, code, after, footer = [] }: Content,
  site: Site | undefined,
): string {
  const written = (each: Link) => `${withColon(each.label, language)}\n${each.url}`;
  const signature = `-- \n${nameOf(site)}\n${environment().SITE_URL}`;
  const parts = [
    before,
    quote?.text.replace(/^/gm, "> "),
    ...items.map(({ label, url }) => (url === undefined ? `- ${label}` : written({ label, url }))),
    link && written(link),
    code && `${withColon(code.label, language)}\n${code.code}`,
    after,
    ...footer.map(written),
    signature,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text as HTML shows it, also as the value of an attribute in quotes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

const STYLE = `
  :root { color-scheme: light dark }
  body { margin: 0; background: #f4f4f5; color: #18181b; font: 16px/1.5 system-ui, sans-serif }
  div { max-width: 32rem; margin: 0 auto; padding: 24px 20px; overflow-wrap: anywhere }
  img { max-height: 40px; max-width: 100% }
  img, svg { vertical-align: middle; margin-right: 8px }
  .site, .site a { color: inherit; font-weight: 600; text-decoration: none }
  h1 { font-size: 22px; line-height: 1.3 }
  .button { display: inline-block; padding: 10px 18px; border: 0; border-radius: 8px; font: inherit;
    text-decoration: none }
  blockquote { margin: 16px 0; padding: 0 0 0 16px; border-left: 3px solid #8888 }
  pre { white-space: pre-wrap }
  .code { font: 700 26px/1.4 ui-monospace, monospace; letter-spacing: 3px }
  .small a { color: inherit }
  .small { color: #5b5b64; font-size: 14px }
  @media (prefers-color-scheme: dark) {
    body { background: #18181b; color: #f4f4f5 }
    .small { color: #b4b4bd }
  }`;

/** The colours of a button: the one of the site, and what can be read on it. */
export function buttonStyle(site: Site | undefined): string {
  const color = site?.accentColor ?? FIRST_COLOR;
  return `background: #${color}; color: #${textOn(color)}`;
}

/** A page in a language. `inner` is HTML. */
export function page(title: string, inner: string, language: Language): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${STYLE}
</style>
</head>
<body><div role="main">
${inner}</div></body>
</html>
`;
}

function itemOf({ label, url }: Item): string {
  return url === undefined ? escaped(label) : `<a href="${escaped(url)}">${escaped(label)}</a>`;
}

function htmlOf(
  { language, subject, before, quote, items = [], link, code, after, footer = [] }: Content,
  site: Site | undefined,
): string {
  const image = site?.logo ? `<img src="${escaped(site.logo)}" alt="">` : "";
  const style = buttonStyle(site);
  const button =
    link && `<p><a class="button" style="${style}" href="${escaped(link.url)}">${escaped(link.label)}</a></p>\n`;
  const typed =
    code && `<p>${escaped(withColon(code.label, language))}<br><span class="code">${escaped(code.code)}</span></p>\n`;
  const quoted = quote ? `<blockquote dir="auto">\n${quote.html}</blockquote>\n` : "";
  const listed = items.map((each) => `<li dir="auto">${itemOf(each)}</li>\n`);
  const list = listed.length > 0 ? `<ul>\n${listed.join("")}</ul>\n` : "";
  const leaving = footer.map((each) => `<br><a href="${escaped(each.url)}">${escaped(each.label)}</a>`).join("");
  const inner = `<p class="site" dir="auto"><a href="${escaped(environment().SITE_URL)}">${image}${escaped(nameOf(site))}</a></p>
<p dir="auto">${escaped(before)}</p>
${quoted}${list}${button ?? ""}${typed ?? ""}<p class="small" dir="auto">${escaped(after)}${leaving}</p>
`;
  return page(subject, inner, language);
}
