import { invalid } from "../errors.ts";
import { canonicalValue, type Item, type Value } from "../values.ts";
import type { Parsed } from "./condition-grammar.ts";
import type { Path } from "./parser.ts";
import { invalidExpression } from "./tokens.ts";

/** The parameters of a request that say what the placeholders of its expressions mean. */
export type PlaceholderInput = {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
};

/** What the placeholders of one request mean; knows which of them are used. */
export class Placeholders {
  readonly #names: Map<string, string>;
  readonly #values: Map<string, Value>;
  readonly #unused: Set<string>;

  constructor({ ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} }: PlaceholderInput) {
    this.#names = new Map(Object.entries(names));
    this.#values = new Map(Object.entries(values).map(([name, value]) => [name, placeholderValue(name, value)]));
    this.#unused = new Set([...this.#names.keys(), ...this.#values.keys()]);
    for (const [name] of this.#names) checkName("ExpressionAttributeNames", name, /^#\w+$/);
    for (const [name] of this.#values) checkName("ExpressionAttributeValues", name, /^:\w+$/);
  }

  /** Takes note that an expression uses its placeholders; throws where one means nothing. */
  use({ kind, names, values }: Parsed<unknown>): void {
    for (const name of names) {
      if (!this.#names.has(name)) {
        const problem = `An expression attribute name used in the document path is not defined; attribute name: ${name}`;
        throw invalidExpression(kind, problem);
      }
      this.#unused.delete(name);
    }
    for (const name of values) {
      if (!this.#values.has(name)) {
        const problem = `An expression attribute value used in expression is not defined; attribute value: ${name}`;
        throw invalidExpression(kind, problem);
      }
      this.#unused.delete(name);
    }
  }

  /** Throws where a placeholder is used by no expression. */
  checkUsed(): void {
    const unused = [...this.#unused];
    for (const [sign, parameter] of [
      ["#", "ExpressionAttributeNames"],
      [":", "ExpressionAttributeValues"],
    ]) {
      const keys = unused.filter((name) => name.startsWith(sign as string));
      if (keys.length > 0) {
        throw invalid(`Value provided in ${parameter} unused in expressions: keys: {${keys.join(", ")}}`);
      }
    }
  }

  /** The value that a placeholder stands for. */
  value(name: string): Value {
    return this.#values.get(name) as Value;
  }

  /** A path with the names that its placeholders stand for. */
  path(path: Path): Path {
    return path.map((step) => (typeof step === "string" ? (this.#names.get(step) ?? step) : step));
  }
}

function placeholderValue(name: string, given: unknown): Value {
  try {
    return canonicalValue(given);
  } catch (error) {
    throw invalid(`ExpressionAttributeValues contains invalid value: ${(error as Error).message} for key ${name}`);
  }
}

function checkName(parameter: string, name: string, shape: RegExp): void {
  if (!shape.test(name)) throw invalid(`${parameter} contains invalid key: Syntax error; key: "${name}"`);
}

/** The value at a path of an item (without placeholders); undefined if there is none. */
export function valueAt(item: Item | undefined, path: Path): Value | undefined {
  let members: Value = { M: item ?? {} };
  for (const step of path) {
    let found: Value | undefined;
    if (typeof step === "number") found = "L" in members ? (members.L as Value[])[step] : undefined;
    else if ("M" in members && Object.hasOwn(members.M as Item, step)) found = (members.M as Item)[step];
    if (found === undefined) return undefined;
    members = found;
  }
  return members;
}
