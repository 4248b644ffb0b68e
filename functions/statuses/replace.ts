import * as z from "zod/mini";
import { toldOf } from "../../lib/catalogue/status-changes.ts";
import * as statuses from "../../lib/catalogue/statuses.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { StatusId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { tagOf } from "../../lib/http/preconditions.ts";
import { ListedStatus, statusListView } from "../../lib/http/resources/catalogue.ts";
import { Color, Line } from "../../lib/http/text-inputs.ts";
import { invalid } from "../../lib/runtime/errors.ts";
import { replanned } from "../../lib/table/retries.ts";
import { LONGEST_STATUS_NAME, statusKinds } from "../../lib/values/statuses.ts";

const Draft = z.object({
  id: optional(StatusId),
  name: Line(LONGEST_STATUS_NAME),
  color: Color,
  kind: z.enum(statusKinds),
  archived: optional(z.boolean()),
});

const body = z.object({
  statuses: z.array(Draft).check(
    z.maxLength(statuses.MAX_STATUSES),
    z.refine((list) => new Set(list.map(({ id }) => id ?? Symbol())).size === list.length, "Must name an id once"),
    z.refine(
      (list) => list.some(({ id, kind, archived }) => id === statuses.OPEN && kind === "open" && !archived),
      `Must contain the status "${statuses.OPEN}", of kind open: new posts have it`,
    ),
  ),
});

/**
 * Replaces the list of statuses. An entry without `id` reuses a status with the same name, colour and kind whose id the
 * list does not contain, so that a request can be repeated; otherwise it creates a status with an id made from its
 * name. A status that the list leaves out is archived, as with `archived: true`: posts keep it, but it cannot be given
 * to others. So the answer of GET can be sent back, and no status is lost. There are at most 20, archived ones
 * included. To reuse an archived status that no post has, send its `id` with another name and without `archived`.
 * `open` can be renamed, but not archived or given another kind.
 */
export const handler = defineEndpoint({
  name: "statuses-replace",
  route: "PUT /statuses",
  permission: "settings:update",
  request: z.object({ body }),
  response: z.object({ statuses: z.array(ListedStatus) }),
  errors: ["STATUS_NOT_FOUND"],
  table: { CATALOGUE: ["get", "put"] },
  etagOf: ({ statuses }) => tagOf(statuses),
  prefetch: () => statuses.read(),
  audit: "statuses.updated",
  trace: () => ({}),
  handle: async ({ body, prefetched, fail, checkState, addTrace }) => {
    const drafts = body.statuses.map(({ id, ...fields }) => ({ statusId: id, ...fields }));
    const replaced = await replanned(prefetched, statuses.read, async (list) => {
      checkState({ statuses: list.statuses.map(statusListView) });
      return statuses.replace(list, drafts, (wanted) => {
        addTrace(toldOf(list.statuses, wanted));
        return {};
      });
    });
    if (replaced === "no such status") throw fail("STATUS_NOT_FOUND");
    if (replaced === "too many") {
      throw invalid("body.statuses", "too_big", `At most ${statuses.MAX_STATUSES} statuses, archived ones included`);
    }
    return { statuses: replaced.map(statusListView) };
  },
});
