import { existsSync, readFileSync } from "node:fs";
import { escaped, type Letter, page } from "../../../lib/mail/layout.ts";
import { isLoopback } from "./guard.ts";
import type { Answer } from "./invoke.ts";

const SHOWN = 20;

/** Whether a server that listens on this address has the page: letters hold links that are for their readers only. */
export function showsMails(host: string): boolean {
  return isLoopback(host) && process.env.MAIL_TRANSPORT === "log";
}

/** The page `/mails`: the last letters of MAIL_LOG_FILE as HTML and as text; undefined for another path. */
export function mailsAt(path: string): Answer | undefined {
  if (path !== "/mails") return undefined;
  const file = process.env.MAIL_LOG_FILE;
  const lines = file && existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  const letters = lines.filter(Boolean).slice(-SHOWN).reverse();
  const title = letters.length > 0 ? "The last mails, the newest first" : "No mail was sent yet";
  return {
    statusCode: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      // Letters run no script. A logo may be anywhere.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src *; frame-ancestors 'none'",
    },
    body: page(title, `<h1>${title}</h1>\n${letters.map((line) => article(JSON.parse(line))).join("")}`, "en"),
  };
}

function article({ time, to, subject, text, html }: Letter & { time: string }): string {
  // A link opens a page of its own, outside of the frame.
  const framed = html && `<base target="_blank">${html}`;
  return `<h2 style="font-size: 16px">${escaped(subject)}</h2>
<p class="small">to ${escaped(to)}, ${escaped(time)}</p>
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="HTML" srcdoc="${escaped(framed)}"
  style="box-sizing: border-box; width: 100%; height: 32rem; border: 1px solid #8888; resize: vertical"></iframe>
<details><summary>As text</summary><pre style="white-space: pre-wrap">${escaped(text)}</pre></details>
`;
}
