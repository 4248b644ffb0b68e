import * as z from "zod/mini";
import { ShownRole } from "../accounts/users.ts";
import { statusKinds } from "../values/statuses.ts";

// The resources of answers (docs/contract.md#resources). Each schema is also the serialiser: a field that it does not
// name is not sent.

const DateTime = z.string();

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

/** A board, without post_count: docs/contract.md#board */
export const Board = z.object({
  boardId: z.string(),
  name: z.string(),
  color: z.string(),
  url: z.string(),
  createdAt: DateTime,
});
export type Board = z.infer<typeof Board>;

/** A board in a list, with post_count as a decimal string: docs/contract.md#board */
export const BoardListItem = z.extend(Board, { post_count: z.string() });
export type BoardListItem = z.infer<typeof BoardListItem>;

/** A board with the fields that its owner manages. */
export const BoardDetail = z.extend(BoardListItem, { display: z.boolean(), view_voters: z.boolean() });
export type BoardDetail = z.infer<typeof BoardDetail>;

/** The author of a post, a comment or a vote: docs/contract.md#author */
export const Author = z.object({
  userId: z.string(),
  name: z.string(),
  avatar: z.string(),
  username: z.string(),
  role: z.optional(ShownRole),
});
export type Author = z.infer<typeof Author>;

/** The caller's own vote: docs/contract.md#voters */
export const ViewerVote = z.object({
  voteId: z.string(),
  userId: z.string(),
  postId: z.string(),
  createdAt: DateTime,
});
export type ViewerVote = z.infer<typeof ViewerVote>;

/** An item of `voters.votes`: docs/contract.md#vote */
export const Vote = z.extend(ViewerVote, {
  name: z.string(),
  username: z.string(),
  avatar: z.string(),
  role: Author.shape.role,
});
export type Vote = z.infer<typeof Vote>;

/** The first votes in the order they were cast, the exact total, the caller's own vote: docs/contract.md#voters */
export const Voters = z.object({
  votes: z.array(Vote),
  votesCount: z.number(),
  viewerVote: z.nullable(ViewerVote),
});
export type Voters = z.infer<typeof Voters>;

/** A roadmap in a post, and by its url: docs/contract.md#roadmap */
export const RoadmapSummary = z.object({ id: z.string(), name: z.string(), url: z.string(), color: z.string() });
export type RoadmapSummary = z.infer<typeof RoadmapSummary>;

/** A roadmap in a list: docs/contract.md#roadmap-item */
export const RoadmapListItem = z.extend(RoadmapSummary, {
  index: z.number(),
  display: z.boolean(),
  created_at: DateTime,
});
export type RoadmapListItem = z.infer<typeof RoadmapListItem>;

/** A roadmap by its url: docs/contract.md#roadmap; moderators and owners also see `index` and `display`. */
export const RoadmapByUrl = z.extend(
  RoadmapSummary,
  z.partial(z.pick(RoadmapListItem, { index: true, display: true })).shape,
);

/** How far the work on a post is. */
export const Status = z.object({ id: z.string(), name: z.string(), color: z.string(), kind: z.enum(statusKinds) });
export type Status = z.infer<typeof Status>;

/** A status in the owner's list. */
export const ListedStatus = z.extend(Status, { archived: z.boolean() });
export type ListedStatus = z.infer<typeof ListedStatus>;

/** The team's response to a post, with the status that the post had then. */
export const OfficialResponse = z.object({ text: z.string(), status: Status, respondedAt: DateTime });
export type OfficialResponse = z.infer<typeof OfficialResponse>;

/** A comment on a post. */
export const Comment = z.object({
  id: z.string(),
  parent_id: z.nullable(z.string()),
  body: z.string(),
  is_internal: z.boolean(),
  is_edited: z.boolean(),
  is_spam: z.boolean(),
  created_at: DateTime,
  updated_at: DateTime,
});
export type Comment = z.infer<typeof Comment>;

/** A comment with its author, as existing clients read it. */
export const Activity = z.object({
  id: z.string(),
  type: z.string(),
  created_at: DateTime,
  author: Author,
  comment: Comment,
});
export type Activity = z.infer<typeof Activity>;

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

/** A post with a title similar to another. */
export const SimilarPost = z.extend(
  z.pick(Post, { postId: true, title: true, slug: true, board: true, roadmap: true, status: true }),
  { votesCount: z.number() },
);
export type SimilarPost = z.infer<typeof SimilarPost>;

/** A post by its slug: docs/contract.md#post */
export const PostBySlug = z.extend(Post, { slugId: z.string(), by: z.optional(z.string()) });
export type PostBySlug = z.infer<typeof PostBySlug>;

/** A post that was created or changed: docs/contract.md#created-post */
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

/** A vote in the list of a post's votes. */
export const CastVote = z.object({
  voteId: z.string(),
  createdAt: DateTime,
  user: Author,
  by: z.optional(z.string()),
});
export type CastVote = z.infer<typeof CastVote>;

/** The caller's own account. */
export const Profile = z.extend(z.omit(User, { authToken: true }), { isVerified: z.boolean() });
export type Profile = z.infer<typeof Profile>;

/** An account as the owner manages it. */
export const ManagedUser = z.extend(Profile, { role: z.string(), createdAt: DateTime });
export type ManagedUser = z.infer<typeof ManagedUser>;

/** An API key, without its secret. */
export const ApiKey = z.object({
  keyId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  lastFour: z.string(),
  createdAt: DateTime,
  expiresAt: z.nullable(DateTime),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** A role in the shape of LogChimp. */
export const UserRole = z.object({
  id: z.string(),
  name: z.string(),
  isSystem: z.boolean(),
  user_role_id: z.string(),
});
export type UserRole = z.infer<typeof UserRole>;

/** An account in the owner's list; `posts` and `votes` are decimal strings. */
export const ListedUser = z.extend(ManagedUser, { roles: z.array(UserRole), posts: z.string(), votes: z.string() });
export type ListedUser = z.infer<typeof ListedUser>;

/** Features that the owner can switch on. */
export const Labs = z.object({ voteOnBehalf: z.boolean() });
export type Labs = z.infer<typeof Labs>;

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

/** A success without further content. */
export const Success = z.object({ success: z.boolean() });
