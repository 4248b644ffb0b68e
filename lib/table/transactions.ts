import { randomUUID } from "node:crypto";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { backOff, count } from "../runtime/store-budget.ts";
import { mayRetryThrottled, StoreUnavailable, send } from "./client.ts";
import { companionIsWritten, companionOf } from "./companion.ts";
import { CarriedOutBefore } from "./idempotency.ts";
import { key } from "./keys.ts";
import { type Attributes, check, type MaybePart, type Part } from "./parts.ts";
import { MAX_RESENDS } from "./retries.ts";

/** The parts whose condition failed, each with the item that was found. */
type Failures<Name extends string> = Partial<Record<Name, Attributes | "no item">>;

type Reason = { Code?: string; Item?: Attributes };

/**
 * Writes all parts or none, with the companion of the request (companion.ts); parts that are `undefined` or `false` are
 * left out. After a conflict or throttling the same parts are sent again under the same token, so that they are applied
 * once even if an answer was lost.
 *
 * A token protects committed transactions only: if a condition fails, an earlier sending that was not answered may
 * still arrive and be applied. A fence keeps it out before the failure is returned. Throws CarriedOutBefore if the part
 * named `idempotency` fails.
 */
export async function transact<Name extends string>(
  plan: Record<Name, MaybePart>,
): Promise<{ done: true } | { done: false; failed: Failures<Name> }> {
  const entries = Object.entries(plan).filter((entry): entry is [Name, Part] => Boolean(entry[1]));
  const own = entries.map(([, part]) => part);
  const companion = companionOf(own);
  // The last one: the reasons of a refusal keep the places of the parts before it.
  const parts = companion ? [...own, companion] : own;
  const ClientRequestToken = randomUUID();
  let mayStillArrive = false;
  for (let round = 0; round <= MAX_RESENDS; round++) {
    const outcome = await sendUntilAnswered(parts, ClientRequestToken, () => {
      mayStillArrive = true;
    });
    if (outcome === "done") {
      companionIsWritten();
      return { done: true };
    }
    // If the token is taken, an earlier sending has arrived after all. Sending once more returns its outcome.
    if (!mayStillArrive || (await fence(ClientRequestToken))) {
      const names = entries.map(([name]) => name);
      const failed = failuresOf(names, outcome);
      if ("idempotency" in failed) throw new CarriedOutBefore();
      return { done: false, failed };
    }
  }
  throw new StoreUnavailable("a transaction was refused under a token that is taken");
}

function failuresOf<Name extends string>(names: Name[], reasons: Reason[]): Failures<Name> {
  const failures = names.flatMap((name, index) => {
    const { Code, Item = "no item" as const } = reasons[index] ?? {};
    return Code === "ConditionalCheckFailed" ? [[name, Item]] : [];
  });
  return Object.fromEntries(failures) as Failures<Name>;
}

/**
 * Commits another transaction under a token, which changes nothing: DynamoDB then refuses every other one under this
 * token for ten minutes, which is longer than a request stays valid. Returns false if the token is taken. It returns
 * nothing else: a fence that met a conflict may have been committed, and then the token refuses the caller's own parts.
 */
export async function fence(token: string): Promise<boolean> {
  const nothing = check(key.fence(token), { if: "attribute_not_exists(pk)" });
  try {
    return (await sendUntilAnswered([nothing], token, () => {})) === "done";
  } catch (error) {
    if (error instanceof Error && error.name === "IdempotentParameterMismatchException") return false;
    throw error;
  }
}

/** Sends a transaction until it is committed or a condition fails. */
async function sendUntilAnswered(parts: Part[], token: string, onUnanswered: () => void): Promise<"done" | Reason[]> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await sendTransaction(parts, token, onUnanswered);
    if (outcome !== "conflict" && outcome !== "throttled") return outcome;
    if (attempt >= MAX_RESENDS || (outcome === "throttled" && !mayRetryThrottled()))
      throw new StoreUnavailable("a transaction met too many conflicts");
    count("conflicts", 1);
    await backOff(attempt);
  }
}

async function sendTransaction(
  parts: Part[],
  ClientRequestToken: string,
  onUnanswered: () => void,
): Promise<"done" | "conflict" | "throttled" | Reason[]> {
  try {
    const input = { TransactItems: parts, ClientRequestToken, ReturnConsumedCapacity: "TOTAL" } as const;
    const { ConsumedCapacity = [] } = await send(new TransactWriteCommand(input), onUnanswered);
    for (const { CapacityUnits } of ConsumedCapacity) count("writeUnits", CapacityUnits);
    return "done";
  } catch (error) {
    const reasons = reasonsOf(error);
    const refusal = reasons ? refusalBy(reasons) : isInProgress(error as Error) && "conflict";
    if (!refusal) throw error;
    return refusal;
  }
}

/** What the reasons of a refused transaction mean for it: a condition counts before all that would pass by itself. */
function refusalBy(reasons: Reason[]): Reason[] | "throttled" | "conflict" | undefined {
  const codes = reasons.map(({ Code = "None" }) => Code);
  if (codes.includes("ConditionalCheckFailed")) return reasons;
  if (!codes.every((code) => TEMPORARY_REASONS.has(code))) return undefined;
  return codes.some((code) => THROTTLED_REASONS.has(code)) ? "throttled" : "conflict";
}

/** Whether an earlier sending under the same token is still being carried out. */
function isInProgress({ cause }: Error & { cause?: unknown }): boolean {
  return cause instanceof Error && cause.name === "TransactionInProgressException";
}

const THROTTLED_REASONS = new Set(["ThrottlingError", "ProvisionedThroughputExceeded"]);
const TEMPORARY_REASONS = new Set(["None", "TransactionConflict", ...THROTTLED_REASONS]);

function reasonsOf(error: unknown): Reason[] | undefined {
  return error instanceof Error && error.name === "TransactionCanceledException"
    ? ((error as { CancellationReasons?: Reason[] }).CancellationReasons ?? [])
    : undefined;
}
