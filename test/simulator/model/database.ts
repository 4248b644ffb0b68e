import { type Key, keyId, Table } from "./table.ts";
import type { Item } from "./values.ts";

/** A committed change of one item, as a stream tells of it. */
export type Change = {
  key: Key;
  before: Item | undefined;
  after: Item | undefined;
  /** Whether a request changed it, or the table itself did because it had expired. */
  by: "request" | "expiry";
  /** The number of the transaction that it is a part of; undefined for a single write. */
  transaction?: number | undefined;
};

type TokenUse = { request: string; state: "running" } | { request: string; state: "done"; at: number };

/** The decisions of the world around a database; in a serial run nothing is throttled and the order stays. */
export type Surroundings = {
  /** The time, in milliseconds since 1970. */
  now: () => number;
  /** Charges units to the physical partition of a partition key; false if it throttles. */
  charge: (kind: "read" | "write", partition: string, units: number) => boolean;
  /** Chooses an order for unordered things. */
  shuffle: <T>(things: readonly T[]) => readonly T[];
  /** Called with each committed change, in the order of the commits. */
  onChange: (change: Change) => void;
  /** Called with all changes of a transaction when it is decided, before the first is committed. */
  onDecision: (changes: readonly Change[]) => void;
};

const serially: Surroundings = {
  now: () => 0,
  charge: () => true,
  shuffle: (things) => things,
  onChange: () => {},
  onDecision: () => {},
};

export const TABLE = "table";

/** The state of the store: one table, the items that transactions hold, and the client request tokens it remembers. */
export class Database {
  readonly surroundings: Surroundings;
  readonly table = new Table();
  readonly tokens = new Map<string, TokenUse>();
  readonly #held = new Set<string>();
  #transactions = 0;

  constructor(surroundings: Partial<Surroundings> = {}) {
    this.surroundings = { ...serially, ...surroundings };
  }

  isHeld(key: Key): boolean {
    return this.#held.has(keyId(key));
  }

  hold(key: Key): void {
    this.#held.add(keyId(key));
  }

  release(key: Key): void {
    this.#held.delete(keyId(key));
  }

  get heldItems(): number {
    return this.#held.size;
  }

  /** The number of a new transaction. */
  begin(): number {
    return ++this.#transactions;
  }

  /** Tells of the changes of a transaction that is decided. */
  decide(writes: readonly { key: Key; after: Item | undefined }[], transaction: number): void {
    const changes = writes.map(({ key, after }): Change => {
      return { key, before: this.table.get(key)?.item, after, by: "request", transaction };
    });
    // Who deletes nothing changes nothing.
    this.surroundings.onDecision(changes.filter(({ before, after }) => before || after));
  }

  commit(
    key: Key,
    after: Item | undefined,
    { by = "request", transaction }: Partial<Pick<Change, "by" | "transaction">> = {},
  ): void {
    const before = this.table.get(key)?.item;
    if (!before && !after) return;
    this.table.set(key, after);
    this.surroundings.onChange({ key, before, after, by, transaction });
  }
}

export function checkTable(name: unknown): void {
  if (name !== TABLE) throw new Error(`the model has no table ${name}`);
}
