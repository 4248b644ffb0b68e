import { createHash } from "node:crypto";
import { renderToString } from "preact-render-to-string";
import { apiAt, type Schemas } from "./api.ts";
import { App } from "./app.tsx";
import type { Answer, AnswerPage, First } from "./build.ts";
import { type Known, renderWith } from "./data.ts";
import { markdown } from "./load-markdown.ts";
import * as withMarkdown from "./markdown.ts";
import { isMissing, title } from "./parts/basics.tsx";
import { site } from "./site.ts";
import { language, languageOf, texts } from "./text.ts";
import { de } from "./texts/de.ts";
import { en } from "./texts/en.ts";
import { THEME_SCRIPT } from "./theme.ts";

// The page as the server sends it: rendered for a visitor, with the data in it. So it can be read without JavaScript,
// and the browser asks for nothing more before it shows it.

const TEXTS = { en, de };

markdown.value = withMarkdown;

// The router reads the origin, which stands nowhere in the page.
globalThis.location ??= { origin: "http://localhost" } as Location;

declare const FIRST: First;

/** What a function gets of API Gateway. */
type Event = {
  rawPath: string;
  rawQueryString: string;
  headers: Record<string, string>;
  requestContext: { http: { method: string } };
};

const FORBIDDEN = {
  statusCode: 403,
  headers: { "cache-control": "no-store" },
  body: "Open the portal by its own name",
};

/** Answers CloudFront, which sends the key. Past it nothing would keep pages, and nobody would name the visitor. */
export async function handler({ rawPath, rawQueryString, headers, requestContext }: Event): Promise<Answer> {
  const { API_ORIGIN = "", PORTAL_KEY } = process.env;
  if (headers["x-portal-key"] !== PORTAL_KEY) return FORBIDDEN;
  const url = rawQueryString ? `${rawPath}?${rawQueryString}` : rawPath;
  const answer = await answerPage(url, headers, API_ORIGIN);
  return requestContext.http.method === "HEAD" ? { ...answer, body: "" } : answer;
}

// A cache before it takes a burst of visitors. Browsers ask again, and a page that lacks something is not kept.
const KEPT = "public, max-age=0, s-maxage=10";

/** The API counts for the visitor, whom CloudFront names. */
const FORWARDED = ["x-portal-key", "x-portal-viewer"];

/** An address that the router can read; another one is not found. */
function readable(url: string): string {
  try {
    decodeURIComponent(new URL(url, location.origin).pathname);
    return url;
  } catch {
    return "/404";
  }
}

/** What a page answers because of one thing that it shows. */
function statusOf({ failure }: Known[string]): number {
  if (!failure) return 200;
  const isOurs = failure.status < 400 || failure.status === 429 || failure.status >= 500;
  return isOurs ? 503 : failure.status;
}

/** What the address of a page may hold. Anything else is dropped: a form that was sent before the script ran, say. */
const PARAMETERS = new Set(["order", "board", "status", "q", "title", "next", "token", "at", "after", "comment"]);

/** Names of fields that must not stay in an address, nor in a history. */
const SECRETS = ["password", "email", "setupCode"];

/** The address without what a form has put there; undefined if it has nothing of that kind. */
function withoutFields(url: string): string | undefined {
  const { pathname, searchParams } = new URL(url, location.origin);
  const names = [...searchParams.keys(), ...namesIn(searchParams.get("next"))];
  if (!SECRETS.some((name) => names.includes(name))) return undefined;
  const kept = [...searchParams].filter(([name, value]) => PARAMETERS.has(name) && namesIn(value).length === 0);
  return kept.length > 0 ? `${pathname}?${new URLSearchParams(kept)}` : pathname;
}

/** The parameters of an address within an address. */
function namesIn(address: string | null): string[] {
  const [, query = ""] = address?.split("?") ?? [];
  return [...new URLSearchParams(query).keys()];
}

export const answerPage: AnswerPage = async (asked, headers, origin) => {
  if (asked.startsWith("/api/")) return { statusCode: 404, headers: {}, body: '{"message":"Not Found"}' };
  const url = readable(asked);
  const clean = withoutFields(url);
  if (clean !== undefined)
    return { statusCode: 303, headers: { location: clean, "cache-control": "no-store" }, body: "" };
  const chosen = languageOf(String(headers["accept-language"] ?? ""));
  const named = FORWARDED.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []));
  let head = "";
  const { html, known } = await renderWith(apiAt(origin, Object.fromEntries(named)), () => {
    language.value = chosen;
    texts.value = TEXTS[chosen];
    isMissing.value = false;
    const html = renderToString(<App url={url} />);
    head = title.peek();
    return html;
  });
  const { logo, icon, description } = (known[site().key]?.data ?? {}) as Partial<Schemas["SiteSettings"]>;
  const statusCode = Math.max(isMissing.peek() ? 404 : 200, ...Object.values(known).map(statusOf));
  return {
    statusCode,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy([logo, icon]),
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "cache-control": statusCode < 500 && !url.includes("token=") ? KEPT : "no-store",
      vary: "accept-language",
    },
    body: `<!doctype html>
<html lang="${chosen}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(head)}</title>
<meta name="description" content="${escaped(description || head)}">
<link rel="icon" href="${escaped(icon || "data:,")}">
<script>${THEME_SCRIPT}</script>
<link rel="stylesheet" href="${FIRST.style}">
<script type="module" src="${FIRST.script}"></script>
<script type="application/json" id="known">${JSON.stringify(known).replaceAll("<", "\\u003c")}</script>
</head>
<body><div id="app">${html}</div></body>
</html>
`,
  };
};

/** The one script in the page itself, by the hash of its text. */
const THEME_HASH = createHash("sha256").update(THEME_SCRIPT).digest("base64");

/** Only this origin, and the site's pictures wherever the owner keeps them. */
function policy(pictures: (string | null | undefined)[]): string {
  const origins = pictures.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : []));
  const images = ["'self'", "data:", ...new Set(origins)];
  return [
    `default-src 'none'; script-src 'self' 'sha256-${THEME_HASH}'; style-src 'self'; connect-src 'self'`,
    `img-src ${images.join(" ")}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  ].join("; ");
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}
