import { checkTable } from "./database.ts";
import { invalid, StoreError } from "./errors.ts";
import { type Condition, conditionOf, Placeholders, updateOf } from "./expressions.ts";
import { type Key, keyAttributes, keyOf } from "./table.ts";
import { canonicalItem, type Item, sizeOfItem } from "./values.ts";

export type Input = Record<string, unknown>;

export type WriteKind = "Put" | "Update" | "Delete" | "ConditionCheck";

/** A write, checked as far as possible before the item is read. */
export type Write = {
  kind: WriteKind;
  key: Key;
  /** The new item; undefined if the write deletes it. Throws a StoreError if the write is refused. */
  outcome: (before: Item | undefined) => Item | undefined;
};

const PARAMETERS = new Set(
  `TableName Key Keys Item ConditionExpression UpdateExpression KeyConditionExpression ExpressionAttributeNames
  ExpressionAttributeValues ReturnValuesOnConditionCheckFailure ConsistentRead ExclusiveStartKey Limit ScanIndexForward
  RequestItems TransactItems ClientRequestToken ReturnConsumedCapacity`.split(/\s+/),
);

export function checkParameters(input: Input): void {
  const unknown = Object.keys(input).filter((name) => !PARAMETERS.has(name));
  if (unknown.length > 0) throw new Error(`the model does not know these parameters: ${unknown.join(", ")}`);
}

const MAX_ITEM = 409_600;

function checkSize(item: Item): Item {
  if (sizeOfItem(item) > MAX_ITEM) throw invalid("Item size has exceeded the maximum allowed size");
  return item;
}

/** Checks a write, and each expression against its placeholders. */
export function writeOf(kind: WriteKind, input: Input): Write {
  checkParameters(input);
  checkTable(input.TableName);
  const placeholders = new Placeholders(input);
  const item = kind === "Put" ? checkSize(canonicalItem(input.Item)) : undefined;
  const key = keyOf(item ?? canonicalItem(input.Key));
  const holds: Condition =
    input.ConditionExpression === undefined ? () => true : conditionOf(String(input.ConditionExpression), placeholders);
  const update = kind === "Update" ? updateOf(String(input.UpdateExpression), placeholders) : undefined;
  placeholders.checkUsed();
  return {
    kind,
    key,
    outcome: (before) => {
      if (!holds(before)) {
        const found = input.ReturnValuesOnConditionCheckFailure === "ALL_OLD" && before ? { Item: before } : {};
        throw new StoreError("ConditionalCheckFailedException", "The conditional request failed", found);
      }
      if (update) return checkSize(update(before ?? keyAttributes(key)));
      return kind === "ConditionCheck" ? before : item;
    },
  };
}
