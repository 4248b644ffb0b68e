import { useEffect, useRef, useState } from "preact/hooks";

/**
 * What a button unfolds above the page. It folds when `ends` change, at Escape, and when a person turns to something
 * else: outside of the elements that the selector `inside` finds.
 */
export function useFold(inside: string, ends: unknown[]) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), ends);
  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: Event) => {
      // A question stands above the page, and leads back to it.
      if (!(target instanceof Element && target.closest(`${inside}, dialog`))) setOpen(false);
    };
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    const events = { pointerdown: closeOutside, focusin: closeOutside, keydown: closeByKey as (event: Event) => void };
    for (const [name, close] of Object.entries(events)) addEventListener(name, close);
    return () => {
      for (const [name, close] of Object.entries(events)) removeEventListener(name, close);
    };
  }, [isOpen]);
  return { isOpen, toggle: () => setOpen(!isOpen), button };
}
