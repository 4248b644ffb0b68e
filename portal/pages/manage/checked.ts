import { Failure } from "../../api.ts";
import type { Values } from "../../parts/fields.tsx";
import { teamText } from "./team-text.ts";

/** Which boxes are checked; at least one. */
export function checkedOf<T extends string>(boxes: readonly T[], values: Values): T[] {
  const checked = boxes.filter((each) => each in values);
  if (checked.length === 0) throw new Failure(400, "", teamText("checkOne"));
  return checked;
}
