import { useEffect, useRef } from "preact/hooks";

/**
 * Closes at Escape what a button has unfolded, and gives the keyboard back to that button, whose ref it returns. A
 * question that is open, in the page or above it, ends alone and leads back to what asked it.
 */
export function useEscape(isOpen: boolean, close: () => void) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const type = ({ key, target }: KeyboardEvent) => {
      const isInForm = target instanceof Element && target.closest("form");
      if (key !== "Escape" || isInForm || document.querySelector("dialog")) return;
      close();
      button.current?.focus();
    };
    addEventListener("keydown", type);
    return () => removeEventListener("keydown", type);
  }, [isOpen]);
  return button;
}
