import * as z from "zod/mini";
import * as exports from "../../lib/accounts/exports.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { SiteExport, siteExportView } from "../../lib/http/resources/exports.ts";

/** Returns the last export of all of the site; null before the first. */
export const handler = defineEndpoint({
  name: "exports-latest",
  route: "GET /exports/latest",
  refusesKeys: true,
  permission: "settings:update",
  response: z.object({ export: z.nullable(SiteExport) }),
  table: { SITE: ["get"] },
  prefetch: () => exports.find(),
  handle: async ({ prefetched }) => ({ export: prefetched ? siteExportView(prefetched) : null }),
});
