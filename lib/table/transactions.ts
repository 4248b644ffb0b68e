import { randomUUID } from "node:crypto";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { backOff, countConflict } from "../runtime/store-budget.ts";
import { StoreUnavailable, send } from "./client.ts";
import type { Attributes, Part } from "./parts.ts";
import { MAX_RESENDS } from "./retries.ts";

/** What became of a transaction: done, or the names of the parts whose condition failed with the items found there. */
type Outcome<Name extends string> =
  | { done: true }
  | { done: false; failed: Partial<Record<Name, Attributes | "no item">> };

type Reason = { Code?: string; Item?: Attributes };

function reasonsOf(error: unknown): Reason[] | undefined {
  return error instanceof Error && error.name === "TransactionCanceledException"
    ? ((error as { CancellationReasons?: Reason[] }).CancellationReasons ?? [])
    : undefined;
}

/**
 * Writes all parts or none. After a conflict, throttling or "in progress" the same parts are sent again under the same token, so
 * that they are applied once even if an answer was lost. Throws StoreUnavailable where a failed condition is not the last word: a
 * token protects only what was committed, so an earlier sending that was not answered could still arrive and be applied. Parts
 * that are `undefined` or `false` are left out.
 */
export async function transact<Name extends string>(
  plan: Record<Name, Part | undefined | false>,
): Promise<Outcome<Name>> {
  const entries = Object.entries(plan).filter((entry): entry is [Name, Part] => Boolean(entry[1]));
  const parts = entries.map(([, part]) => part);
  const ClientRequestToken = randomUUID();
  let mayStillArrive = false;
  const onUnanswered = () => {
    mayStillArrive = true;
  };
  for (let attempt = 0; ; attempt++) {
    const reasons = await sendTransaction(parts, ClientRequestToken, onUnanswered);
    if (reasons === "done") return { done: true };
    if (reasons !== "put off") {
      if (mayStillArrive) throw new StoreUnavailable("refused, while an earlier sending may still arrive");
      const failed: Partial<Record<Name, Attributes | "no item">> = {};
      for (const [index, [name]] of entries.entries()) {
        const reason = reasons[index];
        if (reason?.Code === "ConditionalCheckFailed") failed[name] = reason.Item ?? "no item";
      }
      return { done: false, failed };
    }
    if (attempt >= MAX_RESENDS) throw new StoreUnavailable("a transaction was put off too often");
    countConflict();
    await backOff(attempt);
  }
}

async function sendTransaction(
  parts: Part[],
  ClientRequestToken: string,
  onUnanswered: () => void,
): Promise<"done" | "put off" | Reason[]> {
  try {
    await send(
      (client, abortSignal) =>
        client.send(new TransactWriteCommand({ TransactItems: parts, ClientRequestToken }), { abortSignal }),
      onUnanswered,
    );
    return "done";
  } catch (error) {
    const reasons = reasonsOf(error);
    if (reasons?.some((reason) => reason.Code === "ConditionalCheckFailed")) return reasons;
    const isTemporary = reasons?.every((reason) => TEMPORARY_REASONS.has(reason.Code ?? "None"));
    if (isTemporary || (error instanceof StoreUnavailable && isInProgress(error))) return "put off";
    throw error;
  }
}

const TEMPORARY_REASONS = new Set(["None", "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);

function isInProgress(error: StoreUnavailable): boolean {
  return error.cause instanceof Error && error.cause.name === "TransactionInProgressException";
}
