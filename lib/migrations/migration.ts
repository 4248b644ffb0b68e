import type { TableAccess } from "../table/access.ts";
import type { Key } from "../table/keys.ts";
import type { Attributes, Part } from "../table/parts.ts";
import type { Range } from "../table/ranges.ts";

/** An item as it is stored, in its old form or its new one. */
export type StoredItem = Key & Attributes;

export type Transaction = Record<string, Part>;

/** A change of every item of a range. */
export type Walk = {
  range: Range;
  /**
   * The transactions that change an item, with conditions on what was read; none if all has its new form. They are
   * carried out one after the other. If a condition fails, the item is read again. May read other items.
   */
  change: (item: StoredItem) => Transaction[] | Promise<Transaction[]>;
};

/** A change of the data model, by walks one after the other: docs/architecture.md#changing-the-model. */
export type Migration = { title: string; table: TableAccess; walks: readonly Walk[] };
