import * as z from "zod/mini";
import { visibleRoadmaps } from "../../lib/auth/visibility.ts";
import * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { RoadmapId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { tagOf } from "../../lib/http/preconditions.ts";
import { RoadmapListItem, roadmapListView } from "../../lib/http/resources/catalogue.ts";
import { replanned } from "../../lib/table/retries.ts";

// LogChimp's front end also sends an index. The ids decide.
const Place = z.object({ id: RoadmapId, index: optional(z.number()) });

/**
 * Moves the roadmap `to` to the place of the roadmap `from`. The others keep their order. The answer has the
 * roadmaps that the caller may see, in their new order; `If-Match` takes the tag of GET /roadmaps/get.
 */
export const handler = defineEndpoint({
  name: "roadmaps-sort",
  route: "PATCH /roadmaps/sort",
  permission: "roadmap:update",
  request: z.object({ body: z.object({ from: Place, to: Place }) }),
  response: z.object({ roadmaps: z.array(RoadmapListItem) }),
  errors: ["ROADMAP_ID_OR_URL_MISSING"],
  table: { CATALOGUE: ["query", "put"] },
  etagOf: ({ roadmaps }) => tagOf(roadmaps),
  prefetch: () => roadmaps.allWithOrder(),
  audit: "roadmap.moved",
  trace: ({ body: { to } }) => ({ item: to.id }),
  handle: async ({ body: { from, to }, caller, prefetched, fail, checkState }) => {
    const sorted = await replanned(prefetched, roadmaps.allWithOrder, async (ordered) => {
      checkState(shown(ordered.roadmaps));
      return roadmaps.move(ordered, to.id, from.id);
    });
    if (sorted === "no such roadmap") throw fail("ROADMAP_ID_OR_URL_MISSING");
    return shown(sorted);

    /** As GET /roadmaps/get shows them to this caller: a key may not see the hidden ones. */
    function shown(all: roadmaps.RoadmapRecord[]) {
      return { roadmaps: visibleRoadmaps(caller, all).map(roadmapListView) };
    }
  },
});
