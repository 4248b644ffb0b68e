import { defineWork } from "../../lib/background.ts";
import { announce } from "../../lib/events/announce.ts";
import { noticeParts } from "../../lib/notices/notices.ts";
import { isEmpty } from "../../lib/table/changes.ts";
import type { Part } from "../../lib/table/parts.ts";
import { wakeDeliver } from "../../lib/webhooks/call-deliver.ts";
import { deliveryParts } from "../../lib/webhooks/deliveries.ts";

/** Tells people and programs of each new event. */
export const work = defineWork(
  {
    name: "announce",
    callsDeliver: true,
    takes: "NEWS",
    table: {
      NEWS: ["delete"],
      EVENTS: ["get"],
      WEBHOOKS: ["query"],
      DELIVERIES: ["put"],
      NOTICES: ["put"],
      SITE: ["get"],
      USER: ["get"],
      OUTBOX: ["put"],
    },
  },
  async (eventId) => {
    let deliveries: Record<string, Part> = {};
    await announce(eventId, async (event) => {
      deliveries = await deliveryParts(event);
      return { ...deliveries, ...(await noticeParts(event)) };
    });
    if (!isEmpty(deliveries)) await wakeDeliver();
    return "done";
  },
);
