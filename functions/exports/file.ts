import * as z from "zod/mini";
import * as exports from "../../lib/accounts/exports.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { ExportId } from "../../lib/http/id-inputs.ts";
import { downloadName, fileOf } from "../../lib/moving/export-files.ts";
import { shelf } from "../../lib/moving/own-shelf.ts";
import { LINK_SECONDS } from "../../lib/moving/shelf.ts";

/**
 * Returns a link to the file of an export, in a session younger than ten minutes. Everybody who has the link can
 * read the file, for a minute. EXPORT_NOT_FOUND: the export is not whole yet, or its hour is over.
 */
export const handler = defineEndpoint({
  name: "exports-file",
  route: "GET /exports/{exportId}/file",
  refusesKeys: true,
  readsExports: true,
  permission: "settings:update",
  request: z.object({ params: z.object({ exportId: ExportId }) }),
  response: z.object({ url: z.string(), expiresAt: z.string() }),
  errors: ["SIGN_IN_AGAIN", "EXPORT_NOT_FOUND"],
  table: { SITE: ["get"] },
  prefetch: () => exports.find(),
  trace: ({ params: { exportId } }) => ({ item: exportId }),
  handle: async ({ params: { exportId }, caller, prefetched, fail }) => {
    if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    if (prefetched?.exportId !== exportId || exports.stateOf(prefetched) !== "ready") throw fail("EXPORT_NOT_FOUND");
    const expiresAt = new Date(Date.now() + LINK_SECONDS * 1000).toISOString();
    return { url: await shelf().linkTo(fileOf(prefetched), downloadName(prefetched)), expiresAt };
  },
});
