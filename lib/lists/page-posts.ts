import { findAllWithVoters, isPost, type PostWithVoters, postOrVotersItem, withVoters } from "../posts/posts.ts";
import { type Bounds, range } from "../table/ranges.ts";
import { pagesOf } from "../table/reads.ts";
import { type Filter, matches } from "./filter.ts";
import { orders } from "./orders.ts";
import type { ListQuery } from "./query.ts";
import { type Rows, take } from "./rows.ts";

// Reads the posts of a page, with their voters.

/** A post of a page, with the key of its row: the next page comes after it. */
export type Listed = PostWithVoters & { rowKey: string };

/**
 * Begins a further read, which goes out in one call with the posts of rows (table/reads.ts): whether the catalogue has
 * changed (`readBy` in catalogue/catalogue.ts). Called once more, it does nothing.
 */
export type AlsoRead = () => void;

/** Reads the posts of rows until the page is full; skips posts that were deleted or moved away in between. */
export async function fill(rows: Rows, { limit }: ListQuery, filter: Filter, alsoRead: AlsoRead): Promise<Listed[]> {
  const posts: Listed[] = [];
  while (posts.length < limit) {
    const missing = limit - posts.length;
    const taken = await take(rows, missing);
    const rowKeys = new Map(taken.map(({ postId, rowKey }) => [postId, rowKey]));
    alsoRead();
    for (const { post, voters } of await findAllWithVoters([...rowKeys.keys()])) {
      if (matches(post, filter)) posts.push({ post, voters, rowKey: rowKeys.get(post.postId) ?? "" });
    }
    if (taken.length < missing) break;
  }
  return posts;
}

/** Reads posts that lie side by side, from a place on. */
export async function postsIn(bounds: Bounds, { order, limit }: ListQuery): Promise<Listed[]> {
  const { descending } = orders[order];
  const items = [];
  for await (const page of pagesOf(range.posts(bounds), postOrVotersItem, { descending, pageSize: 2 * limit })) {
    items.push(...page);
    const posts = items.filter(isPost);
    // A post's voters are the next item; in a descending order, the one before.
    if (posts.length >= limit && (descending || items.at(-1) !== posts[limit - 1])) break;
  }
  const found = withVoters(items).slice(0, limit);
  return found.map(({ post, voters }) => ({ post, voters, rowKey: post.postId }));
}
