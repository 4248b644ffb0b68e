// A slow connection shows the page before its script is there. A button that a reader presses meanwhile looks as if it
// worked, so the press is carried out later: once, however often it came.

declare global {
  interface Window {
    pressedEarly?: HTMLElement | null;
  }
}

/** Stands in the head: remembers the button that was pressed last. */
export const EARLY_PRESS_SCRIPT = `document.onclick=({target})=>{window.pressedEarly=target.closest("button")}`;

/** Presses the button that was pressed before the page could answer. */
export function pressNow(): void {
  document.onclick = null;
  window.pressedEarly?.click();
}
