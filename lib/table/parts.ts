import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { environment } from "../runtime/environment.ts";
import type { Key } from "./keys.ts";

export type Part = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** A part that there may be: a transaction leaves `undefined` and `false` out. */
export type MaybePart = Part | undefined | false;

export type Attributes = Record<string, unknown>;

export type Condition = { if: string; names?: Record<string, string>; values?: Attributes };

export function target(key: Key) {
  return { TableName: environment().TABLE_NAME, Key: key };
}

/** The fields of a condition. If it fails, DynamoDB returns the item that it found. */
export function conditional({ if: expression, names, values }: Partial<Condition>): Attributes {
  return {
    ...(expression && { ConditionExpression: expression, ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
    ...(names && { ExpressionAttributeNames: names }),
    ...(values && { ExpressionAttributeValues: values }),
  };
}

/** Part: writes a whole item, whatever was there. */
export function put(key: Key, item: Attributes, condition: Partial<Condition> = {}): Part {
  // The key goes in last: no attribute can displace it.
  return { Put: { TableName: environment().TABLE_NAME, Item: { ...item, ...key }, ...conditional(condition) } };
}

/** Part: writes an item. Its condition fails if there is one. */
export function create(key: Key, item: Attributes = {}): Part {
  return put(key, item, { if: "attribute_not_exists(pk)" });
}

/**
 * Part: brings an item from what was read, which `unchanged` compares, to what it should be. Without `unchanged` there
 * was no item, without `to` there should be none.
 */
export function replace(key: Key, unchanged: Condition | undefined, to: Attributes | undefined): Part {
  if (!to) return remove(key, unchanged);
  return unchanged ? put(key, to, unchanged) : create(key, to);
}

/** Part: changes an item by an update expression of DynamoDB. */
export function update(key: Key, expression: string, condition: Partial<Condition>): Part {
  return { Update: { ...target(key), UpdateExpression: expression, ...conditional(condition) } };
}

/** What an update needs to add to numbers of an item; `#n0` is the first of them. */
export function adding(changes: readonly (readonly [name: string, change: number])[]) {
  return {
    expression: `ADD ${changes.map((_, n) => `#n${n} :n${n}`).join(", ")}`,
    names: Object.fromEntries(changes.map(([name], n) => [`#n${n}`, name])),
    values: Object.fromEntries(changes.map(([, change], n) => [`:n${n}`, change])),
  };
}

/** Part: deletes an item; nothing happens if there is none. */
export function remove(key: Key, condition: Partial<Condition> = {}): Part {
  return { Delete: { ...target(key), ...conditional(condition) } };
}

/** Part: writes nothing; the transaction fails unless the condition holds. */
export function check(key: Key, condition: Condition): Part {
  return { ConditionCheck: { ...target(key), ConditionExpression: condition.if, ...conditional(condition) } };
}
