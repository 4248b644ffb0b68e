import * as z from "zod/mini";
import * as tags from "../../lib/catalogue/tags.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { TagId } from "../../lib/http/id-inputs.ts";
import { changeIn, optional, toldIn } from "../../lib/http/inputs.ts";
import { Tag, tagView } from "../../lib/http/resources/catalogue.ts";
import { Color, Line } from "../../lib/http/text-inputs.ts";
import { changeStored } from "../../lib/table/retries.ts";

const Change = z.object({ name: optional(Line(tags.LONGEST_TAG_NAME)), color: optional(Color) });

/** Changes the name or the color of a tag, on all posts. An absent field stays as it is. */
export const handler = defineEndpoint({
  name: "tags-update",
  route: "PATCH /tags/{tagId}",
  permission: "tag:write",
  request: z.object({ params: z.object({ tagId: TagId }), body: z.object({ tag: Change }) }),
  response: z.object({ tag: Tag }),
  errors: ["TAG_NOT_FOUND", "TAG_EXISTS"],
  table: { CATALOGUE: ["get", "put", "update"], TAG_NAME: ["put", "delete"] },
  prefetch: ({ params: { tagId } }) => tags.find(tagId),
  audit: "tag.updated",
  trace: ({ params: { tagId }, body }) => ({ item: tagId, changed: toldIn(body.tag) }),
  handle: async ({ params: { tagId }, body, prefetched, fail }) => {
    if (!prefetched) throw fail("TAG_NOT_FOUND");
    const changed = await changeStored(
      prefetched as tags.TagRecord | undefined,
      () => tags.find(tagId),
      (tag) => tags.change(tag, changeIn(body.tag)),
    );
    if (!changed) throw fail("TAG_NOT_FOUND");
    if (changed === "taken") throw fail("TAG_EXISTS");
    return { tag: tagView(changed) };
  },
});
