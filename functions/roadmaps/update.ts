import * as z from "zod/mini";
import * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { RoadmapId } from "../../lib/http/id-inputs.ts";
import { changeIn, optional, toldIn } from "../../lib/http/inputs.ts";
import { roadmapTag } from "../../lib/http/preconditions.ts";
import { RoadmapListItem, roadmapListView } from "../../lib/http/resources/catalogue.ts";
import { Color, Line } from "../../lib/http/text-inputs.ts";
import { replanned } from "../../lib/table/retries.ts";
import { RoadmapUrl } from "../../lib/values/urls.ts";

const body = z.object({
  id: RoadmapId,
  name: optional(Line(100)),
  url: optional(RoadmapUrl),
  color: optional(Color),
  display: optional(z.boolean()),
});

/**
 * Changes a roadmap. An absent field stays as it is. These urls are reserved: `get`, `search`, `sort` and `check-slug`.
 */
export const handler = defineEndpoint({
  name: "roadmaps-update",
  route: "PATCH /roadmaps",
  permission: "roadmap:update",
  request: z.object({ body }),
  response: z.object({ roadmap: RoadmapListItem }),
  errors: ["ROADMAP_ID_OR_URL_MISSING", "ROADMAP_URL_EXISTS"],
  table: { CATALOGUE: ["query", "put", "update"], ROADMAP_URL: ["put", "delete"] },
  etagOf: ({ roadmap }) => roadmapTag(roadmap),
  prefetch: () => roadmaps.all(),
  audit: "roadmap.updated",
  trace: ({ body: { id, ...fields } }) => ({ item: id, changed: toldIn(fields) }),
  handle: async ({ body: { id, ...fields }, prefetched, fail, checkState }) => {
    const changed = await replanned(prefetched, roadmaps.all, async (stored) => {
      const roadmap = stored.find(({ roadmapId }) => roadmapId === id);
      if (roadmap) checkState({ roadmap: roadmapListView(roadmap) });
      return roadmap && roadmaps.change(roadmap, changeIn(fields));
    });
    if (!changed) throw fail("ROADMAP_ID_OR_URL_MISSING");
    if (changed === "taken") throw fail("ROADMAP_URL_EXISTS");
    return { roadmap: roadmapListView(changed) };
  },
});
