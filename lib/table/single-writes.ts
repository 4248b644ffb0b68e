import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { send } from "./client.ts";
import type { Key } from "./keys.ts";
import { type Condition, conditional, target } from "./parts.ts";

// The only writes outside of transactions: of background work, rate limits and the use of keys.

export async function removeAlone(key: Key, condition: Partial<Condition> = {}): Promise<void> {
  const input = { ...target(key), ...conditional(condition) };
  await conditionFailure(send(new DeleteCommand(input)));
}

/** The outcome of an update: done, or its condition failed, with the numbers in the item that was found. */
export type Update = { done: true } | { done: false; numbers: Record<string, number> };

/** Changes an item by an update expression, outside of a transaction. */
export async function updateAlone(key: Key, expression: string, condition: Partial<Condition>): Promise<Update> {
  const input = { ...target(key), UpdateExpression: expression, ...conditional(condition) };
  const failure = await conditionFailure(send(new UpdateCommand(input)));
  return failure ? { done: false, numbers: numbersIn(failure.Item) } : { done: true };
}

async function conditionFailure(call: Promise<unknown>): Promise<ConditionalCheckFailedException | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return error;
    throw error;
  }
}

// The document client leaves the item of an error as DynamoDB writes it.
function numbersIn(item: ConditionalCheckFailedException["Item"] = {}): Record<string, number> {
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, { N }]) => (N === undefined ? [] : [[name, Number(N)]])),
  );
}
