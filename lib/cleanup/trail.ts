import * as z from "zod/mini";
import * as comments from "../posts/comments.ts";
import { findAllMerged, type MergedPost } from "../posts/merged-posts.ts";
import { isPost, PostItem, type PostRecord, postOrVotersItem } from "../posts/posts.ts";
import { idIn, key, prefix } from "../table/keys.ts";
import { range, restAfter } from "../table/ranges.ts";
import { getMany, pagesOf } from "../table/reads.ts";
import { type UserVoteItem, VoteItem, type VoteRecord, type Voters } from "../votes/votes.ts";

// The trail of a user: the items in the user's partition that lead to each post, comment, note and vote of theirs. Who
// has to find all that a user made walks along it.

const EntryItem = z.object({ sk: z.string(), voteId: z.optional(z.string()), postId: z.optional(z.string()) });

type Entry = z.output<typeof EntryItem>;

/** A page of a trail: the ids that it leads to, and the sort key to continue after; no `next` on the last page. */
export type TrailPage = {
  postIds: string[];
  comments: { postId: string; commentId: string }[];
  votes: z.output<typeof UserVoteItem>[];
  /** The posts that the user chose to follow or to leave. */
  follows: string[];
  /** What of the user waits for the team. */
  held: string[];
  /** What the user has reported. */
  reports: string[];
  next: string | undefined;
};

function pageOf(entries: Entry[], next: string | undefined): TrailPage {
  const those = (kind: string) => entries.filter(({ sk }) => sk.startsWith(kind));
  return {
    postIds: those(prefix.post).map(({ sk }) => idIn(sk)),
    comments: those(prefix.comment).map(({ sk, postId = "" }) => ({ postId, commentId: idIn(sk) })),
    votes: those(prefix.vote).map(({ sk, voteId = "" }) => ({ postId: idIn(sk), voteId })),
    follows: those(prefix.follow).map(({ sk }) => idIn(sk)),
    held: those(prefix.held).map(({ sk }) => idIn(sk)),
    reports: those(prefix.report).map(({ sk }) => idIn(sk)),
    next,
  };
}

/** Walks along the trail of a user, `after` one of its sort keys. */
export async function* trailOf(
  userId: string,
  { after, pageSize }: { after?: string | undefined; pageSize: number },
): AsyncGenerator<TrailPage, void, undefined> {
  for await (const entries of pagesOf(restAfter(range.userTrail(userId), after), EntryItem, { pageSize })) {
    yield pageOf(entries, entries.length === pageSize ? entries.at(-1)?.sk : undefined);
  }
}

/**
 * What a page of a trail leads to, as it is now; each vote with the voters of its post. `waiting` are votes that a
 * merge has not moved yet, or that a sweep has not removed.
 */
export type Made = {
  posts: PostRecord[];
  merged: MergedPost[];
  waiting: { vote: VoteRecord; postId: string }[];
  comments: comments.CommentRecord[];
  votes: { vote: VoteRecord; voters: Voters }[];
};

function without(postIds: string[], posts: PostRecord[]): string[] {
  const ids = new Set(posts.map(({ postId }) => postId));
  return postIds.filter((postId) => !ids.has(postId));
}

/** Reads what a page of a trail leads to; what is gone is left out, and so are notes unless they may be seen. */
export async function readMade(
  { postIds, comments: places, votes }: TrailPage,
  { seesNotes = true } = {},
): Promise<Made> {
  // A comment may have become a note since, or a note a comment.
  const commentKeys = places.flatMap(({ postId, commentId }) => [
    key.comment(postId, commentId),
    ...(seesNotes ? [key.note(postId, commentId)] : []),
  ]);
  const voteKeys = votes.map(({ postId, voteId }) => key.vote(postId, voteId));
  const postKeys = [...postIds.map(key.post), ...votes.map(({ postId }) => key.voters(postId))];
  const [written, cast, postsAndVoters] = await Promise.all([
    getMany(commentKeys, comments.CommentItem),
    getMany(voteKeys, VoteItem),
    getMany(postKeys, postOrVotersItem),
  ]);
  const seen = postsAndVoters.filter(isPost);
  const merged = await findAllMerged(without(postIds, seen));
  // Each read is of a moment of its own: a post may have been taken out of its merge in between.
  const unseen = without(postIds, [...seen, ...merged.map(({ post }) => post)]);
  const posts = [...seen, ...(unseen.length > 0 ? await getMany(unseen.map(key.post), PostItem) : [])];
  const votersOf = new Map(postsAndVoters.flatMap((item) => (isPost(item) ? [] : [[item.postId, item] as const])));
  const voteOf = new Map(cast.map((vote) => [vote.voteId, vote]));
  const found = votes.flatMap(({ postId, voteId }) => {
    const vote = voteOf.get(voteId);
    return vote ? [{ vote, postId, voters: votersOf.get(postId) }] : [];
  });
  return {
    posts,
    merged,
    comments: written,
    votes: found.flatMap(({ vote, voters }) => (voters ? [{ vote, voters }] : [])),
    waiting: found.filter(({ voters }) => !voters).map(({ vote, postId }) => ({ vote, postId })),
  };
}
