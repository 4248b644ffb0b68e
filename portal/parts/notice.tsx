import { useLayoutEffect, useRef } from "preact/hooks";
import { clearNotice, holdNotice, letNoticeGo, notice } from "../notices.ts";
import { inThisLanguage, t } from "../text.ts";
import { Action } from "./basics.tsx";

/** How far above the sentence a field stays. */
const GAP_PX = 8;

const NEVER_COVERED = "main :is(input, textarea, select, .primary)";

/** Scrolls what a sentence at the foot of a phone would cover of fields and main buttons to above it. */
function makeRoom(sentence: Element): void {
  if (innerWidth >= 640) return;
  const { top, bottom } = sentence.getBoundingClientRect();
  const covered = [...document.querySelectorAll(NEVER_COVERED)]
    .map((each) => each.getBoundingClientRect())
    .filter((each) => each.height > 0 && each.top < bottom && each.bottom > top);
  if (covered.length > 0) scrollBy(0, Math.max(...covered.map((each) => each.bottom)) - top + GAP_PX);
}

/** Keeps the sentence above the keyboard of a phone, which covers the foot of the page. Returns what ends that. */
function keepInSight({ style }: HTMLElement): () => void {
  const view = visualViewport as VisualViewport;
  const lift = () => {
    style.translate = `0 ${view.offsetTop + view.height - innerHeight}px`;
  };
  lift();
  view.onresize = lift;
  view.onscroll = lift;
  return () => {
    view.onresize = null;
    view.onscroll = null;
  };
}

/** While a pointer or the keyboard is on it, it stays. */
const HOLDING = { onMouseEnter: holdNotice, onFocusIn: holdNotice, onMouseLeave: letNoticeGo, onFocusOut: letNoticeGo };

export function Notice() {
  const place = useRef<HTMLDivElement>(null);
  const sentence = useRef<HTMLParagraphElement>(null);
  const { text, kind, button } = notice.value ?? {};
  useLayoutEffect(() => {
    if (!sentence.current || !place.current) return;
    const end = keepInSight(place.current);
    makeRoom(sentence.current);
    return end;
  }, [text]);
  return (
    <div ref={place} class="notice" {...HOLDING}>
      <div role="status">
        {text && (
          <p ref={sentence} class={kind}>
            {inThisLanguage(text)}
            {button && <Action {...button} />}
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
