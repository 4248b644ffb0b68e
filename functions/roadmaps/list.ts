import * as z from "zod/mini";
import { may } from "../../lib/auth/permissions.ts";
import * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Uuid } from "../../lib/http/id-inputs.ts";
import { wordSet } from "../../lib/http/list-inputs.ts";
import { cursorOf, cursorQuery, pageOf } from "../../lib/http/pages.ts";
import { CursorPaging } from "../../lib/http/resources/answers.ts";
import { RoadmapListItem, roadmapListView } from "../../lib/http/resources/catalogue.ts";

// A place in the order of roadmaps: by index, then by id.
const Place = z.tuple([z.number(), Uuid]);

const query = z.object({ ...cursorQuery(Place), visibility: wordSet(["public", "private"]) });

/**
 * Lists roadmaps in their order, page by page after a cursor: docs/contract.md#list-roadmaps
 * The order is by `index`, then id.
 */
export const handler = defineEndpoint({
  name: "roadmaps-list",
  route: "GET /roadmaps",
  contract: true,
  access: "bearer unless public reads",
  request: z.object({ query }),
  response: z.extend(CursorPaging, { results: z.array(RoadmapListItem), roadmaps: z.array(RoadmapListItem) }),
  table: { CATALOGUE: ["query"] },
  prefetch: () => roadmaps.all(),
  handle: async ({ query: { first, after, visibility }, caller, prefetched }) => {
    const shown = may(caller, "roadmap:read") ? visibility : new Set(["public"]);
    const visible = prefetched.filter(({ display }) => shown.has(display ? "public" : "private"));
    const { items, paging } = pageOf(visible, {
      isAfter: ({ index, roadmapId }) => !after || index > after[0] || (index === after[0] && roadmapId > after[1]),
      first,
      cursor: ({ index, roadmapId }) => cursorOf([index, roadmapId]),
    });
    const results = items.map(roadmapListView);
    return { ...paging, results, roadmaps: results };
  },
});
