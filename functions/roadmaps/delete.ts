import * as z from "zod/mini";
import * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { RoadmapId } from "../../lib/http/id-inputs.ts";
import { replanned } from "../../lib/table/retries.ts";

/** Deletes a roadmap; its posts stay. */
export const handler = defineEndpoint({
  name: "roadmaps-delete",
  route: "DELETE /roadmaps",
  permission: "roadmap:destroy",
  request: z.object({ body: z.object({ id: RoadmapId }) }),
  success: 204,
  errors: ["ROADMAP_ID_OR_URL_MISSING"],
  table: { CATALOGUE: ["query", "put", "delete"], ROADMAP_URL: ["delete"], DELETED: ["put"] },
  prefetch: () => roadmaps.allWithOrder(),
  audit: "roadmap.deleted",
  trace: ({ body: { id }, prefetched: { roadmaps: all } }) => ({
    item: id,
    itemName: all.find(({ roadmapId }) => roadmapId === id)?.name,
  }),
  handle: async ({ body: { id }, prefetched, fail }) => {
    const outcome = await replanned(prefetched, roadmaps.allWithOrder, async (ordered) => {
      const roadmap = ordered.roadmaps.find(({ roadmapId }) => roadmapId === id);
      return roadmap && roadmaps.remove(roadmap, ordered);
    });
    if (!outcome) throw fail("ROADMAP_ID_OR_URL_MISSING");
  },
});
