import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/**
 * Shows a menu above the page, so that nothing moves: below its button, or above it where there is no room. A browser
 * without popovers unfolds it in its place.
 */
export function useFloating(isOpen: boolean, button: RefObject<Element>, menu: RefObject<HTMLElement>): void {
  useLayoutEffect(() => {
    const opener = button.current;
    const shown = menu.current;
    if (!isOpen || !opener || !shown?.showPopover) return;
    const place = () => {
      const { top, bottom, right } = opener.getBoundingClientRect();
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
