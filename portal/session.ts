import { effect, signal } from "@preact/signals";
import { ofBrowser } from "./store.ts";

/** Where the browser keeps the session. */
export const TOKEN = "token";

/** The session's token; undefined for a visitor and on the server. Tabs share it. */
export const token = signal<string | undefined>(undefined);

/**
 * Stands in the head, and runs before the first paint: the server renders for a visitor, whom some pages ask to sign
 * in. Where there is a session, style.css shows none of that. Pure: the browser's script is built without it.
 */
export const SESSION_SCRIPT = /* @__PURE__ */ [
  "try{document.documentElement.toggleAttribute('data-session',!!localStorage.getItem('",
  TOKEN,
  "'))}catch{}",
].join("");

/** Whether a person has signed in since this tab has loaded its page. */
export const hasEntered = signal(false);

/** Where the browser keeps `door`. */
const DOOR = "door";

/** The page by which a person signed in last in this browser; undefined if nobody has. Tabs share it. */
export const door = signal<string | undefined>(undefined);

/** Remembers the way that a person has taken. */
export function keepDoor(page: string): void {
  ofBrowser.set(DOOR, page);
  door.value = page;
}

export function signIn(value: string): void {
  ofBrowser.set(TOKEN, value);
  hasEntered.value = true;
  token.value = value;
}

export function signOut(): void {
  ofBrowser.remove(TOKEN);
  hasEntered.value = false;
  token.value = undefined;
}

/** Takes over the session of this browser, and follows what its other tabs do. */
export function followSession(): void {
  token.value = ofBrowser.get(TOKEN);
  door.value = ofBrowser.get(DOOR);
  addEventListener("storage", ({ key, newValue }) => {
    if (key === TOKEN || key === null) token.value = newValue ?? undefined;
    door.value = ofBrowser.get(DOOR);
  });
  effect(() => void document.documentElement.toggleAttribute("data-session", !!token.value));
}

type Claims = { sub: string /** In seconds since 1970. */; iat: number };

/** What a token says of its account, without a question to the service. */
export function claimsOf(value: string | undefined): Partial<Claims> {
  const claims = value?.split(".")[1] ?? "";
  try {
    return JSON.parse(atob(claims.replace(/-/g, "+").replace(/_/g, "/")));
  } catch {
    return {};
  }
}

export function accountIdOf(value: string | undefined): string | undefined {
  return claimsOf(value).sub;
}
