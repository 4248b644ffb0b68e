import { existsSync, readFileSync } from "node:fs";
import type { Letter } from "../../../lib/mail/layout.ts";
import { isLoopback } from "./guard.ts";
import type { Answer } from "./invoke.ts";

const SHOWN = 20;

/** Whether a server that listens on this address has the page: letters hold links that are for their readers only. */
export function showsMails(host: string): boolean {
  return isLoopback(host) && process.env.MAIL_TRANSPORT === "log";
}

/**
 * The page `/mails` on one machine: the last letters of the file MAIL_LOG_FILE, each as HTML and as text; undefined for
 * another path.
 */
export function mailsAt(path: string): Answer | undefined {
  if (path !== "/mails") return undefined;
  const file = process.env.MAIL_LOG_FILE;
  const lines = file && existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  const letters = lines.filter(Boolean).slice(-SHOWN).reverse();
  return {
    statusCode: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      // Letters run no script. A logo may be anywhere.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src *; frame-ancestors 'none'",
    },
    body: page(letters.map((line) => JSON.parse(line))),
  };
}

function escaped(text = ""): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function article({ time, to, subject, text, html }: Letter & { time: string }): string {
  // A link opens a page of its own, outside of the frame.
  const framed = html && `<base target="_blank">${html}`;
  return `<article>
<h2>${escaped(subject)}</h2>
<p>to ${escaped(to)}, <time>${escaped(time)}</time></p>
<section><iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="HTML" srcdoc="${escaped(framed)}"></iframe>
<pre>${escaped(text)}</pre></section>
</article>`;
}

function page(letters: (Letter & { time: string })[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Mails</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
  section { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)) }
  iframe, pre { box-sizing: border-box; width: 100%; height: 30rem; margin: 0; border: 1px solid #8888; resize: vertical }
  pre { overflow: auto; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere }
</style>
<h1>Mails</h1>
<p>${letters.length > 0 ? `The last ${SHOWN} letters, the newest first.` : "No letter was sent yet."}</p>
${letters.map(article).join("\n")}
</html>
`;
}
