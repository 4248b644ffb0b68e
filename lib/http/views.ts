import { hash } from "node:crypto";
import type { ApiKeyRecord } from "../accounts/api-keys.ts";
import type { Site } from "../accounts/site.ts";
import type { ActiveUser, Shown, UserRecord } from "../accounts/users.ts";
import type { BoardRecord } from "../catalogue/boards.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { RoadmapRecord } from "../catalogue/roadmaps.ts";
import type { StatusRecord } from "../catalogue/statuses.ts";
import type { CommentRecord } from "../posts/comments.ts";
import type { OfficialResponse, PostRecord, PostWithVoters } from "../posts/posts.ts";
import { Unavailable } from "../runtime/errors.ts";
import { createdAt } from "../values/ids.ts";
import { slugIdOf } from "../values/slugs.ts";
import type { StatusLetter } from "../values/statuses.ts";
import type { VoteRecord } from "../votes/votes.ts";
import type * as resource from "./schemas.ts";

// From stored records to the resources of answers; what each resource is, schemas.ts says.

// Made from the id: the hash of an e-mail address would reveal the address.
function avatarOf(userId: string): string {
  return `https://www.gravatar.com/avatar/${hash("sha256", userId)}?d=identicon`;
}

export function userView({ userId, name, username, email }: UserRecord, authToken: string): resource.User {
  return { authToken, userId, name, username, email, avatar: avatarOf(userId) };
}

export function profileView({ userId, name, username, email, isVerified = false }: UserRecord): resource.Profile {
  return { userId, name, username, email, isVerified, avatar: avatarOf(userId) };
}

export function managedUserView(user: UserRecord): resource.ManagedUser {
  return { ...profileView(user), role: user.role, createdAt: createdAt(user.userId) };
}

export function apiKeyView({ keyId, name, scopes, lastFour, endsAt }: ApiKeyRecord): resource.ApiKey {
  return {
    keyId,
    name,
    scopes,
    lastFour,
    createdAt: createdAt(keyId),
    expiresAt: endsAt === undefined ? null : new Date(endsAt).toISOString(),
  };
}

export function listedUserView({ posts, votes, ...user }: ActiveUser): resource.ListedUser {
  return {
    ...managedUserView(user),
    roles: user.role === "member" ? [] : [systemRole(user)],
    posts: String(posts),
    votes: String(votes),
  };
}

// An account has one role, so the role's name and the account's id identify it.
function systemRole({ userId, role }: UserRecord): resource.UserRole {
  return { id: role, name: role, isSystem: true, user_role_id: userId };
}

export function labsView({ voteOnBehalf = false }: Partial<Site> = {}): resource.Labs {
  return { voteOnBehalf };
}

/** Before setup, the defaults. A site without an icon shows its logo. */
export function siteSettingsView(site: Partial<Site> = {}): resource.SiteSettings {
  return {
    title: site.title ?? "Feedback",
    description: site.description ?? null,
    logo: site.logo ?? null,
    icon: site.icon ?? site.logo ?? null,
    accentColor: site.accentColor ?? "484d7c",
    allowSignup: site.allowSignup ?? true,
    googleAnalyticsId: site.googleAnalyticsId ?? null,
    isPoweredBy: true,
    developer_mode: site.developerMode ?? false,
    labs: labsView(site),
  };
}

function boardView({ boardId, name, color, url }: BoardRecord): resource.Board {
  return { boardId, name, color, url, createdAt: createdAt(boardId) };
}

export function boardListView(board: BoardRecord): resource.BoardListItem {
  return { ...boardView(board), post_count: String(board.postCount) };
}

export function boardDetailView(board: BoardRecord): resource.BoardDetail {
  return { ...boardListView(board), display: board.display, view_voters: board.viewVoters };
}

export function roadmapView({ roadmapId, name, url, color }: RoadmapRecord): resource.RoadmapSummary {
  return { id: roadmapId, name, url, color };
}

export function roadmapListView(roadmap: RoadmapRecord): resource.RoadmapListItem {
  return {
    ...roadmapView(roadmap),
    index: roadmap.index,
    display: roadmap.display,
    created_at: createdAt(roadmap.roadmapId),
  };
}

export function viewerVoteView(
  postId: string,
  userId: string | undefined,
  voteId: string | undefined,
): resource.ViewerVote | null {
  return userId !== undefined && voteId !== undefined ? { voteId, userId, postId, createdAt: createdAt(voteId) } : null;
}

function authorView({ userId, name, username, role }: Shown): resource.Author {
  return { userId, name, avatar: avatarOf(userId), username, ...(role && { role }) };
}

function voteView(postId: string, { voteId, userId, name, username, role }: VoteRecord): resource.Vote {
  return {
    voteId,
    userId,
    postId,
    createdAt: createdAt(voteId),
    name,
    username,
    avatar: avatarOf(userId),
    ...(role && { role }),
  };
}

export function castVoteView({ voteId, by, ...voter }: VoteRecord, { seesBy }: { seesBy: boolean }): resource.CastVote {
  return { voteId, createdAt: createdAt(voteId), user: authorView(voter), ...(seesBy && { by }) };
}

export function votersView(
  postId: string,
  votes: VoteRecord[],
  votesCount: number,
  viewerVote: resource.ViewerVote | null,
): resource.Voters {
  return { votes: votes.map((vote) => voteView(postId, vote)), votesCount, viewerVote };
}

function statusView({ statusId, name, color, kind }: StatusRecord): resource.Status {
  return { id: statusId, name, color, kind };
}

function statusOf(statuses: StatusRecord[], letter: StatusLetter | undefined): resource.Status {
  const status = statuses.find((each) => each.letter === letter);
  // The statuses were read before a new one was added and given to the post.
  if (!status) throw new Unavailable(`no status has the letter ${letter}`);
  return statusView(status);
}

export function statusListView(status: StatusRecord): resource.ListedStatus {
  return { ...statusView(status), archived: status.archived ?? false };
}

function responseView({ text, status, at }: OfficialResponse, statuses: StatusRecord[]): resource.OfficialResponse {
  return { text, status: statusOf(statuses, status), respondedAt: new Date(at).toISOString() };
}

/**
 * A post with its board, author, roadmap, voters and status; a board or roadmap that is not in the catalogue is null.
 */
export function postView(
  post: PostRecord,
  { boards, roadmaps, statuses }: Catalogue,
  voters: resource.Voters,
  commentsCount: number,
): resource.Post {
  const board = boards.find(({ boardId }) => boardId === post.boardId);
  const roadmap = roadmaps.find(({ roadmapId }) => roadmapId === post.roadmapId);
  return {
    postId: post.postId,
    title: post.title,
    slug: post.slug,
    contentMarkdown: post.contentMarkdown ?? null,
    createdAt: createdAt(post.postId),
    updatedAt: new Date(post.updatedAt).toISOString(),
    board: board ? boardView(board) : null,
    author: authorView(post.author),
    roadmap: roadmap ? roadmapView(roadmap) : null,
    voters,
    status: statusOf(statuses, post.status),
    response: post.response ? responseView(post.response, statuses) : null,
    commentsCount,
  };
}

/** The posts of a list. `ownVotes`: the caller's votes outside of the seats, by post. */
export function postListView(
  posts: PostWithVoters[],
  catalogue: Catalogue,
  viewerId: string | undefined,
  ownVotes: Map<string, string> = new Map(),
): resource.Post[] {
  return posts.map(({ post, voters: { first, count, comments } }) => {
    const voteId = first.find(({ userId }) => userId === viewerId)?.voteId ?? ownVotes.get(post.postId);
    const viewerVote = viewerVoteView(post.postId, viewerId, voteId);
    return postView(post, catalogue, votersView(post.postId, first, count, viewerVote), comments);
  });
}

export function similarPostView({ post, voters }: PostWithVoters, catalogue: Catalogue): resource.SimilarPost {
  return {
    ...postView(post, catalogue, votersView(post.postId, [], voters.count, null), voters.comments),
    votesCount: voters.count,
  };
}

export function commentView({ commentId, parentId, body, isInternal, editedAt }: CommentRecord): resource.Comment {
  return {
    id: commentId,
    parent_id: parentId ?? null,
    body,
    is_internal: isInternal,
    is_edited: editedAt !== undefined,
    is_spam: false,
    created_at: createdAt(commentId),
    updated_at: editedAt === undefined ? createdAt(commentId) : new Date(editedAt).toISOString(),
  };
}

export function activityView(comment: CommentRecord): resource.Activity {
  return {
    id: comment.commentId,
    type: "comment",
    created_at: createdAt(comment.commentId),
    author: authorView(comment.author),
    comment: commentView(comment),
  };
}

export function createdPostView(post: PostRecord): resource.CreatedPost {
  return {
    postId: post.postId,
    title: post.title,
    slug: post.slug,
    slugId: slugIdOf(post.postId),
    contentMarkdown: post.contentMarkdown ?? null,
    userId: post.author.userId,
    createdAt: createdAt(post.postId),
    updatedAt: new Date(post.updatedAt).toISOString(),
    boardId: post.boardId ?? null,
    roadmap_id: post.roadmapId ?? null,
  };
}
