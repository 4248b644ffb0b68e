import { differences, isEmpty, setFields, stillHas } from "../table/changes.ts";
import { type Key, key as keys } from "../table/keys.ts";
import { type Attributes, create, put, remove } from "../table/parts.ts";
import { transact } from "../table/transactions.ts";
import { stampParts } from "./stamp.ts";

// An entry of the catalogue has something that no other entry of its kind has: a board or a roadmap its url, a tag its
// name. A second item, the claim, has it in its key; every transaction writes both.

/**
 * The key of an entry, the key of the claim of what an entry has alone, and the content of the claim: the id of the
 * entry.
 */
export type Entry<Claimed> = { key: Key; claimKey: (item: Claimed) => Key; claim: Attributes };

/** The parts that create an entry with its claim, which fails if another entry has it. */
export function createParts<R extends Attributes>({ key, claimKey, claim }: Entry<R>, item: R) {
  return { entry: create(key, item), claim: create(claimKey(item), claim), ...stampParts() };
}

/**
 * The parts that delete an entry. A tombstone with the time leaves the rows and counts of its list to the sweeper;
 * `further`: what else the sweeper needs to know.
 */
export function removeParts<R extends Attributes>({ key, claimKey }: Entry<R>, claimed: R, further: Attributes = {}) {
  const tombstone = put(keys.tombstone(key.sk), { at: Date.now(), ...further });
  return { entry: remove(key, stillHas(claimed)), claim: remove(claimKey(claimed)), tombstone, ...stampParts() };
}

/** Changes fields of an entry, which must still be as they were read; "changed meanwhile" asks to read again. */
export async function change<R extends Attributes>(
  { key, claimKey, claim }: Entry<R>,
  asRead: R,
  wanted: Partial<NoInfer<R>>,
): Promise<R | "taken" | "changed meanwhile"> {
  const fields: Partial<R> = differences(asRead, wanted);
  if (isEmpty(fields)) return asRead;
  const changed = { ...asRead, ...fields };
  const before = claimKey(asRead);
  const after = claimKey(changed);
  const isMoved = before.pk !== after.pk;
  const outcome = await transact({
    entry: setFields(key, fields, stillHas(asRead)),
    oldClaim: isMoved && remove(before),
    claim: isMoved && create(after, claim),
    ...stampParts(),
  });
  if (outcome.done) return changed;
  return outcome.failed.entry ? "changed meanwhile" : "taken";
}
