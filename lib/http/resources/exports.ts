import * as z from "zod/mini";
import { Counts, exportFormats, exportStates, KEPT_MS, type LastExport, stateOf } from "../../accounts/exports.ts";

/** An export of all of the site. */
export const SiteExport = z.object({
  exportId: z.string(),
  format: z.enum(exportFormats),
  state: z.enum(exportStates),
  createdAt: z.string(),
  expiresAt: z.nullable(z.string()),
  bytes: z.nullable(z.int().check(z.minimum(0))),
  counts: z.nullable(Counts),
});
export type SiteExport = z.infer<typeof SiteExport>;

export function siteExportView(last: LastExport): SiteExport {
  const { exportId, format, at, readyAt, bytes = null, counts = null } = last;
  return {
    exportId,
    format,
    state: stateOf(last),
    createdAt: new Date(at).toISOString(),
    expiresAt: readyAt === undefined ? null : new Date(readyAt + KEPT_MS).toISOString(),
    bytes,
    counts,
  };
}
