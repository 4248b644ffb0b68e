import { defineWork, type InBatch } from "../../lib/background.ts";
import * as events from "../../lib/events/events.ts";
import { noticeParts, queueParts } from "../../lib/notices/notices.ts";
import { cameToQueue } from "../../lib/posts/queue-news.ts";
import { isEmpty } from "../../lib/table/changes.ts";
import type { Outcome } from "../../lib/table/due.ts";
import { key } from "../../lib/table/keys.ts";
import { type Part, remove } from "../../lib/table/parts.ts";
import { repeated } from "../../lib/table/retries.ts";
import { removeAlone } from "../../lib/table/single-writes.ts";
import { transact } from "../../lib/table/transactions.ts";
import { wakeDeliver } from "../../lib/webhooks/call-deliver.ts";
import { deliveryParts } from "../../lib/webhooks/deliveries.ts";
import * as webhooks from "../../lib/webhooks/webhooks.ts";

/**
 * Tells people and programs of each new event: leaves a job for its readers and a delivery for each webhook. Of what
 * came into the queue of the team it leaves a job for the team alone.
 */
export const work = defineWork(
  {
    name: "announce",
    callsDeliver: true,
    takes: "NEWS",
    table: {
      NEWS: ["delete", "deleteAlone"],
      EVENTS: ["get"],
      WEBHOOKS: ["get", "query"],
      DELIVERIES: ["put"],
      NOTICES: ["get", "put", "update"],
      SITE: ["get", "query"],
      USER: ["get"],
      OUTBOX: ["put"],
    },
  },
  (eventId, _isOver, inBatch) => repeated(() => tell(eventId, inBatch)),
);

/** "changed meanwhile" if another event of the post has changed the job for its readers. */
async function tell(eventId: string, inBatch?: InBatch): Promise<Outcome | "changed meanwhile"> {
  const { notices, deliveries } = await partsFor(eventId);
  const parts = { ...notices, ...deliveries };
  if (isEmpty(parts)) return forget(eventId, inBatch);
  // Another attempt may have removed the news, and announced the event.
  const news = remove(key.news(eventId), { if: "attribute_exists(pk)" });
  const outcome = await transact<string>({ news, ...parts });
  if (!outcome.done && !outcome.failed.news) return "changed meanwhile";
  if (!isEmpty(deliveries)) await wakeDeliver();
  return "done";
}

type Parts = Record<string, Part>;

async function partsFor(newsId: string): Promise<{ notices: Parts; deliveries: Parts }> {
  const id = cameToQueue(newsId);
  if (id !== undefined) return { notices: await queueParts(id), deliveries: {} };
  const [event, hasWebhooks] = await Promise.all([events.find(newsId), webhooks.areThere()]);
  const notices = event ? await noticeParts(event) : {};
  return { notices, deliveries: event && hasWebhooks ? await deliveryParts(event) : {} };
}

/**
 * Removes the news of an event of which nobody is told: alone, for half the units of a write in a transaction. On one
 * machine units cost nothing, and the batch shares one call, which takes less than half the processor time.
 */
async function forget(eventId: string, inBatch?: InBatch): Promise<Outcome> {
  const news = key.news(eventId);
  const commit = inBatch?.isAlone ? inBatch.commit : undefined;
  if (!commit) {
    await removeAlone(news);
    return "done";
  }
  const outcome = await commit({ news: remove(news) });
  return outcome === "is over" ? "more" : "done";
}
