import { environment } from "../runtime/environment.ts";

/** The link that ends the mails of a token. */
export function unsubscribeLink(token: string): string {
  const { SITE_URL, API_URL = `${SITE_URL}/api/v1` } = environment();
  return `${API_URL}/unsubscribe?token=${token}`;
}

/** RFC 8058: mail programs end the mails of a token with one click. */
export function unsubscribeHeaders(token: string): Record<string, string> {
  return {
    "List-Unsubscribe": `<${unsubscribeLink(token)}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}
