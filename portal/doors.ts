import { signal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { attempt } from "./notices.ts";
import { castVote, follow } from "./posts.ts";
import { ofTab } from "./store.ts";

// Doors: where a visitor must sign in. What they wanted is kept, and done once they have signed in or up.

export type Intent =
  | { does: "vote" | "follow"; title: string; postId: string }
  /** Sends the form whose draft it is. `at`: the address of the form, if it is not this page's. */
  | { does: "post" | "comment"; title: string; draft: string; at?: string };

/** `next`: the page to which the sign-in leads; `at`: in milliseconds since 1970. */
type Kept = { intent: Intent; next: string; at: number };

const KEY = "intent";

/** A later sign-in, maybe of another person, is for something else. */
const LASTS_MS = 3_600_000;

/** What the person who signs in wants to do at `next`. */
export function intentFor(next: string | undefined): Intent | undefined {
  const kept: Kept | null = JSON.parse(ofTab.get(KEY) ?? "null");
  if (!kept || kept.next !== next || Date.now() - kept.at > LASTS_MS) return undefined;
  return kept.intent;
}

/** Leads a visitor to the sign-in, and back to this page. */
export function useDoor(): (intent: Intent) => void {
  const { route, url } = useLocation();
  return (intent) => {
    const next = ("at" in intent && intent.at) || url;
    const kept: Kept = { intent, next, at: Date.now() };
    ofTab.set(KEY, JSON.stringify(kept));
    route(`/sign-in?next=${encodeURIComponent(next)}`);
  };
}

/** The draft whose form is to send itself. */
export const sendsNow = signal<string | undefined>(undefined);

/** Until then its page is there. If it has no such form, the draft waits for the person. */
const SOON_MS = 10_000;

function sendSoon(draft: string): void {
  sendsNow.value = draft;
  setTimeout(() => {
    if (sendsNow.value === draft) sendsNow.value = undefined;
  }, SOON_MS);
}

/** Does what the person wanted, after they have signed in. */
export function carryOutIntent(intent: Intent): void {
  ofTab.remove(KEY);
  if ("draft" in intent) sendSoon(intent.draft);
  else if (intent.does === "vote") void attempt(castVote(intent.postId, intent.title));
  else void attempt(follow(intent.postId, true));
}
