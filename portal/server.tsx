import { renderToString } from "preact-render-to-string";
import { apiAt, type Schemas } from "./api.ts";
import { App } from "./app.tsx";
import type { Answer, AnswerPage, Assets } from "./build.ts";
import { renderWith } from "./data.ts";
import { htmlOf } from "./markdown.ts";
import { title } from "./parts/basics.tsx";
import { renderMarkdownWith } from "./parts/markdown.tsx";
import { language, languageOf, texts } from "./text.ts";
import { de } from "./texts/de.ts";
import { en } from "./texts/en.ts";

// The page as the server sends it: rendered for a visitor, with the data in it. So it can be read without JavaScript,
// and the browser asks for nothing more before it shows it.

const TEXTS = { en, de };

renderMarkdownWith(htmlOf);

// The router reads the origin, which stands nowhere in the page.
globalThis.location ??= { origin: "http://localhost" } as Location;

declare const ASSETS: Assets;

const { texts: files, script, style } = ASSETS;

const TYPES = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" };

export const answerPage: AnswerPage = async (url, headers, origin) => {
  if (!url.startsWith("/assets/")) return page(url, headers["accept-language"] ?? "", origin);
  const body = files[url];
  const type = TYPES[url.endsWith(".css") ? "css" : "js"];
  const known = { "content-type": type, "cache-control": "public, max-age=31536000, immutable" };
  return body === undefined ? { statusCode: 404, headers: {}, body: "" } : { statusCode: 200, headers: known, body };
};

/** What a function gets of API Gateway. */
type Event = { rawPath: string; rawQueryString: string; headers: Record<string, string> };

export function handler({ rawPath, rawQueryString, headers }: Event): Promise<Answer> {
  const url = rawQueryString ? `${rawPath}?${rawQueryString}` : rawPath;
  return answerPage(url, headers, process.env.API_ORIGIN ?? "");
}

// A cache before it takes a burst of visitors. Browsers ask again, and a page that lacks something is not kept.
const KEPT = "public, max-age=0, s-maxage=10";

async function page(url: string, acceptLanguage: string, origin: string): Promise<Answer> {
  const chosen = languageOf(acceptLanguage);
  let head = "";
  const { html, known, failures } = await renderWith(apiAt(origin), () => {
    language.value = chosen;
    texts.value = TEXTS[chosen];
    const html = renderToString(<App url={url} />);
    head = title.peek();
    return html;
  });
  const { logo, icon, description } = (known.site ?? {}) as Partial<Schemas["SiteSettings"]>;
  const statusCode = Math.max(200, ...failures.map((failure) => (failure.status === 404 ? 404 : 503)));
  return {
    statusCode,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy([logo, icon]),
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "cache-control": statusCode < 500 ? KEPT : "no-store",
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
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
<script type="application/json" id="known">${JSON.stringify(known).replaceAll("<", "\\u003c")}</script>
</head>
<body><div id="app">${html}</div></body>
</html>
`,
  };
}

/** Only this origin, and the site's pictures wherever the owner keeps them. */
function policy(pictures: (string | null | undefined)[]): string {
  const origins = pictures.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : []));
  const images = ["'self'", "data:", ...new Set(origins)];
  return [
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'",
    `img-src ${images.join(" ")}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  ].join("; ");
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}
