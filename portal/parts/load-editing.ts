import { loadFile } from "../load-file.ts";

/** What changes, deletes or reports what people have written. Who only reads does not load it. */
export type Editing = typeof import("./editing.tsx");

export function loadEditing(): Promise<Editing> {
  return loadFile(() => import("./editing.tsx"));
}
