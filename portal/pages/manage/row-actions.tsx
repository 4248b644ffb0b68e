import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useElementId } from "../../parts/element-id.ts";
import { teamText } from "./team-text.ts";

/** What can be done with a row, or with several, beside it. On a phone, and in a `folded` row, it is a menu. */
export function RowActions({ of, children }: { of: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useElementId();
  useEffect(() => {
    if (!isOpen) return;
    // A question that one of them asks stands elsewhere, and leads back to it.
    const places = () => [button.current?.closest("li, [role=group]"), document.querySelector("dialog")];
    const press = ({ target }: Event) => {
      if (!places().some((each) => each?.contains(target as Node))) setOpen(false);
    };
    const type = ({ key }: KeyboardEvent) => {
      if (key !== "Escape" || document.querySelector("dialog")) return;
      setOpen(false);
      button.current?.focus();
    };
    addEventListener("pointerdown", press);
    addEventListener("keydown", type);
    return () => {
      removeEventListener("pointerdown", press);
      removeEventListener("keydown", type);
    };
  }, [isOpen]);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="quiet unfold"
        aria-label={teamText("furtherOf", { name: of })}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      <span id={id} class="actions" data-open={isOpen}>
        {children}
      </span>
    </>
  );
}
