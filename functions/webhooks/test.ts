import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { WebhookId } from "../../lib/http/id-inputs.ts";
import { webhookTest } from "../../lib/http/rate-limits.ts";
import { reasonView } from "../../lib/http/resources/webhooks.ts";
import { ping } from "../../lib/webhooks/call-deliver.ts";
import { reasonCodes } from "../../lib/webhooks/reasons.ts";
import * as webhooks from "../../lib/webhooks/webhooks.ts";

/**
 * Sends a signed `ping` to a webhook now, and waits up to five seconds. Returns the `status` that the receiver answered
 * with, and after how many milliseconds; or the `reason` why it did not answer.
 */
export const handler = defineEndpoint({
  name: "webhooks-test",
  route: "POST /webhooks/{webhookId}/test",
  permission: "webhook:write",
  callsDeliver: true,
  request: z.object({ params: z.object({ webhookId: WebhookId }) }),
  response: z.object({
    status: z.nullable(z.number()),
    ms: z.nullable(z.number()),
    reason: z.nullable(z.string()),
    reasonCode: z.nullable(z.enum(reasonCodes)),
  }),
  errors: ["WEBHOOK_NOT_FOUND"],
  table: { WEBHOOKS: ["get"] },
  limit: (_, { account }) => webhookTest(account),
  prefetch: ({ params: { webhookId } }) => webhooks.find(webhookId),
  trace: ({ params: { webhookId } }) => ({ item: webhookId }),
  handle: async ({ params: { webhookId }, prefetched, fail }) => {
    if (!prefetched) throw fail("WEBHOOK_NOT_FOUND");
    const { status = null, ms = null, reason } = await ping(webhookId);
    return { status, ms, ...reasonView(reason) };
  },
});
