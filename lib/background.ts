import { setTimeout as sleep } from "node:timers/promises";
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import type { TableAccess } from "./data/access.ts";
import { type Family, familyOf } from "./data/keys.ts";
import * as log from "./runtime/log.ts";

/** A function that the table's stream feeds: it takes each new item of one family. */
export type BackgroundDefinition = {
  /** Unique; the name of the module that holds it. */
  name: string;
  /** The family whose new items it takes. */
  takes: Family;
  /** What it does to which key families, no more and no less; becomes its IAM policy. */
  table: TableAccess;
  /** Whether it sends mails: such a function, and no other, may use the mail service. */
  sendsMail?: true;
};

/** The Lambda handler of a background function, with its definition. */
export type BackgroundFunction = ((event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>) & {
  definition: BackgroundDefinition;
};

const LONGEST_PAUSE_MS = 60_000;

/** The wait before a batch is handed over again: half as long as its oldest failed item waits by now, at most a minute; none without its age. */
export const pauseBeforeRetry = (madeAtSeconds: number, now = Date.now()): number => {
  const age = now - madeAtSeconds * 1000;
  return Number.isFinite(age) ? Math.min(Math.max(age / 2, 0), LONGEST_PAUSE_MS) : 0;
};

/**
 * Makes the handler of a background function. `work` gets the sort key of a new item; it must be safe to repeat, because the
 * stream hands over again what failed and all that came after it, later and later. An item that cannot be finished yet answers
 * "later" and is handed over again like one that failed.
 */
export const defineBackground = (
  definition: BackgroundDefinition,
  work: (sk: string) => Promise<unknown>,
): BackgroundFunction => {
  const isFinished = async (pk: string, sk: string): Promise<boolean> => {
    try {
      return (await work(sk)) !== "later";
    } catch (error) {
      log.error("background work failed", { endpoint: definition.name, item: `${pk} | ${sk}`, error });
      return false;
    }
  };
  const handler = async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const batchItemFailures: DynamoDBBatchResponse["batchItemFailures"] = [];
    let oldest = Number.POSITIVE_INFINITY;
    for (const { eventName, dynamodb } of Records) {
      const { pk: { S: pk = "" } = {}, sk: { S: sk = "" } = {} } = dynamodb?.Keys ?? {};
      if (eventName !== "INSERT" || familyOf(pk) !== definition.takes) continue;
      if (await isFinished(pk, sk)) continue;
      batchItemFailures.push({ itemIdentifier: dynamodb?.SequenceNumber ?? "" });
      oldest = Math.min(oldest, dynamodb?.ApproximateCreationDateTime ?? oldest);
    }
    if (batchItemFailures.length > 0) await sleep(pauseBeforeRetry(oldest));
    return { batchItemFailures };
  };
  return Object.assign(handler, { definition });
};
