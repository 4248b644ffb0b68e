import * as z from "zod/mini";
import { Counts } from "../../accounts/exports.ts";
import type { ImportRecord } from "../../accounts/imports.ts";

/** An import that an operator has made. */
export const SiteImport = z.object({
  /** The name by which the commands know it. */
  name: z.string(),
  /** The portal that the data is from. */
  source: z.string(),
  /** `unfinished`: a run is under way, or was interrupted and has to be started again. */
  state: z.enum(["unfinished", "done"]),
  createdAt: z.string(),
  /** When the last whole run ended; null before. */
  finishedAt: z.nullable(z.string()),
  /** How many the last whole run found in the source; null before. Comments include notes. */
  found: z.nullable(Counts),
  /** How many problems the last whole run met; null before. */
  problemCount: z.nullable(z.int().check(z.minimum(0))),
  /** The 20 commonest kinds of problems, without what the rows hold. */
  problems: z.array(z.object({ problem: z.string(), count: z.int().check(z.minimum(1)) })),
});

export function siteImportView({
  sk: name,
  source,
  startedAt,
  isOpen,
  report,
}: ImportRecord): z.infer<typeof SiteImport> {
  return {
    name,
    source,
    state: isOpen ? "unfinished" : "done",
    createdAt: new Date(startedAt).toISOString(),
    finishedAt: report ? new Date(report.finishedAt).toISOString() : null,
    found: report?.found ?? null,
    problemCount: report?.problems ?? null,
    problems: report?.kinds ?? [],
  };
}
