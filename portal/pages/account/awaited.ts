import { type Wish, wishFor } from "../../doors.ts";
import { ofBrowser, ofTab } from "../../store.ts";

// The mail for which a tab waits.

/** Where the browser keeps what is done by the link of a mail: see kept-for-mail.ts. */
export const MAILED = "mailed";

/** Where the tab keeps when the mail was sent and, if it has a code, where. */
export const AWAITED = "mailed to";

const MAIL_LASTS_MS = 15 * 60_000;

export function awaited(): { email?: string } | undefined {
  const mail = JSON.parse(ofTab.get(AWAITED) ?? "{}");
  return Date.now() - mail.at < MAIL_LASTS_MS ? mail : undefined;
}

export function forgetAwaited(): void {
  ofTab.remove(AWAITED);
}

/** What the person wants who signs in in this tab. */
export function ownWish(next: string | undefined): Wish {
  // What this tab has kept for a link is used up: a code, or a password, has signed in.
  if (awaited()) ofBrowser.remove(MAILED);
  forgetAwaited();
  return wishFor(next);
}
