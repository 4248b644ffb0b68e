// A slow connection shows the page before its script is there. A button that a reader presses meanwhile looks as if it
// worked, and a field takes words and choices. So the page is told later: of a press once, however often it came.

declare global {
  interface Window {
    pressedEarly?: HTMLElement | null;
    filledEarly?: Set<HTMLElement> | undefined;
    sentEarly?: HTMLFormElement | null;
  }
}

/**
 * Stands in the head: remembers the button that was pressed last, the fields that were filled in, and the form in which
 * Enter was pressed after that, but for a field from which Enter leads to the next. Pure: the browser's script, which
 * never runs it, is built without it.
 */
export const EARLY_SCRIPT = /* @__PURE__ */ [
  `document.onclick=({target})=>{window.pressedEarly=target.closest("button")}`,
  `document.oninput=({target})=>{(window.filledEarly??=new Set).add(target);window.sentEarly=null}`,
  `document.onkeydown=({key,target})=>{if(key=="Enter"&&target.matches("form input:not([enterkeyhint])"))window.sentEarly=target.form}`,
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

/** Sends the form in which a person has pressed Enter before it could be sent. */
export function sendNow(): void {
  document.onkeydown = null;
  window.sentEarly?.requestSubmit();
}
