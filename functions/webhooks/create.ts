import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional } from "../../lib/http/inputs.ts";
import { Webhook, webhookView } from "../../lib/http/resources/webhooks.ts";
import { Line, removable } from "../../lib/http/text-inputs.ts";
import { EventTypes, WebhookUrl } from "../../lib/http/webhook-inputs.ts";
import { newId } from "../../lib/values/ids.ts";
import * as webhooks from "../../lib/webhooks/webhooks.ts";

/**
 * Creates a webhook: docs/webhooks.md. The `secret` that signs its messages is shown once. A site has at most 10. A
 * repeated Idempotency-Key creates no second webhook and returns no `secret`: make a new one.
 */
export const handler = defineEndpoint({
  name: "webhooks-create",
  route: "POST /webhooks",
  permission: "webhook:write",
  request: z.object({
    body: z.object({ url: WebhookUrl, events: EventTypes, description: optional(removable(Line(100))) }),
  }),
  success: 201,
  response: z.object({ webhook: Webhook, secret: z.optional(z.string()) }),
  errors: ["WEBHOOK_URL_REFUSED", "WEBHOOK_NOT_FOUND", "TOO_MANY_WEBHOOKS"],
  table: { WEBHOOKS: ["get", "put", "update"], WEBHOOK_SECRETS: ["put"] },
  idempotency: z.object({ webhookId: z.string() }),
  audit: "webhook.created",
  trace: ({ result }) => ({ item: result?.webhook.webhookId }),
  handle: async ({ body, caller: { userId }, fail, idempotencyPart, addTrace }) => {
    const webhook = { ...body, webhookId: newId(), userId, isDisabled: false, failures: 0 };
    addTrace({ item: webhook.webhookId });
    const secret = await webhooks.add(webhook, idempotencyPart?.({ webhookId: webhook.webhookId }));
    if (secret === "too many") throw fail("TOO_MANY_WEBHOOKS");
    return { webhook: webhookView(webhook), secret };
  },
  replay: async ({ webhookId }, { fail }) => {
    const webhook = await webhooks.find(webhookId);
    if (!webhook) throw fail("WEBHOOK_NOT_FOUND");
    return { webhook: webhookView(webhook) };
  },
});
