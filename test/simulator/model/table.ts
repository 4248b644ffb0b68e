import { invalid } from "./errors.ts";
import { compareTexts, type Item, memberOf, sizeOfItem } from "./values.ts";

/** The key of an item: the texts of its attributes `pk` and `sk`. */
export type Key = { readonly partition: string; readonly sort: string };

/** One text for a key, different for different keys. */
export function keyId({ partition, sort }: Key): string {
  return `${partition.length} ${partition} ${sort}`;
}

export function keyAttributes({ partition, sort }: Key): Item {
  return { pk: { S: partition }, sk: { S: sort } };
}

function keyText(item: Item, name: "pk" | "sk"): string {
  const value = memberOf(item, name);
  if (value && "S" in value && value.S !== "") return value.S;
  throw invalid("The provided key element does not match the schema");
}

export function keyOf(item: Item): Key {
  return { partition: keyText(item, "pk"), sort: keyText(item, "sk") };
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
    let low = 0;
    let high = this.sorts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareTexts(this.sorts[middle] as string, sort) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The sort key next to another one, going up or down; `inclusive` takes that one itself if it is there. */
  next(sort: string, ascending: boolean, inclusive: boolean): string | undefined {
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

  next({ partition, sort }: Key, ascending: boolean, inclusive: boolean): string | undefined {
    return this.#partitions.get(partition)?.next(sort, ascending, inclusive);
  }

  sortsOf(partition: string): readonly string[] {
    return this.#partitions.get(partition)?.sorts ?? [];
  }

  *items(): Generator<Item> {
    for (const partition of this.#partitions.values()) for (const { item } of partition.items.values()) yield item;
  }
}

/** A hash of a text, from 0 to below 2 ** 32. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}
