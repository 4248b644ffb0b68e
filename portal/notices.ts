import { signal } from "@preact/signals";

/** What is said at the foot of the page. */
export const notice = signal<{ text: string; kind: string } | undefined>(undefined);
let timer: ReturnType<typeof setTimeout>;

const SHOWN_MS = 8000;

/** Says a sentence at the foot of the page, also to screen readers. */
export function announce(text: string, kind: "done" | "problem" = "done"): void {
  notice.value = { text, kind };
  clearTimeout(timer);
  timer = setTimeout(clearNotice, SHOWN_MS);
}

/** Ends a sentence: it belongs to what was done before. */
export function clearNotice(): void {
  notice.value = undefined;
}

/** Ends a sentence where another page begins. */
export function followPages(): void {
  const isLink = (target: EventTarget | null) => target instanceof Element && target.closest("a[href]");
  addEventListener("click", ({ target }) => isLink(target) && clearNotice());
  addEventListener("popstate", clearNotice);
}
