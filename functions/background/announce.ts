import { defineWork, type InBatch } from "../../lib/background.ts";
import * as news from "../../lib/events/news.ts";
import { noticeParts, queueParts } from "../../lib/notices/notices.ts";
import { cameToQueue } from "../../lib/posts/queue-news.ts";
import { isEmpty } from "../../lib/table/changes.ts";
import type { Outcome } from "../../lib/table/due.ts";
import type { Part } from "../../lib/table/parts.ts";
import { repeated } from "../../lib/table/retries.ts";
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
    takesMarked: "EVENTS",
    table: {
      NEWS: ["get", "delete", "deleteAlone"],
      EVENTS: ["get", "query", "update", "updateAlone"],
      WEBHOOKS: ["get", "query"],
      DELIVERIES: ["put"],
      NOTICES: ["get", "put", "update"],
      SITE: ["get", "query", "updateAlone"],
      USER: ["get"],
      OUTBOX: ["put"],
    },
  },
  (newsId, _isOver, inBatch) => repeated(() => tell(newsId, inBatch)),
  { findMarked: news.findMarked },
);

/** "changed meanwhile" if another event of the post has changed the job for its readers. */
async function tell(newsId: string, inBatch?: InBatch): Promise<Outcome | "changed meanwhile"> {
  const plan = await planFor(newsId);
  if (!plan) return "done";
  const { notices, deliveries, end } = plan;
  const parts = { ...notices, ...deliveries };
  if (isEmpty(parts)) return forget(end, inBatch);
  // Another attempt may have ended the news, and announced the event.
  const outcome = await transact<string>({ end: end.part, ...parts });
  if (!outcome.done && !outcome.failed.end) return "changed meanwhile";
  if (!isEmpty(deliveries)) await wakeDeliver();
  return "done";
}

type Parts = Record<string, Part>;
type Plan = { notices: Parts; deliveries: Parts; end: news.End };

/** Undefined if the event has been announced. */
async function planFor(newsId: string): Promise<Plan | undefined> {
  const id = cameToQueue(newsId);
  if (id !== undefined) return { notices: await queueParts(id), deliveries: {}, end: news.endOfItem(newsId) };
  const [found, hasWebhooks] = await Promise.all([news.find(newsId), webhooks.areThere()]);
  if (!found) return undefined;
  const { event, end } = found;
  const notices = event ? await noticeParts(event) : {};
  return { notices, deliveries: event && hasWebhooks ? await deliveryParts(event) : {}, end };
}

/**
 * Ends the news of an event of which nobody is told: alone, for half the units of a write in a transaction. On one
 * machine units cost nothing, and the batch shares one call, which takes less than half the processor time.
 */
async function forget(end: news.End, inBatch?: InBatch): Promise<Outcome> {
  const commit = inBatch?.isAlone ? inBatch.commit : undefined;
  if (!commit) {
    await end.alone();
    return "done";
  }
  const outcome = await commit({ end: end.part });
  return outcome === "is over" ? "more" : "done";
}
