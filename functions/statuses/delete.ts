import * as z from "zod/mini";
import * as statuses from "../../lib/catalogue/statuses.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { StatusId } from "../../lib/http/id-inputs.ts";
import * as lists from "../../lib/lists/lists.ts";
import { replanned } from "../../lib/table/retries.ts";

/** Deletes an archived status that no post has. Official responses that were given with it no longer name it. */
export const handler = defineEndpoint({
  name: "statuses-delete",
  route: "DELETE /statuses/{statusId}",
  permission: "settings:update",
  request: z.object({ params: z.object({ statusId: StatusId }) }),
  success: 204,
  errors: ["STATUS_NOT_FOUND", "STATUS_IN_USE"],
  table: { CATALOGUE: ["get", "put"], COUNTS: ["query"] },
  prefetch: () => statuses.read(),
  audit: "status.deleted",
  trace: ({ params: { statusId }, prefetched: { statuses: all } }) => ({
    item: statusId,
    itemName: all.find((each) => each.statusId === statusId)?.name,
  }),
  handle: async ({ params: { statusId }, prefetched, fail }) => {
    await replanned(prefetched, statuses.read, async (list) => {
      const status = list.statuses.find((each) => each.statusId === statusId);
      if (!status) throw fail("STATUS_NOT_FOUND");
      if (!status.archived) throw fail("STATUS_IN_USE");
      // While the list stays as it was read, no post gets an archived status: a count of 0 stays 0.
      const statusLetters = statuses.lettersOf([status], [statusId]);
      if ((await lists.totalOfAll({ statusLetters })) > 0) throw fail("STATUS_IN_USE");
      return statuses.remove(list, statusId);
    });
  },
});
