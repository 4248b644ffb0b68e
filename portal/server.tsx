import { renderToString } from "preact-render-to-string";
import { apiAt, type Schemas } from "./api.ts";
import { App } from "./app.tsx";
import type { RenderPage } from "./build.ts";
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

export const page: RenderPage = async (url, acceptLanguage, origin, files) => {
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
  const status = Math.max(200, ...failures.map((failure) => (failure.status === 404 ? 404 : 503)));
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy([logo, icon]),
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "cache-control": "no-cache",
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
<link rel="stylesheet" href="${files.style}">
<script type="module" src="${files.script}"></script>
<script type="application/json" id="known">${JSON.stringify(known).replaceAll("<", "\\u003c")}</script>
</head>
<body><div id="app">${html}</div></body>
</html>
`,
  };
};

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
