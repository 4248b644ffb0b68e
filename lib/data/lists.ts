import * as z from "zod";
import * as dayCounts from "./day-counts.ts";
import { type Bounds, boardList, key, type ListName, range, roadmapList } from "./keys.ts";
import { boundsAfter, merge, type Order, type Rows, rowsFrom, rowsOf, skip, take } from "./list-rows.ts";
import { isPost, type PostOrVoters, PostOrVotersItem, type PostRecord, type PostWithVoters } from "./posts.ts";
import { getMany, pagesOf, removeAlone, SWEPT_AT_ONCE } from "./table.ts";
import { noVoters, type Voters } from "./votes.ts";

/** Which posts, in which order, and which stretch of them. */
export type ListQuery = {
  /** Only posts of one of these boards. */
  boardIds?: string[] | undefined;
  /** Only posts of this roadmap. */
  roadmapId?: string | undefined;
  order: Order;
  /** How many posts come before the page; not looked at where `after` says where it begins. */
  offset: number;
  /** How many posts a full page has, at least 1. */
  limit: number;
  /** The id of the post that the page comes after. */
  after?: string | undefined;
  /** Whether the number of posts in all is asked for too. */
  counted?: boolean;
};

type Visible = ReadonlySet<string>;

/** A list whose first reads are under way. What depends on which boards and roadmaps the caller may see waits for that. */
export type OpenList = {
  page: (visible: Visible) => Promise<PostWithVoters[]>;
  /** How many posts there are in all; only where the query asked for it. */
  total: (visible: Visible) => Promise<number>;
  /** Whether a page holds every post between its first and its last, as it does where nothing is filtered. */
  contiguous: boolean;
};

/**
 * Starts to read a page of posts. What can be read before the caller and the catalogue are known is read beside them;
 * `page(visible)` then leaves out the lists of all other boards and roadmaps: hidden ones, and those that were deleted.
 */
export const open = (query: ListQuery): OpenList => {
  const { boardIds, roadmapId } = query;
  if (boardIds && roadmapId !== undefined) return openBoardsOfRoadmap(query, boardIds, roadmapId);
  if (boardIds) return openLists(query, boardIds, boardList);
  if (roadmapId !== undefined) return openLists(query, [roadmapId], roadmapList);
  return openAll(query);
};

/** The failure of a read that was started early counts only where its result does. */
const early = <T>(reading: Promise<T>): Promise<T> => {
  reading.catch(() => {});
  return reading;
};

/** A list that was asked for: whose it is, and its day counts where they are needed. */
type Opened = { list: ListName; id: string; counts: Promise<dayCounts.DayCounts> };

const NO_COUNTS: Promise<dayCounts.DayCounts> = Promise.resolve(new Map());

/** Whether a page is found without counting: the first one, and one that begins after a post that is named. */
const isNamed = ({ offset, after }: ListQuery): boolean => offset === 0 || after !== undefined;

const withCounts = (query: ListQuery, list: ListName, id = ""): Opened => ({
  list,
  id,
  counts: query.counted || !isNamed(query) ? early(dayCounts.read(list)) : NO_COUNTS,
});

const countsOf = (lists: Opened[]): Promise<dayCounts.CountedList[]> =>
  Promise.all(lists.map(async ({ list, counts }) => ({ list, counts: await counts })));

const totalOf = async (lists: Opened[]): Promise<number> => dayCounts.totalOf(await countsOf(lists));

/** All posts: page 1 is one Query; a later page finds its first post by the day counts and reads on from there. */
const openAll = (query: ListQuery): OpenList => {
  const all = [withCounts(query, "ALL")];
  const found = early(
    isNamed(query) ? postsIn(boundsAfter(query.after, query.order), query) : postsAtOffset(query, all),
  );
  return { page: () => found, total: () => totalOf(all), contiguous: true };
};

const postsAtOffset = async (query: ListQuery, all: Opened[]): Promise<PostWithVoters[]> => {
  const { offset, order } = query;
  const place = dayCounts.placeOf(await countsOf(all), offset, order);
  const [first] = place ? await take(rowsFrom(place, order, 1), 1) : [];
  if (!first) return [];
  return postsIn(order === "asc" ? { from: first.postId } : { to: first.postId }, query);
};

/** The posts of some boards or of a roadmap: rows merged by id, posts by their keys. */
const openLists = (query: ListQuery, ids: string[], listOf: (id: string) => ListName): OpenList => {
  const { order, offset, limit, after } = query;
  const opened = ids.map((id) => {
    const list = listOf(id);
    // Where no counting is needed the rows are asked for at once; those of hidden lists are dropped.
    const rows = isNamed(query) ? [rowsOf(list, boundsAfter(after, order), order, limit)] : [];
    return { ...withCounts(query, list, id), rows };
  });
  const seenBy = (visible: Visible) => opened.filter(({ id }) => visible.has(id));
  const page = async (visible: Visible): Promise<PostWithVoters[]> => {
    const seen = seenBy(visible);
    const rows = seen.flatMap((each) => each.rows);
    if (isNamed(query)) return fill(merge(rows, order), query);
    const place = dayCounts.placeOf(await countsOf(seen), offset, order);
    return place ? fill(rowsFrom(place, order, limit), query) : [];
  };
  return { page, total: (visible) => totalOf(seenBy(visible)), contiguous: false };
};

// Rows a Query of a roadmap's list where those of other boards are passed over: about 150 KB.
const PASSING_ROWS = 1000;

/** Boards and a roadmap together: the roadmap's rows name the board. The one filter whose cost grows with its list. */
const openBoardsOfRoadmap = (query: ListQuery, boardIds: string[], roadmapId: string): OpenList => {
  const { order, offset, after, counted } = query;
  const list = roadmapList(roadmapId);
  const rows = rowsOf(list, boundsAfter(after, order), order, PASSING_ROWS);
  const all = counted ? rowsOf(list, {}, order, PASSING_ROWS) : undefined;
  const matching = async function* (some: Rows, visible: Visible): Rows {
    if (!visible.has(roadmapId)) return;
    const boards = new Set(boardIds.filter((id) => visible.has(id)));
    if (boards.size === 0) return;
    for await (const row of some) if (row.boardId !== undefined && boards.has(row.boardId)) yield row;
  };
  const page = (visible: Visible): Promise<PostWithVoters[]> =>
    fill(skip(matching(rows, visible), after === undefined ? offset : 0), query);
  const total = async (visible: Visible): Promise<number> =>
    all ? (await take(matching(all, visible), Number.POSITIVE_INFINITY)).length : 0;
  return { page, total, contiguous: false };
};

/** Reads the posts of rows until the page is full; a post that went or moved away in between is passed over. */
const fill = async (rows: Rows, query: ListQuery): Promise<PostWithVoters[]> => {
  const posts: PostWithVoters[] = [];
  while (posts.length < query.limit) {
    const missing = query.limit - posts.length;
    const taken = await take(rows, missing);
    const found = taken.length > 0 ? await postsOf(taken.map(({ postId }) => postId)) : [];
    posts.push(...found.filter(({ post }) => isAskedFor(post, query)));
    if (taken.length < missing) break;
  }
  return posts;
};

const isAskedFor = (post: PostRecord, { boardIds, roadmapId }: ListQuery): boolean =>
  (!boardIds || (post.boardId !== undefined && boardIds.includes(post.boardId))) &&
  (roadmapId === undefined || post.roadmapId === roadmapId);

/** Reads posts with their voters by their ids, in the order of the ids; what is gone is left out. */
const postsOf = async (postIds: string[]): Promise<PostWithVoters[]> => {
  const keys = postIds.flatMap((postId) => [key.post(postId), key.voters(postId)]);
  const items = await getMany(keys, PostOrVotersItem);
  const posts = new Map(items.filter(isPost).map((post) => [post.postId, post]));
  const voters = new Map(items.filter((item): item is Voters => !isPost(item)).map((item) => [item.postId, item]));
  return postIds.flatMap((postId) => {
    const post = posts.get(postId);
    return post ? [{ post, voters: voters.get(postId) ?? noVoters(postId) }] : [];
  });
};

/** Reads posts with their voters within some bounds, until the page is full. */
const postsIn = async (bounds: Bounds, { order, limit }: ListQuery): Promise<PostWithVoters[]> => {
  const walk = { descending: order === "desc", pageSize: 2 * limit };
  const posts: PostWithVoters[] = [];
  for await (const post of pairs(pagesOf(range.posts(bounds), PostOrVotersItem, walk))) {
    posts.push(post);
    if (posts.length === limit) break;
  }
  return posts;
};

type PostsWithVoters = AsyncGenerator<PostWithVoters, void, undefined>;

/** Puts posts and their voters together as they come by, in either order; a half-seen post counts as not voted on. */
const pairs = async function* (pages: AsyncGenerator<PostOrVoters[], void, undefined>): PostsWithVoters {
  let post: PostRecord | undefined;
  let voters: Voters | undefined;
  for await (const page of pages) {
    for (const item of page) {
      // The next post begins: this one's voters were not seen.
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
};

const Swept = z.object({ pk: z.string(), sk: z.string() });

/** Deletes the rows and counts of a board or roadmap that was deleted; safe to repeat after a crash at any point. */
export const sweep = async (list: ListName): Promise<void> => {
  for (const stretch of [range.listRows(list), range.dayCounts(list)]) {
    for await (const page of pagesOf(stretch, Swept, { pageSize: SWEPT_AT_ONCE }))
      await Promise.all(page.map(removeAlone));
  }
};
