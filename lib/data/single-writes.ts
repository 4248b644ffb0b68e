import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { send } from "./client.ts";
import type { Key } from "./keys.ts";
import { type Condition, expressionOf, target } from "./parts.ts";

// The only writes outside of transactions. Requests change state in transactions alone.

/** Deletes one item: for background functions, on what they sweep. */
export const removeAlone = async (key: Key): Promise<void> => {
  await send((client, abortSignal) => client.send(new DeleteCommand(target(key)), { abortSignal }));
};

/** Changes one item: for the windows of the rate limits. False if the condition does not hold. */
export const updateAlone = async (key: Key, expression: string, condition: Condition): Promise<boolean> => {
  const input = { ...target(key), UpdateExpression: expression, ...expressionOf(condition) };
  try {
    await send((client, abortSignal) => client.send(new UpdateCommand(input), { abortSignal }));
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === "ConditionalCheckFailedException") return false;
    throw error;
  }
};
