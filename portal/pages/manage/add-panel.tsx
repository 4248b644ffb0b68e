import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

type PanelProps = {
  label: string;
  isFirst: boolean;
  /** What is in it; `fold` is called once the thing is added. */
  children: (fold: () => void) => ComponentChildren;
};

/** What adds one more thing to a list: folded, unless the list was empty when the page was opened. */
export function AddPanel({ label, isFirst, children }: PanelProps) {
  const [isOpen] = useState(isFirst);
  const panel = useRef<HTMLDetailsElement>(null);
  const fold = () => {
    const { current } = panel;
    if (!current) return;
    // The keyboard stays where it is if something else has taken it, as a secret does.
    if (current.contains(document.activeElement)) current.querySelector("summary")?.focus();
    current.open = false;
  };
  return (
    <details ref={panel} class="panel" open={isOpen}>
      <summary>{label}</summary>
      {children(fold)}
    </details>
  );
}
