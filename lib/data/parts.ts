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
export const conditionOf = (condition: Partial<Condition>): Attributes => ({
  ...(condition.if ? { ConditionExpression: condition.if } : {}),
  ...(condition.names ? { ExpressionAttributeNames: condition.names } : {}),
  ...(condition.values ? { ExpressionAttributeValues: condition.values } : {}),
});

/** The same; if it fails, the item that was found comes back. */
export const failing = (condition: Partial<Condition>): Attributes => ({
  ...conditionOf(condition),
  ReturnValuesOnConditionCheckFailure: "ALL_OLD",
});

/** The item of a write, as DynamoDB takes it. */
export const target = (key: Key) => ({ TableName: settings().tableName, Key: key });

/** Part: writes a whole item; the keys go in last, so that no attribute can displace them. */
export const put = (key: Key, item: Attributes, condition: Partial<Condition> = {}): Part => ({
  Put: { TableName: settings().tableName, Item: { ...item, ...key }, ...failing(condition) },
});

/** Part: writes a whole item that must not exist yet. */
export const create = (key: Key, item: Attributes = {}): Part => put(key, item, { if: "attribute_not_exists(pk)" });

/** Part: changes an item by an update expression. */
export const update = (key: Key, expression: string, condition: Partial<Condition>): Part => ({
  Update: { ...target(key), UpdateExpression: expression, ...failing(condition) },
});

/** Part: deletes an item. */
export const remove = (key: Key, condition: Partial<Condition> = {}): Part => ({
  Delete: { ...target(key), ...failing(condition) },
});

/** Part: writes nothing; the transaction fails unless the condition holds. */
export const check = (key: Key, condition: Condition): Part => ({
  ConditionCheck: { ...target(key), ConditionExpression: condition.if, ...failing(condition) },
});
