import { accountIdOf, token } from "./session.ts";
import { ofBrowser, ofTab } from "./store.ts";

// What was typed and not sent yet. A tab keeps it over a reload and an ended session, for the person who typed it. What
// a new account had typed as a visitor, the browser keeps in its place: no closed tab loses it.

/** `key`: the name of the work, so that it is done once. */
export type Draft = { key?: string; values?: Record<string, string> };

/** Who types without an account. */
export const VISITOR = "visitor";

export const prefixOf = (person: string) => `draft ${person} `;

function nameOf(draft: string, person = accountIdOf(token.peek()) ?? VISITOR): string {
  return prefixOf(person) + draft;
}

/** What keeps it: the tab, unless the browser has it. */
const storeOf = (name: string) => (ofBrowser.get(name) ? ofBrowser : ofTab);

export function keptDraft(draft: string): Draft {
  const name = nameOf(draft);
  return JSON.parse(storeOf(name).get(name) ?? "{}");
}

/** `person`: the account of who typed it, by default the one that is signed in. */
export function keepDraft(draft: string, kept: Draft, person?: string): void {
  const name = nameOf(draft, person);
  storeOf(name).set(name, JSON.stringify(kept));
}

export function dropDraft(draft: string): void {
  const name = nameOf(draft);
  storeOf(name).remove(name);
}

/** Forgets what the person who signs out has typed, also before the sign-in: the next one must not see it. */
export function dropDrafts(): void {
  for (const prefix of [nameOf(""), prefixOf(VISITOR)])
    for (const store of [ofTab, ofBrowser])
      for (const key of store.keys()) if (key.startsWith(prefix)) store.remove(key);
}

/** Gives what a visitor has typed to the account with which they sign in. `keeps`: what keeps it from now on. */
export function takeOverDrafts(newToken: string, keeps = storeOf): void {
  const prefix = prefixOf(accountIdOf(newToken) ?? VISITOR);
  const visitors = prefixOf(VISITOR);
  for (const key of ofTab.keys().filter((each) => each.startsWith(visitors))) {
    const name = prefix + key.slice(visitors.length);
    keeps(name).set(name, ofTab.get(key) ?? "{}");
    ofTab.remove(key);
  }
}
