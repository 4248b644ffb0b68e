import { expect } from "vitest";
import { handler as deliver } from "../../functions/scheduled/deliver.ts";
import { putAll } from "../../lib/webhooks/deliveries.ts";
import { startReceiver } from "../support/process/receiver.ts";
import { newContainer } from "../support/setup.ts";
import { costOf, measured, recordCalls } from "../support/store/calls.ts";
import { aWebhook, type Person } from "../support/world/fixtures.ts";

/** Delivers the events of new posts to a new webhook: the messages, and what they cost from their events on. */
export async function sendMessages(by: Person, postIds: string[]) {
  newContainer({ WEBHOOK_PRIVATE_TARGETS: "on" });
  const receiver = await startReceiver();
  const { webhook, secret } = await aWebhook(by, { url: receiver.url });
  receiver.secrets = [secret];
  const events = postIds.map((postId) => ({ eventId: postId, type: "post.created", by: by.userId, postId }) as const);
  const send = async () => {
    await putAll(webhook.webhookId, events);
    await deliver({});
  };
  const { calls } = await measured(() => recordCalls(send));
  expect(receiver.messages).toHaveLength(events.length);
  return { messages: receiver.messages, cost: costOf(calls) };
}
