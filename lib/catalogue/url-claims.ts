import { differences, isEmpty, setFields, stillHas } from "../table/changes.ts";
import { type Key, key as keys } from "../table/keys.ts";
import { type Attributes, create, put, remove } from "../table/parts.ts";
import { transact } from "../table/transactions.ts";
import { stampParts } from "./stamp.ts";

// An entry of the catalogue (a board or a roadmap) has a url that no other entry of its kind has. A second item, the
// claim, has the url as its key; every transaction writes both.

/** The keys of an entry and of the claim of a url, and the content of a claim: the id of its entry. */
export type Entry = { key: Key; claimKey: (url: string) => Key; claim: Attributes };

/** The parts that create a board or roadmap and claim its url. */
export function createParts({ key, claimKey, claim }: Entry, item: Attributes & { url: string }) {
  return { entry: create(key, item), url: create(claimKey(item.url), claim), ...stampParts() };
}

/** The parts that delete an entry; a tombstone with the time leaves the rows and counts of its list to the sweeper. */
export function removeParts({ key, claimKey }: Entry, url: string) {
  const tombstone = put(keys.tombstone(key.sk), { at: Date.now() });
  return { entry: remove(key, stillHas({ url })), url: remove(claimKey(url)), tombstone, ...stampParts() };
}

/** Changes fields of an entry, which must still be as they were read; "changed meanwhile" asks to read again. */
export async function change<R extends Attributes & { url: string }>(
  { key, claimKey, claim }: Entry,
  asRead: R,
  wanted: Partial<NoInfer<R>>,
): Promise<R | "url taken" | "changed meanwhile"> {
  const fields: Partial<R> = differences(asRead, wanted);
  if (isEmpty(fields)) return asRead;
  const outcome = await transact({
    entry: setFields(key, fields, stillHas(asRead)),
    oldUrl: fields.url !== undefined && remove(claimKey(asRead.url)),
    url: fields.url !== undefined && create(claimKey(fields.url), claim),
    ...stampParts(),
  });
  if (outcome.done) return { ...asRead, ...fields };
  return outcome.failed.entry ? "changed meanwhile" : "url taken";
}
