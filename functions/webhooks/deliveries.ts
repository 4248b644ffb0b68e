import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { WebhookId } from "../../lib/http/id-inputs.ts";
import { Delivery, deliveryView } from "../../lib/http/resources/webhooks.ts";
import * as deliveries from "../../lib/webhooks/deliveries.ts";
import * as webhooks from "../../lib/webhooks/webhooks.ts";

const SHOWN = 100;

/** Lists the deliveries of the newest 100 events to a webhook, the newest first. They are kept for 30 days. */
export const handler = defineEndpoint({
  name: "webhooks-deliveries",
  route: "GET /webhooks/{webhookId}/deliveries",
  permission: "webhook:read",
  request: z.object({ params: z.object({ webhookId: WebhookId }) }),
  response: z.object({ results: z.array(Delivery), deliveries: z.array(Delivery) }),
  errors: ["WEBHOOK_NOT_FOUND"],
  table: { WEBHOOKS: ["get"], DELIVERIES: ["query"] },
  prefetch: ({ params: { webhookId } }) => Promise.all([webhooks.find(webhookId), deliveries.newest(webhookId, SHOWN)]),
  handle: async ({ prefetched: [webhook, newest], fail }) => {
    if (!webhook) throw fail("WEBHOOK_NOT_FOUND");
    const results = newest.map(deliveryView);
    return { results, deliveries: results };
  },
});
