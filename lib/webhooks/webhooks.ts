import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { eventParts, eventTypes } from "../events/events.ts";
import type { Answer } from "../outgoing/door.ts";
import { setAlone, setFields, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create, type Part, remove as removePart, update } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getRange } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";

export const WebhookItem = z.pipe(
  z.object({
    sk: z.string(),
    url: z.string(),
    events: z.array(z.enum(eventTypes)),
    description: z.optional(z.string()),
    // Who made it.
    userId: z.string(),
    isDisabled: z._default(z.boolean(), false),
    lastStatus: z.optional(z.number()),
    // Milliseconds since 1970.
    lastSuccessAt: z.optional(z.number()),
    failingSince: z.optional(z.number()),
    // In a row.
    failures: z._default(z.number(), 0),
    // Until when one call delivers to it, and no other; in the past, when the last one ended.
    takenUntil: z.optional(z.number()),
  }),
  z.transform(({ sk, ...webhook }) => ({ webhookId: sk, ...webhook })),
);
export type WebhookRecord = z.output<typeof WebhookItem>;

export const SecretsItem = z.object({
  secret: z.string(),
  // The secret before the last rotation; it also signs, until a time in ms since 1970.
  previous: z.optional(z.string()),
  previousEndsAt: z.optional(z.number()),
});

export const WebhookCountItem = z.object({ webhooks: z.number() });

export const MAX_WEBHOOKS = 10;

const FAILURES_UNTIL_FAILING = 5;

/** Whether only the oldest and the newest delivery are tried. */
export function isFailing({ failures }: Pick<WebhookRecord, "failures">): boolean {
  return failures >= FAILURES_UNTIL_FAILING;
}

/** Whether the receiver took a message. */
export function hasArrived(status = 0): boolean {
  return status >= 200 && status < 300;
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

export function all(): Promise<WebhookRecord[]> {
  return getRange(range.webhooks(), WebhookItem);
}

/** Whether the site has webhooks. */
export async function areThere(): Promise<boolean> {
  return ((await get(key.webhookCount(), WebhookCountItem))?.webhooks ?? 0) > 0;
}

export function find(webhookId: string): Promise<WebhookRecord | undefined> {
  return get(key.webhook(webhookId), WebhookItem);
}

/** Returns the secret, which no other call returns. */
export async function add({ webhookId, ...item }: WebhookRecord, idempotency?: Part): Promise<string | "too many"> {
  const secret = newSecret();
  const outcome = await transact({
    webhook: create(key.webhook(webhookId), item),
    secrets: create(key.webhookSecrets(webhookId), { secret }),
    count: update(key.webhookCount(), "ADD webhooks :one", {
      if: "attribute_not_exists(pk) OR webhooks < :most",
      values: { ":one": 1, ":most": MAX_WEBHOOKS },
    }),
    idempotency,
  });
  return outcome.done ? secret : "too many";
}

/** Changes a webhook. Ends the claim of a running delivery: its results belong to the old state. */
export async function change(webhookId: string, fields: Partial<WebhookRecord>) {
  const outcome = await transact({ webhook: setFields(key.webhook(webhookId), { ...fields, takenUntil: Date.now() }) });
  return outcome.done ? "changed" : "no such webhook";
}

/** Deletes a webhook with its secrets. */
export async function remove(webhookId: string): Promise<"removed" | "no such webhook"> {
  const outcome = await transact({
    webhook: removePart(key.webhook(webhookId), { if: "attribute_exists(pk)" }),
    secrets: removePart(key.webhookSecrets(webhookId)),
    count: update(key.webhookCount(), "ADD webhooks :less", { values: { ":less": -1 } }),
  });
  return outcome.done ? "removed" : "no such webhook";
}

// Longer than a call of `deliver` lasts.
const TURN_MS = 60_000;

/** Takes a webhook, as it was read, for the attempts of one call; undefined if another call has taken it since. */
export async function take(webhook: WebhookRecord): Promise<WebhookRecord | undefined> {
  const now = Date.now();
  const { webhookId, takenUntil = 0 } = webhook;
  if (takenUntil > now) return undefined;
  const taken = { takenUntil: now + TURN_MS };
  const { done } = await setAlone(key.webhook(webhookId), taken, stillHas({ takenUntil: webhook.takenUntil }));
  return done ? { ...webhook, ...taken } : undefined;
}

const DISABLED_AFTER_MS = 3 * 24 * 60 * 60 * 1000;

/**
 * Gives a webhook back, with how the attempts went (undefined: nothing was sent), unless its owner has changed it.
 * Disables it if its receiver is gone, or if all attempts of three days have failed.
 */
export async function giveBack(webhook: WebhookRecord, attempts: (Answer | undefined)[]): Promise<void> {
  const answers = attempts.filter((answer) => answer !== undefined);
  const now = Date.now();
  const { webhookId, userId: by, failures, failingSince = now, takenUntil } = webhook;
  const lastStatus = answers.at(-1)?.status ?? webhook.lastStatus;
  const health = answers.some(({ status }) => hasArrived(status))
    ? { failures: 0, failingSince: undefined, lastSuccessAt: now, lastStatus }
    : { failures: failures + answers.length, failingSince, lastStatus };
  const isGone = answers.some(({ status }) => status === 410);
  const isDisabled = isGone || (health.failures > 0 && now - failingSince > DISABLED_AFTER_MS);
  const fields = { takenUntil: now, ...(answers.length > 0 && health), ...(isDisabled && { isDisabled }) };
  await transact({
    webhook: setFields(key.webhook(webhookId), fields, stillHas({ takenUntil })),
    ...(isDisabled && eventParts({ type: "webhook.disabled", by, webhookId })),
  });
}

const BOTH_SIGN_MS = 24 * 60 * 60 * 1000;

/** Makes a new secret. For 24 hours the old one also signs. */
export async function rotate(webhookId: string): Promise<string | "no such webhook"> {
  const secret = newSecret();
  const outcome = await transact({
    secrets: update(key.webhookSecrets(webhookId), "SET previous = secret, previousEndsAt = :end, secret = :secret", {
      if: "attribute_exists(pk)",
      values: { ":end": Date.now() + BOTH_SIGN_MS, ":secret": secret },
    }),
  });
  return outcome.done ? secret : "no such webhook";
}
