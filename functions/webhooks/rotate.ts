import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { WebhookId } from "../../lib/http/id-inputs.ts";
import * as webhooks from "../../lib/webhooks/webhooks.ts";

/** Makes a new secret of a webhook, which is shown once. For 24 hours, messages are signed by the old one too. */
export const handler = defineEndpoint({
  name: "webhooks-rotate",
  route: "POST /webhooks/{webhookId}/rotate",
  permission: "webhook:write",
  request: z.object({ params: z.object({ webhookId: WebhookId }) }),
  response: z.object({ secret: z.string() }),
  errors: ["WEBHOOK_NOT_FOUND"],
  table: { WEBHOOKS: ["get"], WEBHOOK_SECRETS: ["update"] },
  prefetch: ({ params: { webhookId } }) => webhooks.find(webhookId),
  audit: "webhook.secret_renewed",
  trace: ({ params: { webhookId } }) => ({ item: webhookId }),
  handle: async ({ params: { webhookId }, prefetched, fail }) => {
    const secret = prefetched ? await webhooks.rotate(webhookId) : "no such webhook";
    if (secret === "no such webhook") throw fail("WEBHOOK_NOT_FOUND");
    return { secret };
  },
});
