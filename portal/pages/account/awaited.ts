import { type Wish, wishFor } from "../../doors.ts";
import { ofBrowser, ofTab } from "../../store.ts";

// The mail for which a tab waits.

/** Where the browser keeps what is done by the link of a mail, with its time behind it: see kept-for-mail.ts. */
export const MAILED = "mailed ";

/** Where the tab keeps when the mail was sent, for what, what was typed by then and, if it has a code, where. */
export const AWAITED = "mailed to";

const MAIL_LASTS_MS = 15 * 60_000;

export function awaited(): { email?: string; at: number; of?: number } | undefined {
  const mail = JSON.parse(ofTab.get(AWAITED) ?? "{}");
  return Date.now() - mail.at < MAIL_LASTS_MS ? mail : undefined;
}

export function forgetAwaited(): void {
  ofTab.remove(AWAITED);
}

/** What a tab has done for another one that waits: where it is shown, and what is said of it. */
export type Done = { next: string | undefined; said: string };

/** Where the browser keeps it, with the time of the wish behind it. */
export const DONE = "done ";

/** Takes what another tab has done of a wish. */
export function takeDone(at: number): Done | undefined {
  const done = ofBrowser.get(DONE + at);
  ofBrowser.remove(DONE + at);
  return done && JSON.parse(done);
}

/** What the person wants who signs in in this tab. */
export function ownWish(next: string | undefined): Wish {
  const wish = wishFor(next);
  // A code, or a password, has signed in: no link does it once more.
  ofBrowser.remove(MAILED + wish.at);
  forgetAwaited();
  return wish;
}
