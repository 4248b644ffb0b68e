import { signal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { attempt } from "./notices.ts";
import { castVote, follow } from "./posts.ts";
import { useSignInUrl } from "./site.ts";
import { ofTab } from "./store.ts";

// Doors: where a visitor must sign in. What they wanted is kept, and done once they have signed in or up.

export type Intent =
  | { does: "vote" | "follow"; title: string; postId: string }
  /** Sends the form whose draft it is. */
  | { does: "post" | "comment"; title: string; draft: string };

/** `next`: the page to which the sign-in leads; `at`: in milliseconds since 1970. */
type Kept = { intent: Intent; next: string; at: number };

const KEY = "intent";

/** A later sign-in, maybe of another person, is for something else. */
const LASTS_MS = 3_600_000;

/** What the person wants who signs in to come to `next`. */
export function intentFor(next: string | undefined): Intent | undefined {
  const kept: Kept | null = JSON.parse(ofTab.get(KEY) ?? "null");
  if (!kept || kept.next !== next || Date.now() - kept.at > LASTS_MS) return undefined;
  return kept.intent;
}

/** Leads a visitor to the sign-in, and back to this page. */
export function useDoor(): (intent: Intent) => void {
  const { route, url } = useLocation();
  const signInUrl = useSignInUrl();
  return (intent) => {
    const kept: Kept = { intent, next: url, at: Date.now() };
    ofTab.set(KEY, JSON.stringify(kept));
    route(signInUrl);
  };
}

/** The draft whose form is to send itself. */
export const sendsNow = signal<string | undefined>(undefined);

/** Does what the person wanted, after they have signed in. */
export function carryOutIntent(intent: Intent): void {
  ofTab.remove(KEY);
  if ("draft" in intent) sendsNow.value = intent.draft;
  else if (intent.does === "vote") void attempt(castVote(intent.postId, intent.title));
  else void attempt(follow(intent.postId, true));
}
