import * as z from "zod/mini";
import * as preferences from "../accounts/preferences.ts";
import { find as findSite } from "../accounts/site.ts";
import type { UserRecord } from "../accounts/users.ts";
import { visibleBoards } from "../auth/visibility.ts";
import * as boards from "../catalogue/boards.ts";
import { type Letter, laidOut, nameOf } from "../mail/layout.ts";
import { mailLanguageOf, t } from "../mail/texts.ts";
import { lineOf } from "../mail/unlinked.ts";
import { isPost, PostItem, type PostRecord, postOrVotersItem } from "../posts/posts.ts";
import { environment } from "../runtime/environment.ts";
import { setFields, stillHas, stored } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create, type Part } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { getFirst, getMany, getOrThrow } from "../table/reads.ts";
import { unsubscribeHeaders, unsubscribeLink } from "./unsubscribe-links.ts";

// One job mails new posts to the team. It waits for a quarter of an hour after the first of them, so that nobody gets
// more than one such mail in that time.

export const QUARTER_MS = 15 * 60_000;

/** The most posts that a letter lists. */
const LISTED = 20;

export const NewPostsItem = z.object({
  /** The first post of the first letter, or the event of its approval. */
  first: z.string(),
  /** From the second letter on: the last post of the one before. It counts in place of `first`. */
  after: z.optional(z.string()),
  /** Approved posts: they waited for the team, so their ids may lie before the others'. */
  also: z._default(z.array(z.string()), []),
  /** When the letters leave, in milliseconds since 1970. */
  at: z.number(),
  /** The last reader who got the letter. */
  place: z._default(z.string(), ""),
  /** The newest post of the letter, once letters leave. */
  upTo: z.optional(z.string()),
  /** A post that came after that one: there will be another letter. */
  later: z.optional(z.string()),
  /** Posts that were approved while letters leave. */
  alsoLater: z._default(z.array(z.string()), []),
});
export type NewPostsJob = z.output<typeof NewPostsItem>;

/** Reads the job that mails new posts to the team. */
export function findJob(): Promise<NewPostsJob | undefined> {
  return getOrThrow(key.newPosts(), NewPostsItem);
}

/** The event of a new post; an approved post has an event with another id. */
type Announced = { eventId: string; postId?: string | undefined };

/** The part that adds a new post to the job, if that needs one: while it waits, later posts change nothing. */
export async function newPostPart({ eventId, postId = eventId }: Announced): Promise<Part | undefined> {
  const job = await findJob();
  const isApproved = postId !== eventId;
  if (!job) return create(key.newPosts(), { first: eventId, at: soon(), ...(isApproved && { also: [postId] }) });
  if (isApproved) return approvedPart(job, postId);
  const { first, upTo } = job;
  if (upTo === undefined)
    return postId < first ? setFields(key.newPosts(), { first: postId }, stillHas({ first, upTo })) : undefined;
  return postId > upTo ? setFields(key.newPosts(), { later: postId }, stillHas({ upTo })) : undefined;
}

function soon(): number {
  return Date.now() + QUARTER_MS;
}

// A letter lists fewer, and says if there are more.
const MOST_APPROVED = 4 * LISTED;

function approvedPart({ upTo, also, alsoLater }: NewPostsJob, postId: string): Part | undefined {
  if ([...also, ...alsoLater].includes(postId)) return undefined;
  const isLeaving = upTo !== undefined;
  const before = isLeaving ? alsoLater : also;
  if (before.length >= MOST_APPROVED) return undefined;
  const name = isLeaving ? "alsoLater" : "also";
  return setFields(
    key.newPosts(),
    { [name]: [...before, postId], ...(isLeaving && { later: postId }) },
    stillHas({ upTo, [name]: stored(before) }),
  );
}

/** The newest posts of a letter, with what decides who may see them, and its readers. */
export async function readNewPosts({ first, after, upTo, also }: NewPostsJob) {
  // If the first post was approved, `first` is the id of its event.
  const bounds = after === undefined ? { from: first, to: upTo } : { after, to: upTo };
  const [site, chosen, ofBoards, { items }, approved] = await Promise.all([
    findSite(),
    preferences.newPostsReaders(),
    boards.all(),
    // A post has two items; some posts are the reader's own.
    getFirst(range.posts(bounds), postOrVotersItem, 4 * LISTED, { descending: true }),
    getMany(also.map(key.post), PostItem),
  ]);
  const readers = [...new Set([...(site ? [site.ownerId] : []), ...chosen])].sort();
  const inRange = items.filter(isPost);
  const isOutside = ({ postId }: PostRecord) => inRange.every((each) => each.postId !== postId);
  return { site, boards: ofBoards, posts: [...inRange, ...approved.filter(isOutside)], readers };
}
export type NewPosts = Awaited<ReturnType<typeof readNewPosts>>;

/** The new posts of others that an account gets a mail about. */
export function postsFor(user: UserRecord, { posts, boards: all }: NewPosts): PostRecord[] {
  if (!user.isVerified || !preferences.getsNewPosts(user)) return [];
  const seen = new Set(visibleBoards(user, all).map(({ boardId }) => boardId));
  const hidden = new Set(all.map(({ boardId }) => boardId).filter((boardId) => !seen.has(boardId)));
  return posts.filter(({ author, by = author.userId, boardId = "" }) => by !== user.userId && !hidden.has(boardId));
}

/** The letter that lists new posts. */
export function letterOfPosts(
  user: UserRecord,
  posts: PostRecord[],
  { site }: NewPosts,
  tokenOf: (scope: string) => string,
): Letter {
  const { SITE_URL } = environment();
  const language = mailLanguageOf(user);
  const values = { title: lineOf(posts[0]?.title ?? ""), site: nameOf(site) };
  const content = {
    language,
    subject: t(posts.length > 1 ? "newPostsSubject" : "newPostSubject", language, values),
    before: t("newPostsText", language, values),
    items: posts.slice(0, LISTED).map((post) => ({
      label: lineOf(post.title),
      url: `${SITE_URL}/posts/${encodeURIComponent(post.slug)}`,
    })),
    link: { label: t("openPosts", language), url: `${SITE_URL}/?order=newest` },
    after: `${posts.length > LISTED ? `${t("newPostsMore", language)} ` : ""}${t("whyNewPosts", language)}`,
    footer: [{ label: t("leaveNewPosts", language), url: unsubscribeLink(tokenOf("new-posts")) }],
  };
  return laidOut(user.email, content, site, unsubscribeHeaders(tokenOf("new-posts")));
}
