import { dropIntent, keepWish, LASTS_MS, type Wish, wishFor } from "../../doors.ts";
import { prefixOf, VISITOR } from "../../drafts.ts";
import { ofBrowser, ofTab } from "../../store.ts";
import { AWAITED, awaited, DONE, type Done, forgetAwaited, MAILED, ownWish, takeDone } from "./awaited.ts";
import { wantsOf } from "./wanted.tsx";

// The link of a mail may be opened in another tab than the one that asked for it. So the browser keeps what the person
// wanted, and what they had typed: the tab that signs in takes it, and no other tab does it once more. Several people
// may use one browser, and one person several tabs: each wish has its own place, and is only for the addresses to which
// its mails go.

type Drafts = Record<string, string>;

/** `emails`: where the mails go. `mailedAt`: in milliseconds since 1970. */
type Mailed = Wish & { emails: string[]; drafts: Drafts; mailedAt: number };

/** An address as the service stores it. */
function addressOf(email: string): string {
  return email.trim().toLowerCase();
}

/** What a visitor has typed in this tab, by the keys of the storage. */
function visitorsDrafts(): Drafts {
  const keys = ofTab.keys().filter((each) => each.startsWith(prefixOf(VISITOR)));
  return Object.fromEntries(keys.map((each) => [each, ofTab.get(each) ?? "{}"]));
}

/** What a visitor had typed in this tab when the mail was sent for which it waits. */
function typedByMail(): Drafts {
  return JSON.parse(ofTab.get(AWAITED) ?? "{}").drafts ?? {};
}

/** Forgets in this tab what another one has, or the browser keeps. What was typed since then stays. */
function dropUnchanged(drafts: Drafts): void {
  for (const [each, draft] of Object.entries(drafts)) if (ofTab.get(each) === draft) ofTab.remove(each);
}

/** All that this browser keeps, the newest first. */
function allKept(): Mailed[] {
  const keys = ofBrowser.keys().filter((each) => each.startsWith(MAILED));
  const all = keys.map((each): Mailed => JSON.parse(ofBrowser.get(each) ?? "{}"));
  const kept = all.filter(({ mailedAt }) => Date.now() - mailedAt <= LASTS_MS);
  return kept.sort((one, other) => other.mailedAt - one.mailedAt);
}

function keptOf({ at }: Wish): Mailed | undefined {
  return allKept().find((each) => each.at === at);
}

function write(mailed: Mailed): void {
  ofBrowser.set(MAILED + mailed.at, JSON.stringify(mailed));
}

/** What was done for another tab is seldom for one that still waits by now. */
function isOver(each: string, kept: string[]): boolean {
  return each.startsWith(DONE) || (each.startsWith(MAILED) && !kept.includes(each));
}

/** Removes what has ended: the next person shall not find it in the storage. */
function removeEnded(): void {
  const kept = allKept().map(({ at }) => MAILED + at);
  for (const each of ofBrowser.keys()) if (isOver(each, kept)) ofBrowser.remove(each);
}

/** What the browser has of this tab: when the wish began, and what was typed by then. */
type Given = { of: number | undefined; drafts: Drafts };

/** Keeps what this tab wants at `next` for one more address. */
function keepFor(next: string | undefined, email: string): Given {
  removeEnded();
  if (wishFor(next).at === undefined) keepWish({ next });
  const wish = wishFor(next);
  const emails = [...(keptOf(wish)?.emails ?? []), addressOf(email)];
  const drafts = visitorsDrafts();
  write({ ...wish, emails, drafts, mailedAt: Date.now() });
  return { of: wish.at, drafts };
}

/**
 * Keeps what the person wants at `next` until they follow the link of a mail. `hasCode`: the mail also has a code. The
 * code of an earlier mail is still good: its field stays.
 */
export function keepForMail(next: string | undefined, email: string, hasCode = false): void {
  const given = keepFor(next, email);
  ofTab.set(AWAITED, JSON.stringify({ email: hasCode ? email : awaited()?.email, at: Date.now(), ...given }));
}

/**
 * Keeps what the person has wanted in this tab since the mail was sent for which it waits: its link does it too. It is
 * kept once: another tab may have done it by now.
 */
export function keepForSentMail(next: string | undefined): void {
  const { email, at = 0, of } = awaited() ?? {};
  const wanted = wishFor(next).at ?? 0;
  if (email && wanted > at && wanted !== of) ofTab.set(AWAITED, JSON.stringify({ email, at, ...keepFor(next, email) }));
}

/** `ofLink`: the page that a link names, if it names one. */
function isFor(wish: Wish, ofLink: string | undefined): boolean {
  return JSON.stringify(wantsOf(wish)) === JSON.stringify(wantsOf({ next: ofLink }));
}

/** Of what is kept, what a link names. */
function namedIn(kept: Mailed[], ofLink: string | undefined): Mailed | undefined {
  return kept.find((each) => each.intent && isFor(each, ofLink));
}

/**
 * What this browser keeps for a link whose address is not known yet, to say it. A link that names no post may be of
 * another person: of that nothing is said but that there is something.
 */
export function wishKeptForLink(ofLink: string | undefined): Wish | undefined {
  const kept = allKept();
  return ofLink ? namedIn(kept, ofLink) : kept.find((each) => isFor(each, ofLink)) && {};
}

/** Whether this browser keeps a new post, of whomever it is: a link names none. */
export function keepsPost(): boolean {
  return allKept().some(({ intent }) => intent?.does === "post");
}

/** What this browser keeps for an address, the newest first. */
function keptFor(email: string | undefined): Mailed[] {
  return email === undefined ? [] : allKept().filter(({ emails }) => emails.includes(addressOf(email)));
}

/**
 * What a link to this address does, of all that is kept: what it names, or else the newest. A vote that it names was
 * pressed here, so it is cast for each address. What was written is only for the addresses of its mails.
 */
export function wishKeptFor(email: string | undefined, ofLink: string | undefined): Wish | undefined {
  const kept = keptFor(email);
  const pressed = allKept().filter(({ intent }) => intent && "postId" in intent);
  return namedIn(kept, ofLink) ?? namedIn(pressed, ofLink) ?? kept.find(({ intent }) => intent) ?? kept[0];
}

/**
 * Takes what the person wanted who has followed a link to this address. It also ends what was kept for a sign-in alone.
 * What is for another address stays for its own link.
 */
export function mailedWish(email: string | undefined, ofLink: string | undefined): Wish | undefined {
  const wish = wishKeptFor(email, ofLink);
  if (!wish) return undefined;
  const kept = keptFor(email);
  const alone = kept.filter(({ intent }) => !intent);
  // The text of the wish comes last, and stands in place of an earlier one.
  for (const { at, drafts } of [...alone.reverse(), ...kept.filter((each) => each.at === wish.at)]) {
    ofBrowser.remove(MAILED + at);
    for (const [each, draft] of Object.entries(drafts)) ofTab.set(each, draft);
  }
  forgetAwaited();
  return { next: wish.next, place: wish.place, intent: wish.intent, of: wish.at };
}

/**
 * What is left to a tab that waited for a link, when another tab has signed in a person: nothing but the page, if the
 * mail is for another person, whose wish the browser keeps, or if that tab has done it: then what it has published, or
 * their own posts until it has.
 */
export function wishOfWaiting(next: string | undefined, email: string): Wish & Partial<Done> {
  const own = wishFor(next);
  const kept = keptOf(own);
  if (own.at === undefined) return own;
  if (kept?.emails.includes(addressOf(email))) return ownWish(next);
  const drafts = kept ? visitorsDrafts() : typedByMail();
  if (kept) write({ ...kept, drafts });
  dropUnchanged(drafts);
  forgetAwaited();
  dropIntent();
  const isPostOfOtherTab = !kept && own.intent?.does === "post";
  return takeDone(own.at) ?? { next: isPostOfOtherTab ? "/my/posts" : next };
}
