import { setTimeout as sleep } from "node:timers/promises";
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import type { TableAccess } from "./data/access.ts";
import { type Family, familyOf } from "./data/keys.ts";
import * as log from "./runtime/log.ts";

/** A background function as data: it takes each new item of one key family from the table's stream. */
export type BackgroundDefinition = {
  /** Unique; the name of its module in functions/background/. */
  name: string;
  /** The family whose new items it takes. */
  takes: Family;
  /** What it does to which key families, exactly; becomes its IAM policy. */
  table: TableAccess;
  /** Sends mails: the function may use the mail service. */
  sendsMail?: true;
};

/** The Lambda handler of a background function, with its definition. */
export type BackgroundFunction = ((event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>) & {
  definition: BackgroundDefinition;
};

const LONGEST_PAUSE_MS = 60_000;

/** The wait before a batch is retried, in milliseconds: half the age of its oldest failed item, at most a minute; 0 without an age. */
export const pauseBeforeRetry = (madeAtSeconds: number, now = Date.now()): number => {
  const age = now - madeAtSeconds * 1000;
  return Number.isFinite(age) ? Math.min(Math.max(age / 2, 0), LONGEST_PAUSE_MS) : 0;
};

/**
 * Makes the handler of a background function. `work` gets the sort key of a new item. It must be safe to repeat: the stream
 * retries what failed and everything after it, with longer and longer pauses. Work that cannot be finished yet returns "later"
 * and is retried too.
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
