import { useLayoutEffect, useRef } from "preact/hooks";
import { notice } from "../notices.ts";

/** How far below the sentence a field stays. */
const GAP_PX = 8;

const NEVER_COVERED = "main :is(input, textarea, select, .primary)";

/** Scrolls so far that a sentence at the edge of a phone, above a page that is scrolled, covers no field or button. */
function makeRoom(sentence: Element): void {
  const { top, bottom } = sentence.getBoundingClientRect();
  if (top > 0) return;
  const tops = [...document.querySelectorAll(NEVER_COVERED)]
    .map((each) => each.getBoundingClientRect())
    .filter((each) => each.height > 0 && each.top < bottom && each.bottom > top)
    .map((each) => each.top);
  if (tops.length > 0) scrollBy(0, Math.min(...tops) - bottom - GAP_PX);
}

export function Notice() {
  const sentence = useRef<HTMLParagraphElement>(null);
  const { text, kind } = notice.value ?? {};
  useLayoutEffect(() => {
    if (sentence.current) makeRoom(sentence.current);
  }, [text]);
  return (
    <div class="notice" role="status" aria-live="polite">
      {text && (
        <p ref={sentence} class={kind}>
          {text}
        </p>
      )}
    </div>
  );
}
