import * as z from "zod";
import * as roadmaps from "../../lib/data/roadmaps.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Line, optional } from "../../lib/http/inputs.ts";
import { RoadmapListItem } from "../../lib/http/schemas.ts";
import { roadmapListView } from "../../lib/http/views.ts";
import { newId } from "../../lib/values/ids.ts";
import { randomColor, urlsFor } from "../../lib/values/urls.ts";

/**
 * Beyond the contract: the owner creates a roadmap; its url is made from its name.
 *
 * A new roadmap is hidden and last.
 */
export const handler = defineEndpoint(
  {
    name: "roadmaps-create",
    method: "POST",
    path: "/roadmaps",
    access: "bearer",
    permission: "roadmap:create",
    request: z.object({ body: z.object({ name: optional(Line(100)) }) }),
    success: 201,
    response: z.object({ roadmap: RoadmapListItem }),
    errors: [],
    table: { CATALOGUE: ["query", "put"], ROADMAP_URL: ["put"] },
    read: () => roadmaps.allWithOrder(),
  },
  async ({ body: { name = "New roadmap" }, read }) => {
    const fields = { roadmapId: newId(), name, color: randomColor(), display: false };
    for (const url of urlsFor(name, "roadmap")) {
      const roadmap = await roadmaps.add({ ...fields, url }, read);
      if (roadmap !== "url taken") return { roadmap: roadmapListView(roadmap) };
    }
    throw new Error("the urls to try never end");
  },
);
