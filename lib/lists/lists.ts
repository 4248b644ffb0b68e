import type { PostWithVoters } from "../posts/posts.ts";
import { allPosts, isAmong, type PostList } from "../table/post-lists.ts";
import { type Counts, daysOf, findDayStart, readCounts, totalOf } from "./days.ts";
import { type Filter, facetsOf, filterOfRows } from "./filter.ts";
import { MOST_LOOKED_AT, merged, type Opened, openAt, openFirst } from "./opening.ts";
import { boundsAfter, meritsOf, type OrderName, orders, rankOrder } from "./orders.ts";
import { type AlsoRead, fill, type Listed, postsIn } from "./page-posts.ts";
import { countsAddUp, type ListQuery, leadKnownEarly, leadsOf, startsAtADay, wayOf } from "./query.ts";
import { type Rows, skip, take } from "./rows.ts";
import { Walk } from "./walk.ts";

// A page of posts is found in one of three ways (`wayOf`):
//   - "all by date": all posts lie side by side in the table, and are read as they lie.
//   - "facet by date": posts with a value of one facet have rows in the lists of this facet. The day on which a
//     numbered page begins is found by the counts of each day (days.ts).
//   - "walk", by rank, or by several facets or tags: a walk along the merged rows of one facet's lists, its lead
//     (walk.ts). It looks at 500 at most. Of several leads it takes the one with the fewest posts; each row holds the
//     other facets of its post.
// The posts of the rows are read last, and those that no longer match are left out. Rows by date agree with their
// posts; rows by rank lag behind (ranks.ts).
//
// It is done in two parts. `begin` runs in parallel with the reads of the caller and the catalogue, and needs neither.
// `finish` gets the filter of what the caller sees, and reads the rest.
//
//   way                 | page 1, or behind a cursor             | a numbered page
//   all by date         | `begin`: posts                         | `begin`: counts; `finish`: its first row, posts
//   facet by date       | `begin`: first rows; `finish`: posts   | `begin`: counts; `finish`: rows from its day, posts
//   walk, one lead      | `begin`: first rows; `finish`: posts   | the same, and skips the posts before the page
//   walk, several leads | `begin`: counts; `finish`: rows, posts | the same, and skips the posts before the page
//
// Only `finish` knows the lists of a status, so by date it also reads their first rows.

export type Page = {
  posts: Listed[];
  /** The number of posts on all pages; 0 unless the query asked for it. */
  total: number;
  /** Whether there may be more posts than `total`: a walk did not come to the end of its list. */
  isMinimum: boolean;
  /** Whether the page holds every post between its first and its last. */
  isContiguous: boolean;
  /** Set if the page is not full because enough rows were looked at: the key of the last one. */
  lookedTo?: string | undefined;
};

/** What `begin` can read beside the counts: the posts of the page, the first rows of its lists, or nothing. */
type Early = { kind: "posts"; posts: Listed[] } | { kind: "rows"; opened: Opened[] } | { kind: "nothing" };

export type Begun = Early & { counts: Counts };

/** Reads in parallel with the caller and the catalogue. */
export async function begin(query: ListQuery): Promise<Begun> {
  const [early, counts] = await Promise.all([readEarly(query), neededCounts(query)]);
  return { ...early, counts };
}

/** The lists whose first rows `begin` reads; undefined if it reads none. */
function listsToOpen(query: ListQuery): PostList[] | undefined {
  if (startsAtADay(query) || wayOf(query) === "all by date") return undefined;
  return leadKnownEarly(query);
}

/** Whether `begin` reads rows, so that the posts of the page are read later. */
export function beginsWithRows(query: ListQuery): boolean {
  return listsToOpen(query) !== undefined;
}

/** Reads the part for which neither the filter nor the caller is needed. */
async function readEarly(query: ListQuery): Promise<Early> {
  const lists = listsToOpen(query);
  if (lists) return { kind: "rows", opened: await openFirst(lists, query) };
  if (startsAtADay(query) || wayOf(query) !== "all by date") return { kind: "nothing" };
  return { kind: "posts", posts: await postsIn(boundsAfter(query.after, orders[query.order]), query) };
}

/** Counts that add up give a total and the day on which a page begins; others say which facet has the fewest posts. */
async function neededCounts(query: ListQuery): Promise<Counts> {
  const isNeeded = countsAddUp(query) ? query.wantsTotal || startsAtADay(query) : leadKnownEarly(query) === undefined;
  if (!isNeeded) return new Map();
  // Only the ids of the statuses are known yet, not their lists: they are counted with all posts.
  const { boardIds, roadmapId, tagIds, statusIds } = query;
  const lists = facetsOf({ boardIds, roadmapId, tagIds }).flat();
  return readCounts(statusIds || lists.length === 0 ? [...lists, allPosts] : lists);
}

/** Reads the page of what the caller sees. */
export async function finish(
  query: ListQuery,
  begun: Begun,
  filter: Filter,
  alsoRead: AlsoRead = () => {},
): Promise<Page> {
  const way = wayOf(query);
  if (way === "walk") return walkedPage(query, begun, filter, alsoRead);
  const [lists = [allPosts]] = facetsOf(filter);
  return {
    posts: await datedPage(lists, query, begun, filter, alsoRead),
    total: query.wantsTotal ? totalOf(lists, begun.counts) : 0,
    isMinimum: false,
    isContiguous: way === "all by date",
  };
}

/** A page in one read, for code that sees every board and roadmap, and filters by no status. */
export async function read(query: ListQuery & { statusIds?: undefined }): Promise<Listed[]> {
  // Without a status, the query is its own filter.
  return (await finish(query, await begin(query), query)).posts;
}

/** The number of all posts, or of those with some statuses. */
export async function totalOfAll({ statusLetters }: Pick<Filter, "statusLetters"> = {}): Promise<number> {
  const [lists = [allPosts]] = facetsOf({ statusLetters });
  return totalOf(lists, await readCounts([allPosts]));
}

/** A page by date, of all posts or of one facet. */
async function datedPage(
  lists: PostList[],
  query: ListQuery,
  begun: Begun,
  filter: Filter,
  alsoRead: AlsoRead,
): Promise<Listed[]> {
  if (begun.kind === "posts") return begun.posts;
  if (!startsAtADay(query)) return fill(await rowsIn(lists, query, begun), query, filter, alsoRead);
  const { descending } = orders[query.order];
  const start = findDayStart(query.offset, daysOf(lists, begun.counts), descending);
  if (!start) return [];
  const opened = await openAt(start, lists, begun.counts, query);
  const rows = skip(merged(opened, query), start.skipped);
  if (wayOf(query) === "facet by date") return fill(rows, query, filter, alsoRead);
  // All posts lie side by side: the first row of the page says from where they are read.
  const [first] = await take(rows, 1);
  return first ? postsIn(descending ? { to: first.rowKey } : { from: first.rowKey }, query) : [];
}

/** The rows of some lists, which `begin` has opened if it knew them. */
async function rowsIn(lists: PostList[], query: ListQuery, begun: Begun): Promise<Rows> {
  const opened = begun.kind === "rows" ? begun.opened : await openFirst(lists, query);
  // `begin` opened every list that the query names; the caller may not see all of them.
  const ofLists = opened.filter(({ list }) => isAmong(list, lists));
  return merged(ofLists, query);
}

/** A page by rank, or of several facets or tags. */
async function walkedPage(query: ListQuery, begun: Begun, filter: Filter, alsoRead: AlsoRead): Promise<Page> {
  const { counts } = begun;
  // A single lead needs no counts, and none were read.
  const leads = leadsOf(filter, query.order).sort((a, b) => totalOf(a, counts) - totalOf(b, counts));
  const rows = await rowsIn(leads[0] ?? [], query, begun);
  const walk = new Walk(rows, filterOfRows(filter), MOST_LOOKED_AT);
  const posts = await fill(skip(walk.found, query.offset), query, filter, alsoRead);
  // `fill` has driven the walk and leaves it open, so its fields show how far it came. The total walks on.
  const lookedTo = posts.length < query.limit && walk.isCut ? walk.lookedTo : undefined;
  const total = query.wantsTotal ? await totalOfWalk(walk, query, counts, filter) : { total: 0, isMinimum: false };
  return { posts, isContiguous: false, lookedTo, ...total };
}

/** The total of one facet is counted; of several facets or tags, the posts up to where the walk ends. */
async function totalOfWalk(
  walk: Walk,
  query: ListQuery,
  counts: Counts,
  filter: Filter,
): Promise<Pick<Page, "total" | "isMinimum">> {
  if (countsAddUp(query)) return { total: totalOf(facetsOf(filter)[0] ?? [allPosts], counts), isMinimum: false };
  await walk.walkOn();
  return { total: (query.passed ?? 0) + walk.count, isMinimum: walk.isCut };
}

/**
 * Sorts results that belong to the posts of a page. Rows by rank choose the posts of a page; the current votes sort
 * them. So voters who reload see their vote.
 */
export function sorted<T>(page: PostWithVoters[], results: T[], name: OrderName): T[] {
  const order = rankOrder(name);
  if (!order) return results;
  const keys = page.map(({ post, voters }) => order.rowKeyOf(post.postId, meritsOf(voters)));
  return results
    .map((result, at) => ({ result, key: keys[at] ?? "" }))
    .sort((a, b) => (a.key > b.key ? -1 : 1))
    .map(({ result }) => result);
}
