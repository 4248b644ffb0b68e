import { TOKEN } from "./session.ts";
import { ofBrowser } from "./store.ts";

const KEPT_AS = "team";

/**
 * Stands in the head, and runs before the first paint. In a browser that the team reads with, and is signed in with,
 * style.css keeps places for the parts that come once the rights are read: else these would move everything below them.
 * Pure: the browser's script is built without it.
 */
export const TEAM_SCRIPT = /* @__PURE__ */ [
  "try{document.documentElement.toggleAttribute('data-team',!!localStorage.getItem('",
  KEPT_AS,
  "')&&!!localStorage.getItem('",
  TOKEN,
  "'))}catch{}",
].join("");

/** Whether the team was the last to read with this browser, as far as that is known. */
export const isKeptForTeam = () => ofBrowser.get(KEPT_AS) !== undefined;

/** This browser keeps whether the team reads with it. */
export function keepTeam(isOfTeam: boolean): void {
  if (isOfTeam) ofBrowser.set(KEPT_AS, "yes");
  else ofBrowser.remove(KEPT_AS);
  // The server has no document, and reads for visitors alone.
  globalThis.document?.documentElement.toggleAttribute("data-team", isOfTeam);
}
