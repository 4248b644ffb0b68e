import * as z from "zod/mini";
import { key, mark } from "../table/keys.ts";
import { type Part, put } from "../table/parts.ts";
import { COLLECTING_MS } from "./changes.ts";
import { postAndReader } from "./job-ids.ts";

/**
 * The job that mails a merge to those who followed the duplicate, or to one of them, `only`, who had too many mails
 * that day. `eventId` is the event of the merge; `at` is when the mails leave (ms since 1970), and `place` the last
 * reader who got one.
 */
export const MergeJobItem = z.pipe(
  z.object({ sk: z.string(), eventId: z.string(), at: z.number(), place: z._default(z.string(), "") }),
  z.transform(({ sk, ...job }) => ({ ...job, ...postAndReader(sk) })),
);
export type MergeJob = z.output<typeof MergeJobItem>;

/** Whether a job is one of merges, by its id. */
export function isOfMerge(jobId: string): boolean {
  return jobId.startsWith(mark.mergeJob);
}

/** The part that leaves the job of a merge. Its mails wait a minute: a merge may be undone immediately. */
export function mergeNoticePart({ eventId, postId }: { eventId: string; postId: string }): Part {
  return put(key.mergeNotice(postId), { eventId, at: Date.now() + COLLECTING_MS });
}
