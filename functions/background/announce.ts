import { defineWork } from "../../lib/background.ts";
import * as events from "../../lib/events/events.ts";
import { noticeParts } from "../../lib/notices/notices.ts";
import { isEmpty } from "../../lib/table/changes.ts";
import { key } from "../../lib/table/keys.ts";
import { remove } from "../../lib/table/parts.ts";
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
      NOTICES: ["put"],
      SITE: ["get"],
      USER: ["get"],
      OUTBOX: ["put"],
    },
  },
  async (eventId) => {
    const [event, hasWebhooks] = await Promise.all([events.find(eventId), webhooks.areThere()]);
    const notices = event ? await noticeParts(event) : {};
    const deliveries = event && hasWebhooks ? await deliveryParts(event) : {};
    const parts = { ...notices, ...deliveries };
    // Another attempt may have removed the news, and announced the event.
    const news = remove(key.news(eventId), { if: "attribute_exists(pk)" });
    await (isEmpty(parts) ? removeAlone(key.news(eventId)) : transact<string>({ news, ...parts }));
    if (!isEmpty(deliveries)) await wakeDeliver();
    return "done";
  },
);
