import * as z from "zod/mini";
import * as statuses from "../../lib/catalogue/statuses.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { tagOf } from "../../lib/http/preconditions.ts";
import { ListedStatus, statusListView } from "../../lib/http/resources/catalogue.ts";

/**
 * Lists the statuses in the owner's order, archived ones last. A new site has `open`, `planned`, `started`, `completed`
 * and `declined`. New posts are `open`.
 */
export const handler = defineEndpoint({
  name: "statuses-list",
  route: "GET /statuses",
  access: "public",
  response: z.object({ results: z.array(ListedStatus), statuses: z.array(ListedStatus) }),
  table: { CATALOGUE: ["get"] },
  etagOf: ({ statuses }) => tagOf(statuses),
  prefetch: () => statuses.read(),
  handle: async ({ prefetched }) => {
    const results = prefetched.statuses.map(statusListView);
    return { results, statuses: results };
  },
});
