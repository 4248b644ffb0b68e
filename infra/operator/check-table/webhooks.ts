import { key } from "../../../lib/table/keys.ts";
import { type Findings, finding, type StoredTable } from "./stored.ts";

/** The webhooks are counted, and each has its secrets. A delivery waits for an attempt, or has made its last one. */
export function* webhooks({ all, at, has }: StoredTable): Findings {
  const counted = at("webhookCount", key.webhookCount())?.webhooks ?? 0;
  const there = all("webhook").length;
  if (counted !== there) yield finding(key.webhookCount(), `counts ${counted} webhooks and there are ${there}`);
  for (const { key: webhook } of all("webhook")) {
    if (!has("webhookSecrets", key.webhookSecrets(webhook.sk))) yield finding(webhook, "has no secrets");
  }
  for (const { key: secrets } of all("webhookSecrets")) {
    if (!has("webhook", key.webhook(secrets.sk))) yield finding(secrets, "are of no webhook");
  }
  for (const { key: waiting, value } of all("waitingDelivery")) {
    if (value.dueAt === undefined) yield finding(waiting, "waits for no attempt");
  }
  for (const { key: ended, value } of all("delivery")) {
    if (value.dueAt !== undefined) yield finding(ended, "has ended and waits");
  }
}
