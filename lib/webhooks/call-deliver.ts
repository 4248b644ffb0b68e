import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { signerFor } from "../runtime/aws.ts";
import { environment, fromEnvironment } from "../runtime/environment.ts";
import * as log from "../runtime/log.ts";
import { documentClient } from "../table/client.ts";

/** Asks the function `deliver` to send a ping to a webhook. */
export type PingEvent = { ping: string };

/** The status of a receiver and how long it took, in milliseconds; or why there is none. */
export const Pinged = z.object({
  status: z.nullable(z.number()),
  ms: z.nullable(z.number()),
  reason: z.nullable(z.string()),
});
export type Pinged = z.infer<typeof Pinged>;

type Deliver = (event: PingEvent) => Promise<unknown>;

let deliverHere: Deliver | undefined;

/** With `npm start`, the function is in this process. */
export function callHere(deliver: Deliver | undefined): void {
  deliverHere = deliver;
}

// A ping takes at most five seconds, a start of the function two.
const TIMEOUT_MS = 8000;

const signer = fromEnvironment(({ AWS_REGION }) =>
  signerFor("lambda", AWS_REGION, () => documentClient().config.credentials()),
);

/** Calls Lambda's API without its client, which is as large as the rest of a function. */
async function callLambda(event: Partial<PingEvent>, isAsynchronous = false): Promise<Response> {
  const { DELIVER_URL } = environment();
  if (!DELIVER_URL) throw new Error("no function sends webhooks");
  const { host, pathname } = new URL(DELIVER_URL);
  const headers = { host, "x-amz-invocation-type": isAsynchronous ? "Event" : "RequestResponse" };
  const request = { method: "POST", path: pathname, headers, body: JSON.stringify(event) };
  const answer = await fetch(DELIVER_URL, {
    ...(await signer().sign(request)),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`Lambda answers ${answer.status}`);
  return answer;
}

async function askLambda(event: PingEvent): Promise<unknown> {
  return (await callLambda(event)).json();
}

const GATHERING_MS = 100;
let waking: Promise<void> | undefined;

/**
 * Starts the function `deliver`, once for all deliveries that were put within 100 ms. If that fails, the call of the
 * next minute takes them; with `npm start`, a poller does.
 */
export function wakeDeliver(): Promise<void> {
  waking ??= sleep(GATHERING_MS).then(async () => {
    waking = undefined;
    if (environment().DELIVER_URL) await callLambda({}, true);
  });
  return waking.catch((error: unknown) => log.warn("the sender of webhooks was not started", { error }));
}

/** Sends a ping now, by the function `deliver`: no function behind the API reaches foreign servers. */
export async function ping(webhookId: string): Promise<Pinged> {
  try {
    return Pinged.parse(await (deliverHere ?? askLambda)({ ping: webhookId }));
  } catch (error) {
    log.error("a ping was not sent", { item: webhookId, error });
    return { status: null, ms: null, reason: "The sender of webhooks did not answer" };
  }
}
