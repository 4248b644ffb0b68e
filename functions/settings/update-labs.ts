import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional, toldIn } from "../../lib/http/inputs.ts";
import { tagOf } from "../../lib/http/preconditions.ts";
import { Labs, labsView } from "../../lib/http/resources/site.ts";
import { changeStored } from "../../lib/table/retries.ts";

/** Switches features of clients on and off. Permissions do not depend on them. */
export const handler = defineEndpoint({
  name: "settings-update-labs",
  route: "PATCH /settings/labs",
  permission: "settings:update",
  request: z.object({ body: z.object({ voteOnBehalf: optional(z.boolean()) }) }),
  response: z.object({ labs: Labs }),
  errors: ["NOT_ENOUGH_PERMISSION"],
  table: { SITE: ["get", "update"] },
  etagOf: ({ labs }) => tagOf(labs),
  prefetch: () => site.find(),
  audit: "site.updated",
  trace: ({ body }) => ({ changed: toldIn(body) }),
  handle: async ({ body: { voteOnBehalf }, prefetched, fail, checkState }) => {
    const changed = await changeStored(prefetched, site.find, (asRead) => {
      checkState({ labs: labsView(asRead) });
      return site.change(asRead, voteOnBehalf === undefined ? {} : { voteOnBehalf });
    });
    // Setup creates the owner together with the site: before setup no caller has the permission.
    if (!changed) throw fail("NOT_ENOUGH_PERMISSION");
    return { labs: labsView(changed) };
  },
});
