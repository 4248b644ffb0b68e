import { invalid } from "./errors.ts";

// Values as they travel: one member, whose name is its type. Sets of texts are part of the model; other sets and
// fractions are not.

export type Value =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { SS: string[] }
  | { L: Value[] }
  | { M: Item };

/** Attributes by their names. Items are never changed, only replaced. */
export type Item = { readonly [name: string]: Value };

export function memberOf(map: Item | undefined, name: string): Value | undefined {
  return map && Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Checks a value of a request and returns it in its stored form. */
export function canonicalValue(given: unknown): Value {
  const [[type, content] = []] = Object.entries(given as object);
  switch (type) {
    case "S":
    case "B":
    case "BOOL":
    case "NULL":
      return { [type]: content } as Value;
    case "N":
      return { N: canonicalNumber(content) };
    case "SS":
      return { SS: canonicalSet(content as string[]) };
    case "L":
      return { L: (content as unknown[]).map(canonicalValue) };
    case "M":
      return { M: canonicalItem(content) };
    default:
      throw new Error(`the model has no values of type ${type}`);
  }
}

export function canonicalItem(given: unknown): Item {
  return Object.fromEntries(
    Object.entries(given as object).map(([name, value]) => [name, canonicalValue(value)] as const),
  );
}

/** A set has no order of its own: its texts are kept sorted. */
function canonicalSet(texts: readonly string[]): string[] {
  if (texts.length === 0) throw invalid("One or more parameter values were invalid: An string set  may not be empty");
  if (new Set(texts).size < texts.length) {
    throw invalid("One or more parameter values were invalid: Input collection contains duplicates.");
  }
  return texts.toSorted(compareTexts);
}

const MAX_DIGITS = 38;

function canonicalNumber(text: string): string {
  if (!/^-?\d+$/.test(text)) throw new Error(`the model has whole numbers only, and got ${text}`);
  const number = String(BigInt(text));
  if (number.replace(/^-|0+$/g, "").length > MAX_DIGITS) {
    throw invalid("Attempting to store more than 38 significant digits in a Number");
  }
  return number;
}

export function addNumbers(a: string, b: string): string {
  return canonicalNumber(String(BigInt(a) + BigInt(b)));
}

/** The set of all texts of two sets. */
export function union(a: readonly string[], b: readonly string[]): Value {
  return { SS: [...new Set([...a, ...b])].sort(compareTexts) };
}

/** A set without the texts of another one; undefined if none is left. */
export function difference(a: readonly string[], b: readonly string[]): Value | undefined {
  const left = a.filter((text) => !b.includes(text));
  return left.length > 0 ? { SS: left } : undefined;
}

export function isEqual(a: Value, b: Value): boolean {
  if ("SS" in a && "SS" in b) return a.SS.length === b.SS.length && a.SS.every((text, at) => text === b.SS[at]);
  if ("L" in a && "L" in b)
    return a.L.length === b.L.length && a.L.every((value, at) => isEqual(value, b.L[at] as Value));
  if ("M" in a && "M" in b) {
    const names = Object.keys(a.M);
    return (
      names.length === Object.keys(b.M).length &&
      names.every((name) => {
        const other = memberOf(b.M, name);
        return other !== undefined && isEqual(a.M[name] as Value, other);
      })
    );
  }
  const [[type, content] = []] = Object.entries(a);
  return type !== undefined && type in b && content === (b as Record<string, unknown>)[type];
}

const SURROGATE = /[\ud800-\udfff]/;

/** Compares two texts by their bytes in UTF-8, as keys are sorted. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

export function compareValues(a: Value | undefined, b: Value | undefined): number | undefined {
  if (!a || !b) return undefined;
  if ("S" in a && "S" in b) return compareTexts(a.S, b.S);
  if ("N" in a && "N" in b) return Number(BigInt(a.N) - BigInt(b.N));
  return undefined;
}

/** The bytes of a number: one for two significant digits, one more, and one for a minus sign. */
function sizeOfNumber(number: string): number {
  const digits = number.replace("-", "").replace(/0+$/, "");
  return Math.ceil(digits.length / 2) + 1 + (number.startsWith("-") ? 1 : 0);
}

// A list or map has three bytes of its own and one for each element.
const CONTAINER = 3;

function sizeOfValue(value: Value): number {
  if ("S" in value) return Buffer.byteLength(value.S);
  if ("N" in value) return sizeOfNumber(value.N);
  if ("B" in value) return Buffer.from(value.B, "base64").length;
  if ("SS" in value) return value.SS.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if ("L" in value) return value.L.reduce((sum, element) => sum + sizeOfValue(element) + 1, CONTAINER);
  if ("M" in value) return CONTAINER + sizeOfItem(value.M) + Object.keys(value.M).length;
  return 1;
}

/** The bytes of an item, by which its units and its limit of 400 KB are reckoned. */
export function sizeOfItem(item: Item): number {
  let size = 0;
  for (const name in item) size += Buffer.byteLength(name) + sizeOfValue(item[name] as Value);
  return size;
}

/** The value of `size()` in an expression. */
export function lengthOf(value: Value | undefined): Value | undefined {
  if (!value) return undefined;
  if ("M" in value) return { N: String(Object.keys(value.M).length) };
  if ("L" in value) return { N: String(value.L.length) };
  if ("SS" in value) return { N: String(value.SS.length) };
  return "S" in value || "B" in value ? { N: String(sizeOfValue(value)) } : undefined;
}

export function plainItem(item: Item): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: Value): unknown {
  if ("N" in value) return Number(value.N);
  if ("NULL" in value) return null;
  if ("L" in value) return value.L.map(plainValue);
  if ("M" in value) return plainItem(value.M);
  if ("SS" in value) return new Set(value.SS);
  if ("B" in value) return Uint8Array.from(Buffer.from(value.B, "base64"));
  return Object.values(value)[0];
}
