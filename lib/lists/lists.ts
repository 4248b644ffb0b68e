import { isPost, type PostOrVoters, PostOrVotersItem, type PostWithVoters } from "../posts/posts.ts";
import { type Bounds, key, range } from "../table/keys.ts";
import { allPosts, boardList, isAmong, type PostList, roadmapList } from "../table/post-lists.ts";
import { getMany, pagesOf } from "../table/reads.ts";
import { noVoters, type Voters } from "../votes/votes.ts";
import { rowsAfter, rowsAt } from "./bucket-rows.ts";
import { type CountedList, type Counts, readCounts, totalOf } from "./counts.ts";
import { type Filter, matches } from "./filter.ts";
import { boundsAfter, boundsFrom, type Order, type RankOrder } from "./order.ts";
import { meritsOf, type OrderName, orders } from "./orders.ts";
import { matching, merge, openRows, type Row, type Rows, rowsOf, skip, take } from "./rows.ts";

// A page of posts is read in two parts. `begin` needs neither the caller nor the catalogue, and is read beside them: where the page
// starts on the first row or after a named one, its rows; else the counts of its lists, which say where it starts. `finish` knows the
// filter, with what the caller sees and with the letters of statuses: it reads the rows that the counts lead to, then their posts.
//
// So a page of planned posts is: the counts of all posts; the rows of the days that have planned posts, as many as fill the page; the
// posts of these rows.

type Places = Pick<Filter, "boardIds" | "roadmapId">;

/** What is asked for: which posts, in which order, and which page of them. */
export type ListQuery = Places & {
  /** The ids of statuses. */
  status?: string[] | undefined;
  order: OrderName;
  /** The number of posts before the page; ignored with `after`. */
  offset: number;
  /** The number of posts on a full page, at least 1. */
  limit: number;
  /** The key of the row that the page comes after: a post's id, in an order by rank with its rank before it. */
  after?: string | undefined;
  /** Whether the total is asked for too. */
  counted?: boolean;
};

/** A post of a page, with the key of its row: the next page comes after it. */
export type Listed = PostWithVoters & { rowKey: string };

export type Page = {
  posts: Listed[];
  /** The number of posts on all pages; 0 unless the query asked for it. */
  total: number;
  /** Whether the page holds every post between its first and its last. */
  isRange: boolean;
};

/** What `begin` read. */
type Begun = { posts?: Listed[] | undefined; lists: BegunList[] };
type BegunList = { list: PostList; counts?: Counts | undefined; rows?: Rows | undefined };

/** The lists that hold the posts. */
function listsOf({ boardIds, roadmapId }: Places): PostList[] {
  if (roadmapId !== undefined) return [roadmapList(roadmapId)];
  return boardIds?.map(boardList) ?? [allPosts];
}

/** Boards of a roadmap: no counts tell them apart, but the roadmap's rows name the boards. The one filter whose cost grows with its list. */
function isWalk({ boardIds, roadmapId }: Places): boolean {
  return boardIds !== undefined && roadmapId !== undefined;
}

/** Whether the page is a range of all posts, which are read without rows. */
function isRange({ boardIds, roadmapId, status, order }: ListQuery): boolean {
  return !boardIds && roadmapId === undefined && !status && orders[order].rankDigits === 0;
}

/** Whether the page starts on the first row or after a named one. */
function hasKnownStart({ status, offset, after }: ListQuery): boolean {
  return !status && (offset === 0 || after !== undefined);
}

// Rows of one Query of a roadmap: about 150 KB.
const WALK_ROWS = 1000;

/** Reads what needs neither the caller nor the catalogue. */
export async function begin(query: ListQuery): Promise<Begun> {
  const order = orders[query.order];
  const open = async (list: PostList): Promise<BegunList> => {
    if (isWalk(query)) return { list, rows: await openRows(list, {}, order, WALK_ROWS) };
    const readsRows = hasKnownStart(query) && !isRange(query);
    const [counts, rows] = await Promise.all([
      query.counted || !hasKnownStart(query) ? readCounts(list, order) : undefined,
      readsRows ? openRows(list, boundsAfter(query.after, order), order, query.limit) : undefined,
    ]);
    return { list, counts, rows };
  };
  const [posts, lists] = await Promise.all([
    hasKnownStart(query) && isRange(query) ? postsIn(boundsAfter(query.after, order), query) : undefined,
    Promise.all(listsOf(query).map(open)),
  ]);
  return { posts, lists };
}

/** Reads the rest of a page, of the lists that the filter leaves. */
export async function finish(query: ListQuery, { posts, lists }: Begun, filter: Filter): Promise<Page> {
  const seen = lists.filter(({ list }) => isAmong(list, listsOf(filter)));
  const rows = seen.flatMap((list) => list.rows ?? []);
  if (isWalk(query)) return walk(query, rows, filter);
  const counted = seen.flatMap(({ list, counts }) => (counts ? [{ list, counts }] : []));
  return {
    posts: posts ?? (await pageOf(query, rows, counted, filter)),
    total: query.counted ? totalOf(counted, filter.statuses) : 0,
    isRange: isRange(query),
  };
}

/** A page of posts as one read, for code that knows what its caller may see. */
export async function read(query: ListQuery, filter: Filter = query): Promise<Listed[]> {
  return (await finish(query, await begin(query), filter)).posts;
}

/** The number of all posts. */
export async function totalOfAll(): Promise<number> {
  return totalOf([{ list: allPosts, counts: await readCounts(allPosts, orders.asc) }]);
}

async function pageOf(query: ListQuery, rows: Rows[], lists: CountedList[], filter: Filter): Promise<Listed[]> {
  const { offset, after, limit } = query;
  const order = orders[query.order];
  const search = { lists, order, statuses: filter.statuses };
  if (hasKnownStart(query)) return fill(merge(rows, order), limit, filter);
  if (after !== undefined) return fill(rowsAfter(after, limit, search), limit, filter);
  if (!isRange(query)) return fill(rowsAt(offset, limit, search), limit, filter);
  const [first] = await take(rowsAt(offset, 1, search), 1);
  return first ? postsIn(boundsFrom(first.rowKey, order), query) : [];
}

async function walk({ order, offset, after, limit, counted }: ListQuery, lists: Rows[], filter: Filter): Promise<Page> {
  const { descending } = orders[order];
  const rows = matching(merge(lists, orders[order]), filter);
  if (!counted) return { posts: await fill(skip(rows, offset), limit, filter), total: 0, isRange: false };
  const all = await take(rows, Number.POSITIVE_INFINITY);
  const rest = all.filter(({ rowKey }) => after === undefined || (descending ? rowKey < after : rowKey > after));
  return { posts: await fill(rowsOf(rest), limit, filter), total: all.length, isRange: false };
}

/** Reads the posts of rows until the page is full; skips posts that were deleted or moved away in between. */
async function fill(rows: Rows, limit: number, filter: Filter): Promise<Listed[]> {
  const posts: Listed[] = [];
  while (posts.length < limit) {
    const missing = limit - posts.length;
    const taken = await take(rows, missing);
    posts.push(...(await postsOfRows(taken)).filter(({ post }) => matches(post, filter)));
    if (taken.length < missing) break;
  }
  return posts;
}

async function postsOfRows(rows: Row[]): Promise<Listed[]> {
  const rowKeys = new Map(rows.map(({ postId, rowKey }) => [postId, rowKey]));
  const found = await postsOf([...rowKeys.keys()]);
  return found.map((each) => ({ ...each, rowKey: rowKeys.get(each.post.postId) ?? "" }));
}

/** Reads posts with their voters by their ids, in the order of the ids; missing posts are left out. */
export async function postsOf(postIds: string[]): Promise<PostWithVoters[]> {
  const keys = postIds.flatMap((postId) => [key.post(postId), key.voters(postId)]);
  const found = new Map(withVoters(await getMany(keys, PostOrVotersItem)).map((each) => [each.post.postId, each]));
  return postIds.flatMap((postId) => found.get(postId) ?? []);
}

/** Reads posts with their voters within some bounds, until the page is full. */
async function postsIn(bounds: Bounds, { order, limit }: ListQuery): Promise<Listed[]> {
  const { descending } = orders[order];
  const items: PostOrVoters[] = [];
  for await (const page of pagesOf(range.posts(bounds), PostOrVotersItem, { descending, pageSize: 2 * limit })) {
    items.push(...page);
    const posts = items.filter(isPost);
    // A post's voters are the next item; in a descending order, the one before.
    if (posts.length >= limit && (descending || items.at(-1) !== posts[limit - 1])) break;
  }
  return withVoters(items)
    .slice(0, limit)
    .map((each) => ({ ...each, rowKey: each.post.postId }));
}

/** Pairs posts with their voters. A post without voters counts as not voted on: a read can see one half of a transaction. */
function withVoters(items: PostOrVoters[]): PostWithVoters[] {
  const voters = new Map(items.filter((item): item is Voters => !isPost(item)).map((item) => [item.postId, item]));
  return items.filter(isPost).map((post) => ({ post, voters: voters.get(post.postId) ?? noVoters(post.postId) }));
}

/**
 * Sorts what was made of the posts of a page. Rows by rank lag behind votes by a second or two: they tell which posts are on a page,
 * and the votes that were read of these sort it. So voters who reload see their vote.
 */
export function sorted<T>(page: PostWithVoters[], made: T[], name: OrderName): T[] {
  const order: Order | RankOrder = orders[name];
  if (!("rankOf" in order)) return made;
  const keyed = page.map(({ post: { postId }, voters }, at) => ({
    at,
    key: order.rankOf(postId, meritsOf(voters)).rowKey,
  }));
  return keyed.sort((a, b) => (a.key > b.key ? -1 : 1)).flatMap(({ at }) => made[at] ?? []);
}
