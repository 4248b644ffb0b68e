import * as z from "zod/mini";
import { Counts, exportFormats } from "../accounts/exports.ts";
import { Merges } from "./merged.ts";
import { Entry } from "./zip.ts";

/** Parses a stored job. */
export const JobItem = z.object({
  format: z._default(z.enum(exportFormats), "jsonl"),
  at: z.number(),
  /** How many pieces are saved. */
  pieces: z._default(z.number(), 0),
  /** Where the next piece continues, and the mark by which its rest on the shelf is known. */
  place: z.optional(
    z.object({
      part: z.enum(["catalogue", "accounts", "posts", "held"]),
      after: z.optional(z.string()),
      merges: z.optional(Merges),
    }),
  ),
  restMark: z.optional(z.string()),
  /** The sheets as far as they are written, and whether that is all. */
  entries: z._default(z.array(Entry), []),
  isWalked: z._default(z.boolean(), false),
  /** How many sections of the archive stand in the file. */
  packed: z._default(z.number(), 0),
  /** The upload of the file, and the tags of its parts. */
  upload: z.optional(z.string()),
  tags: z._default(z.array(z.string()), []),
  bytes: z._default(z.number(), 0),
  counts: z._default(Counts, { accounts: 0, boards: 0, roadmaps: 0, statuses: 0, posts: 0, votes: 0, comments: 0 }),
  /** Whether all parts of the file are written. */
  isWhole: z._default(z.boolean(), false),
  /** When the file was whole, in milliseconds since 1970. */
  readyAt: z.optional(z.number()),
});
export type Job = z.output<typeof JobItem> & { exportId: string };
