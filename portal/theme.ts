import { signal } from "@preact/signals";
import { ofBrowser } from "./store.ts";

/** The colours of the page: the system's, or those that the reader has chosen. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const theme = signal<Theme>("system");

const KEPT_AS = "theme";

/**
 * Stands in the head, and runs before the first paint: the page's own script comes later, and a cookie would need a
 * page of its own in every cache. Storage that is blocked throws. Pure: the browser's script is built without it.
 */
export const THEME_SCRIPT = /* @__PURE__ */ [
  "try{document.documentElement.dataset.theme=localStorage.getItem('",
  KEPT_AS,
  "')||''}catch{}",
].join("");

function show(chosen: string | null | undefined): void {
  theme.value = themes.find((each) => each === chosen) ?? "system";
  document.documentElement.dataset.theme = theme.value;
}

/** Takes over what this browser keeps, and follows what its other tabs choose. */
export function followTheme(): void {
  show(ofBrowser.get(KEPT_AS));
  addEventListener("storage", ({ key, newValue }) => {
    if (key === KEPT_AS || key === null) show(newValue);
  });
}

/** This browser keeps the choice. */
export function setTheme(chosen: Theme): void {
  ofBrowser.set(KEPT_AS, chosen);
  show(chosen);
}
