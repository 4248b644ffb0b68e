import { badParameter, badShape, conditionFailed, invalid } from "./errors.ts";
import { type Predicate, predicateOf } from "./expressions/conditions.ts";
import type { Path } from "./expressions/parser.ts";
import { Placeholders } from "./expressions/placeholders.ts";
import { project } from "./expressions/projections.ts";
import { type Updater, updaterOf } from "./expressions/updates.ts";
import { keyAttributes, keyOf, keyOfItem } from "./keys.ts";
import type { Key, Table } from "./table.ts";
import { canonicalItem, type Item, sizeOfItem } from "./values.ts";

/** The parameters of a request, or of a part of a transaction. */
export type Input = Record<string, unknown>;

/** The four ways to write, and to check without writing. */
export type WriteKind = "Put" | "Update" | "Delete" | "ConditionCheck";

/** One write that was checked as far as it can be before the item is read. */
export type Write = {
  kind: WriteKind;
  table: Table;
  key: Key;
  /**
   * What the item becomes, given what it is: undefined where there is none then. Throws where the condition does not hold, or where
   * the item does not suit the change.
   */
  outcome: (before: Item | undefined) => Item | undefined;
  /** What the answer tells of the item. */
  attributes: (before: Item | undefined, after: Item | undefined) => Item | undefined;
};

const MAX_ITEM = 409_600;

/** The parameters by which requests of long ago said what expressions say today. */
const LEGACY = [
  "AttributesToGet",
  "AttributeUpdates",
  "ConditionalOperator",
  "Expected",
  "KeyConditions",
  "QueryFilter",
  "ScanFilter",
];

/** Refuses what this model does not know, so that nobody takes its silence for an answer. */
export function refuseLegacy(input: Input): void {
  const legacy = LEGACY.filter((name) => name in input);
  if (legacy.length > 0) throw new Error(`the model has no legacy parameters: ${legacy.join(", ")}`);
}

function refusePlaceholders(input: Input, expressions: string[]): void {
  if (expressions.some((name) => input[name] !== undefined)) return;
  if (input.ExpressionAttributeNames) {
    throw invalid("ExpressionAttributeNames can only be specified when using expressions");
  }
  if (input.ExpressionAttributeValues) {
    const missing = expressions.length === 1 ? `: ${expressions[0]} is null` : "";
    throw invalid(`ExpressionAttributeValues can only be specified when using expressions${missing}`);
  }
}

function conditionIn(input: Input, placeholders: Placeholders): Predicate {
  const { ConditionExpression: text } = input;
  return text === undefined ? () => true : predicateOf("ConditionExpression", String(text), placeholders);
}

function checkReturnValues(input: Input, allowed: string[]): void {
  const { ReturnValues: wanted = "NONE" } = input;
  if (!allowed.includes(String(wanted))) throw badShape(`ReturnValues can only be ${allowed.join(" or ")}`);
}

function checkSize(item: Item, problem: string): Item {
  if (sizeOfItem(item) > MAX_ITEM) throw invalid(problem);
  return item;
}

/** Throws where a condition does not hold; with the item, where the request asks for it. */
function guard(input: Input, holds: Predicate, before: Item | undefined): void {
  if (holds(before)) return;
  throw conditionFailed(input.ReturnValuesOnConditionCheckFailure === "ALL_OLD" ? before : undefined);
}

/** Checks a Put. */
export function putOf(table: Table, input: Input): Write {
  if (!input.Item) throw badShape("Value null at 'item' failed to satisfy constraint: Member must not be null");
  checkReturnValues(input, ["ALL_OLD", "NONE"]);
  refusePlaceholders(input, ["ConditionExpression"]);
  const item = canonicalItem(input.Item);
  const key = keyOfItem(table, item);
  const placeholders = new Placeholders(input);
  const holds = conditionIn(input, placeholders);
  placeholders.checkUsed();
  checkSize(item, "Item size has exceeded the maximum allowed size");
  return {
    kind: "Put",
    table,
    key,
    outcome: (before) => {
      guard(input, holds, before);
      return item;
    },
    attributes: (before) => (input.ReturnValues === "ALL_OLD" ? before : undefined),
  };
}

/** Checks a Delete. */
export function deleteOf(table: Table, input: Input): Write {
  checkReturnValues(input, ["ALL_OLD", "NONE"]);
  return {
    ...checkOf(table, input),
    kind: "Delete",
    attributes: (before) => (input.ReturnValues === "ALL_OLD" ? before : undefined),
  };
}

/** Checks a ConditionCheck, or what a Delete has in common with one: the item is gone, or stays. */
export function checkOf(table: Table, input: Input, stays = false): Write {
  refusePlaceholders(input, ["ConditionExpression"]);
  const key = keyOf(table, input.Key);
  const placeholders = new Placeholders(input);
  const holds = conditionIn(input, placeholders);
  placeholders.checkUsed();
  return {
    kind: "ConditionCheck",
    table,
    key,
    outcome: (before) => {
      guard(input, holds, before);
      return stays ? before : undefined;
    },
    attributes: () => undefined,
  };
}

/** Checks an Update. */
export function updateOf(table: Table, input: Input): Write {
  checkReturnValues(input, ["ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"]);
  refusePlaceholders(input, ["UpdateExpression", "ConditionExpression"]);
  const key = keyOf(table, input.Key);
  const placeholders = new Placeholders(input);
  const updater =
    input.UpdateExpression === undefined ? NO_UPDATE : updaterOf(String(input.UpdateExpression), placeholders);
  const holds = conditionIn(input, placeholders);
  placeholders.checkUsed();
  for (const [name] of updater.paths) checkNotKey(table, name);
  return {
    kind: "Update",
    table,
    key,
    outcome: (before) => {
      guard(input, holds, before);
      const after = updater.apply(before ?? keyAttributes(table, key));
      return checkSize(after, "Item size to update has exceeded the maximum allowed size");
    },
    attributes: (before, after) => updated(input.ReturnValues, updater.paths, before, after),
  };
}

const NO_UPDATE: Updater = { apply: (item) => item, paths: [] };

function checkNotKey({ keys }: Table, name: unknown): void {
  if (name !== keys.partition && name !== keys.sort) return;
  throw badParameter(`Cannot update attribute ${name}. This attribute is part of the key`);
}

function updated(wanted: unknown, paths: Path[], before: Item | undefined, after: Item | undefined): Item | undefined {
  switch (wanted) {
    case "ALL_OLD":
      return before;
    case "ALL_NEW":
      return after;
    case "UPDATED_OLD":
      return someOf(project(before ?? {}, paths));
    case "UPDATED_NEW":
      return someOf(project(after ?? {}, paths));
    default:
      return undefined;
  }
}

function someOf(item: Item): Item | undefined {
  return Object.keys(item).length > 0 ? item : undefined;
}
