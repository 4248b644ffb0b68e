import * as z from "zod/mini";
import * as tags from "../../lib/catalogue/tags.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { TagId } from "../../lib/http/id-inputs.ts";
import { changeStored } from "../../lib/table/retries.ts";

/** Deletes a tag, which all posts lose immediately; the posts stay. */
export const handler = defineEndpoint({
  name: "tags-delete",
  route: "DELETE /tags/{tagId}",
  permission: "tag:write",
  request: z.object({ params: z.object({ tagId: TagId }) }),
  success: 204,
  errors: ["TAG_NOT_FOUND"],
  table: { CATALOGUE: ["get", "put", "update", "delete"], TAG_NAME: ["delete"], DELETED: ["put"] },
  prefetch: ({ params: { tagId } }) => tags.find(tagId),
  audit: "tag.deleted",
  trace: ({ params: { tagId }, prefetched }) => ({ item: tagId, itemName: prefetched?.name }),
  handle: async ({ params: { tagId }, prefetched, fail }) => {
    const removed = prefetched && (await changeStored(prefetched, () => tags.find(tagId), tags.remove));
    if (!removed) throw fail("TAG_NOT_FOUND");
  },
});
