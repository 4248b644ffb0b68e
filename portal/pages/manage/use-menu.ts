import { useEffect, useRef } from "preact/hooks";

/**
 * The keys of what a button has unfolded: Escape closes it, and gives the keyboard back to that button, whose ref it
 * returns; arrow keys, Home and End move among what it offers. A question that is open, in the page or above it, ends
 * alone and leads back to what asked it.
 */
export function useMenu(isOpen: boolean, close: () => void) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const type = (event: KeyboardEvent) => {
      const { key, target } = event;
      const isInForm = target instanceof Element && target.closest("form");
      if (isInForm || document.querySelector("dialog")) return;
      if (key !== "Escape") return move(event, button.current);
      close();
      button.current?.focus();
    };
    addEventListener("keydown", type);
    return () => removeEventListener("keydown", type);
  }, [isOpen]);
  return button;
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
  // Of the browser: to an end of the page, or back.
  if (event.ctrlKey || event.altKey || event.metaKey) return;
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
