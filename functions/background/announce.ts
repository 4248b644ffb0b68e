import { defineWork } from "../../lib/background.ts";
import * as events from "../../lib/events/events.ts";
import { noticeParts } from "../../lib/notices/notices.ts";
import { isEmpty } from "../../lib/table/changes.ts";
import { key } from "../../lib/table/keys.ts";
import { remove } from "../../lib/table/parts.ts";
import { replanned } from "../../lib/table/retries.ts";
import { removeAlone } from "../../lib/table/single-writes.ts";
import { transact } from "../../lib/table/transactions.ts";
import { wakeDeliver } from "../../lib/webhooks/call-deliver.ts";
import { deliveryParts } from "../../lib/webhooks/deliveries.ts";
import * as webhooks from "../../lib/webhooks/webhooks.ts";

/** Tells people and programs of each new event: leaves a job for its readers and a delivery for each webhook. */
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
      SITE: ["get"],
      USER: ["get"],
      OUTBOX: ["put"],
    },
  },
  (eventId) =>
    replanned(
      undefined,
      async () => undefined,
      () => tell(eventId),
    ),
);

/** "changed meanwhile" if another event of the post has changed the job for its readers. */
async function tell(eventId: string): Promise<"done" | "changed meanwhile"> {
  const [event, hasWebhooks] = await Promise.all([events.find(eventId), webhooks.areThere()]);
  const notices = event ? await noticeParts(event) : {};
  const deliveries = event && hasWebhooks ? await deliveryParts(event) : {};
  const parts = { ...notices, ...deliveries };
  if (isEmpty(parts)) {
    await removeAlone(key.news(eventId));
    return "done";
  }
  // Another attempt may have removed the news, and announced the event.
  const news = remove(key.news(eventId), { if: "attribute_exists(pk)" });
  const outcome = await transact<string>({ news, ...parts });
  if (!outcome.done && !outcome.failed.news) return "changed meanwhile";
  if (!isEmpty(deliveries)) await wakeDeliver();
  return "done";
}
