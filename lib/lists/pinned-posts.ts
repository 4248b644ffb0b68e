import { type PostWithVoters, postOrVotersItem, withVoters } from "../posts/posts.ts";
import { range } from "../table/ranges.ts";
import { getRange } from "../table/reads.ts";
import { type Filter, matches } from "./filter.ts";
import { type OrderName, orders } from "./orders.ts";

/**
 * The pinned posts that a filter lets through, by date as the list is. A post has to say itself that it is pinned: it
 * may have been unpinned since the ids were read. Each is read with its voters, which lie beside it, by a Query: that
 * costs 1 R for a short post, and by a BatchGet 2.
 */
export async function pinnedPosts(postIds: string[], filter: Filter, order: OrderName): Promise<PostWithVoters[]> {
  const oldestFirst = postIds.toSorted();
  const inOrder = orders[order].descending ? oldestFirst.toReversed() : oldestFirst;
  const items = await Promise.all(inOrder.map((postId) => getRange(range.post(postId), postOrVotersItem)));
  return withVoters(items.flat()).filter(({ post }) => post.isPinned && matches(post, filter));
}
