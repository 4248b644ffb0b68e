import * as events from "../events/events.ts";
import { allEnded } from "../runtime/all-ended.ts";
import * as log from "../runtime/log.ts";
import { newId } from "../values/ids.ts";
import * as deliveries from "../webhooks/deliveries.ts";
import type { Answer } from "../webhooks/door.ts";
import { send } from "../webhooks/send.ts";
import { all, find, giveBack, take, type WebhookRecord } from "../webhooks/webhooks.ts";
import { payloadOf } from "./payload.ts";

/** Makes one attempt. Returns what the receiver answered; undefined if nothing was sent. */
async function attempt(webhook: WebhookRecord, delivery: deliveries.DeliveryRecord): Promise<Answer | undefined> {
  const { webhookId } = webhook;
  const { eventId } = delivery;
  let answer: Answer | undefined;
  try {
    const event = await events.find(eventId);
    const payload = event && (await payloadOf(event));
    answer = payload && (await send(webhook, eventId, payload));
    await deliveries.note(webhookId, delivery, answer);
  } catch (error) {
    log.error("a delivery failed", { item: eventId, error });
    await deliveries.note(webhookId, delivery, answer ?? { reason: "The service failed" });
  }
  return answer;
}

/** Delivers to one webhook what is due, until nothing is, the time is over, or another call does it. */
async function deliverTo(asRead: WebhookRecord, isOver: () => boolean): Promise<void> {
  // After each turn it looks again: meanwhile other calls left what came to this one.
  for (let now: WebhookRecord | undefined = asRead; now && !now.isDisabled; now = await find(asRead.webhookId)) {
    const due = isOver() ? [] : await deliveries.due(now);
    const webhook = due.length > 0 && (await take(now));
    if (!webhook) return;
    const answers = await allEnded(due.map((delivery) => attempt(webhook, delivery)));
    await giveBack(
      webhook,
      answers.filter((answer) => answer !== undefined),
    );
  }
}

/** Delivers what is due, to all webhooks in parallel: a receiver that does not answer holds up no other. */
export async function deliverAll(isOver: () => boolean): Promise<void> {
  await allEnded((await all()).map((webhook) => deliverTo(webhook, isOver)));
}

// The endpoint that asks gives up after ten seconds.
const PATIENCE_MS = 5000;

/** Sends a signed `ping` to a webhook, disabled or not. */
export async function ping(webhookId: string): Promise<Answer> {
  const webhook = await find(webhookId);
  if (!webhook) return { reason: "The webhook is gone" };
  const payload = { type: "ping", timestamp: new Date().toISOString(), data: { webhookId } };
  return send(webhook, newId(), payload, PATIENCE_MS);
}
