import type { KeyNames } from "./expressions/key-conditions.ts";
import { compareTexts, type Item, sizeOfItem } from "./values.ts";

/** The key of an item. */
export type Key = { readonly partition: string; readonly sort: string };

/** One text for a key, different for different keys. */
export function keyId({ partition, sort }: Key): string {
  return `${partition.length} ${partition} ${sort}`;
}

/** An item as it is kept. */
export type Stored = { readonly item: Item; readonly size: number };

/** The items of one partition key, sorted by the bytes of their sort keys. */
class Partition {
  readonly #sorts: string[] = [];
  readonly #items = new Map<string, Stored>();

  get size(): number {
    return this.#sorts.length;
  }

  get(sort: string): Stored | undefined {
    return this.#items.get(sort);
  }

  set(sort: string, stored: Stored | undefined): void {
    const isThere = this.#items.has(sort);
    if (stored) this.#items.set(sort, stored);
    else this.#items.delete(sort);
    if (isThere === Boolean(stored)) return;
    if (stored) this.#sorts.splice(this.#place(sort), 0, sort);
    else this.#sorts.splice(this.#place(sort), 1);
  }

  /** How many sort keys are less. */
  #place(sort: string): number {
    let [low, high] = [0, this.#sorts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareTexts(this.#sorts[middle] as string, sort) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  items(): Iterable<Stored> {
    return this.#items.values();
  }

  get sorts(): readonly string[] {
    return this.#sorts;
  }

  /** The sort key next to another one, going up or down; `inclusive` takes that one itself if it is there. */
  next(sort: string | undefined, ascending: boolean, inclusive: boolean): string | undefined {
    if (sort === undefined) return this.#sorts.at(ascending ? 0 : -1);
    const place = this.#place(sort);
    const isThere = this.#sorts[place] === sort;
    if (isThere && inclusive) return sort;
    return ascending ? this.#sorts[place + (isThere ? 1 : 0)] : this.#sorts[place - 1];
  }
}

/** The items of a table at one moment. */
export class Table {
  readonly name: string;
  readonly keys: KeyNames;
  readonly #partitions = new Map<string, Partition>();

  constructor(name: string, keys: KeyNames = { partition: "pk", sort: "sk" }) {
    this.name = name;
    this.keys = keys;
  }

  get({ partition, sort }: Key): Stored | undefined {
    return this.#partitions.get(partition)?.get(sort);
  }

  /** Puts an item in the place of a key, or nothing. */
  set({ partition, sort }: Key, item: Item | undefined): void {
    const found = this.#partitions.get(partition) ?? new Partition();
    found.set(sort, item && { item, size: sizeOfItem(item) });
    if (found.size > 0) this.#partitions.set(partition, found);
    else this.#partitions.delete(partition);
  }

  /** The key next to a sort key in its partition; from the first or last one where no sort key is given. */
  nextInPartition(
    partition: string,
    sort: string | undefined,
    { ascending = true, inclusive = false }: { ascending?: boolean; inclusive?: boolean } = {},
  ): Key | undefined {
    const next = this.#partitions.get(partition)?.next(sort, ascending, inclusive);
    return next === undefined ? undefined : { partition, sort: next };
  }

  /** The sort keys of a partition, in their order. */
  sortsOf(partition: string): readonly string[] {
    return this.#partitions.get(partition)?.sorts ?? [];
  }

  /** Every item, in no order. */
  *items(): Generator<Item> {
    for (const partition of this.#partitions.values()) for (const { item } of partition.items()) yield item;
  }

  /** The key after another one in the order of a scan: partitions in an order of no meaning, as DynamoDB hashes them. */
  nextInScan(key: Key | undefined): Key | undefined {
    const within = key && this.nextInPartition(key.partition, key.sort);
    if (within) return within;
    const partitions = [...this.#partitions.keys()].sort(byHash);
    const next = key ? partitions.find((each) => byHash(each, key.partition) > 0) : partitions[0];
    return next === undefined ? undefined : this.nextInPartition(next, undefined);
  }
}

/** A hash of a partition key, from 0 to below 2 ** 32. */
export function hashOf(partition: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < partition.length; at++) hash = Math.imul(hash ^ partition.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

function byHash(a: string, b: string): number {
  return hashOf(a) - hashOf(b) || compareTexts(a, b);
}
