import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { settings } from "../runtime/settings.ts";
import type { Key } from "./keys.ts";

/** One part of a transaction: a write of one item, or a check of it. */
export type Part = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** The attributes of an item. */
export type Attributes = Record<string, unknown>;

/** A condition: an expression whose names and values are placeholders. */
export type Condition = { if: string; names?: Record<string, string>; values?: Attributes };

/** A condition as DynamoDB takes it. */
export function conditionOf(condition: Partial<Condition>): Attributes {
  return {
    ...(condition.if ? { ConditionExpression: condition.if } : {}),
    ...(condition.names ? { ExpressionAttributeNames: condition.names } : {}),
    ...(condition.values ? { ExpressionAttributeValues: condition.values } : {}),
  };
}

/** The same; if it fails, the item that was found comes back. */
export function failing(condition: Partial<Condition>): Attributes {
  return {
    ...conditionOf(condition),
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
}

/** The item of a write, as DynamoDB takes it. */
export function target(key: Key) {
  return { TableName: settings().tableName, Key: key };
}

/** Part: writes a whole item; the keys go in last, so that no attribute can displace them. */
export function put(key: Key, item: Attributes, condition: Partial<Condition> = {}): Part {
  return {
    Put: { TableName: settings().tableName, Item: { ...item, ...key }, ...failing(condition) },
  };
}

/** Part: writes a whole item that must not exist yet. */
export function create(key: Key, item: Attributes = {}): Part {
  return put(key, item, { if: "attribute_not_exists(pk)" });
}

/** Part: changes an item by an update expression. */
export function update(key: Key, expression: string, condition: Partial<Condition>): Part {
  return {
    Update: { ...target(key), UpdateExpression: expression, ...failing(condition) },
  };
}

/** Part: deletes an item. */
export function remove(key: Key, condition: Partial<Condition> = {}): Part {
  return {
    Delete: { ...target(key), ...failing(condition) },
  };
}

/** Part: writes nothing; the transaction fails unless the condition holds. */
export function check(key: Key, condition: Condition): Part {
  return {
    ConditionCheck: { ...target(key), ConditionExpression: condition.if, ...failing(condition) },
  };
}
