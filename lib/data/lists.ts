import * as z from "zod";
import { boardList, key, type ListName, type Range, range, roadmapList } from "./keys.ts";
import { isPost, type PostOrVoters, PostOrVotersItem, type PostRecord, type PostWithVoters } from "./posts.ts";
import { getMany, getRange, pagesOf, removeAlone } from "./table.ts";
import { noVoters, type Voters } from "./votes.ts";

/** Which posts, in which order, and which stretch of them. */
export type ListQuery = {
  /** Only posts of one of these boards. */
  boardIds?: string[] | undefined;
  /** Only posts of this roadmap. */
  roadmapId?: string | undefined;
  order: "asc" | "desc";
  /** How many posts come before the page; not looked at where `after` says where it begins. */
  offset: number;
  limit: number;
  /** The id of the post that the page comes after. */
  after?: string | undefined;
  /** Whether the number of posts in all is asked for too. */
  counted?: boolean;
};

/** A list whose first reads are under way; `page` finishes it once it is known which boards and roadmaps the caller may see. */
export type OpenList = {
  page: (visible: ReadonlySet<string>) => Promise<PostWithVoters[]>;
  /** How many posts there are in all; only where the query asked for it. */
  total: (visible: ReadonlySet<string>) => Promise<number>;
  /** Whether a page holds every post between its first and its last, as it does where nothing is filtered. */
  contiguous: boolean;
};

/**
 * Starts to read a page of posts. What can be read before the caller and the catalogue are known is read
 * beside them; `page(visible)` then leaves out the lists of all other boards and roadmaps: hidden ones, and those that were deleted.
 */
export const open = (query: ListQuery): OpenList => {
  const { boardIds, roadmapId } = query;
  if (roadmapId !== undefined && boardIds) return openBoardsOfRoadmap(query, roadmapId, boardIds);
  if (roadmapId !== undefined) return openFiltered(query, [{ list: roadmapList(roadmapId), id: roadmapId }]);
  if (boardIds) {
    return openFiltered(
      query,
      boardIds.map((id) => ({ list: boardList(id), id })),
    );
  }
  return openAll(query);
};

/** Live posts a day (`yyyy-mm-dd`) of a list. */
type DayCounts = Map<string, number>;

const CountsItem = z
  .object({ sk: z.string() })
  .catchall(z.unknown())
  .transform(({ sk: month, ...days }) =>
    Object.entries(days).flatMap(([day, count]) =>
      /^\d\d$/.test(day) && typeof count === "number" ? [[`${month}-${day}`, count] as const] : [],
    ),
  );

const countsOf = async (list: ListName): Promise<DayCounts> =>
  new Map((await getRange(range.dayCounts(list), CountsItem)).flat());

/** Where an offset falls: the day, how many posts of that day come before it, and how many the day has. */
type Place = { day: string; before: number; size: number };

const placeOf = (counts: DayCounts[], offset: number, order: "asc" | "desc"): Place | undefined => {
  const sum: DayCounts = new Map();
  for (const [day, count] of counts.flatMap((each) => [...each])) sum.set(day, (sum.get(day) ?? 0) + count);
  const days = [...sum].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  if (order === "desc") days.reverse();
  let left = offset;
  for (const [day, size] of days) {
    if (left < size) return { day, before: left, size };
    left -= size;
  }
  return undefined;
};

const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** The rows of a list from a day on, in the order of the query; without a day, from the start. */
const daysFrom = (list: ListName, order: "asc" | "desc", day?: string) =>
  order === "asc" ? range.listRows(list, { from: day }) : range.listRows(list, { to: day && nextDay(day) });

/** The rows of a list after a day, in the order of the query. */
const daysAfter = (list: ListName, order: "asc" | "desc", day: string) =>
  order === "asc" ? range.listRows(list, { from: nextDay(day) }) : range.listRows(list, { to: day });

const Row = z
  .object({ sk: z.string(), boardId: z.string().optional() })
  .transform(({ sk, boardId }) => ({ postId: sk, boardId }));
type Row = z.output<typeof Row>;

/** Rows in the order of a query; the first page of each list is asked for at once, the next when it is needed. */
type Rows = AsyncGenerator<Row, void, undefined>;

const rowsOf = (stretch: Range, descending: boolean, pageSize: number): Rows => {
  const pages = pagesOf(stretch, Row, { descending, pageSize });
  const first = pages.next();
  // Whoever takes the rows sees the failure; a list that turns out to be hidden is never taken.
  first.catch(() => {});
  return (async function* () {
    for (let page = await first; !page.done; page = await pages.next()) yield* page.value;
  })();
};

/** Merges lists that are each in order; a post that is seen in two of them, because it moved meanwhile, comes once. */
const merge = async function* (lists: Rows[], descending: boolean): Rows {
  const heads = await Promise.all(lists.map((list) => list.next()));
  let previous: string | undefined;
  for (;;) {
    let best: number | undefined;
    for (const [index, head] of heads.entries()) {
      if (head.done) continue;
      const leader = best === undefined ? undefined : heads[best];
      if (!leader || leader.done || head.value.postId < leader.value.postId !== descending) best = index;
    }
    const next = best === undefined ? undefined : heads[best];
    if (best === undefined || !next || next.done) return;
    if (next.value.postId !== previous) yield next.value;
    previous = next.value.postId;
    heads[best] = await (lists[best] as Rows).next();
  }
};

const skip = async function* (rows: Rows, count: number): Rows {
  for (let skipped = 0; skipped < count; skipped++) {
    if ((await rows.next()).done) return;
  }
  yield* rows;
};

const concat = async function* (head: Promise<Row[]>, tail: Rows): Rows {
  yield* await head;
  yield* tail;
};

const take = async (rows: Rows, count: number): Promise<Row[]> => {
  const taken: Row[] = [];
  while (taken.length < count) {
    const next = await rows.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
};

// A Query carries at most this many rows: about 60 KB.
const MAX_ROWS = 1000;

/** The merged rows from a place on, read from the edge of the day that is nearer. */
const rowsFrom = (lists: ListName[], { day, before, size }: Place, order: "asc" | "desc", wanted: number): Rows => {
  const descending = order === "desc";
  const rows = (stretch: (list: ListName, order: "asc" | "desc", day: string) => Range, count: number) =>
    merge(
      lists.map((list) => rowsOf(stretch(list, order, day), descending, Math.min(count, MAX_ROWS))),
      descending,
    );
  const after = size - before;
  if (before <= after) return skip(rows(daysFrom, before + wanted), before);
  const backwards = merge(
    lists.map((list) =>
      rowsOf(range.listRows(list, { from: day, to: nextDay(day) }), !descending, Math.min(after, MAX_ROWS)),
    ),
    !descending,
  );
  const head = take(backwards, after).then((taken) => taken.reverse());
  head.catch(() => {});
  // The page reaches into the days after: they are asked for beside, so that it stays one step.
  const tail = after < wanted ? rows(daysAfter, wanted) : lazily(() => rows(daysAfter, wanted));
  return concat(head, tail);
};

const lazily = async function* (rows: () => Rows): Rows {
  yield* rows();
};

/** Puts posts and their voters together as they come by, in either order; a half-seen post counts as not voted on. */
const pairs = async function* (
  items: AsyncGenerator<PostOrVoters[], void, undefined>,
): AsyncGenerator<PostWithVoters, void, undefined> {
  let postId: string | undefined;
  let post: PostRecord | undefined;
  let voters: Voters | undefined;
  for await (const page of items) {
    for (const item of page) {
      if (item.postId !== postId) {
        if (post) yield { post, voters: noVoters(post.postId) };
        postId = item.postId;
        post = voters = undefined;
      }
      if (isPost(item)) post = item;
      else voters = item;
      if (!post || !voters) continue;
      yield { post, voters };
      post = voters = undefined;
    }
  }
  if (post) yield { post, voters: noVoters(post.postId) };
};

/** Reads posts with their voters until the page is full: from the start of the order, or from one post on. */
const postsFrom = async (postId: string | undefined, { order, limit, after }: ListQuery): Promise<PostWithVoters[]> => {
  const descending = order === "desc";
  const stretch = descending ? range.posts(undefined, postId) : range.posts(postId);
  const posts: PostWithVoters[] = [];
  for await (const each of pairs(pagesOf(stretch, PostOrVotersItem, { descending, pageSize: 2 * limit }))) {
    if (each.post.postId === after) continue;
    posts.push(each);
    if (posts.length === limit) break;
  }
  return posts;
};

/** Whether a page is found without counting: the first one, and one that begins after a post that is named. */
const isNamed = ({ offset, after }: ListQuery): boolean => offset === 0 || after !== undefined;

/** Starts a read whose failure counts only where its result is asked for. */
const started = <T>(reading: Promise<T>): Promise<T> => {
  reading.catch(() => {});
  return reading;
};

const sumOf = (counts: DayCounts[]): number =>
  counts.flatMap((each) => [...each.values()]).reduce((sum, count) => sum + count, 0);

/** All posts: page 1 is one Query; a later page finds its first post by the day counts and reads on from there. */
const openAll = (query: ListQuery): OpenList => {
  const { order, offset, after, counted } = query;
  const counts = counted || !isNamed(query) ? started(countsOf("ALL")) : undefined;
  const postsAt = async (): Promise<PostWithVoters[]> => {
    const place = placeOf(counts ? [await counts] : [], offset, order);
    if (!place) return [];
    const first = await rowsFrom(["ALL"], place, order, 1).next();
    return first.done ? [] : postsFrom(first.value.postId, query);
  };
  const found = started(isNamed(query) ? postsFrom(after, query) : postsAt());
  return { page: () => found, total: async () => sumOf(counts ? [await counts] : []), contiguous: true };
};

/** The rows of a list from the start of the order, or from the post that the page comes after. */
const rowsFromStart = (list: ListName, { order, limit, after }: ListQuery): Rows => {
  const descending = order === "desc";
  if (after === undefined) return rowsOf(daysFrom(list, order), descending, limit);
  const stretch = range.listRowsBetween(list, descending ? { to: after } : { from: after });
  return without(after, rowsOf(stretch, descending, limit + 1));
};

const without = async function* (postId: string, rows: Rows): Rows {
  for await (const row of rows) if (row.postId !== postId) yield row;
};

/** The posts of some boards or of a roadmap: rows merged by id, posts by their keys. */
const openFiltered = (query: ListQuery, wanted: { list: ListName; id: string }[]): OpenList => {
  const { order, offset, limit, counted } = query;
  const opened = wanted.map(({ list, id }) => ({
    list,
    id,
    rows: isNamed(query) ? [rowsFromStart(list, query)] : [],
    counts: counted || !isNamed(query) ? [started(countsOf(list))] : [],
  }));
  const page = async (visible: ReadonlySet<string>): Promise<PostWithVoters[]> => {
    const seen = opened.filter(({ id }) => visible.has(id));
    if (isNamed(query)) {
      const rows = seen.flatMap((each) => each.rows);
      return fill(merge(rows, order === "desc"), limit);
    }
    const counts = await Promise.all(seen.flatMap((each) => each.counts));
    const place = placeOf(counts, offset, order);
    if (!place) return [];
    const lists = seen.filter((_, index) => (counts[index]?.size ?? 0) > 0).map(({ list }) => list);
    return fill(rowsFrom(lists, place, order, limit), limit);
  };
  const total = async (visible: ReadonlySet<string>): Promise<number> =>
    sumOf(await Promise.all(opened.filter(({ id }) => visible.has(id)).flatMap(({ counts }) => counts)));
  return { page, total, contiguous: false };
};

/** Boards and a roadmap together: the roadmap's rows name the board. The one filter whose cost grows with its list. */
const openBoardsOfRoadmap = (query: ListQuery, roadmapId: string, boardIds: string[]): OpenList => {
  const { order, offset, limit, after, counted } = query;
  const list = roadmapList(roadmapId);
  const rows = after === undefined ? allRowsOf(list, order === "desc") : rowsFromStart(list, query);
  const all = counted ? [allRowsOf(list, false)] : [];
  const matching = async function* (of: Rows, visible: ReadonlySet<string>): Rows {
    if (!visible.has(roadmapId)) return;
    const boards = new Set(boardIds.filter((id) => visible.has(id)));
    for await (const row of of) if (row.boardId !== undefined && boards.has(row.boardId)) yield row;
  };
  const page = (visible: ReadonlySet<string>): Promise<PostWithVoters[]> =>
    fill(skip(matching(rows, visible), after === undefined ? offset : 0), limit);
  const total = async (visible: ReadonlySet<string>): Promise<number> => {
    let count = 0;
    for (const each of all) for await (const _ of matching(each, visible)) count++;
    return count;
  };
  return { page, total, contiguous: false };
};

const allRowsOf = (list: ListName, descending: boolean): Rows => rowsOf(range.listRows(list), descending, MAX_ROWS);

/** Reads the posts of rows until the page is full; a post that went in between is skipped. */
const fill = async (rows: Rows, limit: number): Promise<PostWithVoters[]> => {
  const posts: PostWithVoters[] = [];
  while (posts.length < limit) {
    const missing = limit - posts.length;
    const taken = await take(rows, missing);
    if (taken.length > 0) posts.push(...(await postsOf(taken.map((row) => row.postId))));
    if (taken.length < missing) break;
  }
  return posts;
};

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

const Swept = z.object({ pk: z.string(), sk: z.string() });

/** Deletes the rows and counts of a board or roadmap that was deleted; safe to repeat after a crash at any point. */
export const sweep = async (list: ListName): Promise<void> => {
  for (const stretch of [range.listRows(list), range.dayCounts(list)]) {
    for await (const page of pagesOf(stretch, Swept, { pageSize: 100 })) await Promise.all(page.map(removeAlone));
  }
};
