import * as log from "../runtime/log.ts";
import * as deliveries from "../webhooks/deliveries.ts";
import { NoAnswer, post } from "../webhooks/door.ts";
import { secretsOf, signed } from "../webhooks/signature.ts";
import { all, disable, isFailing, noteHealth, type WebhookRecord } from "../webhooks/webhooks.ts";
import { payloadOf } from "./payload.ts";

// Attempts of one webhook that run side by side.
const AT_ONCE = 10;

/** Makes one attempt of a delivery. */
async function attempt({ webhookId, url }: WebhookRecord, { event }: deliveries.Waiting): Promise<deliveries.Outcome> {
  const [payload, secrets] = await Promise.all([payloadOf(event), secretsOf(webhookId)]);
  if (!payload || !secrets) return "skipped";
  try {
    const { status, retryAfter } = await post(url, signed(event.eventId, payload, secrets));
    return { status, retryAfterMs: retryAfterMsOf(retryAfter) };
  } catch (error) {
    if (error instanceof NoAnswer) return { reason: error.message };
    throw error;
  }
}

/** `retry-after` is a number of seconds or a date. */
function retryAfterMsOf(text = "0"): number {
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wait) ? Math.max(wait, 0) : 0;
}

/** Delivers to one webhook what is due, until nothing is or the time is over. */
async function deliverTo(webhook: WebhookRecord, isOver: () => boolean): Promise<void> {
  const { webhookId } = webhook;
  let { failures } = webhook;
  while (!isOver()) {
    const waiting = await deliveries.waiting(webhookId, isFailing({ failures }));
    const due = waiting.filter(({ dueAt }) => dueAt <= Date.now());
    if (due.length === 0) return;
    for (let at = 0; at < due.length && !isOver(); at += AT_ONCE) {
      const some = due.slice(at, at + AT_ONCE);
      const outcomes = await Promise.all(
        some.map(async (delivery): Promise<deliveries.Outcome | undefined> => {
          if (!(await deliveries.claim(webhookId, delivery))) return undefined;
          const outcome = await attempt(webhook, delivery);
          await deliveries.note(webhookId, delivery, outcome);
          return outcome;
        }),
      );
      const made = outcomes.filter((outcome) => outcome !== undefined && outcome !== "skipped");
      const hasArrived = made.some(deliveries.isSuccess);
      failures = hasArrived ? 0 : failures + made.length;
      if (made.length > 0) await noteHealth(webhookId, made.at(-1)?.status, hasArrived ? 0 : made.length);
      const isGone = made.some(({ status }) => status === 410);
      if (isGone || (!hasArrived && made.length > 0)) {
        if (await disable(webhookId, isGone)) return;
      }
      if (isFailing({ failures })) break;
    }
  }
}

/** Delivers what is due, all webhooks side by side: a receiver that does not answer holds up no other. */
export async function deliverAll(isOver: () => boolean): Promise<void> {
  const webhooks = (await all()).filter(({ isDisabled }) => !isDisabled);
  const ended = await Promise.allSettled(webhooks.map((webhook) => deliverTo(webhook, isOver)));
  const failed = ended.filter((end) => end.status === "rejected");
  for (const { reason } of failed) log.error("deliveries failed", { error: reason });
  if (failed[0]) throw failed[0].reason;
}
