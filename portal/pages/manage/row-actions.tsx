import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useElementId } from "../../parts/element-id.ts";
import { teamText } from "./team-text.ts";

/** What can be done with a row, beside it. On a phone a button unfolds it, and the name has the width of the row. */
export function RowActions({ of, children }: { of: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const id = useElementId();
  return (
    <>
      <button
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
