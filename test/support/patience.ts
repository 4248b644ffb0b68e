import { documentClient } from "../../lib/table/client.ts";

// The functions give the store five seconds and each call to it two (docs/guarantees.md). A busy machine may need more
// without an outage, so in tests these limits are sixty times as long; a test of the limits themselves takes the real
// ones or its own.

const FACTOR = 60;

const usual = { now: performance.now, timeout: AbortSignal.timeout };

let isPatient = false;

/** Gives the store work of requests, and the calls of clients made from now on, more time. */
export function takePatience(): void {
  isPatient = true;
  performance.now = () => usual.now.call(performance) / FACTOR;
  AbortSignal.timeout = (milliseconds) => usual.timeout.call(AbortSignal, milliseconds * FACTOR);
}

/** Gives requests, and the calls of new clients, the time for the store that they have in the cloud. */
export function losePatience(): void {
  isPatient = false;
  Object.assign(performance, { now: usual.now });
  Object.assign(AbortSignal, { timeout: usual.timeout });
}

/** Runs some work for whose store budget time passes only when the test says so. */
export async function withStoreClock<T>(work: (pass: (milliseconds: number) => void) => Promise<T>): Promise<T> {
  const { now } = performance;
  let time = 0;
  performance.now = () => time;
  const pass = (milliseconds: number): void => {
    time += milliseconds;
  };
  return work(pass).finally(() => Object.assign(performance, { now }));
}

// The SDK names it nowhere in its types of a client.
type NodeHandler = { updateHttpClientConfig: (name: string, milliseconds: number) => void };

/** Gives each call of the client at hand more time, in patient tests. */
export function makeClientPatient(): void {
  if (!isPatient) return;
  const handler = documentClient().config.requestHandler as unknown as NodeHandler;
  handler.updateHttpClientConfig("connectionTimeout", 1000 * FACTOR);
  handler.updateHttpClientConfig("requestTimeout", 2000 * FACTOR);
}
