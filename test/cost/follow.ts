import { backgroundFunctions } from "../../functions/background/index.ts";
import { recordCalls, type StoreCall } from "../support/store/calls.ts";

const STREAM: Record<string, "INSERT" | "MODIFY" | "REMOVE"> = {
  PutItem: "INSERT",
  UpdateItem: "MODIFY",
  DeleteItem: "REMOVE",
};

/** Hands what calls wrote to the background functions, as the stream would, and what those wrote, to the end. */
export async function follow(calls: StoreCall[]): Promise<StoreCall[]> {
  const touches = calls.flatMap((call) => call.touches);
  const Records = touches.flatMap(({ action, pk, sk = "" }, at) => {
    const eventName = STREAM[action];
    return eventName
      ? [{ eventName, dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: `${at}` } }]
      : [];
  });
  if (Records.length === 0) return [];
  const { calls: behind } = await recordCalls(async () => {
    for (const background of backgroundFunctions) await background({ Records });
  });
  return [...behind, ...(await follow(behind))];
}
