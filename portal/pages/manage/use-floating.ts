import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/**
 * Shows a menu on top of the page, where it moves nothing. It stands below its button; without room there, above it.
 * `--room` is the height that it has there at most.
 * In a browser without popovers the menu is a part of its card.
 */
export function useFloating(isOpen: boolean, button: RefObject<Element>, menu: RefObject<HTMLElement>): void {
  useLayoutEffect(() => {
    const opener = button.current;
    const shown = menu.current;
    if (!isOpen || !opener || !shown?.showPopover) return;
    const place = () => {
      const { top, bottom, right } = opener.getBoundingClientRect();
      shown.style.setProperty("--room", `${Math.max(top, innerHeight - bottom)}px`);
      const height = shown.offsetHeight;
      const isBelow = bottom + height <= innerHeight;
      shown.style.top = `${isBelow ? bottom : top - height}px`;
      shown.style.left = `${right - shown.offsetWidth}px`;
    };
    shown.showPopover();
    // A failure makes it longer.
    const resized = new ResizeObserver(place);
    resized.observe(shown);
    // The columns scroll too.
    addEventListener("scroll", place, true);
    addEventListener("resize", place);
    return () => {
      resized.disconnect();
      removeEventListener("scroll", place, true);
      removeEventListener("resize", place);
      shown.hidePopover();
    };
  }, [isOpen]);
}
