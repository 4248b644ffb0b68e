import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Webhook, webhookView } from "../../lib/http/resources/webhooks.ts";
import * as webhooks from "../../lib/webhooks/webhooks.ts";

/** Lists the webhooks of the site, oldest first, without their secrets. */
export const handler = defineEndpoint({
  name: "webhooks-list",
  route: "GET /webhooks",
  permission: "webhook:read",
  response: z.object({ results: z.array(Webhook), webhooks: z.array(Webhook) }),
  table: { WEBHOOKS: ["query"] },
  prefetch: () => webhooks.all(),
  handle: async ({ prefetched }) => {
    const results = prefetched.map(webhookView);
    return { results, webhooks: results };
  },
});
