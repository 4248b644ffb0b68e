import * as z from "zod/mini";
import { EventItem } from "../events/events.ts";
import { duplicatesOf, findAllMerged, type MergedPost } from "../posts/merged-posts.ts";
import { MovedCommentItem } from "../posts/moving-comments.ts";
import { Choice } from "../posts/moving-subscriptions.ts";
import { type StatusChange, StatusChangeItem } from "../posts/status-changes.ts";
import { mark, prefix } from "../table/keys.ts";
import { range } from "../table/ranges.ts";
import { SETTLE_MS } from "../table/settling.ts";
import { firstIdAt } from "../values/ids.ts";
import { type MovedVote, MovedVoteItem } from "../votes/moved-votes.ts";
import { allOf } from "./paged.ts";
import type { Work } from "./work.ts";

// Posts that were merged stand below the post in which they continue: what they were, and what came from them.

const PAGE = 1000;

export type WholeMerged = {
  merged: MergedPost;
  votes: MovedVote[];
  /** The ids of the comments and notes that came from it. */
  comments: string[];
  changes: StatusChange[];
  follows: z.output<typeof Choice>[];
};

/** The posts that were merged into a post, and into those, by their ids. */
export async function allMergedInto(work: Work, postId: string): Promise<WholeMerged[]> {
  const merged = await work(async () => findAllMerged((await duplicatesOf(postId)).map((each) => each.postId)));
  const found: WholeMerged[] = [];
  for (const each of merged) found.push(await whole(work, each), ...(await allMergedInto(work, each.post.postId)));
  return found.sort((a, b) => (a.merged.post.postId < b.merged.post.postId ? -1 : 1));
}

async function whole(work: Work, merged: MergedPost): Promise<WholeMerged> {
  const { postId } = merged.post;
  const [votes, comments, changes, follows] = await Promise.all([
    allOf(work, {
      range: range.movedVotes(postId),
      schema: MovedVoteItem,
      skOf: ({ voteId }) => `${prefix.vote}${voteId}`,
      pageSize: PAGE,
    }),
    allOf(work, {
      range: range.movedComments(postId),
      schema: MovedCommentItem,
      skOf: (commentId) => `${prefix.comment}${commentId}`,
      pageSize: PAGE,
    }),
    allOf(work, {
      range: range.statusChanges(postId),
      schema: StatusChangeItem,
      skOf: ({ changeId }) => `${mark.statusChange}${changeId}`,
      pageSize: PAGE,
    }),
    allOf(work, { range: range.subscriptions(postId), schema: Choice, skOf: ({ sk }) => sk, pageSize: PAGE }),
  ]);
  return { merged, votes, comments, changes, follows };
}

/** The merges, and their ends, since an event. */
export const Merges = z.object({ from: z.string(), count: z.number() });
export type Merges = z.output<typeof Merges>;

/** Posts were merged during a walk through the site, or taken out: they could come twice, or not at all. */
export class MergedMeanwhile extends Error {
  override readonly name = "MergedMeanwhile";

  constructor() {
    super("Posts were merged, or taken out of a merge, while the export ran: run it again");
  }
}

/** The merges to compare with later: all that a walk which begins now may meet. */
export function mergesNow(work: Work): Promise<Merges> {
  return mergesFrom(work, firstIdAt(Date.now() - SETTLE_MS));
}

/** Throws MergedMeanwhile if there were further merges. */
export async function refuseFurther(work: Work, { from, count }: Merges): Promise<void> {
  const found = await mergesFrom(work, from);
  if (found.count !== count) throw new MergedMeanwhile();
}

async function mergesFrom(work: Work, from: string): Promise<Merges> {
  const skOf = ({ eventId }: z.output<typeof EventItem>) => eventId;
  const found = await allOf(work, { range: range.events({ from }), schema: EventItem, skOf, pageSize: PAGE });
  return { from, count: found.filter(({ type }) => type === "post.merged" || type === "post.unmerged").length };
}
