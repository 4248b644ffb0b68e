import * as z from "zod/mini";
import * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional } from "../../lib/http/inputs.ts";
import { roadmapTag } from "../../lib/http/preconditions.ts";
import { RoadmapListItem, roadmapListView } from "../../lib/http/resources/catalogue.ts";
import { Line } from "../../lib/http/text-inputs.ts";
import { newId } from "../../lib/values/ids.ts";
import { randomColor, urlFor } from "../../lib/values/urls.ts";

const DEFAULT_NAME = "New roadmap";

/** Creates a roadmap; its url is made from its name. The roadmap is hidden, and last in the order. */
export const handler = defineEndpoint({
  name: "roadmaps-create",
  route: "POST /roadmaps",
  permission: "roadmap:create",
  request: z.object({ body: z.object({ name: optional(Line(100)) }) }),
  success: 201,
  response: z.object({ roadmap: RoadmapListItem }),
  table: { CATALOGUE: ["query", "put"], ROADMAP_URL: ["put"] },
  idempotency: z.object({ roadmapId: z.string(), url: z.string(), color: z.string(), index: z.number() }),
  etagOf: ({ roadmap }) => roadmapTag(roadmap),
  prefetch: () => roadmaps.allWithOrder(),
  audit: "roadmap.created",
  trace: ({ result }) => ({ item: result?.roadmap.id }),
  handle: async ({ body: { name = DEFAULT_NAME }, prefetched, idempotencyPart, addTrace }) => {
    const fields = { roadmapId: newId(), name, color: randomColor(), display: false };
    addTrace({ item: fields.roadmapId });
    for (let attempt = 0; ; attempt++) {
      const draft = { ...fields, url: urlFor(name, "roadmap", attempt) };
      const roadmap = await roadmaps.add(draft, prefetched, idempotencyPart);
      if (roadmap !== "taken") return { roadmap: roadmapListView(roadmap) };
    }
  },
  replay: async (made, { body: { name = DEFAULT_NAME } }) => ({
    roadmap: roadmapListView({ ...made, name, display: false }),
  }),
});
