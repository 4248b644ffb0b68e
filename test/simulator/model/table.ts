import { badParameter, badShape, invalid } from "./errors.ts";
import { canonicalItem, compareTexts, type Item, memberOf, sizeOfItem, type Value } from "./values.ts";

/** The key of an item: the texts of its attributes `pk` and `sk`. */
export type Key = { readonly partition: string; readonly sort: string };

/** One text for a key, different for different keys. */
export function keyId({ partition, sort }: Key): string {
  return `${partition.length} ${partition} ${sort}`;
}

export function keyAttributes({ partition, sort }: Key): Item {
  return { pk: { S: partition }, sk: { S: sort } };
}

const LONGEST = { pk: 2048, sk: 1024 };

/** The text of a key attribute; throws if its value cannot be a key. */
export function keyText(name: "pk" | "sk", value: Value | undefined): string {
  if (!value || !("S" in value)) throw invalid("The provided key element does not match the schema");
  if (value.S === "")
    throw invalid(`The AttributeValue for a key attribute cannot contain an empty string. Key: ${name}`);
  if (Buffer.byteLength(value.S) > LONGEST[name]) throw badParameter(`${name} exceeds ${LONGEST[name]} bytes`);
  return value.S;
}

export function keyOfItem(item: Item): Key {
  return { partition: keyText("pk", memberOf(item, "pk")), sort: keyText("sk", memberOf(item, "sk")) };
}

export function keyOf(given: unknown): Key {
  if (given === undefined) throw badShape("Value null at 'key' failed to satisfy constraint: Member must not be null");
  const item = canonicalItem(given);
  if (Object.keys(item).length !== 2) throw invalid("The provided key element does not match the schema");
  return keyOfItem(item);
}

export type Stored = { readonly item: Item; readonly size: number };

/** The items of one partition key, sorted by the bytes of their sort keys. */
class Partition {
  readonly sorts: string[] = [];
  readonly items = new Map<string, Stored>();

  set(sort: string, stored: Stored | undefined): void {
    const isThere = this.items.has(sort);
    if (stored) this.items.set(sort, stored);
    else this.items.delete(sort);
    if (isThere === Boolean(stored)) return;
    if (stored) this.sorts.splice(this.#place(sort), 0, sort);
    else this.sorts.splice(this.#place(sort), 1);
  }

  #place(sort: string): number {
    let [low, high] = [0, this.sorts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareTexts(this.sorts[middle] as string, sort) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The sort key next to another one, going up or down; `inclusive` takes that one itself if it is there. */
  next(sort: string | undefined, ascending: boolean, inclusive: boolean): string | undefined {
    if (sort === undefined) return this.sorts.at(ascending ? 0 : -1);
    const place = this.#place(sort);
    const isThere = this.sorts[place] === sort;
    if (isThere && inclusive) return sort;
    return ascending ? this.sorts[place + (isThere ? 1 : 0)] : this.sorts[place - 1];
  }
}

export class Table {
  readonly #partitions = new Map<string, Partition>();

  get({ partition, sort }: Key): Stored | undefined {
    return this.#partitions.get(partition)?.items.get(sort);
  }

  set({ partition, sort }: Key, item: Item | undefined): void {
    const found = this.#partitions.get(partition) ?? new Partition();
    found.set(sort, item && { item, size: sizeOfItem(item) });
    if (found.sorts.length > 0) this.#partitions.set(partition, found);
    else this.#partitions.delete(partition);
  }

  /** The key next to a sort key in its partition; without a sort key, the first or the last one. */
  nextInPartition(
    partition: string,
    sort: string | undefined,
    { ascending = true, inclusive = false }: { ascending?: boolean; inclusive?: boolean } = {},
  ): Key | undefined {
    const next = this.#partitions.get(partition)?.next(sort, ascending, inclusive);
    return next === undefined ? undefined : { partition, sort: next };
  }

  sortsOf(partition: string): readonly string[] {
    return this.#partitions.get(partition)?.sorts ?? [];
  }

  *items(): Generator<Item> {
    for (const partition of this.#partitions.values()) for (const { item } of partition.items.values()) yield item;
  }
}

/** A hash of a partition key, from 0 to below 2 ** 32. */
export function hashOf(partition: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < partition.length; at++) hash = Math.imul(hash ^ partition.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}
