import { newId } from "../values/ids.ts";
import type { Pinged } from "./call-deliver.ts";
import { NoAnswer, post } from "./door.ts";
import { secretsOf, signed } from "./signature.ts";
import { find } from "./webhooks.ts";

const PATIENCE_MS = 5000;

/** Sends a signed `ping` to a webhook, disabled or not. */
export async function sendPing(webhookId: string): Promise<Pinged> {
  const [webhook, secrets] = await Promise.all([find(webhookId), secretsOf(webhookId)]);
  if (!webhook || !secrets) return { status: null, ms: null, reason: "The webhook is gone" };
  const started = performance.now();
  try {
    const payload = { type: "ping", timestamp: new Date().toISOString(), data: { webhookId } };
    const { status } = await post(webhook.url, signed(newId(), payload, secrets), { timeoutMs: PATIENCE_MS });
    return { status, ms: Math.round(performance.now() - started), reason: null };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { status: null, ms: null, reason: error.message };
  }
}
