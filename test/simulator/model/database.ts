import { badShape, StoreError } from "./errors.ts";
import { type Key, keyId, type Stored, Table } from "./table.ts";
import type { Item } from "./values.ts";

/** A committed change of one item, as a stream tells of it. */
export type Change = {
  table: string;
  key: Key;
  before: Item | undefined;
  after: Item | undefined;
  /** Whether a request changed it, or the table itself did because it had expired. */
  by: "request" | "expiry";
};

export type Transaction = { readonly number: number };

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
};

const serially: Surroundings = {
  now: () => 0,
  charge: () => true,
  shuffle: (things) => things,
  onChange: () => {},
};

/** The state of the store: tables, the items that transactions hold, and the client request tokens it remembers. */
export class Database {
  readonly surroundings: Surroundings;
  readonly tokens = new Map<string, TokenUse>();
  readonly #tables = new Map<string, Table>();
  readonly #held = new Map<string, Transaction>();
  #transactions = 0;

  constructor(tables: readonly string[], surroundings: Partial<Surroundings> = {}) {
    this.surroundings = { ...serially, ...surroundings };
    for (const name of tables) this.#tables.set(name, new Table(name));
  }

  table(name: unknown): Table {
    if (name === undefined) {
      throw badShape("Value null at 'tableName' failed to satisfy constraint: Member must not be null");
    }
    const table = this.#tables.get(String(name));
    if (!table) throw new StoreError("ResourceNotFoundException", "Requested resource not found");
    return table;
  }

  newTransaction(): Transaction {
    return { number: ++this.#transactions };
  }

  holder(table: Table, key: Key): Transaction | undefined {
    return this.#held.get(`${table.name} ${keyId(key)}`);
  }

  hold(table: Table, key: Key, transaction: Transaction): void {
    this.#held.set(`${table.name} ${keyId(key)}`, transaction);
  }

  release(table: Table, key: Key): void {
    this.#held.delete(`${table.name} ${keyId(key)}`);
  }

  get heldItems(): number {
    return this.#held.size;
  }

  /** Commits a change; one that changes nothing leaves no record. */
  commit(table: Table, key: Key, after: Item | undefined, by: Change["by"] = "request"): void {
    const before: Stored | undefined = table.get(key);
    if (!before && !after) return;
    table.set(key, after);
    this.surroundings.onChange({ table: table.name, key, before: before?.item, after, by });
  }
}
