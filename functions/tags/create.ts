import * as z from "zod/mini";
import * as tags from "../../lib/catalogue/tags.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional } from "../../lib/http/inputs.ts";
import { Tag, tagView } from "../../lib/http/resources/catalogue.ts";
import { Color, Line } from "../../lib/http/text-inputs.ts";
import { newId } from "../../lib/values/ids.ts";
import { randomColor } from "../../lib/values/urls.ts";

const Draft = z.object({ name: Line(tags.LONGEST_TAG_NAME), color: optional(Color) });

/** Creates a tag. No two tags have the same name, in any case. A site has at most 100. */
export const handler = defineEndpoint({
  name: "tags-create",
  route: "POST /tags",
  permission: "tag:write",
  request: z.object({ body: z.object({ tag: Draft }) }),
  success: 201,
  response: z.object({ tag: Tag }),
  errors: ["TAG_EXISTS", "TOO_MANY_TAGS"],
  table: { CATALOGUE: ["put", "update"], TAG_NAME: ["put"] },
  idempotency: z.object({ tagId: z.string(), color: z.string() }),
  audit: "tag.created",
  trace: ({ result }) => ({ item: result?.tag.id }),
  handle: async ({ body, fail, idempotencyPart, addTrace }) => {
    const { name, color = randomColor() } = body.tag;
    const tag = { tagId: newId(), name, color };
    addTrace({ item: tag.tagId });
    const outcome = await tags.add(tag, idempotencyPart);
    if (outcome === "taken") throw fail("TAG_EXISTS");
    if (outcome === "too many") throw fail("TOO_MANY_TAGS");
    return { tag: tagView(tag) };
  },
  replay: async (made, { body }) => ({ tag: tagView({ ...made, name: body.tag.name }) }),
});
