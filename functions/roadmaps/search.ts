import * as z from "zod/mini";
import { visibleRoadmaps } from "../../lib/auth/visibility.ts";
import * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { RoadmapListItem, roadmapListView } from "../../lib/http/resources/catalogue.ts";
import { SearchedName } from "../../lib/http/text-inputs.ts";
import { foldCase } from "../../lib/values/text.ts";

/** Finds roadmaps whose name contains a text, in their order: docs/contract.md#search-roadmaps */
export const handler = defineEndpoint({
  name: "roadmaps-search",
  // Greedy, so that a slash in a name can be searched.
  route: "GET /roadmaps/search/{name+}",
  contract: true,
  permission: "roadmap:search",
  request: z.object({ params: z.object({ name: SearchedName }) }),
  response: z.object({ roadmaps: z.array(RoadmapListItem) }),
  table: { CATALOGUE: ["query"] },
  prefetch: () => roadmaps.all(),
  handle: async ({ params: { name }, caller, prefetched }) => {
    const visible = visibleRoadmaps(caller, prefetched);
    const text = foldCase(name);
    return { roadmaps: visible.filter((roadmap) => foldCase(roadmap.name).includes(text)).map(roadmapListView) };
  },
});
