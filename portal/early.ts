// A slow connection shows the page before its script is there. A button that a reader presses meanwhile looks as if it
// worked, and a field takes words and choices. So the page is told later: of a press once, however often it came.

declare global {
  interface Window {
    pressedEarly?: HTMLElement | null;
    filledEarly?: Set<HTMLElement> | undefined;
  }
}

/** Stands in the head: remembers the button that was pressed last, and the fields that were filled in. */
export const EARLY_SCRIPT = [
  `document.onclick=({target})=>{window.pressedEarly=target.closest("button")}`,
  `document.oninput=({target})=>{(window.filledEarly??=new Set).add(target)}`,
].join(";");

/** Presses the button that was pressed before the page could answer. */
export function pressNow(): void {
  document.onclick = null;
  window.pressedEarly?.click();
}

/** Whether a person has filled in a field of which the page does not know yet. */
export function isFilledEarly(field: HTMLElement): boolean {
  return window.filledEarly?.has(field) ?? false;
}

/** Tells the page what was typed and chosen before it could listen. */
export function fillNow(): void {
  document.oninput = null;
  for (const field of window.filledEarly ?? []) {
    for (const told of ["input", "change"]) field.dispatchEvent(new Event(told, { bubbles: true }));
  }
  window.filledEarly = undefined;
}
