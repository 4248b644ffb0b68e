import { badParameter, invalid } from "../errors.ts";
import { compareTexts, type Value } from "../values.ts";
import type { Condition, Operand } from "./condition-grammar.ts";
import { conditionOf } from "./conditions.ts";
import type { Placeholders } from "./placeholders.ts";

/** The names of a table's keys; both are strings. */
export type KeyNames = { partition: string; sort: string };

/** The items of one partition whose sort keys lie between two texts, of which one may be left out. */
export type KeyRange = {
  partition: string;
  includes: (sort: string) => boolean;
  /** The least sort key that may be in the range. */
  from: string | undefined;
  /** The greatest one. */
  to: string | undefined;
};

function unsupported(): Error {
  return invalid("Query key condition not supported");
}

/** Reads a key condition: the partition key by `=`, the sort key, if at all, by one comparison. */
export function keyRangeOf(text: string, placeholders: Placeholders, keys: KeyNames): KeyRange {
  const parsed = conditionOf("KeyConditionExpression", text);
  placeholders.use(parsed);
  const { tree } = parsed;
  if (tree.is === "or" || tree.is === "not" || tree.is === "<>" || tree.is === "in") {
    throw invalid(`Invalid operator used in KeyConditionExpression: ${tree.is.toUpperCase()}`);
  }
  const parts = tree.is === "and" ? tree.parts.flatMap((part) => (part.is === "and" ? part.parts : [part])) : [tree];
  const named = parts.map((part) => ({ part, name: attributeOf(part, placeholders) }));
  if (new Set(named.map(({ name }) => name)).size < named.length) {
    throw invalid("KeyConditionExpressions must only contain one condition per key");
  }
  const partition = named.find(({ name }) => name === keys.partition)?.part;
  const sort = named.find(({ name }) => name === keys.sort)?.part;
  if (!partition) throw invalid(`Query condition missed key schema element: ${keys.partition}`);
  if (named.length > 1 && !sort) throw invalid(`Query condition missed key schema element: ${keys.sort}`);
  if (named.length > 2 || partition.is !== "=") throw unsupported();
  const text_ = (operand: Operand, name: string): string => keyText(operand, name, placeholders);
  return {
    partition: text_(operandBeside(partition), keys.partition),
    ...(sort ? rangeOf(sort, (operand) => text_(operand, keys.sort)) : EVERYTHING),
  };
}

// The character that sorts last, and at least as many of them as a sort key can hold: what sorts after all texts of a prefix.
const LAST = "\u{10ffff}";
const LONGEST = 256;

const EVERYTHING = { includes: () => true, from: undefined, to: undefined };

function rangeOf(part: Condition, textOf: (operand: Operand) => string): Omit<KeyRange, "partition"> {
  if (part.is === "between") {
    const [from, to] = [textOf(part.low), textOf(part.high)];
    if (compareTexts(from, to) > 0) {
      throw invalid(
        `Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:${from}}, upper bound operand: AttributeValue: {S:${to}}`,
      );
    }
    return { includes: (sort) => compareTexts(sort, from) >= 0 && compareTexts(sort, to) <= 0, from, to };
  }
  const text = textOf(operandBeside(part));
  switch (part.is) {
    case "begins_with":
      return { includes: (sort) => sort.startsWith(text), from: text, to: text + LAST.repeat(LONGEST) };
    case "=":
      return { includes: (sort) => sort === text, from: text, to: text };
    case "<":
      return { includes: (sort) => compareTexts(sort, text) < 0, from: undefined, to: text };
    case "<=":
      return { includes: (sort) => compareTexts(sort, text) <= 0, from: undefined, to: text };
    case ">":
      return { includes: (sort) => compareTexts(sort, text) > 0, from: text, to: undefined };
    case ">=":
      return { includes: (sort) => compareTexts(sort, text) >= 0, from: text, to: undefined };
    default:
      throw unsupported();
  }
}

function operandsOf(part: Condition): Operand[] {
  if ("left" in part) return [part.left, part.right];
  return part.is === "between" ? [part.operand] : [];
}

function attributeOf(part: Condition, placeholders: Placeholders): string {
  const named = operandsOf(part).find((operand) => "path" in operand);
  const path = named && "path" in named ? placeholders.path(named.path) : [];
  if (path.length !== 1) throw unsupported();
  return String(path[0]);
}

/** What an attribute is compared with. */
function operandBeside(part: Condition): Operand {
  const value = operandsOf(part).find((operand) => "value" in operand);
  if (!value) throw unsupported();
  return value;
}

function keyText(operand: Operand, name: string, placeholders: Placeholders): string {
  if (!("value" in operand)) throw unsupported();
  const value: Value = placeholders.value(operand.value);
  if (!("S" in value)) throw badParameter("Condition parameter type does not match schema type");
  if (value.S === "") {
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  }
  return value.S;
}
