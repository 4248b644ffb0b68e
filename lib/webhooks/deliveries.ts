import * as z from "zod/mini";
import { type EventRecord, eventTypes, expiryOf } from "../events/events.ts";
import type { Answer } from "../outgoing/door.ts";
import { idIn, key } from "../table/keys.ts";
import { type Part, put, remove } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { getFirst, pagesOf } from "../table/reads.ts";
import { EXPIRY_ATTRIBUTE } from "../table/table-shape.ts";
import { transact } from "../table/transactions.ts";
import { all, hasArrived, isFailing, type WebhookRecord } from "./webhooks.ts";

/** An event on its way to a webhook, or an ended delivery, with the time and the answer of the last attempt. */
export const DeliveryItem = z.pipe(
  z.object({
    sk: z.string(),
    type: z.enum(eventTypes),
    // The post that the event is about.
    postId: z.optional(z.string()),
    attempts: z.number(),
    // When the next attempt is, in ms since 1970; absent once the delivery has ended.
    dueAt: z.optional(z.number()),
    at: z.optional(z.number()),
    lastStatus: z.optional(z.number()),
    reason: z.optional(z.string()),
  }),
  z.transform(({ sk, ...delivery }) => ({ eventId: idIn(sk), ...delivery })),
);
export type DeliveryRecord = z.output<typeof DeliveryItem>;

function part(webhookId: string, { eventId, ...item }: DeliveryRecord): Part {
  const kind = item.dueAt === undefined ? "delivery" : "waitingDelivery";
  return put(key[kind](webhookId, eventId), { ...item, [EXPIRY_ATTRIBUTE]: expiryOf(eventId) });
}

/** Part: puts an event on its way to a webhook, once more if it was there. */
function deliveryPart(webhookId: string, { eventId, type, postId }: EventRecord): Part {
  return part(webhookId, { eventId, type, postId, attempts: 0, dueAt: Date.now() });
}

/** Parts: make a delivery of an event for each webhook of its type. */
export async function deliveryParts(event: EventRecord): Promise<Record<string, Part>> {
  const wanting = (await all()).filter(({ isDisabled, events }) => !isDisabled && events.includes(event.type));
  return Object.fromEntries(wanting.map(({ webhookId }) => [`delivery ${webhookId}`, deliveryPart(webhookId, event)]));
}

/** Puts up to 50 events on their way to a webhook once more. */
export async function putAll(webhookId: string, events: EventRecord[]): Promise<void> {
  if (events.length === 0) return;
  await transact(Object.fromEntries(events.map((event) => [event.eventId, deliveryPart(webhookId, event)])));
}

/** The most deliveries that are attempted in parallel. */
export const AT_ONCE = 10;

/**
 * The first deliveries that are due, in the order of their events. For a failing webhook: the oldest and the newest, so
 * that one bad message does not block the rest.
 */
export async function due(webhook: WebhookRecord): Promise<DeliveryRecord[]> {
  const waiting = range.waitingDeliveries(webhook.webhookId);
  const now = Date.now();
  const isDue = ({ dueAt = 0 }: DeliveryRecord) => dueAt <= now;
  if (isFailing(webhook)) {
    const ends = [false, true].map((descending) => getFirst(waiting, DeliveryItem, 1, { descending }));
    return byEvent(await Promise.all(ends)).filter(isDue);
  }
  const found: DeliveryRecord[] = [];
  for await (const page of pagesOf(waiting, DeliveryItem, { pageSize: AT_ONCE })) {
    found.push(...page.filter(isDue));
    if (found.length >= AT_ONCE) break;
  }
  return found.slice(0, AT_ONCE);
}

/** One delivery for each event, the last of those found. */
function byEvent(found: { items: DeliveryRecord[] }[]): DeliveryRecord[] {
  return [...new Map(found.flatMap(({ items }) => items).map((each) => [each.eventId, each])).values()];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WAITS = [5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const SPREAD = 0.1;

/** Notes an attempt: the delivery ends, or waits for the next one. Without an answer it is removed. */
export async function note(webhookId: string, delivery: DeliveryRecord, answer: Answer | undefined): Promise<void> {
  const { eventId, type, postId, attempts } = delivery;
  const { status: lastStatus, reason, retryAfterMs = 0 } = answer ?? {};
  const now = Date.now();
  const made = { eventId, type, postId, attempts: attempts + 1, at: now, lastStatus, reason };
  const wait = WAITS[attempts];
  if (!answer || hasArrived(lastStatus) || wait === undefined) {
    const waiting = remove(key.waitingDelivery(webhookId, eventId));
    await transact({ waiting, ended: answer && part(webhookId, made) });
  } else {
    const spread = wait * (1 + SPREAD * (2 * Math.random() - 1));
    const dueAt = Math.round(now + Math.max(spread, Math.min(retryAfterMs, 24 * HOUR)));
    await transact({ waiting: part(webhookId, { ...made, dueAt }) });
  }
}

/** The newest deliveries, the newest first. After a replay an event can have two: the waiting one counts. */
export async function newest(webhookId: string, count: number): Promise<DeliveryRecord[]> {
  const ranges = [range.deliveries(webhookId), range.waitingDeliveries(webhookId)];
  const found = await Promise.all(ranges.map((each) => getFirst(each, DeliveryItem, count, { descending: true })));
  return byEvent(found)
    .sort((a, b) => (a.eventId < b.eventId ? 1 : -1))
    .slice(0, count);
}
