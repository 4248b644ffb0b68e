import { Failure } from "../../api.ts";
import type { Values } from "../../parts/fields.tsx";

/** Which boxes are checked: at least one, or else `missing` says so. */
export function checkedOf<T extends string>(boxes: readonly T[], values: Values, missing: string): T[] {
  const checked = boxes.filter((each) => each in values);
  if (checked.length === 0) throw new Failure(400, "", missing);
  return checked;
}
