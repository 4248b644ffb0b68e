import { payloadOf } from "../../lib/deliveries/payload.ts";
import * as events from "../../lib/events/events.ts";
import type { Answer } from "../../lib/outgoing/door.ts";
import { allEnded } from "../../lib/runtime/all-ended.ts";
import * as log from "../../lib/runtime/log.ts";
import { type TableAccess, withFence } from "../../lib/table/access.ts";
import { newId } from "../../lib/values/ids.ts";
import type { DeliverEvent } from "../../lib/webhooks/call-deliver.ts";
import * as deliveries from "../../lib/webhooks/deliveries.ts";
import { reasons } from "../../lib/webhooks/reasons.ts";
import { send } from "../../lib/webhooks/send.ts";
import { all, find, giveBack, take, type WebhookRecord } from "../../lib/webhooks/webhooks.ts";

/** The rights of the function that reaches the servers of webhooks: none to accounts, credentials, notes and tokens. */
export const table: TableAccess = withFence({
  WEBHOOKS: ["get", "query", "update", "updateAlone"],
  WEBHOOK_SECRETS: ["get"],
  DELIVERIES: ["query", "put", "delete"],
  EVENTS: ["get", "put"],
  POSTS: ["get"],
  ACTIVITY: ["query"],
  CATALOGUE: ["get", "query"],
});

// How long a call begins attempts, in milliseconds: the last one ends before the function's time limit.
const TURN_MS = 40_000;

/**
 * Delivers what is due: each minute, and when an event is announced; to all webhooks in parallel, so that a receiver
 * that does not answer holds up no other. Sends a ping if the event of the call asks for it.
 */
export async function handler({ ping }: DeliverEvent): Promise<Answer | undefined> {
  if (ping !== undefined) return sendPing(ping);
  const end = Date.now() + TURN_MS;
  await allEnded((await all()).map((webhook) => deliverTo(webhook, end)));
  return undefined;
}

/** Delivers to one webhook what is due, until nothing is, the time is over, or another call does it. */
async function deliverTo(asRead: WebhookRecord, end: number): Promise<void> {
  // After each turn it looks again: meanwhile other calls left what came to this one.
  for (let now: WebhookRecord | undefined = asRead; now && !now.isDisabled; now = await find(asRead.webhookId)) {
    const due = Date.now() > end ? [] : await deliveries.due(now);
    const webhook = due.length > 0 && (await take(now));
    if (!webhook) return;
    await giveBack(webhook, await allEnded(due.map((delivery) => attempt(webhook, delivery))));
  }
}

/** Makes one attempt. Returns what the receiver answered; undefined if nothing was sent. */
async function attempt(webhook: WebhookRecord, delivery: deliveries.DeliveryRecord): Promise<Answer | undefined> {
  const { eventId } = delivery;
  let answer: Answer | undefined;
  try {
    const event = await events.find(eventId);
    const payload = event && (await payloadOf(event));
    answer = payload && (await send(webhook, eventId, payload));
    await deliveries.note(webhook.webhookId, delivery, answer);
  } catch (error) {
    log.error("a delivery failed", { item: eventId, error });
    await deliveries.note(webhook.webhookId, delivery, answer ?? { reason: reasons.SERVICE_FAILED });
  }
  return answer;
}

// The endpoint that asks gives up after ten seconds.
const PATIENCE_MS = 5000;

/** Sends a signed `ping` to a webhook, disabled or not. */
async function sendPing(webhookId: string): Promise<Answer> {
  const webhook = await find(webhookId);
  if (!webhook) return { reason: reasons.WEBHOOK_GONE };
  const payload = { type: "ping", timestamp: new Date().toISOString(), data: { webhookId } };
  return send(webhook, newId(), payload, PATIENCE_MS);
}
