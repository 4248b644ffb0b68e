import { answer, api } from "../../api.ts";
import { INTENT, keepWish, LASTS_MS, type Wish, wishFor } from "../../doors.ts";
import { prefixOf, restoreDrafts, VISITOR } from "../../drafts.ts";
import { ofBrowser, ofTab } from "../../store.ts";
import { AWAITED, awaited, forgetAwaited, MAILED } from "./awaited.ts";
import { wantsOf } from "./wanted.tsx";

// The link of a mail may be opened in another tab than the one that asked for it. So the browser keeps what the person
// wanted, and what they had typed: the tab that signs in takes it, and no other tab does it once more. Several people
// may use one browser: it is only for the address to which the mail goes.

/** `email`: where the mail goes. `at`: in milliseconds since 1970. */
type Mailed = Wish & { email: string; drafts: Record<string, string>; at: number };

/** An address as the service stores it. */
function addressOf(email: string): string {
  return email.trim().toLowerCase();
}

/** What a visitor has typed in this tab, by the keys of the storage. */
function visitorsDrafts(): Record<string, string> {
  const keys = ofTab.keys().filter((each) => each.startsWith(prefixOf(VISITOR)));
  return Object.fromEntries(keys.map((each) => [each, ofTab.get(each) ?? "{}"]));
}

/** Forgets what a visitor has typed: another tab has it. */
function dropVisitorsDrafts(): void {
  for (const each of Object.keys(visitorsDrafts())) ofTab.remove(each);
}

/**
 * Keeps what the person wants at `next` until they follow the link of a mail. `hasCode`: the mail also has a code. The
 * code of an earlier mail is still good: its field stays.
 */
export function keepForMail(next: string | undefined, email: string, hasCode = false): void {
  const at = Date.now();
  const mailed: Mailed = { ...wishFor(next), email: addressOf(email), drafts: visitorsDrafts(), at };
  ofBrowser.set(MAILED, JSON.stringify(mailed));
  ofTab.set(AWAITED, JSON.stringify({ email: hasCode ? email : awaited()?.email, at }));
}

/** What this browser keeps; undefined if another tab has taken it, or another browser has it. */
function kept(): Mailed | undefined {
  const mailed: Mailed | null = JSON.parse(ofBrowser.get(MAILED) ?? "null");
  return mailed && Date.now() - mailed.at <= LASTS_MS ? mailed : undefined;
}

/** What this browser keeps for an address. */
export function wishKeptFor(email: string | undefined): Wish | undefined {
  const mailed = kept();
  return email !== undefined && mailed?.email === addressOf(email) ? mailed : undefined;
}

/**
 * What this browser keeps for a link whose address is not known yet. `ofLink`: the page that the link names. One that
 * names something else is of another mail.
 */
export function wishKeptForLink(ofLink: string | undefined): Wish | undefined {
  const mailed = kept();
  const isSame = mailed && JSON.stringify(wantsOf(mailed)) === JSON.stringify(wantsOf({ next: ofLink }));
  return isSame ? mailed : undefined;
}

function take(): Wish | undefined {
  const mailed = kept();
  ofBrowser.remove(MAILED);
  forgetAwaited();
  if (mailed) restoreDrafts(mailed.drafts);
  return mailed && { next: mailed.next, place: mailed.place, intent: mailed.intent };
}

/** Takes what the person wanted who has followed a link to this address. */
export function mailedWish(email: string | undefined): Wish | undefined {
  return wishKeptFor(email) && take();
}

/**
 * Lets this tab want what the browser keeps for a link that is over, or else the page that the link names. Returns
 * where that leads.
 */
export function takeMailed(ofLink: string | undefined): string | undefined {
  const wish = (wishKeptForLink(ofLink) && take()) ?? { next: ofLink };
  keepWish(wish);
  // The mail for which this tab may wait is another one.
  forgetAwaited();
  return wish.next;
}

/** Whose session this browser has, where that can be read. */
async function ownAddress(): Promise<string | undefined> {
  const reading = answer(api.GET("/users/profile"));
  return reading.then(
    ({ user }) => user.email,
    () => undefined,
  );
}

/** What is left to a tab that waited for a link: if another tab has done what the person wanted, only the page. */
export async function wishOfWaiting(next: string | undefined): Promise<Wish> {
  const wish = mailedWish(await ownAddress());
  if (wish) return wish;
  ofTab.remove(INTENT);
  dropVisitorsDrafts();
  return { next };
}
