import * as z from "zod/mini";
import type { TableAccess } from "../table/access.ts";
import { setFields, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create, type Part, replace } from "../table/parts.ts";
import { get } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import { newId } from "../values/ids.ts";

// An export of all of the site, which the owner asks for. An item holds the last one; a job writes it
// (lib/moving/export-job.ts). Neither names the owner: who asked is in the audit log.

const Count = z.int().check(z.minimum(0));

/** How many there are of what people look for. */
export const Counts = z.object({
  accounts: Count,
  boards: Count,
  roadmaps: Count,
  statuses: Count,
  posts: Count,
  votes: Count,
  comments: Count,
});
export type Counts = z.output<typeof Counts>;

/** For programs, and for this one: a file of lines. For people: an archive of sheets. */
export const exportFormats = ["jsonl", "csv"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The last export: when it was asked for, and when it was whole or failed, in milliseconds since 1970. */
export const LastExport = z.object({
  exportId: z.string(),
  format: z._default(z.enum(exportFormats), "jsonl"),
  at: z.number(),
  readyAt: z.optional(z.number()),
  failedAt: z.optional(z.number()),
  bytes: z.optional(z.number()),
  counts: z.optional(Counts),
});
export type LastExport = z.output<typeof LastExport>;

/** How long a file is kept once it is whole. */
export const KEPT_MS = 60 * 60 * 1000;

/** An export that still runs after a day will not end: the owner may ask for another one. */
export const LONGEST_MS = 24 * 60 * 60 * 1000;

export const exportStates = ["running", "ready", "expired", "failed"] as const;

export function stateOf({ at, readyAt, failedAt }: LastExport): (typeof exportStates)[number] {
  const now = Date.now();
  if (readyAt !== undefined) return now < readyAt + KEPT_MS ? "ready" : "expired";
  return failedAt !== undefined || now > at + LONGEST_MS ? "failed" : "running";
}

/** What `begin` does to the table. */
export const TABLE = { SITE: ["get", "put"], EXPORTS: ["put"] } as const satisfies TableAccess;

/** Reads the last export; undefined before the first. */
export function find(): Promise<LastExport | undefined> {
  return get(key.lastExport(), LastExport);
}

/** Begins an export, unless one is running. */
export function begin(
  asRead: LastExport | undefined,
  format: ExportFormat,
  exportId = newId(),
): Promise<LastExport | "is running"> {
  return replanned(asRead, find, async (last) => {
    if (last && stateOf(last) === "running") return "is running";
    const begun = { exportId, format, at: Date.now() };
    const unchanged = last && stillHas({ exportId: last.exportId });
    const outcome = await transact({
      last: replace(key.lastExport(), unchanged, begun),
      job: create(key.exportJob(begun.exportId), { format, at: begun.at }),
    });
    return outcome.done ? begun : "changed meanwhile";
  });
}

/** Part: says how the last export ended, unless another one has begun since. */
export function endPart(exportId: string, end: Pick<LastExport, "readyAt" | "failedAt" | "bytes" | "counts">): Part {
  return setFields(key.lastExport(), end, stillHas({ exportId }));
}
