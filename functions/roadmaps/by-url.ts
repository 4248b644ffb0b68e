import * as z from "zod/mini";
import { may } from "../../lib/auth/permissions.ts";
import { visibleRoadmaps } from "../../lib/auth/visibility.ts";
import * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { roadmapTag } from "../../lib/http/preconditions.ts";
import { RoadmapByUrl, roadmapView } from "../../lib/http/resources/catalogue.ts";

/** Returns a roadmap by its url: docs/contract.md#roadmap-by-url */
export const handler = defineEndpoint({
  name: "roadmaps-by-url",
  route: "GET /roadmaps/{url}",
  contract: true,
  access: "optional",
  request: z.object({ params: z.object({ url: z.string() }) }),
  response: z.object({ roadmap: RoadmapByUrl }),
  errors: ["ROADMAP_ID_OR_URL_MISSING"],
  table: { CATALOGUE: ["query"] },
  etagOf: ({ roadmap }) => roadmapTag(roadmap),
  prefetch: () => roadmaps.all(),
  handle: async ({ params: { url }, caller, prefetched, fail }) => {
    const roadmap = visibleRoadmaps(caller, prefetched).find((candidate) => candidate.url === url);
    if (!roadmap) throw fail("ROADMAP_ID_OR_URL_MISSING");
    const { display, index } = roadmap;
    return { roadmap: { ...roadmapView(roadmap), ...(may(caller, "roadmap:read") && { display, index }) } };
  },
});
