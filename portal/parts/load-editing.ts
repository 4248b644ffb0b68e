import { loadFile } from "../load-file.ts";

/** The forms in which people change what they have written. Who only reads does not load them. */
export type Editing = typeof import("./editing.tsx");

export function loadEditing(): Promise<Editing> {
  return loadFile(() => import("./editing.tsx"));
}
