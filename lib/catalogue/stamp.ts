import * as z from "zod/mini";
import { key } from "../table/keys.ts";
import { type Part, put } from "../table/parts.ts";
import { SETTLE_MS } from "../table/settling.ts";
import { newId, timeOf } from "../values/ids.ts";

// Every change of the catalogue writes a new id into one item, the stamp. A process that has read the catalogue under
// a stamp reads only the stamp from then on, until it is another one.

export const StampItem = z.object({ sk: z.literal("STAMP"), stamp: z.string() });

/** The part that belongs to each transaction that changes what lists show of the catalogue. */
export function stampParts(): { stamp: Part } {
  return { stamp: put(key.catalogueStamp(), { stamp: newId() }) };
}

/**
 * Whether everything that was changed under a stamp was there at a time, in milliseconds since 1970: a read may see one
 * half of a transaction.
 */
export function isSettled(stamp: string, at: number): boolean {
  return timeOf(stamp) + SETTLE_MS < at;
}
