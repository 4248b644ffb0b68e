import { hash } from "node:crypto";
import * as z from "zod/mini";
import type { UsedKey } from "../accounts/api-keys.ts";
import type { Site } from "../accounts/site.ts";
import { type ActiveUser, type Shown, ShownRole, type UserRecord } from "../accounts/users.ts";
import type { BoardRecord } from "../catalogue/boards.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { RoadmapRecord } from "../catalogue/roadmaps.ts";
import type { StatusRecord } from "../catalogue/statuses.ts";
import { type EventRecord, eventTypes } from "../events/events.ts";
import type { CommentRecord } from "../posts/comments.ts";
import type { PostRecord, PostWithVoters, OfficialResponse as ResponseRecord } from "../posts/posts.ts";
import type { StatusChange } from "../posts/status-changes.ts";
import { Unavailable } from "../runtime/errors.ts";
import { createdAt, timeOf } from "../values/ids.ts";
import { slugIdOf } from "../values/slugs.ts";
import { type StatusLetter, statusKinds } from "../values/statuses.ts";
import type { VoteRecord } from "../votes/votes.ts";
import type { DeliveryRecord } from "../webhooks/deliveries.ts";
import { isFailing, type WebhookRecord } from "../webhooks/webhooks.ts";

// The resources of answers (docs/contract.md#resources), each with the view that makes it from stored records. A schema
// is also the serialiser: a field that it does not name is not sent.

const DateTime = z.string();

function dateTimeOf(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

// Made from the id: the hash of an e-mail address would reveal the address.
function avatarOf(userId: string): string {
  return `https://www.gravatar.com/avatar/${hash("sha256", userId)}?d=identicon`;
}

/** An account with the token that signs it in: docs/contract.md#user */
export const User = z.object({
  authToken: z.string(),
  userId: z.string(),
  name: z.string(),
  username: z.string(),
  email: z.string(),
  avatar: z.string(),
});
export type User = z.infer<typeof User>;

export function userView({ userId, name, username, email }: UserRecord, authToken: string): User {
  return { authToken, userId, name, username, email, avatar: avatarOf(userId) };
}

/** The caller's own account. */
export const Profile = z.extend(z.omit(User, { authToken: true }), { isVerified: z.boolean() });
export type Profile = z.infer<typeof Profile>;

export function profileView({ userId, name, username, email, isVerified = false }: UserRecord): Profile {
  return { userId, name, username, email, isVerified, avatar: avatarOf(userId) };
}

/** Whether the caller gets the news of a post. */
export const Subscription = z.object({ isFollowing: z.boolean() });

/** An account as the owner manages it. */
export const ManagedUser = z.extend(Profile, { role: z.string(), createdAt: DateTime });
export type ManagedUser = z.infer<typeof ManagedUser>;

export function managedUserView(user: UserRecord): ManagedUser {
  return { ...profileView(user), role: user.role, createdAt: createdAt(user.userId) };
}

/** A role in the shape of LogChimp. */
export const UserRole = z.object({ id: z.string(), name: z.string(), isSystem: z.boolean(), user_role_id: z.string() });

/** An account in the owner's list; `posts` and `votes` are decimal strings for LogChimp's front end. */
export const ListedUser = z.extend(ManagedUser, {
  roles: z.array(UserRole),
  postsCount: z.number(),
  votesCount: z.number(),
  posts: z.string(),
  votes: z.string(),
});
export type ListedUser = z.infer<typeof ListedUser>;

export function listedUserView({ posts, votes, ...user }: ActiveUser): ListedUser {
  const { role, userId } = user;
  return {
    ...managedUserView(user),
    // An account has one role, so the role's name and the account's id identify it.
    roles: role === "member" ? [] : [{ id: role, name: role, isSystem: true, user_role_id: userId }],
    postsCount: posts,
    votesCount: votes,
    posts: String(posts),
    votes: String(votes),
  };
}

/** The author of a post, a comment or a vote: docs/contract.md#author */
export const Author = z.object({
  userId: z.string(),
  name: z.string(),
  avatar: z.string(),
  username: z.string(),
  role: z.optional(ShownRole),
});

function authorView({ userId, name, username, role }: Shown) {
  return { userId, name, avatar: avatarOf(userId), username, ...(role && { role }) };
}

/** An API key, without its secret. */
export const ApiKey = z.object({
  keyId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  lastFour: z.string(),
  createdAt: DateTime,
  expiresAt: DateTime,
  lastUsedOn: z.nullable(z.string()),
});
export type ApiKey = z.infer<typeof ApiKey>;

export function apiKeyView({ keyId, name, scopes, lastFour, endsAt, usedOn }: UsedKey): ApiKey {
  return {
    keyId,
    name,
    scopes,
    lastFour,
    createdAt: createdAt(keyId),
    expiresAt: new Date(endsAt).toISOString(),
    lastUsedOn: usedOn ?? null,
  };
}

/** A webhook, without its secret. */
export const Webhook = z.object({
  webhookId: z.string(),
  url: z.string(),
  events: z.array(z.enum(eventTypes)),
  description: z.nullable(z.string()),
  status: z.enum(["active", "failing", "disabled"]),
  health: z.object({
    lastStatus: z.nullable(z.number()),
    lastSuccessAt: z.nullable(DateTime),
    failuresInARow: z.number(),
  }),
  createdAt: DateTime,
});
export type Webhook = z.infer<typeof Webhook>;

export function webhookView(webhook: WebhookRecord): Webhook {
  const { webhookId, url, events, description = null, lastStatus = null, lastSuccessAt, failures } = webhook;
  return {
    webhookId,
    url,
    events,
    description,
    status: webhook.isDisabled ? "disabled" : isFailing(webhook) ? "failing" : "active",
    health: { lastStatus, lastSuccessAt: dateTimeOf(lastSuccessAt), failuresInARow: failures },
    createdAt: createdAt(webhookId),
  };
}

/** What became of an event that a webhook gets. */
export const Delivery = z.object({
  eventId: z.string(),
  type: z.string(),
  status: z.enum(["waiting", "delivered", "failed"]),
  attempts: z.number(),
  attemptedAt: z.nullable(DateTime),
  nextAttemptAt: z.nullable(DateTime),
  lastStatus: z.nullable(z.number()),
  reason: z.nullable(z.string()),
});
export type Delivery = z.infer<typeof Delivery>;

export function deliveryView({ at, dueAt, lastStatus, reason, ...delivery }: DeliveryRecord): Delivery {
  return {
    ...delivery,
    attemptedAt: dateTimeOf(at),
    nextAttemptAt: dateTimeOf(dueAt),
    lastStatus: lastStatus || null,
    reason: reason || null,
  };
}

/** Features that the owner can switch on. */
export const Labs = z.object({ voteOnBehalf: z.boolean() });
export type Labs = z.infer<typeof Labs>;

export function labsView({ voteOnBehalf = false }: Partial<Site> = {}): Labs {
  return { voteOnBehalf };
}

/** Name, look and rules of the site. */
export const SiteSettings = z.object({
  title: z.string(),
  description: z.nullable(z.string()),
  logo: z.nullable(z.string()),
  icon: z.nullable(z.string()),
  accentColor: z.string(),
  allowSignup: z.boolean(),
  googleAnalyticsId: z.nullable(z.string()),
  isPoweredBy: z.boolean(),
  developer_mode: z.boolean(),
  labs: Labs,
});
export type SiteSettings = z.infer<typeof SiteSettings>;

/** Before setup, the defaults. A site without an icon shows its logo. */
export function siteSettingsView(site: Partial<Site> = {}): SiteSettings {
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

/** A board, without post_count: docs/contract.md#board */
export const Board = z.object({
  boardId: z.string(),
  name: z.string(),
  color: z.string(),
  url: z.string(),
  createdAt: DateTime,
});
export type Board = z.infer<typeof Board>;

function boardView({ boardId, name, color, url }: BoardRecord): Board {
  return { boardId, name, color, url, createdAt: createdAt(boardId) };
}

/** A board in a list, with post_count as a decimal string: docs/contract.md#board */
export const BoardListItem = z.extend(Board, { post_count: z.string() });
export type BoardListItem = z.infer<typeof BoardListItem>;

export function boardListView(board: BoardRecord): BoardListItem {
  return { ...boardView(board), post_count: String(board.postCount) };
}

/** A board with the fields that its owner manages. */
export const BoardDetail = z.extend(BoardListItem, {
  postsCount: z.number(),
  display: z.boolean(),
  view_voters: z.boolean(),
});
export type BoardDetail = z.infer<typeof BoardDetail>;

export function boardDetailView(board: BoardRecord): BoardDetail {
  const { postCount: postsCount, display, viewVoters: view_voters } = board;
  return { ...boardListView(board), postsCount, display, view_voters };
}

/** A roadmap in a post, and by its url: docs/contract.md#roadmap */
export const RoadmapSummary = z.object({ id: z.string(), name: z.string(), url: z.string(), color: z.string() });

export function roadmapView({ roadmapId, name, url, color }: RoadmapRecord) {
  return { id: roadmapId, name, url, color };
}

/** A roadmap in a list: docs/contract.md#roadmap-item */
export const RoadmapListItem = z.extend(RoadmapSummary, {
  index: z.number(),
  display: z.boolean(),
  created_at: DateTime,
});
export type RoadmapListItem = z.infer<typeof RoadmapListItem>;

export function roadmapListView(roadmap: RoadmapRecord): RoadmapListItem {
  return {
    ...roadmapView(roadmap),
    index: roadmap.index,
    display: roadmap.display,
    created_at: createdAt(roadmap.roadmapId),
  };
}

/** A roadmap by its url: docs/contract.md#roadmap; moderators and owners also see `index` and `display`. */
export const RoadmapByUrl = z.extend(
  RoadmapSummary,
  z.partial(z.pick(RoadmapListItem, { index: true, display: true })).shape,
);

/** How far the work on a post is. */
export const Status = z.object({ id: z.string(), name: z.string(), color: z.string(), kind: z.enum(statusKinds) });

function statusView({ statusId, name, color, kind }: StatusRecord) {
  return { id: statusId, name, color, kind };
}

function statusOf(statuses: StatusRecord[], letter: StatusLetter | undefined) {
  const status = statuses.find((each) => each.letter === letter);
  // The statuses were read before a new one was added and given to the post.
  if (!status) throw new Unavailable(`no status has the letter ${letter}`);
  return statusView(status);
}

/** A status in the owner's list. */
export const ListedStatus = z.extend(Status, { archived: z.boolean() });
export type ListedStatus = z.infer<typeof ListedStatus>;

export function statusListView(status: StatusRecord): ListedStatus {
  return { ...statusView(status), archived: status.archived ?? false };
}

/** The caller's own vote: docs/contract.md#voters */
export const ViewerVote = z.object({ voteId: z.string(), userId: z.string(), postId: z.string(), createdAt: DateTime });
export type ViewerVote = z.infer<typeof ViewerVote>;

export function viewerVoteView(
  postId: string,
  userId: string | undefined,
  voteId: string | undefined,
): ViewerVote | null {
  return userId !== undefined && voteId !== undefined ? { voteId, userId, postId, createdAt: createdAt(voteId) } : null;
}

/** An item of `voters.votes`: docs/contract.md#vote */
export const Vote = z.extend(ViewerVote, {
  name: z.string(),
  username: z.string(),
  avatar: z.string(),
  role: Author.shape.role,
});
export type Vote = z.infer<typeof Vote>;

function voteView(postId: string, { voteId, ...voter }: VoteRecord): Vote {
  return { voteId, postId, createdAt: createdAt(voteId), ...authorView(voter) };
}

/** The first votes in the order they were cast, the exact total, the caller's own vote: docs/contract.md#voters */
export const Voters = z.object({ votes: z.array(Vote), votesCount: z.number(), viewerVote: z.nullable(ViewerVote) });
export type Voters = z.infer<typeof Voters>;

/** Votes that an answer shows, with the number of all. */
export type ShownVotes = { votes: VoteRecord[]; total: number };

export function votersView(postId: string, { votes, total }: ShownVotes, viewerVote: ViewerVote | null): Voters {
  return { votes: votes.map((vote) => voteView(postId, vote)), votesCount: total, viewerVote };
}

/** A vote in the list of a post's votes. */
export const CastVote = z.object({ voteId: z.string(), createdAt: DateTime, user: Author, by: z.optional(z.string()) });
export type CastVote = z.infer<typeof CastVote>;

export function castVoteView({ voteId, by, ...voter }: VoteRecord, { seesBy }: { seesBy: boolean }): CastVote {
  return { voteId, createdAt: createdAt(voteId), user: authorView(voter), ...(seesBy && { by }) };
}

/** A comment on a post. */
export const Comment = z.object({
  id: z.string(),
  parent_id: z.nullable(z.string()),
  body: z.string(),
  is_internal: z.boolean(),
  is_edited: z.boolean(),
  edited_by: z.optional(z.string()),
  is_spam: z.boolean(),
  created_at: DateTime,
  updated_at: DateTime,
});
export type Comment = z.infer<typeof Comment>;

export function commentView(
  { commentId, parentId, body, isInternal, editedAt, editedBy }: CommentRecord,
  { seesBy = false } = {},
): Comment {
  return {
    id: commentId,
    parent_id: parentId ?? null,
    body,
    is_internal: isInternal,
    is_edited: editedAt !== undefined,
    ...(seesBy && { edited_by: editedBy }),
    is_spam: false,
    created_at: createdAt(commentId),
    updated_at: editedAt === undefined ? createdAt(commentId) : new Date(editedAt).toISOString(),
  };
}

/** A comment with its author, as existing clients read it. */
export const Activity = z.object({
  id: z.string(),
  type: z.literal("comment"),
  created_at: DateTime,
  author: Author,
  comment: Comment,
});
export type Activity = z.infer<typeof Activity>;

export function activityView(comment: CommentRecord, sees?: { seesBy: boolean }): Activity {
  return {
    id: comment.commentId,
    type: "comment",
    created_at: createdAt(comment.commentId),
    author: authorView(comment.author),
    comment: commentView(comment, sees),
  };
}

/** A change of the status of a post; a status that has been deleted since is null. */
export const StatusActivity = z.object({
  id: z.string(),
  type: z.literal("status"),
  created_at: DateTime,
  from: z.nullable(Status),
  to: z.nullable(Status),
  by: z.optional(z.string()),
});
export type StatusActivity = z.infer<typeof StatusActivity>;

export function statusActivityView(
  { changeId: id, from, to, by }: StatusChange,
  statuses: StatusRecord[],
  { seesBy }: { seesBy: boolean },
): StatusActivity {
  const moved = { from: statusThen(statuses, from, timeOf(id)), to: statusThen(statuses, to, timeOf(id)) };
  return { id, type: "status", created_at: createdAt(id), ...moved, ...(seesBy && { by }) };
}

/** The team's response to a post, with the status that the post had then, unless that has been deleted. */
export const OfficialResponse = z.object({
  text: z.string(),
  status: z.nullable(Status),
  respondedAt: DateTime,
  by: z.optional(z.string()),
});

/** The status that a letter stood for at a moment (milliseconds since 1970); null if it has been deleted. */
function statusThen(statuses: StatusRecord[], letter: StatusLetter | undefined, at: number) {
  const status = statuses.find((each) => each.letter === letter && (each.since ?? 0) <= at);
  return status ? statusView(status) : null;
}

function responseView({ text, status, at }: ResponseRecord, statuses: StatusRecord[]) {
  return { text, status: statusThen(statuses, status, at), respondedAt: new Date(at).toISOString() };
}

/** What happened, by ids; `from` and `to` are the statuses of a post, null for one that has been deleted. */
export const Event = z.object({
  eventId: z.string(),
  type: z.enum(eventTypes),
  createdAt: DateTime,
  by: z.string(),
  postId: z.optional(z.string()),
  boardId: z.optional(z.string()),
  commentId: z.optional(z.string()),
  userId: z.optional(z.string()),
  from: z.optional(z.nullable(Status)),
  to: z.optional(z.nullable(Status)),
  changed: z.optional(z.array(z.string())),
});
export type Event = z.infer<typeof Event>;

export function eventView({ from, to, ...event }: EventRecord, statuses: StatusRecord[]): Event {
  const at = timeOf(event.eventId);
  const moved = { from: statusThen(statuses, from, at), to: statusThen(statuses, to, at) };
  return { ...event, createdAt: createdAt(event.eventId), ...(event.type === "post.status_changed" && moved) };
}

/** A post in a list: docs/contract.md#post */
export const Post = z.object({
  postId: z.string(),
  title: z.string(),
  slug: z.string(),
  contentMarkdown: z.nullable(z.string()),
  createdAt: DateTime,
  updatedAt: DateTime,
  board: z.nullable(Board),
  author: Author,
  roadmap: z.nullable(RoadmapSummary),
  voters: Voters,
  status: Status,
  response: z.nullable(OfficialResponse),
  commentsCount: z.number(),
});
export type Post = z.infer<typeof Post>;

/** A post with the votes in the seats, or `shown`; a board or roadmap that is not in the catalogue is null. */
export function postView(
  { post, voters }: PostWithVoters,
  { boards, roadmaps, statuses }: Catalogue,
  viewerVote: ViewerVote | null,
  shown: ShownVotes = { votes: voters.first, total: voters.count },
): Post {
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
    voters: votersView(post.postId, shown, viewerVote),
    status: statusOf(statuses, post.status),
    response: post.response ? responseView(post.response, statuses) : null,
    commentsCount: voters.comments,
  };
}

/** The posts of a list. `ownVotes`: the caller's votes outside of the seats, by post. */
export function postListView(
  posts: PostWithVoters[],
  catalogue: Catalogue,
  viewerId: string | undefined,
  ownVotes: Map<string, string> = new Map(),
): Post[] {
  return posts.map((each) => {
    const { postId, first } = each.voters;
    const voteId = first.find(({ userId }) => userId === viewerId)?.voteId ?? ownVotes.get(postId);
    return postView(each, catalogue, viewerVoteView(postId, viewerId, voteId));
  });
}

/** A post with a title similar to another. */
export const SimilarPost = z.extend(
  z.pick(Post, { postId: true, title: true, slug: true, board: true, roadmap: true, status: true }),
  { votesCount: z.number() },
);
export type SimilarPost = z.infer<typeof SimilarPost>;

export function similarPostView(found: PostWithVoters, catalogue: Catalogue): SimilarPost {
  return { ...postView(found, catalogue, null), votesCount: found.voters.count };
}

/** A post by its slug: docs/contract.md#post */
export const PostBySlug = z.extend(Post, { slugId: z.string(), by: z.optional(z.string()) });
export type PostBySlug = z.infer<typeof PostBySlug>;

/** A post that was created: docs/contract.md#created-post */
export const CreatedPost = z.object({
  postId: z.string(),
  title: z.string(),
  slug: z.string(),
  slugId: z.string(),
  contentMarkdown: z.nullable(z.string()),
  userId: z.string(),
  createdAt: DateTime,
  updatedAt: DateTime,
  boardId: z.nullable(z.string()),
  roadmap_id: z.nullable(z.string()),
});
export type CreatedPost = z.infer<typeof CreatedPost>;

/** A post that was changed: as it is read, and as it was created. */
export const ChangedPost = z.extend(
  PostBySlug,
  z.pick(CreatedPost, { userId: true, boardId: true, roadmap_id: true }).shape,
);
export type ChangedPost = z.infer<typeof ChangedPost>;

export function createdPostView(post: PostRecord): CreatedPost {
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

/** The place of a page in its list: docs/contract.md#page-info */
export const PageInfo = z.object({
  count: z.number(),
  current_page: z.number(),
  has_next_page: z.boolean(),
  end_cursor: z.nullable(z.string()),
  start_cursor: z.nullable(z.string()),
});
export type PageInfo = z.infer<typeof PageInfo>;

/** The additional fields of a list that is paged by cursor. */
export const CursorPaging = z.object({ page_info: PageInfo, total_pages: z.number(), total_count: z.number() });

/** A success without further content. */
export const Success = z.object({ success: z.boolean() });
