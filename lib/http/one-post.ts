import { visibleCatalogue } from "../auth/visibility.ts";
import * as catalogue from "../catalogue/catalogue.ts";
import { findWithVoters, type PostWithVoters } from "../posts/posts.ts";
import { voteOf } from "../votes/votes.ts";
import type { Caller } from "./callers.ts";
import { type Post, postView, type ShownVotes, viewerVoteView } from "./resources.ts";

/** A post with what its view needs besides. */
export type OnePost = PostWithVoters & { ownVote: string | undefined; catalogue: catalogue.Catalogue };

/** Reads a post for an answer that shows it, in one step; undefined if it does not exist. */
export async function readOne(postId: string, viewerId: string | undefined): Promise<OnePost | undefined> {
  const [found, ownVote, entries] = await Promise.all([
    findWithVoters(postId),
    viewerId === undefined ? undefined : voteOf(viewerId, postId),
    catalogue.read(),
  ]);
  return found && { ...found, ownVote, catalogue: entries };
}

/** The post as the caller sees it, with its first votes or with `votes`. */
export function onePost(read: OnePost, caller: Caller | undefined, votes?: ShownVotes): Post {
  const viewerVote = viewerVoteView(read.post.postId, caller?.userId, read.ownVote);
  return postView(read, visibleCatalogue(caller, read.catalogue), viewerVote, votes);
}
