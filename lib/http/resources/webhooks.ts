import * as z from "zod/mini";
import { eventTypes } from "../../events/events.ts";
import { createdAt } from "../../values/ids.ts";
import type { DeliveryRecord } from "../../webhooks/deliveries.ts";
import { reasonCodeOf, reasonCodes } from "../../webhooks/reasons.ts";
import { hasArrived, isFailing, type WebhookRecord } from "../../webhooks/webhooks.ts";

function dateTimeOf(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

/** A webhook, without its secret. */
export const Webhook = z.object({
  webhookId: z.string(),
  url: z.string(),
  events: z.array(z.enum(eventTypes)),
  description: z.nullable(z.string()),
  status: z.enum(["active", "failing", "disabled"]),
  health: z.object({
    lastStatus: z.nullable(z.number()),
    lastSuccessAt: z.nullable(z.string()),
    failuresInARow: z.number(),
    firstFailureAt: z.nullable(z.string()),
  }),
  createdAt: z.string(),
});

function statusOf(webhook: WebhookRecord): "active" | "failing" | "disabled" {
  if (webhook.isDisabled) return "disabled";
  return isFailing(webhook) ? "failing" : "active";
}

export function webhookView(webhook: WebhookRecord): z.infer<typeof Webhook> {
  const {
    webhookId,
    url,
    events,
    description = null,
    lastStatus = null,
    lastSuccessAt,
    failures,
    failingSince,
  } = webhook;
  return {
    webhookId,
    url,
    events,
    description,
    status: statusOf(webhook),
    health: {
      lastStatus,
      lastSuccessAt: dateTimeOf(lastSuccessAt),
      failuresInARow: failures,
      firstFailureAt: dateTimeOf(failingSince),
    },
    createdAt: createdAt(webhookId),
  };
}

/** Why a receiver did not answer, in words and as a code. Both are null if it answered. */
export function reasonView(reason: string | undefined) {
  return { reason: reason ?? null, reasonCode: (reason && reasonCodeOf(reason)) || null };
}

/** The delivery of an event to a webhook: waiting, delivered or failed. */
export const Delivery = z.object({
  eventId: z.string(),
  type: z.string(),
  /** The post that the event is about; null if it is about none. */
  postId: z.nullable(z.string()),
  status: z.enum(["waiting", "delivered", "failed"]),
  attempts: z.number(),
  attemptedAt: z.nullable(z.string()),
  nextAttemptAt: z.nullable(z.string()),
  lastStatus: z.nullable(z.number()),
  reason: z.nullable(z.string()),
  reasonCode: z.nullable(z.enum(reasonCodes)),
});
export type Delivery = z.infer<typeof Delivery>;

function stateOf({ dueAt, lastStatus }: DeliveryRecord): "waiting" | "delivered" | "failed" {
  if (dueAt !== undefined) return "waiting";
  return hasArrived(lastStatus) ? "delivered" : "failed";
}

export function deliveryView(record: DeliveryRecord): Delivery {
  const { at, dueAt, lastStatus, reason, postId = null, ...delivery } = record;
  return {
    ...delivery,
    postId,
    status: stateOf(record),
    attemptedAt: dateTimeOf(at),
    nextAttemptAt: dateTimeOf(dueAt),
    lastStatus: lastStatus ?? null,
    ...reasonView(reason),
  };
}
