import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import * as events from "../../lib/events/events.ts";
import { Id, mapped, optional, WebhookId } from "../../lib/http/inputs.ts";
import { firstIdAt } from "../../lib/values/ids.ts";
import * as deliveries from "../../lib/webhooks/deliveries.ts";
import * as webhooks from "../../lib/webhooks/webhooks.ts";

/** A date-time as the text that sorts before the ids of this moment. */
const Moment = mapped(z.iso.datetime({ offset: true }), (text) => firstIdAt(Math.max(Date.parse(text), 0))).check(
  z.meta({ type: "string", format: "date-time" }),
);

const MOST = 50;

/**
 * Delivers events once more, under the same ids: the event `eventId`, or the first 50 between `from` and `to`, of the
 * types that the webhook gets. `next` is the `after` of the next call; null if no event is left. Events are kept for 30
 * days.
 */
export const handler = defineEndpoint({
  name: "webhooks-replay",
  route: "POST /webhooks/{webhookId}/replay",
  permission: "webhook:write",
  request: z.object({
    params: z.object({ webhookId: WebhookId }),
    body: z.object({ eventId: optional(Id), from: optional(Moment), after: optional(Id), to: optional(Moment) }),
  }),
  success: 202,
  response: z.object({ replayed: z.number(), next: z.nullable(z.string()) }),
  errors: ["WEBHOOK_NOT_FOUND"],
  table: { WEBHOOKS: ["get"], EVENTS: ["query"], DELIVERIES: ["put"] },
  prefetch: ({ params: { webhookId }, body: { eventId, from, after, to } }) =>
    Promise.all([
      webhooks.find(webhookId),
      events.first(eventId === undefined ? { from, after, to } : { from: eventId, to: eventId }, MOST),
    ]),
  trace: ({ params: { webhookId } }) => ({ item: webhookId }),
  handle: async ({ params: { webhookId }, prefetched: [webhook, { items, more }], fail }) => {
    if (!webhook) throw fail("WEBHOOK_NOT_FOUND");
    const wanted = items.filter(({ type }) => webhook.events.includes(type));
    await deliveries.putAll(webhookId, wanted);
    return { replayed: wanted.length, next: (more && items.at(-1)?.eventId) || null };
  },
});
