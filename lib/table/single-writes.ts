import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { send } from "./client.ts";
import type { Key } from "./keys.ts";
import { type Condition, conditionOf, failing, target } from "./parts.ts";

// The only writes outside of transactions. Requests change state in transactions alone.

/** Deletes one item, if a condition holds: for background functions, on what they sweep. */
export async function removeAlone(key: Key, condition: Partial<Condition> = {}): Promise<void> {
  const input = { ...target(key), ...conditionOf(condition) };
  try {
    await send((client, abortSignal) => client.send(new DeleteCommand(input), { abortSignal }));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** What became of an update: done, or its condition did not hold, with the numbers in the item that was found. */
export type Update = { done: true } | { done: false; numbers: Record<string, number> };

/** Changes one item if its condition holds: for rate limits and the entries of DUE. */
export async function updateAlone(key: Key, expression: string, condition: Partial<Condition>): Promise<Update> {
  const input = { ...target(key), UpdateExpression: expression, ...failing(condition) };
  try {
    await send((client, abortSignal) => client.send(new UpdateCommand(input), { abortSignal }));
    return { done: true };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { done: false, numbers: numbersIn(error.Item) };
    throw error;
  }
}

// The client that takes and gives plain values leaves the item of an error as DynamoDB writes it.
function numbersIn(item: ConditionalCheckFailedException["Item"] = {}): Record<string, number> {
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, { N }]) => (N === undefined ? [] : [[name, Number(N)]])),
  );
}
