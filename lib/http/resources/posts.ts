import * as z from "zod/mini";
import { shownOf, type UserRecord } from "../../accounts/users.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { StatusRecord } from "../../catalogue/statuses.ts";
import type { EventRecord } from "../../events/events.ts";
import type { MergedPost } from "../../posts/merged-posts.ts";
import type { PostRecord, PostWithVoters, OfficialResponse as ResponseRecord } from "../../posts/posts.ts";
import { createdAt, timeOf } from "../../values/ids.ts";
import { slugIdOf } from "../../values/slugs.ts";
import { isMoving, type Voters as VotersRecord } from "../../votes/votes.ts";
import { Author, authorView } from "./accounts.ts";
import {
  Board,
  boardView,
  RoadmapSummary,
  roadmapView,
  Status,
  statusOf,
  statusThen,
  Tag,
  tagView,
} from "./catalogue.ts";
import { type ShownVotes, ViewerVote, Voters, viewerVoteView, votersView } from "./votes.ts";

/** Whether the caller gets the news of a post. */
export const Subscription = z.object({ isFollowing: z.boolean() });

/**
 * Whether an account follows a post, whether that is its own choice (`hasChosen`), and what of it comes by mail while
 * it follows: nothing before its address is confirmed (`isVerified`).
 */
export const SubscriptionWithMails = z.extend(Subscription, {
  hasChosen: z.boolean(),
  isVerified: z.boolean(),
  mails: z.object({ status: z.boolean(), comments: z.boolean() }),
});

/** The team's response to a post, with the status that the post had then, unless that has been deleted. */
export const OfficialResponse = z.object({
  text: z.string(),
  status: z.nullable(Status),
  respondedAt: z.string(),
  by: z.optional(z.string()),
});

function responseView({ text, status, at }: ResponseRecord, statuses: StatusRecord[]) {
  return { text, status: statusThen(statuses, status, at), respondedAt: new Date(at).toISOString() };
}

/** What the author of a post has written. */
export const OwnFields = z.object({
  postId: z.string(),
  title: z.string(),
  slug: z.string(),
  contentMarkdown: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export function ownFields({ postId, title, slug, contentMarkdown, updatedAt }: PostRecord) {
  const times = { createdAt: createdAt(postId), updatedAt: new Date(updatedAt).toISOString() };
  return { postId, title, slug, contentMarkdown: contentMarkdown ?? null, ...times };
}

/** A post in a list: docs/contract.md#post */
export const Post = z.extend(OwnFields, {
  board: z.nullable(Board),
  author: Author,
  roadmap: z.nullable(RoadmapSummary),
  voters: Voters,
  status: Status,
  tags: z.array(Tag),
  response: z.nullable(OfficialResponse),
  commentsCount: z.number(),
  isLocked: z.boolean(),
  isPinned: z.boolean(),
});
export type Post = z.infer<typeof Post>;

/** A post with the votes in the seats, or `shown`; a board or roadmap that is not in the catalogue is null. */
export function postView(
  { post, voters }: PostWithVoters,
  { boards, roadmaps, statuses, tags }: Catalogue,
  viewerVote: ViewerVote | null,
  shown: ShownVotes = { votes: voters.first, total: voters.count },
): Post {
  const board = boards.find(({ boardId }) => boardId === post.boardId);
  const roadmap = roadmaps.find(({ roadmapId }) => roadmapId === post.roadmapId);
  return {
    ...ownFields(post),
    board: board ? boardView(board) : null,
    author: authorView(post.author),
    roadmap: roadmap ? roadmapView(roadmap) : null,
    voters: votersView(post.postId, shown, viewerVote),
    status: statusOf(statuses, post.status),
    tags: tags.filter(({ tagId }) => post.tagIds?.includes(tagId)).map(tagView),
    response: post.response ? responseView(post.response, statuses) : null,
    commentsCount: voters.comments,
    isLocked: post.isLocked ?? false,
    isPinned: post.isPinned ?? false,
  };
}

function viewerVoteOn(
  { voters: { postId, first } }: PostWithVoters,
  viewerId: string | undefined,
  ownVotes: Map<string, string>,
): ViewerVote | null {
  const voteId = first.find(({ userId }) => userId === viewerId)?.voteId ?? ownVotes.get(postId);
  return viewerVoteView(postId, viewerId, voteId);
}

/** The posts of a list. `ownVotes`: the caller's votes outside of the seats, by post. */
export function postListView(
  posts: PostWithVoters[],
  catalogue: Catalogue,
  viewerId: string | undefined,
  ownVotes: Map<string, string> = new Map(),
): Post[] {
  return posts.map((each) => postView(each, catalogue, viewerVoteOn(each, viewerId, ownVotes)));
}

/** A post in short, such as one whose title is similar to another. */
export const SimilarPost = z.extend(
  z.pick(Post, { postId: true, title: true, slug: true, board: true, roadmap: true, status: true }),
  { votesCount: z.number() },
);

export function similarPostView(found: PostWithVoters, catalogue: Catalogue) {
  return { ...postView(found, catalogue, null), votesCount: found.voters.count };
}

/** A post to vote for in place of a new one. */
export const SuggestedPost = z.extend(SimilarPost, { viewerVote: z.nullable(ViewerVote) });

/** `ownVotes`: the caller's votes outside of the seats, by post. */
export function suggestedPostView(
  found: PostWithVoters,
  catalogue: Catalogue,
  viewerId: string | undefined,
  ownVotes: Map<string, string> = new Map(),
) {
  return { ...similarPostView(found, catalogue), viewerVote: viewerVoteOn(found, viewerId, ownVotes) };
}

/** A change of the status of a post, with the post as it is now; a status that has been deleted since is null. */
export const PostStatusChange = z.object({
  id: z.string(),
  createdAt: z.string(),
  from: z.nullable(Status),
  to: z.nullable(Status),
  post: SimilarPost,
});
export type PostStatusChange = z.infer<typeof PostStatusChange>;

export function postStatusChangeView(
  { eventId: id, from, to }: EventRecord,
  post: PostWithVoters,
  catalogue: Catalogue,
): PostStatusChange {
  const at = timeOf(id);
  const { statuses } = catalogue;
  const moved = { from: statusThen(statuses, from, at), to: statusThen(statuses, to, at) };
  return { id, createdAt: createdAt(id), ...moved, post: similarPostView(post, catalogue) };
}

export const Moving = z.enum(["moving", "moved"]);
type Moving = z.infer<typeof Moving>;

/** Whether votes are still moved to a post, or from it, for a merge. */
export function movingView(voters: VotersRecord): Moving {
  return isMoving(voters) ? "moving" : "moved";
}

/** A merged post, by which another post was found that it continues in. */
export const MergedFrom = z.extend(z.pick(OwnFields, { postId: true, title: true, slug: true }), { votes: Moving });
export type MergedFrom = z.infer<typeof MergedFrom>;

export function mergedFromView({ post: { postId, title, slug }, moved }: MergedPost): MergedFrom {
  return { postId, title, slug, votes: moved ? "moved" : "moving" };
}

/** A merged post, and whether its votes and comments have moved to the other one. */
export const Merged = z.extend(MergedFrom, { mergedAt: z.string(), mergedBy: z.optional(Author) });
export type Merged = z.infer<typeof Merged>;

/** `by`: the account that merged it, unless that is gone. */
export function mergedView(merged: MergedPost, by?: UserRecord): Merged {
  const mergedAt = new Date(merged.mergedAt).toISOString();
  return { ...mergedFromView(merged), mergedAt, ...(by && { mergedBy: authorView(shownOf(by)) }) };
}

/** A post by its slug: docs/contract.md#post */
export const PostBySlug = z.extend(Post, {
  slugId: z.string(),
  /** Whether clients should show the voters: false if the post's board does not show them. */
  view_voters: z.boolean(),
  by: z.optional(z.string()),
  mergedFrom: z.optional(MergedFrom),
});
export type PostBySlug = z.infer<typeof PostBySlug>;

const Place = z.object({
  userId: z.string(),
  boardId: z.nullable(z.string()),
  roadmap_id: z.nullable(z.string()),
});

/** A post that was created: docs/contract.md#created-post */
export const CreatedPost = z.extend(OwnFields, { slugId: z.string(), ...Place.shape });
export type CreatedPost = z.infer<typeof CreatedPost>;

/** A post that was changed: as it is read, and as it was created. */
export const ChangedPost = z.extend(PostBySlug, Place.shape);
export type ChangedPost = z.infer<typeof ChangedPost>;

export function createdPostView(post: PostRecord): CreatedPost {
  return {
    ...ownFields(post),
    slugId: slugIdOf(post.postId),
    userId: post.author.userId,
    boardId: post.boardId ?? null,
    roadmap_id: post.roadmapId ?? null,
  };
}
