import * as z from "zod/mini";
import { may } from "../../lib/auth/permissions.ts";
import * as catalogue from "../../lib/catalogue/catalogue.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import * as audit from "../../lib/events/audit.ts";
import { namesFor } from "../../lib/http/audit-names.ts";
import { Uuid } from "../../lib/http/id-inputs.ts";
import { mapped, optional } from "../../lib/http/inputs.ts";
import { pageSize, QueryNumber } from "../../lib/http/list-inputs.ts";
import { After, cursorOf } from "../../lib/http/pages.ts";
import { PageInfo } from "../../lib/http/resources/answers.ts";
import { AuditEntry, auditView } from "../../lib/http/resources/audit.ts";
import { Text } from "../../lib/http/text-inputs.ts";
import { auditFormats, auditText } from "../../lib/moving/audit-text.ts";

const Moment = mapped(z.iso.datetime({ offset: true }), (text) => Math.max(Date.parse(text), 0)).check(
  z.meta({ type: "string", format: "date-time" }),
);

const query = z.object({
  by: optional(Uuid),
  account: optional(Uuid),
  item: optional(Text),
  action: optional(z.enum([...audit.auditKinds, ...audit.auditActions])),
  from: optional(Moment),
  to: optional(Moment),
  format: optional(z.enum(auditFormats)),
  first: pageSize(QueryNumber, 20, 50),
  after: optional(After(z.tuple([Uuid]))),
});

/** The read units of 500 records. */
const RECORDS_READ = 50;

/**
 * Lists the changes that the team made in the last 400 days, newest first: `by` whom, of whose `account`, of which
 * `item` (a post with its comments and votes), of which `action` or kind of things (`status` and `statuses` are one),
 * `from` and `to` when. Whom nobody has given a name is called by the address, if the caller has `user:write`. A call
 * looks at 500 records at most, so a page can be short or empty although more follow: rely on `has_next_page`. With
 * `format` the page is `text`, as rows of a sheet or as lines of JSON, and `records` is empty; the texts of all pages,
 * one after the other, are a file.
 */
export const handler = defineEndpoint({
  name: "audit-list",
  route: "GET /audit",
  permission: "audit:read",
  request: z.object({ query }),
  response: z.object({
    records: z.array(AuditEntry),
    text: z.optional(z.string()),
    page_info: z.pick(PageInfo, { count: true, has_next_page: true, end_cursor: true }),
  }),
  table: {
    AUDIT: ["query"],
    CATALOGUE: ["get", "query"],
    USER: ["get"],
    POSTS: ["get"],
    MERGED: ["get"],
    PROVIDERS: ["get"],
  },
  // Of each record a post or an API key, and an account.
  expectedReads: ({ query: { first } }) => RECORDS_READ + 4 * first,
  prefetch: ({ query: { first, after, format: _, ...filter } }) =>
    Promise.all([audit.read(filter, first, after?.[0]), catalogue.read()]),
  handle: async ({ query: { after, format }, prefetched: [{ records, next }, entries], caller }) => {
    const namesOf = await namesFor(records, entries, may(caller, "user:write"));
    const views = records.map((record) => auditView(record, namesOf));
    return {
      records: format ? [] : views,
      ...(format && { text: auditText(views, format, after === undefined) }),
      page_info: {
        count: views.length,
        has_next_page: next !== undefined,
        end_cursor: next === undefined ? null : cursorOf([next]),
      },
    };
  },
});
