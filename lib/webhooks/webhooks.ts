import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { eventTypes } from "../events/events.ts";
import { isEmpty, setFields } from "../table/changes.ts";
import { key, range } from "../table/keys.ts";
import { create, remove as removePart, update } from "../table/parts.ts";
import { get, getRange } from "../table/reads.ts";
import { updateAlone } from "../table/single-writes.ts";
import { transact } from "../table/transactions.ts";

export const WebhookItem = z.pipe(
  z.object({
    sk: z.string(),
    url: z.string(),
    events: z.array(z.enum(eventTypes)),
    description: z.optional(z.string()),
    // Who gets a mail when it is disabled.
    userId: z.string(),
    isDisabled: z._default(z.boolean(), false),
    lastStatus: z.optional(z.number()),
    // Milliseconds since 1970.
    lastSuccessAt: z.optional(z.number()),
    failingSince: z.optional(z.number()),
    // In a row.
    failures: z._default(z.number(), 0),
  }),
  z.transform(({ sk, ...webhook }) => ({ webhookId: sk, ...webhook })),
);
export type WebhookRecord = z.output<typeof WebhookItem>;

export const SecretsItem = z.object({
  secret: z.string(),
  // The one before the last rotation signs, too, until a time in ms since 1970.
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

function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

export function all(): Promise<WebhookRecord[]> {
  return getRange(range.webhooks(), WebhookItem);
}

export function find(webhookId: string): Promise<WebhookRecord | undefined> {
  return get(key.webhook(webhookId), WebhookItem);
}

/** Returns the secret, which is told once. */
export async function add({ webhookId, ...item }: WebhookRecord): Promise<string | "too many"> {
  const secret = newSecret();
  const outcome = await transact({
    webhook: create(key.webhook(webhookId), item),
    secrets: create(key.webhookSecrets(webhookId), { secret }),
    count: update(key.webhookCount(), "ADD webhooks :one", {
      if: "attribute_not_exists(pk) OR webhooks < :most",
      values: { ":one": 1, ":most": MAX_WEBHOOKS },
    }),
  });
  return outcome.done ? secret : "too many";
}

/** What the owner changes: an undefined field is removed, an absent one stays. */
export type WebhookChange = Partial<
  Pick<WebhookRecord, "url" | "events" | "description" | "isDisabled" | "failures" | "failingSince">
>;

export async function change(webhookId: string, fields: WebhookChange): Promise<"changed" | "no such webhook"> {
  if (isEmpty(fields)) return "changed";
  const outcome = await transact({ webhook: setFields(key.webhook(webhookId), fields) });
  return outcome.done ? "changed" : "no such webhook";
}

export async function remove(webhookId: string): Promise<"removed" | "no such webhook"> {
  const outcome = await transact({
    webhook: removePart(key.webhook(webhookId), { if: "attribute_exists(pk)" }),
    secrets: removePart(key.webhookSecrets(webhookId)),
    count: update(key.webhookCount(), "ADD webhooks :less", { values: { ":less": -1 } }),
  });
  return outcome.done ? "removed" : "no such webhook";
}

/** Notes how attempts went: `failed` of them in a row, or 0 after one that arrived. */
export async function noteHealth(webhookId: string, lastStatus: number | undefined, failed: number): Promise<void> {
  const health = failed
    ? "failingSince = if_not_exists(failingSince, :now) ADD failures :failed"
    : "failures = :failed, lastSuccessAt = :now REMOVE failingSince";
  await updateAlone(key.webhook(webhookId), `SET ${lastStatus ? "lastStatus = :status, " : ""}${health}`, {
    if: "attribute_exists(pk)",
    values: { ":failed": failed, ":now": Date.now(), ...(lastStatus && { ":status": lastStatus }) },
  });
}

const DISABLED_AFTER_MS = 3 * 24 * 60 * 60 * 1000;

/** Disables a webhook whose receiver is gone, or that has only failed for three days. Tells whether it did. */
export async function disable(webhookId: string, isGone: boolean): Promise<boolean> {
  const outcome = await updateAlone(key.webhook(webhookId), "SET isDisabled = :true", {
    if: isGone ? "attribute_exists(pk)" : "failingSince < :since",
    values: { ":true": true, ...(!isGone && { ":since": Date.now() - DISABLED_AFTER_MS }) },
  });
  return outcome.done;
}

const BOTH_SIGN_MS = 24 * 60 * 60 * 1000;

/** Makes a new secret; the old one signs, too, for 24 hours. */
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
