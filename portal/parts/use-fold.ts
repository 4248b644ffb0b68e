import { useEffect, useRef, useState } from "preact/hooks";

const EVENTS = ["pointerdown", "focusin", "keydown"];

/**
 * What a button unfolds above the page. It folds when `ends` change, at Escape, and when a person turns to something
 * else: outside of the elements that the selector `inside` finds.
 */
export function useFold(inside: string, ends: unknown[]) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // What was pressed goes with the fold, and the keyboard would be nowhere.
    if (isOpen && document.activeElement?.closest(inside)) button.current?.focus();
    setOpen(false);
  }, ends);
  useEffect(() => {
    if (!isOpen) return;
    const look = (event: Event) => {
      const isEscape = "key" in event && event.key === "Escape";
      // A question stands above the page, and leads back to it.
      const isInside = event.target instanceof Element && event.target.closest(`${inside}, dialog`);
      if (isInside && !isEscape) return;
      setOpen(false);
      if (isEscape) button.current?.focus();
    };
    for (const name of EVENTS) addEventListener(name, look);
    return () => {
      for (const name of EVENTS) removeEventListener(name, look);
    };
  }, [isOpen]);
  return { isOpen, toggle: () => setOpen(!isOpen), button };
}
