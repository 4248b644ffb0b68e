import { apiUrl } from "../runtime/environment.ts";

/** The link that ends the mails of a token. */
export function unsubscribeLink(token: string): string {
  return `${apiUrl()}/unsubscribe?token=${token}`;
}

/** RFC 8058: mail programs end the mails of a token with one click. */
export function unsubscribeHeaders(token: string): Record<string, string> {
  return {
    "List-Unsubscribe": `<${unsubscribeLink(token)}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}
