import type { ComponentChildren } from "preact";

/** How something is that the owner has set up, in a colour of its own. */
export function State({ kind, children }: { kind: "good" | "busy" | "bad" | "idle"; children: ComponentChildren }) {
  return <span class={`badge status ${kind}`}>{children}</span>;
}
