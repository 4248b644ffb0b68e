import type { Values } from "../../parts/fields.tsx";

/** The fields of a board or a roadmap, from a form. */
export function lookOf({ name = "", url = "", color = "", display }: Values) {
  return { name, url, color: color.slice(1), display: display !== undefined };
}
