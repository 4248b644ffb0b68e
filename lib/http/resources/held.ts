import * as z from "zod/mini";
import { NOTHING_HELD, Whose } from "../../accounts/moderation-policy.ts";
import type { Site } from "../../accounts/site.ts";
import { shownOf, type UserRecord } from "../../accounts/users.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Thing } from "../../posts/deciding-reports.ts";
import { entryOf, type Held as HeldRecord } from "../../posts/held.ts";
import { heldFor } from "../../posts/holding.ts";
import type { PostRecord } from "../../posts/posts.ts";
import type { Reported } from "../../posts/reports.ts";
import { createdAt } from "../../values/ids.ts";
import type { Voters } from "../../votes/votes.ts";
import { Author, authorView } from "./accounts.ts";
import { Board, boardView } from "./catalogue.ts";
import { OwnFields } from "./posts.ts";

/** What the owner lets the team look at before others see it, and whom they keep out. */
export const ModerationPolicy = z.object({
  posts: Whose,
  comments: Whose,
  links: z.boolean(),
  words: z.array(z.string()),
  blockedMailDomains: z.array(z.string()),
});
export type ModerationPolicy = z.infer<typeof ModerationPolicy>;

/** Before the owner has chosen, nothing is held or blocked. */
export function policyView({ moderation, blockedMailDomains = [] }: Partial<Site> = {}): ModerationPolicy {
  const { posts, comments, links, words } = moderation ?? NOTHING_HELD;
  return { posts, comments, links, words, blockedMailDomains };
}

const CommentedPost = z.pick(OwnFields, { postId: true, title: true, slug: true });

/** A post or comment of the caller that waits for the team. */
export const OwnHeld = z.object({
  id: z.string(),
  /** What it is. */
  kind: z.enum(["post", "comment"]),
  since: z.string(),
  /** The title of a post; a comment has none. */
  title: z.nullable(z.string()),
  /** The text of a post or comment, in Markdown. */
  text: z.nullable(z.string()),
  /** The board of a post; null for a comment, and if the board is gone. */
  board: z.nullable(Board),
  /** The post that a comment is for, or in which that continues; null for a post, and if no post is left. */
  post: z.nullable(CommentedPost),
});
export type OwnHeld = z.infer<typeof OwnHeld>;

/** Posts by the ids by which comments name them. */
type PostsById = ReadonlyMap<string, PostRecord>;

/** What a view needs besides: the boards that the caller sees, and the posts that comments are for. */
export type Around = { catalogue: Pick<Catalogue, "boards">; posts: PostsById };

function postNamed({ postId, title, slug }: PostRecord) {
  return { postId, title, slug };
}

/** The post that a comment is for, if it is among those that the caller sees. */
function postOf({ postId }: { postId: string }, posts: PostsById) {
  const post = posts.get(postId);
  return post ? postNamed(post) : null;
}

/** The board of a post, if it is among those that the caller sees. */
function boardOf({ boardId }: { boardId?: string | undefined }, { boards }: Around["catalogue"]) {
  const board = boards.find((each) => each.boardId === boardId);
  return board ? boardView(board) : null;
}

export function ownHeldView(held: HeldRecord, { catalogue, posts }: Around): OwnHeld {
  const { id, kind } = held;
  const since = createdAt(id);
  if (held.kind === "comment") {
    return { id, kind, since, title: null, text: held.body, board: null, post: postOf(held, posts) };
  }
  const { title, contentMarkdown: text = null } = held;
  return { id, kind, since, title, text, board: boardOf(held, catalogue), post: null };
}

const Report = z.object({
  /** Who reported it; null if the account is gone. */
  author: z.nullable(Author),
  reportedAt: z.string(),
  /** Why, in the words of who reported it; null if they did not say. */
  reason: z.nullable(z.string()),
});

/** The reports of a post or comment since the team last decided about it. */
export const Reports = z.object({
  count: z.number(),
  /** The first five, without those whose accounts were deleted. */
  first: z.array(Report),
});

/** A post or comment that waits for the team, as the team sees it: held, or there and reported. */
export const Held = z.extend(OwnHeld, {
  entry: z.string(),
  since: z.string(),
  /** When it was written; of a reported one `since` is the first report. */
  createdAt: z.string(),
  votesCount: z.nullable(z.number()),
  commentsCount: z.nullable(z.number()),
  /** The post that a comment is for, or in which that continues; a reported post itself; otherwise null. */
  post: z.nullable(CommentedPost),
  /** Who wrote it; null if the account, or what was reported, is gone. */
  author: z.nullable(Author),
  /** Why it waits: a newcomer wrote it, it has links or words of the list, all are held, or people reported it. */
  reasons: z.array(z.enum([...heldFor, "reports"])),
  /** Who reported it, and why; null if it is held. */
  reports: z.nullable(Reports),
});
export type Held = z.infer<typeof Held>;

function accountView(accounts: UserRecord[], id: string) {
  const account = accounts.find(({ userId }) => userId === id);
  return account ? authorView(shownOf(account)) : null;
}

export function heldView(held: HeldRecord, around: Around, accounts: UserRecord[]): Held {
  const author = accountView(accounts, held.userId);
  const own = ownHeldView(held, around);
  return {
    ...own,
    entry: entryOf(held),
    createdAt: own.since,
    votesCount: null,
    commentsCount: null,
    author,
    reasons: held.reasons,
    reports: null,
  };
}

/** What a view of reports needs besides: what was reported, votes on its posts, and the posts of its comments. */
export type AroundReports = { things: Map<string, Thing | undefined>; voters: Voters[]; posts: PostsById };

/** What was reported, as it is now; nothing of it once it is gone. */
function thingView(thing: Thing | undefined, { catalogue }: Around, { posts }: AroundReports) {
  if (!thing) return { title: null, text: null, board: null, post: null, author: null };
  if (thing.what === "comment") {
    const { body, author } = thing.comment;
    return { title: null, text: body, board: null, post: postOf(thing.comment, posts), author: authorView(author) };
  }
  const { title, contentMarkdown: text = null, author } = thing.post;
  const post = postNamed(thing.post);
  return { title, text, board: boardOf(thing.post, catalogue), post, author: authorView(author) };
}

export function reportedView(
  reported: Reported,
  around: Around,
  aroundReports: AroundReports,
  accounts: UserRecord[],
): Held {
  const { id, what, since, count, first } = reported;
  const thing = aroundReports.things.get(id);
  const voters = aroundReports.voters.find(({ postId }) => postId === id);
  const told = first.map(({ by, at, reason = null }) => ({
    author: accountView(accounts, by),
    reportedAt: new Date(at).toISOString(),
    reason,
  }));
  return {
    id,
    entry: entryOf(reported),
    kind: what,
    since: new Date(since).toISOString(),
    createdAt: createdAt(id),
    ...thingView(thing, around, aroundReports),
    votesCount: voters?.count ?? null,
    commentsCount: voters?.comments ?? null,
    reasons: ["reports"],
    reports: { count, first: told },
  };
}
