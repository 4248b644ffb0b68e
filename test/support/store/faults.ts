import { documentClient, StoreUnavailable } from "../../../lib/table/client.ts";

// Faults that no local engine can show, between the SDK's retries and the wire.

export type Attempt = { operation: string; input: Record<string, unknown>; clientRequestToken: string | undefined };

/** The fate of an attempt: a sender dies after it was applied; an Error comes before it is sent. */
export type Fault = "none" | "lose the answer" | "never answer" | "die" | Error;

/** The process was killed: the code that called the store ends there. */
export class Killed extends Error {}

type Plan = (attempt: Attempt) => Fault | Promise<Fault>;

let plan: Plan | undefined;

/** Runs work while `decide` chooses the fate of every attempt. */
export async function withFaults<T>(decide: Plan, work: () => Promise<T>): Promise<T> {
  plan = decide;
  try {
    return await work();
  } finally {
    plan = undefined;
  }
}

/** Holds the first matching attempt of slow work until other work has finished. */
export async function overtaken<Slow, Fast>(
  slow: () => Promise<Slow>,
  fast: () => Promise<Fast>,
  matches: (attempt: Attempt) => boolean = isTransaction,
): Promise<{ slow: Slow; fast: Fast }> {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isTaken = false;
  const decide = async (attempt: Attempt): Promise<Fault> => {
    if (isTaken || !matches(attempt)) return "none";
    isTaken = true;
    reached.resolve();
    await released.promise;
    return "none";
  };
  return withFaults(decide, async () => {
    const running = slow();
    // A test is wrong if its slow work makes no such attempt.
    await Promise.race([reached.promise, running]);
    const result = await fast();
    released.resolve();
    return { slow: await running, fast: result };
  });
}

/**
 * Runs work whose calls all fail from the n-th on, as if the process had died; `counts` says of which calls. Returns
 * whether it got that far.
 */
export async function cutAt(
  call: number,
  work: () => Promise<unknown>,
  fault: () => Fault = connectionReset,
  counts: (attempt: Attempt) => boolean = () => true,
): Promise<boolean> {
  let calls = 0;
  const decide = (attempt: Attempt): Fault => {
    if (counts(attempt)) calls++;
    return calls >= call ? fault() : "none";
  };
  await withFaults(decide, work).catch((error) => {
    if (!(error instanceof StoreUnavailable) || calls < call) throw error;
  });
  return calls >= call;
}

/** Runs work until a call to the store dies. Returns whether it did. */
export async function diesAt(call: number, fault: Fault, work: () => Promise<unknown>): Promise<boolean> {
  let calls = 0;
  try {
    await withFaults(() => (++calls === call ? fault : "none"), work);
    return false;
  } catch (error) {
    if (calls < call) throw error;
    return true;
  }
}

export function isTransaction({ operation }: Attempt): boolean {
  return operation === "TransactWriteItems";
}

/** Meets each transaction, however often it is sent, with up to `most` conflicts of its own, drawn by `below`. */
export function conflicts(most: number, below: (limit: number) => number): Plan {
  const left = new Map<string, number>();
  return (attempt) => {
    const { clientRequestToken: token } = attempt;
    if (!isTransaction(attempt) || token === undefined) return "none";
    const more = left.get(token) ?? below(most + 1);
    left.set(token, more - 1);
    return more > 0 ? transactionConflict() : "none";
  };
}

function named(name: string, details: object = {}): Error {
  return Object.assign(new Error(name), { name, ...details });
}

export function transactionConflict(): Error {
  return named("TransactionCanceledException", {
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: [{ Code: "TransactionConflict" }],
  });
}

export function throttled(): Error {
  return named("ThrottlingException", { $metadata: { httpStatusCode: 400 } });
}

export function inProgress(): Error {
  return named("TransactionInProgressException", { $metadata: { httpStatusCode: 400 } });
}

export function connectionReset(): Error {
  return named("Error", { code: "ECONNRESET", $metadata: {} });
}

export function injectFaults(): void {
  documentClient().middlewareStack.add(
    (next, context) => async (args) => {
      if (!plan) return next(args);
      const input = args.input as Record<string, unknown>;
      const fault = await plan({
        operation: String(context.commandName).replace(/Command$/, ""),
        input,
        clientRequestToken: input.ClientRequestToken as string | undefined,
      });
      if (fault instanceof Error) throw fault;
      if (fault === "never answer") return new Promise(() => {});
      const result = await next(args);
      if (fault === "lose the answer") throw connectionReset();
      if (fault === "die") throw new Killed();
      return result;
    },
    { step: "finalizeRequest", priority: "low", name: "injectFaults", override: true },
  );
}
