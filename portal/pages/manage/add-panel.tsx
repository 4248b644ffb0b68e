import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

type PanelProps = { label: string; isFirst: boolean; children: ComponentChildren };

/** What adds one more thing to a list: folded, unless the list was empty when the page was opened. */
export function AddPanel({ label, isFirst, children }: PanelProps) {
  const [isOpen] = useState(isFirst);
  return (
    <details class="panel" open={isOpen}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}
