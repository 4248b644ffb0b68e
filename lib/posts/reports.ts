import * as z from "zod/mini";
import { setFields, stillHas } from "../table/changes.ts";
import { idIn, key } from "../table/keys.ts";
import { check, create, type Part, remove } from "../table/parts.ts";
import { get, getMany } from "../table/reads.ts";
import { changeStored, replanned } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import { newId } from "../values/ids.ts";
import * as comments from "./comments.ts";
import { findMerged, MOST_HOPS } from "./merged-posts.ts";
import { queueNewsPart } from "./queue-news.ts";

// What people have reported waits in the queue of the team, beside what is held. docs/data-model.md#reports

/** The most reports of a thing that keep who made them, and why; later ones are counted. */
export const MOST_TOLD = 5;

const ReportItem = z.object({
  by: z.string(),
  // Milliseconds since 1970.
  at: z.number(),
  reason: z.optional(z.string()),
});
export type Report = z.output<typeof ReportItem>;

/**
 * The reports of a thing since the team last decided about it. `postId` is the post, or the one on which a comment was
 * written: a merge may have moved it since.
 */
export const ReportedItem = z.pipe(
  z.object({
    sk: z.string(),
    kind: z.literal("reported"),
    // Another one each time that the thing comes into the queue; reports of an earlier version have none.
    entry: z.optional(z.string()),
    what: z.enum(["post", "comment"]),
    postId: z.string(),
    // When the first one was made, in milliseconds since 1970.
    since: z.number(),
    count: z.number(),
    first: z.array(ReportItem),
  }),
  z.transform(({ sk, ...reported }) => ({ id: sk, ...reported })),
);
export type Reported = z.output<typeof ReportedItem>;

/** What a user has reported, once and for good. */
export const OwnReportItem = z.pipe(
  z.object({ sk: z.string(), postId: z.string(), at: z.number(), reason: z.optional(z.string()) }),
  z.transform(({ sk, ...report }) => ({ id: idIn(sk), ...report })),
);
export type OwnReport = z.output<typeof OwnReportItem>;

/** A post, or a comment by the post on which it was written. */
export type Named = Pick<Reported, "id" | "what" | "postId">;

/** A post or comment to report. `there` is the part that fails if it is gone. */
export type Reportable = Named & { there: Part };

const IS_THERE = { if: "attribute_exists(pk)" };

export function reportablePost(postId: string): Reportable {
  return { id: postId, what: "post", postId, there: check(key.voters(postId), IS_THERE) };
}

export function reportableComment(comment: comments.CommentRecord): Reportable {
  const { commentId: id, postId, from = postId } = comment;
  const row = key.commentRow(comments.keyOf(comment));
  return { id, what: "comment", postId: from, there: check(row, IS_THERE) };
}

export function find(id: string): Promise<Reported | undefined> {
  return get(key.held(id), ReportedItem);
}

/** What a user has reported, of these things. */
export function reportsBy(userId: string, ids: string[]): Promise<OwnReport[]> {
  return getMany(
    ids.map((id) => key.userReport(userId, id)),
    OwnReportItem,
  );
}

/** The part that adds a report to those that wait, as they were read. */
function addedPart({ id, what, postId }: Reportable, waiting: Reported | undefined, report: Report): Part {
  if (!waiting) {
    const begun = { kind: "reported", entry: newId(), what, postId, since: report.at };
    return create(key.held(id), { ...begun, count: 1, first: [report] });
  }
  const { count, first } = waiting;
  const more = first.length < MOST_TOLD ? [...first, report] : first;
  return setFields(key.held(id), { count: count + 1, first: more }, stillHas({ count, first }));
}

/** Reports something. A user reports a thing once, whatever the team decides about it. */
export async function report(
  thing: Reportable,
  waiting: Reported | undefined,
  by: string,
  reason: string | undefined,
): Promise<"reported" | "reported before" | "gone"> {
  const made = { by, at: Date.now(), reason };
  return replanned(
    waiting,
    () => find(thing.id),
    async (found) => {
      const outcome = await transact({
        there: thing.there,
        own: create(key.userReport(by, thing.id), { postId: thing.postId, at: made.at, reason }),
        reported: addedPart(thing, found, made),
        // A further report of a waiting thing is not news.
        news: found ? undefined : queueNewsPart(thing.id),
      });
      if (outcome.done) return "reported";
      if (outcome.failed.own) return "reported before";
      return outcome.failed.there ? "gone" : "changed meanwhile";
    },
  );
}

/**
 * The part that takes a thing out of the queue with its reports. It fails if they were decided meanwhile, also if other
 * reports have brought the thing back since.
 */
export function endPart({ id, entry }: Pick<Reported, "id" | "entry">): Part {
  return remove(key.held(id), stillHas({ kind: "reported", entry }));
}

/** The reported comment or note where it is now: merges move comments. Undefined if it is gone, or on its way. */
export async function reportedComment({ id, postId }: Named): Promise<comments.CommentRecord | undefined> {
  let next = postId;
  for (let hop = 0; hop <= MOST_HOPS; hop++) {
    const [comment, merged] = await Promise.all([
      comments.findSeen({ postId: next, commentId: id }, true),
      findMerged(next),
    ]);
    if (comment || !merged) return comment;
    next = merged.into;
  }
  return undefined;
}

/** Takes what a user has reported from them: the count stays, their name and their words go. */
export async function eraseReport(userId: string, id: string): Promise<void> {
  const read = () => find(id);
  await changeStored(await read(), read, async ({ first }) => {
    if (first.every(({ by }) => by !== userId)) return "done";
    const others = first.filter(({ by }) => by !== userId);
    const part = setFields(key.held(id), { first: others }, stillHas({ first }));
    return (await transact({ part })).done ? "done" : "changed meanwhile";
  });
  await transact({ own: remove(key.userReport(userId, id)) });
}
