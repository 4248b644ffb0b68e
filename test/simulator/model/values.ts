import { badParameter, invalid } from "./errors.ts";
import { canonicalNumber, compareNumbers, sizeOfNumber } from "./numbers.ts";

/** A value as it travels: one member, whose name is its type. */
export type Value =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { L: Value[] }
  | { M: Item }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] };

/** The name of a type of values. */
export type TypeName = "S" | "N" | "B" | "BOOL" | "NULL" | "L" | "M" | "SS" | "NS" | "BS";

/** Attributes by their names. Items are never changed, only replaced. */
export type Item = { readonly [name: string]: Value };

/** All types; a value of any other has none. */
export const TYPES: readonly TypeName[] = ["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"];

function isType(name: string): name is TypeName {
  return (TYPES as readonly string[]).includes(name);
}

/** The types by the names that error messages use. */
export const LONG_TYPES: Record<TypeName, string> = {
  S: "STRING",
  N: "NUMBER",
  B: "BINARY",
  BOOL: "BOOLEAN",
  NULL: "NULL",
  L: "LIST",
  M: "MAP",
  SS: "STRING_SET",
  NS: "NUMBER_SET",
  BS: "BINARY_SET",
};

/** The type of a value. */
export function typeOf(value: Value): TypeName {
  for (const name in value) return name as TypeName;
  throw new Error("a value without a type");
}

/** What a value holds, whatever its type. */
export function contentOf(value: Value): unknown {
  return (value as Record<string, unknown>)[typeOf(value)];
}

const MAX_DEPTH = 32;

/** Checks a value that came in and gives it the one form in which it is stored: numbers canonical, unknown members gone. */
export function canonicalValue(given: unknown, depth = 1): Value {
  if (typeof given !== "object" || given === null) throw noType();
  const types = Object.keys(given).filter((name) => isType(name) && (given as Record<string, unknown>)[name] != null);
  const [type, second] = types;
  if (type === undefined) throw noType();
  if (second !== undefined) {
    throw invalid(
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
    );
  }
  return canonicalOf(type as TypeName, (given as Record<string, unknown>)[type], depth);
}

function noType() {
  return invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
}

function canonicalOf(type: TypeName, content: unknown, depth: number): Value {
  switch (type) {
    case "S":
      return { S: content as string };
    case "N":
      return { N: canonicalNumber(content as string) };
    case "B":
      return { B: canonicalBytes(content as string) };
    case "BOOL":
      return { BOOL: content as boolean };
    case "NULL":
      if (content !== true) throw badParameter("Null attribute value types must have the value of true");
      return { NULL: true };
    case "L":
      checkDepth(depth);
      return { L: (content as unknown[]).map((each) => canonicalValue(each, depth + 1)) };
    case "M":
      checkDepth(depth);
      return { M: canonicalItem(content, depth + 1) };
    case "SS":
      return { SS: canonicalSet("string", content as string[], (each) => each) };
    case "NS":
      return { NS: canonicalSet("number", content as string[], canonicalNumber) };
    case "BS":
      return { BS: canonicalSet("binary", content as string[], canonicalBytes) };
  }
}

function checkDepth(depth: number): void {
  if (depth < MAX_DEPTH) return;
  throw invalid(
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit",
  );
}

function canonicalBytes(base64: string): string {
  return Buffer.from(base64, "base64").toString("base64");
}

function canonicalSet(kind: string, given: string[], canonical: (each: string) => string): string[] {
  if (given.length === 0) throw badParameter(`An ${kind} set  may not be empty`);
  const members = given.map(canonical);
  if (new Set(members).size < members.length) {
    throw kind === "number"
      ? invalid("Input collection contains duplicates")
      : badParameter(`Input collection [${given.join(", ")}] contains duplicates.`);
  }
  return members;
}

/** Checks attributes that came in. */
export function canonicalItem(given: unknown, depth = 1): Item {
  return Object.fromEntries(
    Object.entries(given as object).map(([name, value]) => [name, canonicalValue(value, depth)] as const),
  );
}

function sameMembers(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((each) => b.includes(each));
}

/** Whether two values are equal: of one type, with the same content. */
export function isEqual(a: Value, b: Value): boolean {
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  const [left, right] = [contentOf(a), contentOf(b)];
  switch (type) {
    case "L": {
      const [one, other] = [left as Value[], right as Value[]];
      return one.length === other.length && one.every((each, at) => isEqual(each, other[at] as Value));
    }
    case "M": {
      const [one, other] = [left as Item, right as Item];
      const names = Object.keys(one);
      return (
        names.length === Object.keys(other).length &&
        names.every((name) => Object.hasOwn(other, name) && isEqual(one[name] as Value, other[name] as Value))
      );
    }
    case "SS":
    case "NS":
    case "BS":
      return sameMembers(left as string[], right as string[]);
    default:
      return left === right;
  }
}

const SURROGATE = /[\ud800-\udfff]/;

/** Compares two texts by their bytes in UTF-8, as keys are sorted. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

/** Compares two values of one type that has an order; undefined where they have none. */
export function compareValues(a: Value, b: Value): number | undefined {
  if ("S" in a && "S" in b) return compareTexts(a.S, b.S);
  if ("N" in a && "N" in b) return compareNumbers(a.N, b.N);
  if ("B" in a && "B" in b) return Buffer.compare(Buffer.from(a.B, "base64"), Buffer.from(b.B, "base64"));
  return undefined;
}

function sizeOfText(text: string): number {
  return Buffer.byteLength(text, "utf8");
}
function sizeOfBytes(base64: string): number {
  return Buffer.from(base64, "base64").length;
}
function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

// A list or map has three bytes of its own and one for each element.
const CONTAINER = 3;

/** The bytes of a value without its name. */
export function sizeOfValue(value: Value): number {
  if ("S" in value) return sizeOfText(value.S);
  if ("N" in value) return sizeOfNumber(value.N);
  if ("B" in value) return sizeOfBytes(value.B);
  if ("L" in value) return CONTAINER + sum(value.L.map((each) => sizeOfValue(each) + 1));
  if ("M" in value) return CONTAINER + sizeOfItem(value.M) + Object.keys(value.M).length;
  if ("SS" in value) return sum(value.SS.map(sizeOfText));
  if ("NS" in value) return sum(value.NS.map(sizeOfNumber));
  if ("BS" in value) return sum(value.BS.map(sizeOfBytes));
  return 1;
}

/** The bytes of an item, by which its units and its limit of 400 KB are reckoned. */
export function sizeOfItem(item: Item): number {
  let size = 0;
  for (const name in item) size += sizeOfText(name) + sizeOfValue(item[name] as Value);
  return size;
}

/** An item as the document client gives it. */
export function plainItem(item: Item): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plainValue(value)]));
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "base64"));
}

function plainValue(value: Value): unknown {
  if ("N" in value) return Number(value.N);
  if ("NULL" in value) return null;
  if ("L" in value) return value.L.map(plainValue);
  if ("M" in value) return plainItem(value.M);
  if ("B" in value) return bytesOf(value.B);
  if ("BS" in value) return new Set(value.BS.map(bytesOf));
  if ("SS" in value) return new Set(value.SS);
  if ("NS" in value) return new Set(value.NS.map(Number));
  return contentOf(value);
}
