import * as z from "zod/mini";
import { isSameShown, NOBODY, type Shown } from "../accounts/users.ts";
import { setFields, stillHas } from "../table/changes.ts";
import { idIn, key, prefix } from "../table/keys.ts";
import { type Part, put, remove } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getFirst, getMany, getRange } from "../table/reads.ts";
import * as posts from "./posts.ts";

// A post that was merged into another one, a duplicate, lies under a key of its own. So no list, count or search has
// it, and no vote or comment finds it where posts are. docs/data-model.md#merged-posts

export const MergedItem = z.pipe(
  z.object({
    pk: z.string(),
    ...posts.postFields,
    // The post that it was merged into.
    into: z.string(),
    // Milliseconds since 1970.
    mergedAt: z.number(),
    // The id of who merged it.
    mergedBy: z.optional(z.string()),
    // Of its voters item: the changes of its status, and how often votes were moved to or from it.
    statuses: z.number(),
    moves: z.number(),
    // Whether all that it had is moved.
    moved: z.optional(z.literal(true)),
  }),
  z.transform(({ pk, into, mergedAt, mergedBy, statuses, moves, moved = false, ...post }) => ({
    post: { postId: idIn(pk), ...post } as posts.PostRecord,
    into,
    mergedAt,
    mergedBy,
    statuses,
    moves,
    moved,
  })),
);

/** A duplicate: the post as it was, and the post that it was merged into. */
export type MergedPost = z.output<typeof MergedItem>;

/** The most posts in a row of which each was merged into the next. */
export const MOST_HOPS = 5;

// `height`: how many merges lie behind the duplicate. That stays while it is merged, because nothing can be merged into
// it, nor be taken out of it.
export const DuplicateItem = z.pipe(
  z.object({ sk: z.string(), height: z.number() }),
  z.transform(({ sk, height }) => ({ postId: sk.slice(prefix.duplicate.length), height })),
);

export function findMerged(postId: string): Promise<MergedPost | undefined> {
  return get(key.merged(postId), MergedItem);
}

/** What leads to the posts that were merged into a post. */
export function duplicatesOf(postId: string): Promise<z.output<typeof DuplicateItem>[]> {
  return getRange(range.duplicates(postId), DuplicateItem);
}

export function findAllMerged(postIds: string[]): Promise<MergedPost[]> {
  return getMany(postIds.map(key.merged), MergedItem);
}

/** The first posts that were merged into a post, by their ids, after one of them. */
export async function mergedInto(
  into: string,
  count: number,
  after?: string,
): Promise<{ found: MergedPost[]; lastId: string | undefined; more: boolean }> {
  const { items, more } = await getFirst(range.duplicates(into, after), DuplicateItem, count);
  const ids = items.map(({ postId }) => postId);
  return { found: await findAllMerged(ids), lastId: ids.at(-1), more };
}

type Either = { merged?: MergedPost | undefined; post?: posts.PostRecord | undefined };

/** Finds a post, merged or not. */
export async function findEither(postId: string): Promise<Either> {
  const first = await readEither(postId);
  // One read gives both items, but each as it was at a moment of its own: a merge in between hides the post from it.
  return first.merged || first.post ? first : readEither(postId);
}

async function readEither(postId: string): Promise<Either> {
  const [merged, post] = await Promise.all([findMerged(postId), posts.find(postId)]);
  return { merged, post };
}

/** The post at the end of a chain of merges, with the first of them; undefined if there is none. */
export async function lastOfChain(
  postId: string,
): Promise<{ post: posts.PostRecord; merged?: MergedPost | undefined } | undefined> {
  let first: MergedPost | undefined;
  let next = postId;
  for (let hop = 0; hop <= MOST_HOPS; hop++) {
    const { merged, post } = await findEither(next);
    if (post) return { post, merged: first };
    if (!merged) return undefined;
    first ??= merged;
    next = merged.into;
  }
  return undefined;
}

/** The part that brings the author shown in a duplicate up to date, if it differs. */
export function authorParts({ post: { postId, author } }: MergedPost, shown: Shown): Record<string, Part> {
  return isSameShown(author, shown) ? {} : { [`post ${postId}`]: setFields(key.merged(postId), { author: shown }) };
}

/** The parts that take the author from a duplicate. */
export function namelessParts({ post: { postId, author } }: MergedPost): Record<string, Part> {
  return {
    post: setFields(key.merged(postId), { author: NOBODY }, stillHas({ author })),
    userPost: remove(key.userPost(author.userId, postId)),
    ownPost: put(key.userPost(NOBODY.userId, postId), {}),
  };
}
