import type { DynamoDBStreamEvent } from "aws-lambda";
import { type BackgroundFunction, defineBackground, type Work } from "../../../lib/background.ts";
import type { Key } from "../../../lib/table/keys.ts";

/** The stream's records of new items. */
export function recordsOf(items: Key[]): DynamoDBStreamEvent {
  return {
    Records: items.map(({ pk, sk }, index) => ({
      eventName: "INSERT" as const,
      dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: String(index) },
    })),
  };
}

/** The background function that carries out one kind of work, or some. */
export function functionFor(...works: Work[]): BackgroundFunction {
  return defineBackground(works.map(({ definition }) => definition.name).join(" and "), works);
}
