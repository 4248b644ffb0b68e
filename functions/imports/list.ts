import * as z from "zod/mini";
import * as imports from "../../lib/accounts/imports.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { SiteImport, siteImportView } from "../../lib/http/resources/imports.ts";

/**
 * Lists the imports that operators have made (docs/moving.md), by name, at most 50, with the report of the last run of
 * each. One that was taken back is not there.
 */
export const handler = defineEndpoint({
  name: "imports-list",
  route: "GET /imports",
  refusesKeys: true,
  permission: "settings:update",
  response: z.object({ imports: z.array(SiteImport) }),
  table: { IMPORTS: ["query"] },
  prefetch: () => imports.all(),
  handle: async ({ prefetched }) => ({ imports: prefetched.map(siteImportView) }),
});
