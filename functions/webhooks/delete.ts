import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { WebhookId } from "../../lib/http/id-inputs.ts";
import * as webhooks from "../../lib/webhooks/webhooks.ts";

/** Deletes a webhook: nothing is sent to it any more. */
export const handler = defineEndpoint({
  name: "webhooks-delete",
  route: "DELETE /webhooks/{webhookId}",
  permission: "webhook:write",
  endsAccess: true,
  request: z.object({ params: z.object({ webhookId: WebhookId }) }),
  success: 204,
  errors: ["WEBHOOK_NOT_FOUND"],
  table: { WEBHOOKS: ["get", "delete", "update"], WEBHOOK_SECRETS: ["delete"] },
  prefetch: ({ params: { webhookId } }) => webhooks.find(webhookId),
  audit: "webhook.deleted",
  trace: ({ params: { webhookId } }) => ({ item: webhookId }),
  handle: async ({ params: { webhookId }, prefetched, fail }) => {
    if (!prefetched || (await webhooks.remove(webhookId)) === "no such webhook") throw fail("WEBHOOK_NOT_FOUND");
  },
});
