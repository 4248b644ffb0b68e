import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useElementId } from "../../parts/element-id.ts";
import { teamText } from "./team-text.ts";
import { useMenu } from "./use-menu.ts";

/** What can be done with a row, or with several, beside it. On a phone, and in a `folded` row, it is a menu. */
export function RowActions({ of, children }: { of: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const button = useMenu(isOpen, setOpen);
  const id = useElementId();
  useEffect(() => {
    if (!isOpen) return;
    // A question that one of them asks stands elsewhere, and leads back to it.
    const places = () => [button.current?.closest("li, [role=group]"), document.querySelector("dialog")];
    const press = ({ target }: Event) => {
      if (!places().some((each) => each?.contains(target as Node))) setOpen(false);
    };
    addEventListener("pointerdown", press);
    return () => removeEventListener("pointerdown", press);
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
