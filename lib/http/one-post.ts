import { may } from "../auth/permissions.ts";
import { visibleBoards, visibleCatalogue } from "../auth/visibility.ts";
import * as catalogue from "../catalogue/catalogue.ts";
import type { MergedPost } from "../posts/merged-posts.ts";
import { findWithVoters, type PostWithVoters } from "../posts/posts.ts";
import { slugIdOf } from "../values/slugs.ts";
import { firstVotes, totalOf, voteOf } from "../votes/votes.ts";
import type { Caller } from "./callers.ts";
import { whereItContinues } from "./merged-posts.ts";
import { mergedFromView, type PostBySlug, postView } from "./resources/posts.ts";
import { type ShownVotes, viewerVoteView } from "./resources/votes.ts";

/** A post with what its view needs besides: the votes to show, if these are not its first ones. */
export type OnePost = PostWithVoters & {
  ownVote: string | undefined;
  catalogue: catalogue.Catalogue;
  shown?: ShownVotes;
};

/** Reads a post for an answer that shows it, in one step; undefined if it does not exist. */
export async function readOne(postId: string, viewerId: string | undefined): Promise<OnePost | undefined> {
  const [found, ownVote, entries] = await Promise.all([
    findWithVoters(postId),
    viewerId === undefined ? undefined : voteOf(viewerId, postId),
    catalogue.read(),
  ]);
  return found && { ...found, ownVote, catalogue: entries };
}

/** A post with its first votes and all it takes to show it; undefined if it is gone. */
export async function readWithVotes(postId: string, viewerId: string | undefined): Promise<OnePost | undefined> {
  const [read, first] = await Promise.all([readOne(postId, viewerId), firstVotes(postId)]);
  return read && { ...read, shown: { votes: first.votes, total: totalOf(read.voters, first) } };
}

/**
 * A merged post with the post in which it continues, for a caller who sees that post's board; undefined if there is
 * none.
 */
export async function readContinuedPost(
  postId: string,
  caller: Caller | undefined,
): Promise<{ read: OnePost; merged?: MergedPost | undefined } | undefined> {
  const next = await whereItContinues(postId, caller);
  const read = next && (await readWithVotes(next.post.postId, caller?.userId));
  return read && { read, merged: next.merged };
}

/** The post as the caller sees it; moderators and owners see who wrote it on the author's behalf, and who answered. */
export function onePost(read: OnePost, caller: Caller | undefined): PostBySlug {
  const { postId, boardId, by, response } = read.post;
  const viewerVote = viewerVoteView(postId, caller?.userId, read.ownVote);
  const view = postView(read, visibleCatalogue(caller, read.catalogue), viewerVote, read.shown);
  // Also of a board that the caller does not see.
  const board = read.catalogue.boards.find((each) => each.boardId === boardId);
  const shown = { ...view, slugId: slugIdOf(postId), view_voters: board?.viewVoters ?? true };
  if (!may(caller, "post:moderate")) return shown;
  return { ...shown, by, response: view.response && { ...view.response, by: response?.by } };
}

/** The post in which a merged one continues, with the merged one, unless that is on a board hidden from the caller. */
export function continuedPost(read: OnePost, merged: MergedPost | undefined, caller: Caller | undefined): PostBySlug {
  const board = read.catalogue.boards.find(({ boardId }) => boardId === merged?.post.boardId);
  const isHidden = board !== undefined && visibleBoards(caller, [board]).length === 0;
  return { ...onePost(read, caller), ...(merged && !isHidden && { mergedFrom: mergedFromView(merged) }) };
}
