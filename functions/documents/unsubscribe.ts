import { unsubscribePage } from "../../lib/mail/unsubscribe-page.ts";

/** `GET /api/v1/unsubscribe`: the page behind the link of a mail. It changes nothing, whatever token it has. */
export async function handler() {
  return unsubscribePage("asks");
}
