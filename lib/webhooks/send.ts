import { createHmac } from "node:crypto";
import { type Answer, call } from "../outgoing/door.ts";
import { key } from "../table/keys.ts";
import { get } from "../table/reads.ts";
import { reasons } from "./reasons.ts";
import { SecretsItem, type WebhookRecord } from "./webhooks.ts";

function signatureOf(secret: string, content: string): string {
  const bytes = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", bytes).update(content).digest("base64")}`;
}

const TIMEOUT_MS = 15_000;

// The answer is thrown away.
const MOST_BYTES = 1024;

/** Sends a message as Standard Webhooks 1.0 signs it, by each secret that is valid now. */
export async function send(to: WebhookRecord, id: string, payload: object, timeoutMs = TIMEOUT_MS): Promise<Answer> {
  const stored = await get(key.webhookSecrets(to.webhookId), SecretsItem);
  if (!stored) return { reason: reasons.WEBHOOK_GONE };
  const { secret, previous, previousEndsAt = 0 } = stored;
  const body = JSON.stringify(payload);
  const now = Date.now();
  const timestamp = String(Math.floor(now / 1000));
  const secrets = [secret, ...(previous && now < previousEndsAt ? [previous] : [])];
  const headers = {
    "content-type": "application/json",
    "user-agent": "feedback-board",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((each) => signatureOf(each, `${id}.${timestamp}.${body}`)).join(" "),
  };
  return call({ method: "POST", url: to.url, headers, body, timeoutMs, mostBytes: MOST_BYTES });
}
