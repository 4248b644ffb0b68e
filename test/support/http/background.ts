import type { DynamoDBStreamEvent } from "aws-lambda";
import { type BackgroundFunction, defineBackground, type Work } from "../../../lib/background.ts";
import type { Key } from "../../../lib/data/keys.ts";

/** The stream's records of new items. */
export const recordsOf = (items: Key[]): DynamoDBStreamEvent => ({
  Records: items.map(({ pk, sk }, index) => ({
    eventName: "INSERT" as const,
    dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: String(index) },
  })),
});

/** The background function that carries out one kind of work, or some. */
export const functionFor = (...works: Work[]): BackgroundFunction =>
  defineBackground(works.map(({ definition }) => definition.name).join(" and "), works);
