import { findAllWithVoters, isPost, PostOrVotersItem, type PostWithVoters, withVoters } from "../posts/posts.ts";
import { type Bounds, range } from "../table/keys.ts";
import { allPosts, boardList, isAmong, type PostList, roadmapList } from "../table/post-lists.ts";
import { pagesOf } from "../table/reads.ts";
import { rowsByCounts } from "./bucket-rows.ts";
import { type CountedList, type Counts, readCounts, totalOf } from "./counts.ts";
import { type Filter, matches } from "./filter.ts";
import { boundsAfter, meritsOf, type Order, type OrderName, orders, type RankOrder } from "./orders.ts";
import { matching, merge, openRows, type Rows, rowsOf, take } from "./rows.ts";

// A page is read in two parts. `begin` runs in parallel with the reads of the caller and the catalogue, and needs
// neither: it reads the posts or rows of the page if these start on the first row or after a named one, otherwise the
// counts of the lists, which say where the page starts. `finish` gets the filter of what the caller sees, and reads the
// rest.
//
// A page of planned posts reads
//   1. the counts of the list of all posts (counts.ts): they tell which days have planned posts, and how many;
//   2. the rows of the days that the page needs, without the ones of other statuses (bucket-rows.ts);
//   3. the posts of these rows, without the ones whose status changed in between (`fill`).
// Post, rows and counts change in one transaction (posts/placement.ts), so they agree; only ranks lag (ranks.ts).

export type ListQuery = Pick<Filter, "boardIds" | "roadmapId"> & {
  /** The ids of statuses. */
  status?: string[] | undefined;
  order: OrderName;
  /** The number of posts before the page; ignored with `after`. */
  offset: number;
  /** The number of posts on a full page, at least 1. */
  limit: number;
  /** The key of the row that the page comes after: a post's id, in an order by rank with its rank before it. */
  after?: string | undefined;
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
  /** Set if the page is not full because enough rows were looked at: the key of the last one. */
  lookedTo?: string | undefined;
};

function listsNamedBy({ boardIds, roadmapId }: Filter): PostList[] {
  if (roadmapId !== undefined) return [roadmapList(roadmapId)];
  return boardIds?.map(boardList) ?? [allPosts];
}

function startOf(query: ListQuery): "posts" | "rows" | "counts" | "all rows" {
  // The counts of a roadmap do not tell its boards apart, but its rows name them.
  if (query.boardIds && query.roadmapId !== undefined) return "all rows";
  if (query.status || (query.offset > 0 && query.after === undefined)) return "counts";
  return isRange(query) ? "posts" : "rows";
}

/** Whether the page is a range of all posts, which needs no rows. */
function isRange({ boardIds, roadmapId, status, order }: ListQuery): boolean {
  return !boardIds && roadmapId === undefined && !status && !("ranking" in orders[order]);
}

// The rows of a roadmap that one call looks at for posts of some boards: 17 R.
const MOST_LOOKED_AT = 500;

// Rows that fit into a read unit: of each of many lists no more are read at first.
const IN_UNIT = 40;

type Begun = {
  posts: Listed[] | undefined;
  lists: { list: PostList; counts: Counts | undefined; rows: Rows | undefined }[];
};

export async function begin(query: ListQuery): Promise<Begun> {
  const start = startOf(query);
  const order = orders[query.order];
  const bounds = boundsAfter(query.after, order);
  const all = listsNamedBy(query);
  const most = start === "all rows" ? MOST_LOOKED_AT : query.limit;
  const pageSize = start === "rows" && all.length > 1 ? Math.min(most, IN_UNIT) : most;
  const beginList = async (list: PostList) => {
    const [counts, rows] = await Promise.all([
      start === "counts" || (query.counted && start !== "all rows") ? readCounts(list, order) : undefined,
      start === "rows" || start === "all rows" ? openRows(list, bounds, order, pageSize) : undefined,
    ]);
    return { list, counts, rows };
  };
  const [posts, lists] = await Promise.all([
    start === "posts" ? postsIn(bounds, query) : undefined,
    Promise.all(all.map(beginList)),
  ]);
  return { posts, lists };
}

export async function finish(query: ListQuery, { posts, lists }: Begun, filter: Filter): Promise<Page> {
  const seen = lists.filter(({ list }) => isAmong(list, listsNamedBy(filter)));
  const opened = seen.flatMap(({ rows }) => rows ?? []);
  const rows = merge(opened, orders[query.order]);
  const start = startOf(query);
  if (start === "all rows") return walk(query, rows, filter);
  const counted = seen.flatMap(({ list, counts }) => (counts ? [{ list, counts }] : []));
  return {
    posts: posts ?? (await (start === "rows" ? fill(rows, query, filter) : pageByCounts(query, counted, filter))),
    total: query.counted ? totalOf(counted, filter) : 0,
    isRange: isRange(query),
  };
}

/** A page of posts in one read, for code that sees every board and roadmap. */
export async function read(query: ListQuery, filter: Filter = query): Promise<Listed[]> {
  return (await finish(query, await begin(query), filter)).posts;
}

export async function totalOfAll(filter?: Filter): Promise<number> {
  return totalOf([{ list: allPosts, counts: await readCounts(allPosts, orders.asc) }], filter);
}

async function pageByCounts(query: ListQuery, lists: CountedList[], filter: Filter): Promise<Listed[]> {
  const search = { ...query, lists, order: orders[query.order], filter };
  if (!isRange(query)) return fill(rowsByCounts(search), query, filter);
  const [first] = await take(rowsByCounts({ ...search, limit: 1 }), 1);
  return first ? postsIn(search.order.descending ? { to: first.rowKey } : { from: first.rowKey }, query) : [];
}

/** A page of some boards on a roadmap. The total is a lower bound if the roadmap has more rows than are looked at. */
async function walk(query: ListQuery, rows: Rows, filter: Filter): Promise<Page> {
  const { offset, limit, after } = query;
  const lookedAt = await take(rows, MOST_LOOKED_AT);
  const found = await take(matching(rowsOf(lookedAt), filter), lookedAt.length);
  const [before, skipped] = after === undefined ? [0, offset] : [offset, 0];
  const posts = await fill(rowsOf(found.slice(skipped)), query, filter);
  const isCut = posts.length < limit && lookedAt.length === MOST_LOOKED_AT;
  return {
    posts,
    total: before + found.length,
    isRange: false,
    lookedTo: isCut ? lookedAt.at(-1)?.rowKey : undefined,
  };
}

/** Reads the posts of rows until the page is full; skips posts that were deleted or moved away in between. */
async function fill(rows: Rows, { limit }: ListQuery, filter: Filter): Promise<Listed[]> {
  const posts: Listed[] = [];
  while (posts.length < limit) {
    const missing = limit - posts.length;
    const taken = await take(rows, missing);
    const rowKeys = new Map(taken.map(({ postId, rowKey }) => [postId, rowKey]));
    for (const { post, voters } of await findAllWithVoters([...rowKeys.keys()])) {
      if (matches(post, filter)) posts.push({ post, voters, rowKey: rowKeys.get(post.postId) ?? "" });
    }
    if (taken.length < missing) break;
  }
  return posts;
}

async function postsIn(bounds: Bounds, { order, limit }: ListQuery): Promise<Listed[]> {
  const { descending } = orders[order];
  const items = [];
  for await (const page of pagesOf(range.posts(bounds), PostOrVotersItem, { descending, pageSize: 2 * limit })) {
    items.push(...page);
    const posts = items.filter(isPost);
    // A post's voters are the next item; in a descending order, the one before.
    if (posts.length >= limit && (descending || items.at(-1) !== posts[limit - 1])) break;
  }
  const found = withVoters(items).slice(0, limit);
  return found.map(({ post, voters }) => ({ post, voters, rowKey: post.postId }));
}

/**
 * Sorts results that belong to the posts of a page. Rows by rank lag behind votes: they tell which posts are on a page,
 * and the votes that were read of these sort it. So voters who reload see their vote.
 */
export function sorted<T>(page: PostWithVoters[], results: T[], name: OrderName): T[] {
  const order: Order | RankOrder = orders[name];
  if (!("rankOf" in order)) return results;
  const keys = page.map(({ post, voters }) => order.rankOf(post.postId, meritsOf(voters)).rowKey);
  return results
    .map((result, at) => ({ result, key: keys[at] ?? "" }))
    .sort((a, b) => (a.key > b.key ? -1 : 1))
    .map(({ result }) => result);
}
