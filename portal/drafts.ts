import { accountIdOf, token } from "./session.ts";
import { ofBrowser, ofTab } from "./store.ts";

// What was typed and not sent yet. A tab keeps it over a reload and an ended session, for the person who typed it. What
// a new account had typed as a visitor, all tabs keep: see pages/account/publish.ts.

/** `key`: the name of the work, so that it is done once. */
export type Draft = { key?: string; values?: Record<string, string> };

/** Who types without an account. */
export const VISITOR = "visitor";

export const prefixOf = (person: string) => `draft ${person} `;

/** Where it is kept. */
export function nameOf(draft: string, person = accountIdOf(token.peek()) ?? VISITOR): string {
  return prefixOf(person) + draft;
}

export function keptDraft(draft: string): Draft {
  const name = nameOf(draft);
  return JSON.parse(ofTab.get(name) ?? ofBrowser.get(name) ?? "{}");
}

/** `person`: the account of who typed it, by default the one that is signed in. */
export function keepDraft(draft: string, kept: Draft, person?: string): void {
  ofTab.set(nameOf(draft, person), JSON.stringify(kept));
}

export function dropDraft(draft: string): void {
  for (const store of [ofTab, ofBrowser]) store.remove(nameOf(draft));
}

/** Forgets what the person who signs out has typed: the next one in this tab must not see it. */
export function dropDrafts(): void {
  const prefix = nameOf("");
  for (const store of [ofTab, ofBrowser]) for (const key of store.keys()) if (key.startsWith(prefix)) store.remove(key);
}

/** Gives what a visitor has typed to the account with which they sign in. */
export function takeOverDrafts(newToken: string): void {
  const prefix = prefixOf(accountIdOf(newToken) ?? VISITOR);
  const visitors = prefixOf(VISITOR);
  for (const key of ofTab.keys().filter((each) => each.startsWith(visitors))) {
    ofTab.set(prefix + key.slice(visitors.length), ofTab.get(key) ?? "{}");
    ofTab.remove(key);
  }
}

/** Gives this tab what a visitor has typed in another one. */
export function restoreDrafts(drafts: Record<string, string>): void {
  for (const [each, draft] of Object.entries(drafts)) ofTab.set(each, draft);
}
