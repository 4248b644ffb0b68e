import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import * as events from "../../lib/events/events.ts";
import { Uuid, WebhookId } from "../../lib/http/id-inputs.ts";
import { mapped, optional } from "../../lib/http/inputs.ts";
import type { Bounds } from "../../lib/table/ranges.ts";
import { firstIdAt } from "../../lib/values/ids.ts";
import * as deliveries from "../../lib/webhooks/deliveries.ts";
import * as webhooks from "../../lib/webhooks/webhooks.ts";

/** A date-time as the text that sorts before the ids of this moment. */
const Moment = mapped(z.iso.datetime({ offset: true }), (text) => firstIdAt(Math.max(Date.parse(text), 0))).check(
  z.meta({ type: "string", format: "date-time" }),
);

const MOST = 50;

const body = z.object({
  eventId: optional(Uuid),
  from: optional(Moment),
  after: optional(Uuid),
  to: optional(Moment),
});

/** Where the events are: one event if it is named, whatever else is given. */
function placeOf({ eventId, from, after, to }: z.output<typeof body>): Bounds {
  if (eventId !== undefined) return { from: eventId, to: eventId };
  return after !== undefined && after > (from ?? "") ? { after, to } : { from, to };
}

/**
 * Delivers events once more, under the same ids: the event `eventId`, or the first 50 of the webhook's types between
 * `from` and `to`. Without `from` and `after` it begins with the oldest event of the last 30 days, without `to` it ends
 * with the newest; so an empty body sends everything that is kept, in pages. `next` is the `after` of the next call;
 * null if no event is left. A call looks at 500 events at most, so it can deliver fewer than 50 although `next` is set.
 */
export const handler = defineEndpoint({
  name: "webhooks-replay",
  route: "POST /webhooks/{webhookId}/replay",
  permission: "webhook:write",
  request: z.object({
    params: z.object({ webhookId: WebhookId }),
    body,
  }),
  success: 202,
  response: z.object({ replayed: z.number(), next: z.nullable(z.string()) }),
  errors: ["WEBHOOK_NOT_FOUND"],
  table: { WEBHOOKS: ["get"], EVENTS: ["query"], DELIVERIES: ["put"] },
  prefetch: ({ params: { webhookId }, body }) =>
    Promise.all([webhooks.find(webhookId), events.first(placeOf(body), MOST)]),
  audit: "webhook.replayed",
  trace: ({ params: { webhookId } }) => ({ item: webhookId }),
  handle: async ({ params: { webhookId }, body: { to }, prefetched: [webhook, start], fail }) => {
    if (!webhook) throw fail("WEBHOOK_NOT_FOUND");
    const { events: wanted, next } = await events.firstOfTypes(webhook.events, MOST, start, to);
    await deliveries.putAll(webhookId, wanted);
    return { replayed: wanted.length, next: next ?? null };
  },
});
