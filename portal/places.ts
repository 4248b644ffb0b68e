import { ofTab } from "./store.ts";

/**
 * Where a reader is on a page: how many pages of its lists are open, how far it is scrolled, in pixels, and the id of
 * what the reader has pressed last.
 */
export type Place = { opened: number; scrolled: number; pressed?: string | undefined };

/** Where the tab keeps how far a page was scrolled. */
const LEFT_AT = "left at";

export function placeNow(): Place {
  return { opened: openedPages() ?? 0, scrolled: scrollY, pressed: pressedHere() };
}

/** How many pages of its lists this page has open, as its entry in the history has it. */
export function openedPages(): number | undefined {
  return globalThis.history?.state?.opened;
}

export function keepOpenedPages(opened: number): void {
  history.replaceState({ opened }, "");
}

/** The id of what has led the reader away from this page, as its entry in the history has it. */
export function pressedHere(): string | undefined {
  return globalThis.history?.state?.pressed;
}

export function keepPressed(pressed: string | undefined): void {
  if (pressed !== pressedHere()) history.replaceState({ ...history.state, pressed }, "");
}

/** Keeps how far the page is scrolled, for a reload. */
export function keepScrolled(scrolled = scrollY): void {
  ofTab.set(LEFT_AT, String(scrolled));
}

/** Lets the page to which `route` leads in this moment begin at a place where the reader has been. */
export function beginAt({ opened, scrolled, pressed }: Place): void {
  keepOpenedPages(opened);
  keepPressed(pressed);
  keepScrolled(scrolled);
}

/** Scrolls to the place that was kept, once more of a list is shown. `isWhole`: no more of it will be opened. */
export function scrollToKept(isWhole: boolean): void {
  const scrolled = ofTab.get(LEFT_AT);
  if (scrolled === undefined) return;
  if (openedPages() !== undefined) scrollTo(0, Number(scrolled));
  if (isWhole) ofTab.remove(LEFT_AT);
}

/** Until then a page is there, if it can be read, with what should have the keyboard. */
export const SOON_MS = 10_000;

/**
 * Gives the keyboard to an element, in the middle of the screen, when the page shows it soon. It does so again when a
 * list that is read anew has the element in another place, until the person does something. `isScrolled`: the page is
 * where it should be.
 */
export function focusWhenThere(id: string, isScrolled = false): void {
  let shown: HTMLElement | undefined;
  const look = () => {
    const element = document.getElementById(id);
    if (!element || element === shown) return;
    shown = element;
    element.focus({ preventScroll: true });
    // Once: a reader who comes back later was elsewhere since.
    if (id === pressedHere()) keepPressed(undefined);
    if (!isScrolled) element.scrollIntoView({ block: "center" });
  };
  const observer = new MutationObserver(look);
  const end = () => observer.disconnect();
  observer.observe(document.body, { childList: true, subtree: true });
  for (const doing of ["keydown", "pointerdown"]) addEventListener(doing, end, { once: true });
  setTimeout(end, SOON_MS);
  look();
}
