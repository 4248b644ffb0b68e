import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../outgoing/door.ts";
import { signerFor } from "../runtime/aws.ts";
import { environment, fromEnvironment } from "../runtime/environment.ts";
import * as log from "../runtime/log.ts";
import { documentClient } from "../table/client.ts";
import { reasons } from "./reasons.ts";

/** Asks the function `deliver` for a ping to a webhook, or without one for what is due. */
export type DeliverEvent = { ping?: string };

// A ping takes at most five seconds, a start of the function two.
const TIMEOUT_MS = 8000;

const signer = fromEnvironment(({ AWS_REGION }) =>
  signerFor("lambda", AWS_REGION, () => documentClient().config.credentials()),
);

/** Calls Lambda's API without its client, which is as large as the rest of a function. */
async function callLambda(event: DeliverEvent): Promise<unknown> {
  const { DELIVER_URL } = environment();
  if (!DELIVER_URL) throw new Error("no function sends webhooks");
  const { host, pathname } = new URL(DELIVER_URL);
  const headers = { host, "x-amz-invocation-type": event.ping === undefined ? "Event" : "RequestResponse" };
  const request = { method: "POST", path: pathname, headers, body: JSON.stringify(event) };
  const signed = await signer().sign(request);
  const answer = await fetch(DELIVER_URL, { ...signed, signal: AbortSignal.timeout(TIMEOUT_MS) });
  // Lambda answers 200 when the function itself fails.
  if (!answer.ok || answer.headers.has("x-amz-function-error"))
    throw new Error(`deliver failed: Lambda answers ${answer.status}`);
  return event.ping === undefined ? undefined : answer.json();
}

let call = callLambda;

/** With `npm start`, the function is in this process. */
export function callHere(deliver: typeof call = callLambda): void {
  call = deliver;
}

export const GATHERING_MS = 100;
let waking: Promise<unknown> | undefined;

/** Starts `deliver`, once for all of 100 ms. If that fails, the call of the next minute takes what is due. */
export async function wakeDeliver(): Promise<void> {
  waking ??= sleep(GATHERING_MS).then(() => {
    waking = undefined;
    return call({});
  });
  await waking.catch((error: unknown) => log.warn("the sender of webhooks was not started", { error }));
}

/** Sends a ping now, by the function `deliver`: no function behind the API reaches foreign servers. */
export async function ping(webhookId: string): Promise<Answer> {
  try {
    return (await call({ ping: webhookId })) as Answer;
  } catch (error) {
    log.error("a ping was not sent", { item: webhookId, error });
    return { reason: reasons.SENDER_FAILED };
  }
}
