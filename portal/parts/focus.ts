/** Gives the keyboard to an element once the page shows it. */
export function focusSoon(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => find()?.focus());
}

/** Whether no part of the page has the keyboard. */
function isLost(): boolean {
  const { activeElement, body } = document;
  return !activeElement || activeElement === body;
}

/** Gives the keyboard to the heading of a part, or of the page. */
export function focusHeading(around?: Element | null, options?: FocusOptions): void {
  const heading = around?.querySelector("h1, h2") ?? document.querySelector("h1");
  const target = (heading ?? document.getElementById("main")) as HTMLElement | null;
  target?.setAttribute("tabindex", "-1");
  target?.focus(options);
}

/**
 * Where the keyboard may land in a row, the best first. The person has not seen that row come: a press should not meet
 * what acts immediately, such as a vote.
 */
const LANDINGS = ["summary, a", "select, [aria-expanded]", "button"];

function landingIn(row: Element): HTMLElement | undefined {
  const found = LANDINGS.flatMap((each) => [...row.querySelectorAll<HTMLElement>(each)]);
  return found.find((each) => each.getClientRects().length > 0);
}

/**
 * Remembers where an element is. What it returns helps the keyboard when the element is gone: to the row that has
 * taken its place, or else to the heading.
 */
function placeOf(element: HTMLElement): () => void {
  const row = element.closest("li");
  const list = row?.parentElement;
  const around = list?.closest("section");
  const index = row && list ? [...list.children].indexOf(row) : 0;
  return () =>
    requestAnimationFrame(() => {
      if (element.isConnected || !isLost()) return;
      const next = list?.isConnected ? (list.children[index] ?? list.lastElementChild) : undefined;
      const landing = next && landingIn(next);
      if (landing) landing.focus();
      // By itself, this must not scroll a list away to which the reader comes back.
      else focusHeading(around?.isConnected ? around : undefined, { preventScroll: true });
    });
}

/** Whether changes of the page have taken an element out, perhaps only to put it elsewhere. */
function haveMoved(element: HTMLElement, changes: MutationRecord[]): boolean {
  return changes.some(({ removedNodes }) => [...removedNodes].some((each) => each.contains(element)));
}

/** Gives the keyboard another place if the element that has it is taken away, and gives it back if that one moves. */
export function keepKeyboard(): void {
  let holder: HTMLElement | undefined;
  let help = () => {};
  addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    holder = target;
    help = placeOf(target);
  });
  // The person lets go of it.
  addEventListener("click", () => {
    if (isLost()) holder = undefined;
  });
  const look = (changes: MutationRecord[]) => {
    if (!holder || !haveMoved(holder, changes)) return;
    // A list that is read again may have another order.
    if (holder.isConnected && isLost()) holder.focus({ preventScroll: true });
    if (holder.isConnected) return;
    holder = undefined;
    help();
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}
