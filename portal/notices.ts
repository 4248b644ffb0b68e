import { signal } from "@preact/signals";
import { t } from "./text.ts";

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

/** Does something for which no form is there to show a failure. */
export async function attempt(work: unknown): Promise<void> {
  await Promise.resolve(work).catch((error: Error) => announce(error.message, "problem"));
}

/** Does something, reads again what it changes, and says that it is done. */
export async function carryOut(work: Promise<unknown>, again: () => Promise<void>, said = t("saved")): Promise<void> {
  await work.finally(again);
  announce(said);
}
