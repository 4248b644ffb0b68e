import * as z from "zod/mini";
import * as exports from "../../lib/accounts/exports.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { optional } from "../../lib/http/inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { SiteExport, siteExportView } from "../../lib/http/resources/exports.ts";
import { hasShelf } from "../../lib/moving/own-shelf.ts";
import { newId } from "../../lib/values/ids.ts";

/**
 * Begins an export of all of the site, in a session younger than ten minutes. `format`: jsonl, a file for programs, by
 * default; csv, an archive of sheets for people. It is written within minutes; then the owner gets a mail. The file is
 * kept for an hour. One export runs at a time, and ten may begin a day (TOO_MANY_REQUESTS).
 * docs/moving.md#from-the-portal
 */
export const handler = defineEndpoint({
  name: "exports-create",
  route: "POST /exports",
  refusesKeys: true,
  permission: "settings:update",
  success: 202,
  request: z.object({ body: z.object({ format: optional(z.enum(exports.exportFormats)) }) }),
  response: z.object({ export: SiteExport }),
  errors: ["SIGN_IN_AGAIN", "EXPORT_RUNNING", "EXPORT_NOT_SET_UP"],
  table: exports.TABLE,
  prefetch: () => exports.find(),
  audit: "export.created",
  trace: ({ result }) => ({ item: result?.export.exportId }),
  handle: async ({ body: { format = "jsonl" }, caller, prefetched, fail, addTrace }) => {
    if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    if (!hasShelf()) throw fail("EXPORT_NOT_SET_UP");
    if (prefetched && exports.stateOf(prefetched) === "running") throw fail("EXPORT_RUNNING");
    const now = Date.now();
    await limits.countExport(now);
    const exportId = newId();
    addTrace({ item: exportId });
    const begun = await exports.begin(prefetched, format, exportId);
    if (begun === "is running") {
      await limits.uncountExport(now);
      throw fail("EXPORT_RUNNING");
    }
    return { export: siteExportView(begun) };
  },
});
