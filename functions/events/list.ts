import * as z from "zod/mini";
import * as statuses from "../../lib/catalogue/statuses.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import * as events from "../../lib/events/events.ts";
import { Uuid } from "../../lib/http/id-inputs.ts";
import { wordSet } from "../../lib/http/list-inputs.ts";
import { cursorOf, cursorQuery } from "../../lib/http/pages.ts";
import { PageInfo } from "../../lib/http/resources/answers.ts";
import { Event, eventView } from "../../lib/http/resources/events.ts";

const query = z.object({ types: wordSet(events.eventTypes, events.eventTypes), ...cursorQuery(z.tuple([Uuid])) });

/**
 * Lists the events of the last 30 days, oldest first. Each change is listed once, about 15 seconds after it happened.
 * If you always continue at the last `end_cursor`, you miss none. A page can be short or empty although more pages
 * follow: rely on `has_next_page`.
 */
export const handler = defineEndpoint({
  name: "events-list",
  route: "GET /events",
  permission: "webhook:read",
  request: z.object({ query }),
  response: z.object({
    events: z.array(Event),
    page_info: z.pick(PageInfo, { count: true, has_next_page: true, end_cursor: true }),
  }),
  table: { EVENTS: ["query"], CATALOGUE: ["get"] },
  prefetch: ({ query: { types, first, after } }) =>
    Promise.all([events.read(types, first, after?.[0]), statuses.read()]),
  handle: async ({ prefetched: [page, list] }) => ({
    events: page.events.map((event) => eventView(event, list.statuses)),
    page_info: {
      count: page.events.length,
      has_next_page: page.more,
      end_cursor: page.last === undefined ? null : cursorOf([page.last]),
    },
  }),
});
