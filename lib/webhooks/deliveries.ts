import * as z from "zod/mini";
import { EventItem, type EventRecord, expiryOf } from "../events/events.ts";
import { EXPIRY_ATTRIBUTE, idIn, key, range } from "../table/keys.ts";
import { type Part, put, remove } from "../table/parts.ts";
import { getFirst, getRange } from "../table/reads.ts";
import { updateAlone } from "../table/single-writes.ts";
import { transact } from "../table/transactions.ts";

const Attempts = z.object({
  attempts: z.number(),
  // Of the last attempt: when, in ms since 1970, and the status of the answer or why there was none.
  at: z.optional(z.number()),
  lastStatus: z.optional(z.number()),
  reason: z.optional(z.string()),
});

export const WaitingItem = z.pipe(
  z.pipe(
    z.extend(Attempts, { sk: z.string(), dueAt: z.number(), event: z.looseObject({}) }),
    z.transform(({ sk, event, ...rest }) => ({ event: { ...event, sk: idIn(sk) }, ...rest })),
  ),
  z.extend(Attempts, { dueAt: z.number(), event: EventItem }),
);
export type Waiting = z.output<typeof WaitingItem>;

export const DeliveryItem = z.pipe(
  z.extend(Attempts, { sk: z.string(), type: z.string(), status: z.enum(["delivered", "failed"]) }),
  z.transform(({ sk, ...delivery }) => ({ eventId: sk, ...delivery })),
);

/** A delivery as it is listed. */
export type DeliveryRecord = Omit<z.output<typeof DeliveryItem>, "status"> & {
  status: "waiting" | "delivered" | "failed";
  dueAt?: number;
};

/** Part: puts an event on its way to a webhook, once more if it was there. */
export function deliveryPart(webhookId: string, { eventId, ...event }: EventRecord): Part {
  const item = { event, dueAt: Date.now(), attempts: 0, [EXPIRY_ATTRIBUTE]: expiryOf(eventId) };
  return put(key.waitingDelivery(webhookId, eventId), item);
}

/** Puts up to 50 events on their way to a webhook once more. */
export async function putAll(webhookId: string, events: EventRecord[]): Promise<void> {
  if (events.length === 0) return;
  await transact(Object.fromEntries(events.map((event) => [event.eventId, deliveryPart(webhookId, event)])));
}

/**
 * The waiting deliveries in the order of their events; of a webhook that fails only the oldest and the newest, which
 * arrives if the receiver refuses the oldest alone.
 */
export async function waiting(webhookId: string, isFailing: boolean): Promise<Waiting[]> {
  const all = range.waitingDeliveries(webhookId);
  if (!isFailing) return getRange(all, WaitingItem);
  const [{ items: oldest }, { items: newest }] = await Promise.all([
    getFirst(all, WaitingItem, 1),
    getFirst(all, WaitingItem, 1, { descending: true }),
  ]);
  return oldest[0]?.event.eventId === newest[0]?.event.eventId ? oldest : [...oldest, ...newest];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WAITS = [5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const MOST_ATTEMPTS = WAITS.length + 1;
const SPREAD = 0.1;
// An attempt ends before another call makes the next one.
const CLAIM_MS = MINUTE;

function waitAfter(attempts: number): number {
  const wait = WAITS[Math.min(attempts, WAITS.length) - 1] ?? 0;
  return wait * (1 + SPREAD * (2 * Math.random() - 1));
}

/** Claims a delivery for one attempt, which counts even if this process dies; false if another call was first. */
export async function claim(webhookId: string, { event, dueAt, attempts }: Waiting): Promise<boolean> {
  const outcome = await updateAlone(
    key.waitingDelivery(webhookId, event.eventId),
    "SET dueAt = :next, attempts = :attempts",
    {
      if: "dueAt = :read",
      values: {
        ":read": dueAt,
        ":attempts": attempts + 1,
        ":next": Date.now() + Math.max(waitAfter(attempts + 1), CLAIM_MS),
      },
    },
  );
  return outcome.done;
}

/** What an attempt brought. `skipped`: the event is not for the eyes of outsiders any more. */
export type Outcome = { status?: number; reason?: string; retryAfterMs?: number } | "skipped";

export function isSuccess(outcome: Outcome): boolean {
  return outcome === "skipped" || (outcome.status !== undefined && outcome.status >= 200 && outcome.status < 300);
}

/** Ends a claimed delivery, or says when the next attempt is. */
export async function note(webhookId: string, { event, attempts }: Waiting, outcome: Outcome): Promise<void> {
  const { eventId, type } = event;
  const waitingKey = key.waitingDelivery(webhookId, eventId);
  const made = attempts + 1;
  if (outcome === "skipped") return void (await transact({ waiting: remove(waitingKey) }));
  const { status: lastStatus, reason, retryAfterMs = 0 } = outcome;
  const last = { attempts: made, at: Date.now(), lastStatus, reason };
  if (isSuccess(outcome) || made >= MOST_ATTEMPTS) {
    const status = isSuccess(outcome) ? "delivered" : "failed";
    const item = { ...last, type, status, [EXPIRY_ATTRIBUTE]: expiryOf(eventId) };
    await transact({ waiting: remove(waitingKey), delivery: put(key.delivery(webhookId, eventId), item) });
    return;
  }
  const dueAt = Date.now() + Math.max(waitAfter(made), Math.min(retryAfterMs, 24 * HOUR));
  await updateAlone(waitingKey, "SET dueAt = :dueAt, #at = :at, lastStatus = :status, reason = :reason", {
    if: "attribute_exists(pk)",
    names: { "#at": "at" },
    values: { ":dueAt": dueAt, ":at": last.at, ":status": lastStatus ?? 0, ":reason": reason ?? "" },
  });
}

/** The newest deliveries, the newest first. */
export async function newest(webhookId: string, count: number): Promise<DeliveryRecord[]> {
  const [waits, ended] = await Promise.all([
    getFirst(range.waitingDeliveries(webhookId), WaitingItem, count, { descending: true }),
    getFirst(range.deliveries(webhookId), DeliveryItem, count, { descending: true }),
  ]);
  const waiting = waits.items.map(
    ({ event: { eventId, type }, ...rest }): DeliveryRecord => ({ eventId, type, status: "waiting", ...rest }),
  );
  // A replay waits beside what an earlier delivery brought.
  const ids = new Set(waiting.map(({ eventId }) => eventId));
  const all = [...waiting, ...ended.items.filter(({ eventId }) => !ids.has(eventId))];
  return all.sort((a, b) => (a.eventId < b.eventId ? 1 : -1)).slice(0, count);
}
