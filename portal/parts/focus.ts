/** Gives the keyboard to an element once the page shows it. */
export function focusSoon(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => find()?.focus());
}

/** Whether no part of the page has the keyboard. */
function isLost(): boolean {
  const { activeElement, body } = document;
  return !activeElement || activeElement === body || activeElement.id === "main";
}

function focusHeading(around: Element | null | undefined): void {
  const heading = around?.querySelector<HTMLElement>("h1, h2") ?? document.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus();
}

/**
 * Remembers where an element is. What it returns helps the keyboard when the element is gone: to the row that has
 * taken its place, or else to the heading.
 */
export function placeOf(element: HTMLElement): () => void {
  const row = element.closest("li");
  const list = row?.parentElement;
  const around = list?.closest("section");
  const index = row && list ? [...list.children].indexOf(row) : 0;
  return () =>
    requestAnimationFrame(() => {
      if (element.isConnected || !isLost()) return;
      const next = list?.isConnected ? (list.children[index] ?? list.lastElementChild) : undefined;
      const target = next?.querySelector<HTMLElement>("summary, button, a");
      if (target) target.focus();
      else focusHeading(around?.isConnected ? around : undefined);
    });
}
