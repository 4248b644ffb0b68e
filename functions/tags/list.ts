import * as z from "zod/mini";
import * as catalogue from "../../lib/catalogue/catalogue.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Tag, tagView } from "../../lib/http/resources/catalogue.ts";

/** Lists the tags, at most 100, by their names. */
export const handler = defineEndpoint({
  name: "tags-list",
  route: "GET /tags",
  access: "optional",
  response: z.object({ results: z.array(Tag), tags: z.array(Tag) }),
  table: { CATALOGUE: ["get", "query"] },
  prefetch: () => catalogue.read(),
  handle: async ({ prefetched }) => {
    const results = prefetched.tags.map(tagView);
    return { results, tags: results };
  },
});
