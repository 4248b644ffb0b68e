import { invalid } from "./errors.ts";
import {
  addNumbers,
  canonicalValue,
  compareValues,
  difference,
  type Item,
  isEqual,
  lengthOf,
  memberOf,
  union,
  type Value,
} from "./values.ts";

// Conditions, key conditions and updates, as far as the functions use them. All other forms throw an Error that stops
// the run.

type Path = readonly string[];

export class Placeholders {
  readonly #meanings: Map<string, unknown>;
  readonly #unused: Set<string>;

  constructor(input: Record<string, unknown>) {
    this.#meanings = new Map([
      ...Object.entries((input.ExpressionAttributeNames ?? {}) as object),
      ...Object.entries((input.ExpressionAttributeValues ?? {}) as object),
    ]);
    this.#unused = new Set(this.#meanings.keys());
  }

  #meaning(placeholder: string): unknown {
    if (!this.#meanings.has(placeholder)) throw invalid(`Invalid expression: ${placeholder} is not defined`);
    this.#unused.delete(placeholder);
    return this.#meanings.get(placeholder);
  }

  name(text: string): string {
    return text.startsWith("#") ? (this.#meaning(text) as string) : text;
  }

  value(text: string): Value {
    return canonicalValue(this.#meaning(text));
  }

  checkUsed(): void {
    if (this.#unused.size > 0) throw invalid(`Value provided unused in expressions: keys: {${[...this.#unused]}}`);
  }
}

class Reader {
  readonly #text: string;
  readonly #placeholders: Placeholders;
  readonly #tokens: string[];
  #at = 0;

  constructor(text: string, placeholders: Placeholders) {
    this.#text = text;
    this.#placeholders = placeholders;
    this.#tokens = text.match(/[#:]?\w+|<>|<=|>=|\S/g) ?? [];
  }

  unknown(): Error {
    return new Error(`the model does not know "${this.#tokens[this.#at] ?? "the end"}" here: ${this.#text}`);
  }

  isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  expect(token: string): void {
    if (!this.take(token)) throw this.unknown();
  }

  oneOf<Name extends string>(names: readonly Name[]): Name {
    const found = names.find((name) => this.take(name));
    if (found === undefined) throw this.unknown();
    return found;
  }

  list<T>(separator: string, read: (reader: Reader) => T): T[] {
    const all = [read(this)];
    while (this.take(separator)) all.push(read(this));
    return all;
  }

  path(): Path {
    return this.list(".", () => {
      const token = this.#tokens[this.#at] ?? "";
      if (!/^#?\w+$/.test(token)) throw this.unknown();
      this.#at++;
      return this.#placeholders.name(token);
    });
  }

  value(): Value | undefined {
    const token = this.#tokens[this.#at] ?? "";
    if (!token.startsWith(":")) return undefined;
    this.#at++;
    return this.#placeholders.value(token);
  }
}

function valueAt(item: Item | undefined, path: Path): Value | undefined {
  let found: Value | undefined = { M: item ?? {} };
  for (const name of path) found = found && "M" in found ? memberOf(found.M, name) : undefined;
  return found;
}

export type Condition = (item: Item | undefined) => boolean;

export function conditionOf(text: string, placeholders: Placeholders): Condition {
  const reader = new Reader(text, placeholders);
  const condition = anyOf(reader);
  if (!reader.isAtEnd()) throw reader.unknown();
  return condition;
}

function anyOf(reader: Reader): Condition {
  const conditions = reader.list("OR", allOf);
  return (item) => conditions.some((holds) => holds(item));
}

function allOf(reader: Reader): Condition {
  const conditions = reader.list("AND", single);
  return (item) => conditions.every((holds) => holds(item));
}

function single(reader: Reader): Condition {
  if (reader.take("(")) {
    const inner = anyOf(reader);
    reader.expect(")");
    return inner;
  }
  for (const name of ["attribute_exists", "attribute_not_exists"]) {
    if (!reader.take(name)) continue;
    const path = inParentheses(reader);
    return (item) => (valueAt(item, path) !== undefined) === (name === "attribute_exists");
  }
  const left = operand(reader);
  const compare = COMPARATORS[reader.oneOf(["=", "<=", ">=", "<", ">"])];
  const right = operand(reader);
  return (item) => compare(left(item), right(item));
}

function inParentheses(reader: Reader): Path {
  reader.expect("(");
  const path = reader.path();
  reader.expect(")");
  return path;
}

function operand(reader: Reader): (item: Item | undefined) => Value | undefined {
  const value = reader.value();
  if (value) return () => value;
  const isSize = reader.take("size");
  const path = isSize ? inParentheses(reader) : reader.path();
  return (item) => (isSize ? lengthOf(valueAt(item, path)) : valueAt(item, path));
}

type Comparator = (left: Value | undefined, right: Value | undefined) => boolean;

const COMPARATORS = {
  "=": (left, right) => left !== undefined && right !== undefined && isEqual(left, right),
  "<": (left, right) => (compareValues(left, right) ?? 0) < 0,
  ">": (left, right) => (compareValues(left, right) ?? 0) > 0,
  "<=": (left, right) => (compareValues(left, right) ?? 1) <= 0,
  ">=": (left, right) => (compareValues(left, right) ?? -1) >= 0,
} satisfies Record<string, Comparator>;

/** The values of a key condition: a partition, the first and the last sort key. */
export function keyConditionOf(text: string, placeholders: Placeholders) {
  const [, ...names] = /^pk = (:\w+) AND sk BETWEEN (:\w+) AND (:\w+)$/.exec(text) ?? [];
  const [partition, from, to] = names.map((name) => placeholders.value(name)) as { S: string }[];
  if (!partition || !from || !to) throw new Error(`the model does not know this key condition: ${text}`);
  return { partition: partition.S, from: from.S, to: to.S };
}

/** A change of one attribute or member: its new value, given the item before; undefined removes it. */
type Change = { path: Path; value: (item: Item) => Value | undefined };

export function updateOf(text: string, placeholders: Placeholders): (item: Item) => Item {
  const reader = new Reader(text, placeholders);
  const changes: Change[] = [];
  while (!reader.isAtEnd())
    changes.push(...reader.list(",", SECTIONS[reader.oneOf(["SET", "REMOVE", "ADD", "DELETE"])]));
  for (const [at, { path }] of changes.entries()) {
    if (changes.slice(at + 1).some((other) => isWithin(path, other.path) || isWithin(other.path, path))) {
      throw invalid("Invalid UpdateExpression: Two document paths overlap with each other");
    }
  }
  return (item) => changes.reduce((result, { path, value }) => changed(result, path, value(item)), item);
}

function isWithin(inner: Path, outer: Path): boolean {
  return outer.every((name, at) => inner[at] === name);
}

const SECTIONS = { SET: assignment, REMOVE: removal, ADD: addition, DELETE: subtraction } satisfies Record<
  string,
  (reader: Reader) => Change
>;

function removal(reader: Reader): Change {
  return { path: reader.path(), value: () => undefined };
}

function assignment(reader: Reader): Change {
  const path = reader.path();
  reader.expect("=");
  const value = reader.value();
  if (value) return { path, value: () => value };
  const source = reader.path();
  return {
    path,
    value: (item) => {
      const copied = valueAt(item, source);
      if (copied) return copied;
      throw invalid("The provided expression refers to an attribute that does not exist in the item");
    },
  };
}

function badOperand(): Error {
  return invalid("An operand in the update expression has an incorrect data type");
}

/** Adds a number to a number, or texts to a set. */
function addition(reader: Reader): Change {
  const path = reader.path();
  const addend = reader.value();
  if (!addend || !("N" in addend || "SS" in addend)) throw reader.unknown();
  return {
    path,
    value: (item) => {
      const before = valueAt(item, path);
      if (!before) return addend;
      if ("N" in before && "N" in addend) return { N: addNumbers(before.N, addend.N) };
      if ("SS" in before && "SS" in addend) return union(before.SS, addend.SS);
      throw badOperand();
    },
  };
}

/** Takes texts out of a set. */
function subtraction(reader: Reader): Change {
  const path = reader.path();
  const taken = reader.value();
  if (!taken || !("SS" in taken)) throw reader.unknown();
  return {
    path,
    value: (item) => {
      const before = valueAt(item, path);
      if (!before) return undefined;
      if (!("SS" in before)) throw badOperand();
      return difference(before.SS, taken.SS);
    },
  };
}

function changed(map: Item, [name = "", ...rest]: Path, value: Value | undefined): Item {
  const { [name]: before, ...others } = map;
  if (rest.length === 0) return value ? { ...map, [name]: value } : others;
  if (!before || !("M" in before)) {
    throw invalid("The document path provided in the update expression is invalid for update");
  }
  return { ...map, [name]: { M: changed(before.M, rest, value) } };
}
