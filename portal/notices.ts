import { signal } from "@preact/signals";

/** A button of a notice. It leads to what was done, or takes it back: such a notice stays. */
export type NoticeButton = { label: string; act: () => unknown; stays?: true };

/** What is said at the foot of the page. */
export const notice = signal<{ text: string; kind: string; button?: NoticeButton | undefined } | undefined>(undefined);
let timer: ReturnType<typeof setTimeout>;

const SHOWN_MS = 5000;
const MS_A_CHARACTER = 60;

/**
 * Says a sentence at the foot of the page, also to screen readers, for as long as one needs to read it. A problem, and
 * what can be taken back, stays until something else is done: a keyboard takes its time to come there.
 */
export function announce(text: string, kind: "done" | "problem" = "done", button?: NoticeButton): void {
  notice.value = { text, kind, button };
  letNoticeGo();
}

/** Keeps a sentence while a pointer or the keyboard is on it. */
export function holdNotice(): void {
  clearTimeout(timer);
}

/** Lets it go after the whole time, again. */
export function letNoticeGo(): void {
  holdNotice();
  const { text = "", kind, button } = notice.value ?? {};
  if (kind === "done" && !button?.stays) timer = setTimeout(clearNotice, SHOWN_MS + MS_A_CHARACTER * text.length);
}

/** Ends a sentence: it belongs to what was done before. */
export function clearNotice(): void {
  notice.value = undefined;
}

/** Ends a sentence where another page begins. */
export function followPages(): void {
  addEventListener("click", ({ target }) => (target as Element).closest("a[href]") && clearNotice());
  addEventListener("popstate", clearNotice);
}
