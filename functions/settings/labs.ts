import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { tagOf } from "../../lib/http/preconditions.ts";
import { Labs, labsView } from "../../lib/http/resources/site.ts";

/** Returns the features that the owner can switch on. */
export const handler = defineEndpoint({
  name: "settings-labs",
  route: "GET /settings/labs",
  access: "public",
  response: z.object({ labs: Labs }),
  table: { SITE: ["get"] },
  etagOf: ({ labs }) => tagOf(labs),
  prefetch: () => site.find(),
  handle: async ({ prefetched }) => ({ labs: labsView(prefetched) }),
});
