import { INTENT, MAILED, MAILED_TO, type Mailed, mailedWish, type Wish, wishFor } from "../../doors.ts";
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

/** Keeps what the person wants at `next` until they follow the link of a mail. */
export function keepForMail(email: string, next: string | undefined): void {
  const at = Date.now();
  const mailed: Mailed = { ...wishFor(next), drafts: visitorsDrafts(), at };
  ofBrowser.set(MAILED, JSON.stringify(mailed));
  ofTab.set(MAILED_TO, JSON.stringify({ email, at }));
}

/** What is left to a tab that waited for a link: if another tab has done what the person wanted, only the page. */
export function wishOfWaiting(next: string | undefined): Wish {
  const wish = mailedWish();
  if (wish) return wish;
  ofTab.remove(INTENT);
  dropVisitorsDrafts();
  return { next };
}
