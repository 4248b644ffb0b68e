import { createHash, randomBytes, randomInt } from "node:crypto";

// The last id of this process. Ids of one millisecond continue from it, so that ids sort by creation.
let last = { time: 0, tail: 0n };

const TAIL_BITS = 74n;
const TAIL_LIMIT = 1n << TAIL_BITS;

function randomTail(): bigint {
  // The highest bit stays 0: there is room to count up within the millisecond.
  return BigInt(`0x${randomBytes(10).toString("hex")}`) & ((TAIL_LIMIT >> 1n) - 1n);
}

function format(time: number, tail: bigint): string {
  const randA = (tail >> 62n).toString(16).padStart(3, "0");
  const randB = ((tail & ((1n << 62n) - 1n)) | (0b10n << 62n)).toString(16).padStart(16, "0");
  return `${firstIdAt(time)}-7${randA}-${randB.slice(0, 4)}-${randB.slice(4)}`;
}

/** A new UUID version 7, greater than every id that this process made before. */
export function newId(): string {
  const now = Date.now();
  if (now > last.time) last = { time: now, tail: randomTail() };
  else last = { time: last.time, tail: last.tail + BigInt(1 + randomInt(2 ** 32)) };
  return format(last.time, last.tail);
}

/** Forgets the last id, as a new process has none: for tests, which share a process and set its clock. */
export function forgetLastId(): void {
  last = { time: 0, tail: 0n };
}

/** A UUID version 7 of a past moment, in milliseconds since 1970. */
export function idAt(time: number): string {
  return format(time, randomTail());
}

/** The UUID version 7 of a moment and a name: always the same, so that a repeated attempt is recognised. */
export function namedIdAt(time: number, name: string): string {
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 20);
  return format(time, BigInt(`0x${digest}`) & ((TAIL_LIMIT >> 1n) - 1n));
}

/** The bytes of an id of `namedIdAt` that its name decides: the same at every moment. */
export function nameIn(id: string): Buffer {
  return Buffer.from(id.slice(14).replaceAll("-", ""), "hex");
}

/** The moment of an id, in milliseconds since 1970. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The time in an id, in ISO 8601. */
export function createdAt(id: string): string {
  return new Date(timeOf(id)).toISOString();
}

/** The UTC day of an id, `yyyy-mm-dd`. */
export function dayOf(id: string): string {
  return createdAt(id).slice(0, 10);
}

/** The text that sorts before every id of a moment (milliseconds since 1970) and after every earlier one. */
export function firstIdAt(time: number): string {
  const high = time.toString(16).padStart(12, "0");
  return `${high.slice(0, 8)}-${high.slice(8)}`;
}

/** The text that sorts before every id of a UTC day (`yyyy-mm-dd`). */
export function firstIdOf(day: string): string {
  return firstIdAt(Date.parse(`${day}T00:00:00.000Z`));
}

/** The id of 32 hex digits. */
export function idOfHex(hex: string): string {
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

/** The nil UUID, which nothing has. */
export const NIL = "00000000-0000-0000-0000-000000000000";

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An id in lower case; undefined for any other value. */
export function readId(value: unknown): string | undefined {
  const id = typeof value === "string" ? value.toLowerCase() : "";
  return UUID.test(id) ? id : undefined;
}
