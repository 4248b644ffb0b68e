import * as bucketCounts from "../posts/bucket-counts.ts";
import { isPost, type PostOrVoters, PostOrVotersItem, type PostRecord, type PostWithVoters } from "../posts/posts.ts";
import { type Bounds, key, range } from "../table/keys.ts";
import { allPosts, boardList, type PostList, roadmapList } from "../table/post-lists.ts";
import { getMany, pagesOf } from "../table/reads.ts";
import { noVoters, type Voters } from "../votes/votes.ts";
import { merge, type Row, type Rows, rowsOf, skip, take } from "./list-rows.ts";
import { boundsAfter, boundsFrom, type Order, type OrderName, orders } from "./orders.ts";
import { rowsAfter, rowsFrom } from "./page-rows.ts";
import { ofStatuses } from "./status-rows.ts";

/** Which posts, in which order, and which page of them. */
export type ListQuery = {
  /** Only posts of one of these boards. */
  boardIds?: string[] | undefined;
  /** Only posts of this roadmap. */
  roadmapId?: string | undefined;
  /** Only posts of some statuses: those that `page` and `total` are given. */
  byStatus?: boolean;
  order: OrderName;
  /** The number of posts before the page; ignored with `after`. */
  offset: number;
  /** The number of posts on a full page, at least 1. */
  limit: number;
  /** The key of the row that the page comes after: a post's id, or with its rank before it in an order by rank. */
  after?: string | undefined;
  /** Whether the total is asked for too. */
  counted?: boolean;
};

type Statuses = bucketCounts.Statuses;

type Query = Omit<ListQuery, "order"> & { order: Order };

/** The ids of the boards and roadmaps that exist and that the caller may see. */
type Visible = ReadonlySet<string>;

/** A post of a page, with the key of its row: what the next page comes after. */
export type Listed = PostWithVoters & { rowKey: string };

/** A list whose first reads are under way. */
type OpenList = {
  page: (visible: Visible, statuses?: Statuses) => Promise<Listed[]>;
  /** The number of posts on all pages; 0 unless the query asked for it. */
  total: (visible: Visible, statuses?: Statuses) => Promise<number>;
  /** Whether a page holds every post between its first and its last: true for the list of all posts. */
  contiguous: boolean;
};

/**
 * Starts to read a page of posts. What does not depend on the caller and the catalogue is read beside them. `page(visible)` leaves
 * out the lists of boards and roadmaps that are hidden or deleted.
 */
export function open({ order, ...asked }: ListQuery): OpenList {
  const query: Query = { ...asked, order: orders[order] };
  const { boardIds, roadmapId, byStatus } = query;
  if (boardIds && roadmapId !== undefined) return openBoardsOfRoadmap(query, boardIds, roadmapId);
  const lists = boardIds?.map(boardList) ?? [roadmapId === undefined ? allPosts : roadmapList(roadmapId)];
  if (byStatus) return openByStatus(query, lists);
  const isInKeyOrder = !boardIds && roadmapId === undefined && !query.order.rowKeyNow;
  return isInKeyOrder ? openAll(query) : openLists(query, lists);
}

/** Marks an early read as handled: its error surfaces only where it is awaited. */
function early<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => {});
  return reading;
}

/** A list that is being read, with its counts if they are needed. */
type Opened = { list: PostList; counts: Promise<bucketCounts.BucketCounts> };

const NO_COUNTS: Promise<bucketCounts.BucketCounts> = Promise.resolve(new Map());

/** Whether the start of the page is known without counts: on page 1, and after a named post. */
function hasKnownStart({ offset, after }: Query): boolean {
  return offset === 0 || after !== undefined;
}

function withCounts(query: Query, list: PostList): Opened {
  return {
    list,
    counts:
      query.counted || query.byStatus || !hasKnownStart(query)
        ? early(bucketCounts.read(list, query.order))
        : NO_COUNTS,
  };
}

function countsOf(lists: Opened[]): Promise<bucketCounts.CountedList[]> {
  return Promise.all(lists.map(async ({ list, counts }) => ({ list, counts: await counts })));
}

async function totalOf(lists: Opened[], statuses?: Statuses): Promise<number> {
  return bucketCounts.totalOf(await countsOf(lists), statuses);
}

/** The number of all posts. */
export async function totalOfAll(): Promise<number> {
  return bucketCounts.totalOf([{ list: allPosts, counts: await bucketCounts.read(allPosts, orders.asc) }]);
}

/** The lists that the caller may see; everybody may see that of all posts. */
function seenBy<T extends { list: PostList }>(visible: Visible, lists: T[]): T[] {
  return lists.filter(({ list: { id } }) => id === undefined || visible.has(id));
}

/** All posts in the order of their keys: page 1 is one Query; a later page finds its first post by the counts and reads on from there. */
function openAll(query: Query): OpenList {
  const opened = [withCounts(query, allPosts)];
  const posts = early(
    hasKnownStart(query) ? postsIn(boundsAfter(query.after, query.order), query) : postsAtOffset(query, opened),
  );
  return { page: () => posts, total: () => totalOf(opened), contiguous: true };
}

async function postsAtOffset(query: Query, opened: Opened[]): Promise<Listed[]> {
  const { offset, order } = query;
  const place = bucketCounts.placeOf(await countsOf(opened), offset, order);
  const [first] = place ? await take(rowsFrom(place, order, 1), 1) : [];
  if (!first) return [];
  return postsIn(boundsFrom(first.postId, order), query);
}

/** The posts of some boards or of a roadmap, or all in an order by rank: rows merged, then the posts by their keys. */
function openLists(query: Query, lists: PostList[]): OpenList {
  const { order, offset, limit, after } = query;
  const opened = lists.map((list) => ({
    ...withCounts(query, list),
    // Without a count to wait for, the rows are read at once; those of hidden lists are dropped.
    rows: hasKnownStart(query) ? [rowsOf(list, boundsAfter(after, order), order, limit)] : [],
  }));
  const page = async (visible: Visible): Promise<Listed[]> => {
    const seen = seenBy(visible, opened);
    if (hasKnownStart(query)) {
      const rows = seen.flatMap((list) => list.rows);
      return fill(merge(rows, order), query);
    }
    const place = bucketCounts.placeOf(await countsOf(seen), offset, order);
    return place ? fill(rowsFrom(place, order, limit), query) : [];
  };
  return { page, total: (visible) => totalOf(seenBy(visible, opened)), contiguous: false };
}

/** Posts of some statuses, of all posts or some lists: the counts tell where there are any, on page 1 too. */
function openByStatus(query: Query, lists: PostList[]): OpenList {
  const { order, offset, limit, after } = query;
  const opened = lists.map((list) => withCounts(query, list));
  const page = async (visible: Visible, statuses: Statuses = new Set()): Promise<Listed[]> => {
    const counted = await countsOf(seenBy(visible, opened));
    if (after !== undefined) return fill(rowsAfter(counted, after, query, statuses), query, statuses);
    const place = bucketCounts.placeOf(counted, offset, order, statuses);
    return place ? fill(rowsFrom(place, order, limit, statuses), query, statuses) : [];
  };
  return { page, total: (visible, statuses) => totalOf(seenBy(visible, opened), statuses), contiguous: false };
}

// Rows of one Query of a roadmap's list, where the rows of other boards are skipped: about 150 KB.
const FILTERED_PAGE = 1000;

/** Boards and a roadmap together: the roadmap's rows name the board. The one filter whose cost grows with its list. */
function openBoardsOfRoadmap(query: Query, boardIds: string[], roadmapId: string): OpenList {
  const { order, offset, after, counted } = query;
  const list = roadmapList(roadmapId);
  const pageRows = rowsOf(list, boundsAfter(after, order), order, FILTERED_PAGE);
  const allRows = counted ? rowsOf(list, {}, order, FILTERED_PAGE) : undefined;
  const matching = async function* (rows: Rows, visible: Visible, statuses?: Statuses): Rows {
    if (!visible.has(roadmapId)) return;
    const boards = new Set(boardIds.filter((id) => visible.has(id)));
    if (boards.size === 0) return;
    for await (const row of ofStatuses(rows, statuses)) {
      if (row.boardId !== undefined && boards.has(row.boardId)) yield row;
    }
  };
  const page = (visible: Visible, statuses?: Statuses): Promise<Listed[]> =>
    fill(skip(matching(pageRows, visible, statuses), after === undefined ? offset : 0), query, statuses);
  const total = async (visible: Visible, statuses?: Statuses): Promise<number> =>
    allRows ? (await take(matching(allRows, visible, statuses), Number.POSITIVE_INFINITY)).length : 0;
  return { page, total, contiguous: false };
}

/** Reads the posts of rows until the page is full; skips posts that were deleted or moved away in between. */
async function fill(rows: Rows, query: Query, statuses?: Statuses): Promise<Listed[]> {
  const posts: Listed[] = [];
  while (posts.length < query.limit) {
    const missing = query.limit - posts.length;
    const taken = await take(rows, missing);
    const found = taken.length > 0 ? await postsOfRows(taken) : [];
    posts.push(...found.filter(({ post }) => isAskedFor(post, query, statuses)));
    if (taken.length < missing) break;
  }
  return posts;
}

/** Whether a post is on one of some boards, on a roadmap and of one of some statuses; what is not given does not count. */
export function isAskedFor(
  post: PostRecord,
  { boardIds, roadmapId }: Pick<ListQuery, "boardIds" | "roadmapId">,
  statuses?: Statuses,
): boolean {
  return (
    (!boardIds || (post.boardId !== undefined && boardIds.includes(post.boardId))) &&
    (roadmapId === undefined || post.roadmapId === roadmapId) &&
    (!statuses || statuses.has(post.status))
  );
}

/** Reads posts with their voters by their ids, in the order of the ids; missing posts are left out. */
export async function postsOf(postIds: string[]): Promise<PostWithVoters[]> {
  const keys = postIds.flatMap((postId) => [key.post(postId), key.voters(postId)]);
  const items = await getMany(keys, PostOrVotersItem);
  const posts = new Map(items.filter(isPost).map((post) => [post.postId, post]));
  const voters = new Map(items.filter((item): item is Voters => !isPost(item)).map((item) => [item.postId, item]));
  return postIds.flatMap((postId) => {
    const post = posts.get(postId);
    return post ? [{ post, voters: voters.get(postId) ?? noVoters(postId) }] : [];
  });
}

/** Reads the posts of some rows with their voters, in the order of the rows; missing posts are left out. */
async function postsOfRows(rows: Row[]): Promise<Listed[]> {
  const found = await postsOf(rows.map(({ postId }) => postId));
  const rowKeys = new Map(rows.map(({ postId, rowKey }) => [postId, rowKey]));
  return found.map((each) => ({ ...each, rowKey: rowKeys.get(each.post.postId) ?? "" }));
}

/**
 * What is made of the posts of a page, in the page's order. The rows of an order by rank lag behind votes by a second or two: they
 * tell which posts are on the page, and it is sorted by what was read of these. So voters who reload see their vote at work.
 */
export function sorted<T>(page: PostWithVoters[], made: T[], name: OrderName): T[] {
  const { rowKeyNow }: Order = orders[name];
  if (!rowKeyNow) return made;
  const keyed = made.map((each, at) => ({ each, rowKey: page[at] ? rowKeyNow(page[at].voters) : "" }));
  return keyed.sort((a, b) => (a.rowKey > b.rowKey ? -1 : 1)).map(({ each }) => each);
}

/** Reads posts with their voters within some bounds, until the page is full. */
async function postsIn(bounds: Bounds, { order, limit }: Query): Promise<Listed[]> {
  const walk = { descending: order.descending, pageSize: 2 * limit };
  const posts: Listed[] = [];
  for await (const found of pairs(pagesOf(range.posts(bounds), PostOrVotersItem, walk))) {
    posts.push({ ...found, rowKey: found.post.postId });
    if (posts.length === limit) break;
  }
  return posts;
}

type PostsWithVoters = AsyncGenerator<PostWithVoters, void, undefined>;

/**
 * Pairs each post with its voters, which come next to it in either order. A post whose voters are missing counts as not voted on:
 * a Query can see one half of a transaction.
 */
async function* pairs(pages: AsyncGenerator<PostOrVoters[], void, undefined>): PostsWithVoters {
  let post: PostRecord | undefined;
  let voters: Voters | undefined;
  for await (const page of pages) {
    for (const item of page) {
      // The next post begins: this one's voters are missing.
      if (post && post.postId !== item.postId) yield { post, voters: noVoters(post.postId) };
      if (post?.postId !== item.postId) post = undefined;
      if (voters?.postId !== item.postId) voters = undefined;
      if (isPost(item)) post = item;
      else voters = item;
      if (!post || !voters) continue;
      yield { post, voters };
      post = voters = undefined;
    }
  }
  if (post) yield { post, voters: noVoters(post.postId) };
}
