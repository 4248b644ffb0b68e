import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { WebhookId } from "../../lib/http/id-inputs.ts";
import { changeIn, toldIn } from "../../lib/http/inputs.ts";
import { Webhook, webhookView } from "../../lib/http/resources/webhooks.ts";
import { Line, removable } from "../../lib/http/text-inputs.ts";
import { EventTypes, WebhookUrl } from "../../lib/http/webhook-inputs.ts";
import * as webhooks from "../../lib/webhooks/webhooks.ts";

/**
 * Changes a webhook; a field that is not given stays, `description: null` removes it. `status: "active"` enables it
 * again: its waiting deliveries are sent.
 */
export const handler = defineEndpoint({
  name: "webhooks-update",
  route: "PATCH /webhooks/{webhookId}",
  permission: "webhook:write",
  endsAccess: ({ body: { status } }) => status === "disabled",
  request: z.object({
    params: z.object({ webhookId: WebhookId }),
    body: z.object({
      url: z.exactOptional(WebhookUrl),
      events: z.exactOptional(EventTypes),
      description: removable(Line(100)),
      status: z.optional(z.enum(["active", "disabled"])),
    }),
  }),
  response: z.object({ webhook: Webhook }),
  errors: ["WEBHOOK_NOT_FOUND", "WEBHOOK_URL_REFUSED"],
  table: { WEBHOOKS: ["get", "update"] },
  prefetch: ({ params: { webhookId } }) => webhooks.find(webhookId),
  audit: "webhook.updated",
  trace: ({ params: { webhookId }, body: { status, ...fields } }) => ({
    item: webhookId,
    changed: toldIn({ ...fields, ...(status && { status: status === "active" }) }),
  }),
  handle: async ({ params: { webhookId }, body: { status, ...fields }, prefetched, fail }) => {
    const enabled = { isDisabled: false, failures: 0, failingSince: undefined };
    const change = { ...changeIn(fields), ...(status && (status === "active" ? enabled : { isDisabled: true })) };
    if (!prefetched || (await webhooks.change(webhookId, change)) === "no such webhook")
      throw fail("WEBHOOK_NOT_FOUND");
    return { webhook: webhookView({ ...prefetched, ...change }) };
  },
});
