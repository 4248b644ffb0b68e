import { documentClient } from "../../lib/table/client.ts";

// Functions give the store five seconds and each call to it two (docs/guarantees.md). A busy machine may need more
// without an outage, so in tests these limits are sixty times as long. A test of the limits takes the real ones.

const FACTOR = 60;

const usual = { now: performance.now, timeout: AbortSignal.timeout };

let isPatient = false;

/** Gives store work of requests, and calls of clients made from now on, more time. */
export function takePatience(): void {
  isPatient = true;
  performance.now = () => usual.now.call(performance) / FACTOR;
  AbortSignal.timeout = (milliseconds) => usual.timeout.call(AbortSignal, milliseconds * FACTOR);
}

/** Gives requests, and calls of new clients, the time limits of the cloud. */
export function losePatience(): void {
  isPatient = false;
  Object.assign(performance, { now: usual.now });
  Object.assign(AbortSignal, { timeout: usual.timeout });
}

/** Runs work whose store budget is used up only by the test's clock. */
export async function withStoreClock<T>(work: (pass: (milliseconds: number) => void) => Promise<T>): Promise<T> {
  const { now } = performance;
  let time = 0;
  performance.now = () => time;
  const pass = (milliseconds: number): void => {
    time += milliseconds;
  };
  return work(pass).finally(() => Object.assign(performance, { now }));
}

// The SDK's types do not name it.
type NodeHandler = { updateHttpClientConfig: (name: string, milliseconds: number) => void };

/** Gives each call of the current client more time, in patient tests. */
export function makeClientPatient(): void {
  if (!isPatient) return;
  const handler = documentClient().config.requestHandler as unknown as NodeHandler;
  handler.updateHttpClientConfig("connectionTimeout", 1000 * FACTOR);
  handler.updateHttpClientConfig("requestTimeout", 2000 * FACTOR);
}
