import type { TableAccess } from "../table/access.ts";
import type { Key, Range } from "../table/keys.ts";
import type { Attributes, Part } from "../table/parts.ts";

/** An item as it is stored, in its old form or its new one. */
type StoredItem = Key & Attributes;

/** A change of every item of a kind. docs/architecture.md#changing-the-model shows how to write one. */
export type Migration = {
  title: string;
  walks: Range;
  table: TableAccess;
  /**
   * The parts of the transaction that changes an item, with conditions on what was read; undefined if the item has its
   * new form. If a condition fails, the item is read again. May read other items.
   */
  change: (item: StoredItem) => Record<string, Part> | undefined | Promise<Record<string, Part> | undefined>;
};
