import type { Announcer } from "../events/announce.ts";
import { wakeDeliver } from "../webhooks/call-deliver.ts";
import { deliveryPart } from "../webhooks/deliveries.ts";
import { all } from "../webhooks/webhooks.ts";

/** Puts an event on its way to each webhook that wants it. */
export const webhookAnnouncer: Announcer = {
  table: { WEBHOOKS: ["query"], DELIVERIES: ["put"] },
  partsFor: async (event) => {
    const wanting = (await all()).filter(({ isDisabled, events }) => !isDisabled && events.includes(event.type));
    return Object.fromEntries(
      wanting.map(({ webhookId }) => [`delivery ${webhookId}`, deliveryPart(webhookId, event)]),
    );
  },
  announced: wakeDeliver,
};
