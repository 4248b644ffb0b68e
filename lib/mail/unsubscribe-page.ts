import { escaped, page } from "./layout.ts";
import { t } from "./texts.ts";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/**
 * The page behind the link that ends notifications: a button, because programs that check mails follow links and press
 * no buttons. Its form sends the token back, which is in the address of the page.
 */
export function unsubscribePage(state: "asks" | "done") {
  const [title, text] =
    state === "asks" ? (["unsubscribe", "unsubscribeAsk"] as const) : (["unsubscribed", "unsubscribedEnd"] as const);
  const button = `<form method="post"><button class="button">${escaped(t("unsubscribe"))}</button></form>\n`;
  const body = `<p>${escaped(t(text))}</p>\n${state === "asks" ? button : ""}`;
  return { statusCode: 200, headers: HEADERS, body: page(t(title), `<h1>${escaped(t(title))}</h1>\n${body}`) };
}
