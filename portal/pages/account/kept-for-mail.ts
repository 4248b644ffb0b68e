import {
  AWAITED,
  awaited,
  INTENT,
  keepWish,
  MAILED,
  type Mailed,
  mailedWish,
  type Wish,
  wishFor,
} from "../../doors.ts";
import { prefixOf, VISITOR } from "../../drafts.ts";
import { ofBrowser, ofTab } from "../../store.ts";

// What the page that asks for a mail keeps for the link, and does when another tab has opened it.

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
 * Keeps what the person wants at `next` until they follow the link of a mail, which has a code if it names `email`. The
 * code of an earlier mail is still good: its field stays.
 */
export function keepForMail(next: string | undefined, email?: string): void {
  const at = Date.now();
  const mailed: Mailed = { ...wishFor(next), drafts: visitorsDrafts(), at };
  ofBrowser.set(MAILED, JSON.stringify(mailed));
  ofTab.set(AWAITED, JSON.stringify({ email: email ?? awaited()?.email, at }));
}

/**
 * Lets this tab want what the browser keeps for the link of a mail, or else the page that the link names. Returns where
 * that leads.
 */
export function takeMailed(ofLink: string | undefined): string | undefined {
  const { next, place, intent } = mailedWish() ?? { next: ofLink };
  keepWish({ next, place, intent });
  return next;
}

/** What is left to a tab that waited for a link: if another tab has done what the person wanted, only the page. */
export function wishOfWaiting(next: string | undefined): Wish {
  const wish = mailedWish();
  if (wish) return wish;
  ofTab.remove(INTENT);
  dropVisitorsDrafts();
  return { next };
}
