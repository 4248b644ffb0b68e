import * as z from "zod/mini";
import { range } from "../table/ranges.ts";
import { getFirst } from "../table/reads.ts";
import { Counts } from "./exports.ts";

// The imports of a site. What each of them made is in its journal: moving/journal.ts.

/** What a run that came to its end found in the source, how many problems it met, and of which kinds. */
const ReportItem = z.object({
  finishedAt: z.number(),
  found: Counts,
  problems: z.number(),
  kinds: z.array(z.object({ problem: z.string(), count: z.number() })),
});
export type ImportReport = Omit<z.output<typeof ReportItem>, "finishedAt">;

/**
 * An import: its source, when its first run began (ms since 1970), and whether a run is under way or was killed. If it
 * restores a site: the hash of the file, and how many pieces of it are written. `report` is of its
 * last whole run.
 */
export const ImportItem = z.object({
  sk: z.string(),
  source: z.string(),
  startedAt: z.number(),
  isOpen: z.optional(z.literal(true)),
  restores: z.optional(z.object({ hash: z.string(), pieces: z.number() })),
  report: z.optional(ReportItem),
});
export type ImportRecord = z.output<typeof ImportItem>;

const MOST_LISTED = 50;

/** The imports of a site, in the order of their names, at most 50. */
export async function all(): Promise<ImportRecord[]> {
  return (await getFirst(range.imports(), ImportItem, MOST_LISTED)).items;
}
