import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { environment } from "../../../lib/runtime/environment.ts";
import { documentClient } from "../../../lib/table/client.ts";
import type { Key } from "../../../lib/table/keys.ts";

// What a call costs, computed from item sizes as AWS does (the units that DynamoDB Local reports for transactions are
// wrong), and which calls wait for which.

const READ_UNIT = 4096;
const WRITE_UNIT = 1024;

function units(bytes: number, unit: number): number {
  return Math.max(1, Math.ceil(bytes / unit));
}

type Output = { Item?: Item; Items?: Item[]; Responses?: Record<string, Item[]> };

/** The units of a strongly consistent read; `keys` is how many items it asked for by key. */
export function readUnitsOf(operation: string, keys: number, { Item, Items = [], Responses = {} }: Output): number {
  if (operation === "GetItem") return units(Item ? sizeOf(Item) : 0, READ_UNIT);
  // A Query rounds up once; each item of a batch is rounded up by itself, and one that is not there costs one unit.
  if (operation === "Query") return units(Items.map(sizeOf).reduce(sum, 0), READ_UNIT);
  if (operation !== "BatchGetItem") return 0;
  const found = Object.values(Responses).flat();
  return found.map((item) => units(sizeOf(item), READ_UNIT)).reduce(sum, 0) + keys - found.length;
}

function sum(a: number, b: number): number {
  return a + b;
}

/** The units of a write of items, by the larger size of each before and after, twice in a transaction. */
export function writeUnitsOf(before: number[], after: number[], inTransaction: boolean): number {
  return (
    before.map((size, at) => units(Math.max(size, after[at] ?? 0), WRITE_UNIT)).reduce(sum, 0) * (inTransaction ? 2 : 1)
  );
}

/** The sizes of items as they are now, 0 without one. */
export function sizesNow(keys: Key[]): Promise<number[]> {
  return Promise.all(
    keys.map(async (Key) => {
      const command = new GetCommand({ TableName: environment().TABLE_NAME, Key, ConsistentRead: true });
      const { Item } = await documentClient().send(command);
      return Item ? sizeOf(Item) : 0;
    }),
  );
}

// Signatures are made in threads: under load, a call that waits for one is sent much later than its neighbours.
let signing = 0;

function countSigning(name: "digest" | "importKey" | "sign" | "verify"): void {
  const original = crypto.subtle[name].bind(crypto.subtle) as (...given: unknown[]) => Promise<unknown>;
  const counted = (...given: unknown[]): Promise<unknown> => {
    signing++;
    return original(...given).finally(() => signing--);
  };
  Object.defineProperty(crypto.subtle, name, { configurable: true, value: counted });
}
for (const name of ["digest", "importKey", "sign", "verify"] as const) countSigning(name);

/** Gives calls that are about to begin the time to be sent. */
async function untilSent(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) {
    await new Promise(setImmediate);
    if (signing > 0) turns = 0;
  }
}

/**
 * Holds answers back until all calls under way are answered, then lets them go together: a call that waits for another
 * one begins in a later round, whatever each of them takes. So the number of rounds is the number of sequential steps.
 */
export class Rounds {
  round = 1;
  #underWay = 0;
  #answered = 0;
  #waiting: (() => void)[] = [];

  /** Joins the current round; returns its number. */
  begin(): number {
    this.#underWay++;
    return this.round;
  }

  /** Waits until every call of the round is answered. */
  async end(): Promise<void> {
    this.#answered++;
    const over = new Promise<void>((done) => this.#waiting.push(done));
    await untilSent();
    if (this.#underWay > 0 && this.#answered === this.#underWay) this.#next();
    await over;
  }

  #next(): void {
    this.round++;
    this.#underWay = 0;
    this.#answered = 0;
    for (const done of this.#waiting.splice(0)) done();
  }
}

// Item sizes as DynamoDB counts them: names and values in UTF-8, numbers about half a byte a digit, three bytes a map
// or list.

export type Item = Record<string, unknown>;

function bytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

function sizeOfValue(value: unknown): number {
  if (typeof value === "string") return bytes(value);
  if (typeof value === "number" || typeof value === "bigint")
    return Math.ceil(String(value).replace(/[-.]/g, "").replace(/0+$/, "").length / 2) + 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.map((each) => sizeOfValue(each) + 1).reduce(sum, 3);
  if (typeof value !== "object" || value === null) return 1;
  return 3 + sizeOf(value) + Object.keys(value).length;
}

export function sizeOf(item: object): number {
  return Object.entries(item)
    .map(([name, value]) => bytes(name) + sizeOfValue(value))
    .reduce(sum, 0);
}
