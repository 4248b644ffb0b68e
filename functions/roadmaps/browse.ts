import * as z from "zod/mini";
import { visibleRoadmaps } from "../../lib/auth/visibility.ts";
import * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { tagOf } from "../../lib/http/preconditions.ts";
import { RoadmapListItem, roadmapListView } from "../../lib/http/resources/catalogue.ts";

/** Lists all roadmaps that the caller may see, in their order. */
export const handler = defineEndpoint({
  name: "roadmaps-browse",
  route: "GET /roadmaps/get",
  access: "optional",
  response: z.object({ roadmaps: z.array(RoadmapListItem) }),
  table: { CATALOGUE: ["query"] },
  etagOf: ({ roadmaps }) => tagOf(roadmaps),
  prefetch: () => roadmaps.all(),
  handle: async ({ caller, prefetched }) => ({ roadmaps: visibleRoadmaps(caller, prefetched).map(roadmapListView) }),
});
