import { useLayoutEffect, useRef } from "preact/hooks";
import { clearNotice, notice } from "../notices.ts";
import { inThisLanguage, t } from "../text.ts";

/** How far below the sentence a field stays. */
const GAP_PX = 8;

const NEVER_COVERED = "main :is(input, textarea, select, .primary)";

/** Where fields and main buttons begin that a sentence covers. */
function coveredBy(sentence: Element): number[] {
  const { top, bottom } = sentence.getBoundingClientRect();
  return [...document.querySelectorAll(NEVER_COVERED)]
    .map((each) => each.getBoundingClientRect())
    .filter((each) => each.height > 0 && each.top < bottom && each.bottom > top)
    .map((each) => each.top);
}

/**
 * Lets a sentence at the upper edge of a phone cover no field and no main button: it goes to the foot. Where it would
 * cover one there too, or a keyboard may hide it, the page scrolls.
 */
function makeRoom(sentence: Element, { classList: place }: Element): void {
  place.remove("low");
  if (sentence.getBoundingClientRect().top > 0) return;
  const covered = coveredBy(sentence);
  if (covered.length === 0) return;
  place.add("low");
  const isTyping = document.activeElement?.matches("input, textarea");
  if (!isTyping && coveredBy(sentence).length === 0) return;
  place.remove("low");
  scrollBy(0, Math.min(...covered) - sentence.getBoundingClientRect().bottom - GAP_PX);
}

export function Notice() {
  const place = useRef<HTMLDivElement>(null);
  const sentence = useRef<HTMLParagraphElement>(null);
  const { text, kind } = notice.value ?? {};
  useLayoutEffect(() => {
    if (sentence.current && place.current) makeRoom(sentence.current, place.current);
  }, [text]);
  return (
    <div ref={place} class="notice">
      <div role="status">
        {text && (
          <p ref={sentence} class={kind}>
            {inThisLanguage(text)}
          </p>
        )}
      </div>
      {text && (
        // A press takes the keyboard from no field.
        <button
          type="button"
          class="quiet"
          aria-label={t("close")}
          onMouseDown={(event) => event.preventDefault()}
          onClick={clearNotice}
        />
      )}
    </div>
  );
}
