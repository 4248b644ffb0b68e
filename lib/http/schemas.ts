import * as z from "zod";

// The resources of spec part 2, field by field. Each schema is also the serialiser of the answers: what it does not name
// cannot leave.

const DateTime = z.string();

/** Spec part 2, User: an account with the token that signs it in. */
export const User = z.object({
  authToken: z.string(),
  userId: z.string(),
  name: z.string(),
  username: z.string(),
  email: z.string(),
  avatar: z.string(),
});
export type User = z.infer<typeof User>;

/** Spec part 2, Board (without post_count). */
export const Board = z.object({
  boardId: z.string(),
  name: z.string(),
  color: z.string(),
  url: z.string(),
  createdAt: DateTime,
});
export type Board = z.infer<typeof Board>;

/** Spec part 2, Board as an item of the board list: `post_count` is a decimal string. */
export const BoardListItem = Board.extend({ post_count: z.string() });
export type BoardListItem = z.infer<typeof BoardListItem>;

/** A board as its owner manages it: with what clients that show boards ask for. */
export const BoardDetail = BoardListItem.extend({ display: z.boolean(), view_voters: z.boolean() });
export type BoardDetail = z.infer<typeof BoardDetail>;

/** Spec part 2, Author. */
export const Author = z.object({ userId: z.string(), name: z.string(), avatar: z.string(), username: z.string() });
export type Author = z.infer<typeof Author>;

/** Spec part 2, Viewer vote: the caller's own vote. */
export const ViewerVote = z.object({
  voteId: z.string(),
  userId: z.string(),
  postId: z.string(),
  createdAt: DateTime,
});
export type ViewerVote = z.infer<typeof ViewerVote>;

/** Spec part 2, Vote: an item of `voters.votes`. */
export const Vote = ViewerVote.extend({ name: z.string(), username: z.string(), avatar: z.string() });
export type Vote = z.infer<typeof Vote>;

/** Spec part 2, Voters: the first votes in the order they were cast, the exact total, the caller's own vote. */
export const Voters = z.object({
  votes: z.array(Vote),
  votesCount: z.number(),
  viewerVote: ViewerVote.nullable(),
});
export type Voters = z.infer<typeof Voters>;

/** Spec part 2, Roadmap summary. */
export const RoadmapSummary = z.object({ id: z.string(), name: z.string(), url: z.string(), color: z.string() });
export type RoadmapSummary = z.infer<typeof RoadmapSummary>;

/** Spec part 2, Roadmap list item. */
export const RoadmapListItem = RoadmapSummary.extend({
  index: z.number(),
  display: z.boolean(),
  created_at: DateTime,
});
export type RoadmapListItem = z.infer<typeof RoadmapListItem>;

/** Spec part 2, Post as an item of a list. */
export const Post = z.object({
  postId: z.string(),
  title: z.string(),
  slug: z.string(),
  contentMarkdown: z.string().nullable(),
  createdAt: DateTime,
  updatedAt: DateTime,
  board: Board.nullable(),
  author: Author,
  roadmap: RoadmapSummary.nullable(),
  voters: Voters,
});
export type Post = z.infer<typeof Post>;

/** Spec part 2, Post as the by-slug result: with its slugId. */
export const PostBySlug = Post.extend({ slugId: z.string() });
export type PostBySlug = z.infer<typeof PostBySlug>;

/** Spec part 2, Created post. */
export const CreatedPost = z.object({
  postId: z.string(),
  title: z.string(),
  slug: z.string(),
  slugId: z.string(),
  contentMarkdown: z.string().nullable(),
  userId: z.string(),
  createdAt: DateTime,
  updatedAt: DateTime,
  boardId: z.string().nullable(),
  roadmap_id: z.string().nullable(),
});
export type CreatedPost = z.infer<typeof CreatedPost>;

/** Spec part 2, Page info. */
export const PageInfo = z.object({
  count: z.number(),
  current_page: z.number(),
  has_next_page: z.boolean(),
  end_cursor: z.string().nullable(),
  start_cursor: z.string().nullable(),
});
export type PageInfo = z.infer<typeof PageInfo>;

/** The extra fields of a list that was asked for by `first` and `after`. */
export const CursorPaging = z.object({ page_info: PageInfo, total_pages: z.number(), total_count: z.number() });

/** A vote as an item of the list of a post's votes. */
export const CastVote = z.object({ voteId: z.string(), createdAt: DateTime, user: Author });
export type CastVote = z.infer<typeof CastVote>;

/** One's own account. */
export const Profile = User.omit({ authToken: true }).extend({ isVerified: z.boolean() });
export type Profile = z.infer<typeof Profile>;

/** An account as the owner manages it. */
export const ManagedUser = Profile.extend({ role: z.string(), createdAt: DateTime });
export type ManagedUser = z.infer<typeof ManagedUser>;

/** What the site is called and looks like. The last four are constants that existing clients read. */
export const SiteSettings = z.object({
  title: z.string(),
  description: z.string().nullable(),
  logo: z.string().nullable(),
  icon: z.string().nullable(),
  accentColor: z.string(),
  allowSignup: z.boolean(),
  googleAnalyticsId: z.string().nullable(),
  isPoweredBy: z.boolean(),
  developer_mode: z.boolean(),
  labs: z.object({ comments: z.boolean() }),
});
export type SiteSettings = z.infer<typeof SiteSettings>;

/** Says that it was done. */
export const Success = z.object({ success: z.boolean() });
