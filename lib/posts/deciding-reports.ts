import { transact } from "../table/transactions.ts";
import { deleteComment } from "./comment-changes.ts";
import * as comments from "./comments.ts";
import { findMerged } from "./merged-posts.ts";
import * as posts from "./posts.ts";
import { endPart, find, type Named, type Reported, reportedComment } from "./reports.ts";

// The team decides what people have reported. Each decision is one transaction, which takes the reports out of the
// queue on condition that they are there: of many decisions in parallel one succeeds.

/** "gone": there is nothing to remove, because it was deleted, or merged into another post. */
export type Outcome = "kept" | "removed" | "already_decided" | "gone";

/** Dismisses the reports: the thing stays. */
export async function keep(reported: Reported): Promise<"kept" | "already_decided"> {
  return (await transact({ report: endPart(reported) })).done ? "kept" : "already_decided";
}

/** A post or comment that was reported, as it is now. */
export type Thing =
  | { what: "post"; post: posts.PostRecord; isMerged: boolean }
  | { what: "comment"; comment: comments.CommentRecord };

/** Reads what was reported; undefined if it is gone. */
export async function thingOf(reported: Named): Promise<Thing | undefined> {
  if (reported.what === "comment") {
    const comment = await reportedComment(reported);
    return comment && { what: "comment", comment };
  }
  const [post, merged] = await Promise.all([posts.find(reported.id), findMerged(reported.id)]);
  if (post) return { what: "post", post, isMerged: false };
  return merged && { what: "post", post: merged.post, isMerged: true };
}

export function authorOf(thing: Thing | undefined): string | undefined {
  if (!thing) return undefined;
  return thing.what === "post" ? thing.post.author.userId : thing.comment.author.userId;
}

/** Deletes a thing with its reports; returns whether both were there. */
async function deleteThing(thing: Thing, reported: Reported, by: string): Promise<boolean> {
  const report = endPart(reported);
  if (thing.what === "post") return (await posts.destroy(thing.post, by, undefined, report)) === "deleted";
  const { comment } = thing;
  return (await deleteComment(comment, () => comments.findSeen(comment, true), by, report)) === "done";
}

/**
 * Deletes what was reported, with its reports. Of a merged post only the reports: it is a part of another one. A sweep
 * takes the reports of a post that was deleted meanwhile.
 */
export async function removeReported(reported: Reported, thing: Thing | undefined, by: string): Promise<Outcome> {
  if (thing?.what === "post" && thing.isMerged) {
    return (await keep(reported)) === "kept" ? "gone" : "already_decided";
  }
  if (thing && (await deleteThing(thing, reported, by))) return "removed";
  const left = await find(reported.id);
  return left && left.entry === reported.entry ? "gone" : "already_decided";
}
