import { useEffect, useRef } from "preact/hooks";

/**
 * The keys of what a button unfolds, whose ref it returns. Arrow down or up unfolds it; then they, Home and End move
 * among what it offers, and Escape closes it and gives the keyboard back to the button. A question that is open, in the
 * page or above it, ends alone and leads back to what asked it.
 */
export function useMenu(isOpen: boolean, setOpen: (isOpen: boolean) => void) {
  const button = useRef<HTMLButtonElement>(null);
  const opening = useRef<KeyboardEvent>();
  useEffect(() => {
    const opener = button.current;
    // The key that has unfolded it leads into it.
    if (isOpen && opening.current) move(opening.current, opener);
    opening.current = undefined;
    if (isOpen) return;
    const unfold = (event: KeyboardEvent) => {
      if (!/^Arrow(Down|Up)$/.test(event.key) || isOfBrowser(event)) return;
      // It would scroll the page.
      event.preventDefault();
      opening.current = event;
      setOpen(true);
    };
    opener?.addEventListener("keydown", unfold);
    return () => opener?.removeEventListener("keydown", unfold);
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    const type = (event: KeyboardEvent) => {
      const { key, target } = event;
      const isInForm = target instanceof Element && target.closest("form");
      if (isInForm || document.querySelector("dialog")) return;
      if (key !== "Escape") return move(event, button.current);
      setOpen(false);
      button.current?.focus();
    };
    addEventListener("keydown", type);
    return () => removeEventListener("keydown", type);
  }, [isOpen]);
  return button;
}

/** Whether a key leads to an end of the page, or back. */
function isOfBrowser({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey;
}

/** Where a key leads from a place among others; before the first one it is -1. */
function placeAfter(key: string, at: number, last: number): number | undefined {
  if (key === "ArrowDown") return at === last ? 0 : at + 1;
  if (key === "ArrowUp") return at > 0 ? at - 1 : last;
  if (key === "Home") return 0;
  return key === "End" ? last : undefined;
}

/** Moves the keyboard among what a button has unfolded, if it is there or on the button. */
function move(event: KeyboardEvent, button: HTMLElement | null): void {
  if (isOfBrowser(event)) return;
  const menu = document.getElementById(button?.getAttribute("aria-controls") ?? "");
  // A question that is open there is passed by: no key leads to its button without a look.
  const offered = [...(menu?.querySelectorAll<HTMLElement>("button, a") ?? [])].filter((each) => !each.closest("form"));
  const at = offered.indexOf(event.target as HTMLElement);
  if (at < 0 && event.target !== button) return;
  const next = offered[placeAfter(event.key, at, offered.length - 1) ?? -1];
  if (!next) return;
  // It would scroll the page too.
  event.preventDefault();
  next.focus();
}
