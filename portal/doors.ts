import { signal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { attempt } from "./deeds.ts";
import { loadMarkdown } from "./load-markdown.ts";
import { focusWhenThere, keepPressed, type Place, placeNow, SOON_MS } from "./places.ts";
import { castVote, FOLLOW_ID, follow, voteId } from "./posts.ts";
import { useSignInPage } from "./site.ts";
import { ofTab } from "./store.ts";

// Doors: where a visitor must sign in. What they wanted is kept, and done once they have signed in or up.

export type Intent =
  | { does: "vote" | "follow"; title: string; postId: string }
  /**
   * Sends the form whose draft it is. `at`: the address of the form, if it is not this page's; `on`: the id of the post
   * of a comment; `answers`: the id of the comment that it replies to.
   */
  | { does: "post" | "comment"; title: string; draft: string; at?: string; on?: string; answers?: string }
  /** Opens the form to report something. */
  | { does: "report"; title: string; opens: string; at?: string };

/**
 * What a person wants who signs in, where they go, and where on that page they were. `shows`: the id of what gets the
 * keyboard there, because it is done. `at`: when a tab began to keep it, in milliseconds since 1970: it tells wishes
 * apart. `of`: the same of the wish of another tab for which this one does it.
 */
export type Wish = {
  next?: string | undefined;
  place?: Place | undefined;
  intent?: Intent | undefined;
  shows?: string | undefined;
  at?: number;
  of?: number | undefined;
};

/** Where the tab keeps it. */
const INTENT = "intent";

/** A later sign-in, maybe of another person, is for something else. */
export const LASTS_MS = 3_600_000;

/** What the person who signs in wants to do at `next`, and where they were on it. */
export function wishFor(next: string | undefined): Wish {
  const { at = 0, ...kept }: Wish = JSON.parse(ofTab.get(INTENT) ?? "{}");
  return kept.next === next && Date.now() - at <= LASTS_MS ? { ...kept, at } : { next };
}

/** Keeps a wish in this tab while a page asks for something. */
export function keepWish(wish: Wish): void {
  ofTab.set(INTENT, JSON.stringify({ ...wish, at: Date.now() }));
}

/** Leads a visitor to the sign-in, and back to this page. A new person gets the mail, which also signs up. */
export function useDoor(): (intent: Intent) => void {
  const { route, url } = useLocation();
  const page = useSignInPage("/sign-in/mail");
  return (intent) => {
    // A second press, while the sign-in is still loading, is for the same.
    if (url.startsWith("/sign-in")) return;
    const next = ("at" in intent && intent.at) || url;
    keepPressed(buttonOf(intent));
    // Of a post, whose text is as high as before only with it, when the visitor comes back.
    if (intent.does !== "vote") loadMarkdown().catch(() => {});
    keepWish({ intent, next, ...(next === url && { place: placeNow() }) });
    route(`${page}?next=${encodeURIComponent(next)}`);
  };
}

/** The draft whose form is to send itself, or what is to open. */
export const sendsNow = signal<string | undefined>(undefined);

/** If the page has no such form, the draft waits for the person. */
function sendSoon(draft: string): void {
  sendsNow.value = draft;
  setTimeout(() => {
    if (sendsNow.value === draft) sendsNow.value = undefined;
  }, SOON_MS);
}

/** A person who goes back wants it no more: a sign-in that comes later is for something else. */
export function dropIntent(): void {
  ofTab.remove(INTENT);
}

/** Follows the browser's way back from a door to a page, which is a refusal. */
export function followDoors(): void {
  addEventListener("popstate", () => {
    if (!/^\/(sign-|password-)/.test(location.pathname)) dropIntent();
  });
}

type Press = Extract<Intent, { postId: string }>;

/** Votes or follows. */
export function carryOutPress({ does, postId, title }: Press): Promise<void> {
  return does === "vote" ? castVote(postId, title) : follow(postId, true);
}

/** The id of the button that was pressed. */
export function buttonOf(intent: Intent): string {
  if ("draft" in intent) return intent.draft;
  if ("opens" in intent) return intent.opens;
  return intent.does === "vote" ? voteId(intent.postId) : FOLLOW_ID;
}

/** Does what the person wanted, on the page to which the sign-in has led: what was pressed there gets the keyboard. */
export function carryOutWish({ intent, shows }: Wish): void {
  dropIntent();
  if (shows) focusWhenThere(shows);
  if (!intent) return;
  const pressed = buttonOf(intent);
  if ("postId" in intent) void attempt(carryOutPress(intent).then(() => focusWhenThere(pressed)));
  else sendSoon(pressed);
}
