import { createHmac } from "node:crypto";
import type * as z from "zod/mini";
import { key } from "../table/keys.ts";
import { get } from "../table/reads.ts";
import type { Sent } from "./door.ts";
import { SecretsItem } from "./webhooks.ts";

type Secrets = z.output<typeof SecretsItem>;

function signatureOf(secret: string, content: string): string {
  const bytes = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", bytes).update(content).digest("base64")}`;
}

/** Reads the secrets that sign; undefined if the webhook is gone. */
export function secretsOf(webhookId: string): Promise<Secrets | undefined> {
  return get(key.webhookSecrets(webhookId), SecretsItem);
}

/** A message as Standard Webhooks 1.0 signs it, by each secret that is valid now. */
export function signed(id: string, payload: object, { secret, previous, previousEndsAt = 0 }: Secrets): Sent {
  const body = JSON.stringify(payload);
  const now = Date.now();
  const timestamp = String(Math.floor(now / 1000));
  const secrets = [secret, ...(previous && now < previousEndsAt ? [previous] : [])];
  const signatures = secrets.map((each) => signatureOf(each, `${id}.${timestamp}.${body}`));
  return {
    headers: {
      "content-type": "application/json",
      "user-agent": "feedback-board",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatures.join(" "),
    },
    body,
  };
}
