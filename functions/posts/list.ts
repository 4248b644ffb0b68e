import * as z from "zod/mini";
import { idsIn, visibleCatalogue } from "../../lib/auth/visibility.ts";
import type { Catalogue } from "../../lib/catalogue/catalogue.ts";
import * as catalogue from "../../lib/catalogue/catalogue.ts";
import { MOST_PINNED } from "../../lib/catalogue/pins.ts";
import { lettersOf } from "../../lib/catalogue/statuses.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import type { Caller } from "../../lib/http/callers.ts";
import { BoardIds, Id, StatusIds, TagIds } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { BodyNumber, Order, pageSize, Sort } from "../../lib/http/list-inputs.ts";
import {
  After,
  cursorOf,
  fittingPage,
  onePage,
  type Paging,
  PostPlace,
  pagingOf,
  sameOrder,
} from "../../lib/http/pages.ts";
import { CursorPaging } from "../../lib/http/resources/answers.ts";
import { Post, postListView } from "../../lib/http/resources/posts.ts";
import { type Filter, visibleFilter } from "../../lib/lists/filter.ts";
import * as lists from "../../lib/lists/lists.ts";
import { MOST_LOOKED_AT } from "../../lib/lists/opening.ts";
import type { OrderName } from "../../lib/lists/orders.ts";
import type { AlsoRead } from "../../lib/lists/page-posts.ts";
import { pinnedPosts } from "../../lib/lists/pinned-posts.ts";
import type { ListQuery } from "../../lib/lists/query.ts";
import { invalid } from "../../lib/runtime/errors.ts";
import * as votes from "../../lib/votes/votes.ts";

const body = z
  .object({
    page: optional(BodyNumber),
    created: Order,
    sort: optional(Sort),
    limit: pageSize(BodyNumber, 10, 50),
    boardId: optional(BoardIds),
    roadmapId: optional(Id),
    status: optional(StatusIds),
    pinned: optional(z.boolean()),
    tag: optional(TagIds),
    first: optional(pageSize(BodyNumber, 10, 50)),
    after: optional(After(PostPlace)),
  })
  .check(onePage, sameOrder);

const Extras = z.partial(z.extend(CursorPaging, { results: z.array(Post), total_is_minimum: z.boolean() }));

/** The query of a numbered page, or of a page by cursor, and how many posts the page has. */
function queryOf(asked: z.output<typeof body>): { query: ListQuery; size: number } {
  const { boardId: boardIds, roadmapId, status: statusIds, tag: tagIds } = asked;
  const { page = 1, created, sort, limit, first, after } = asked;
  const size = first ?? limit;
  const filter = { boardIds, roadmapId, statusIds, tagIds, order: sort ?? created };
  if (first === undefined && after === undefined) {
    return { query: { ...filter, offset: (page - 1) * size, limit: size }, size };
  }
  const [passed, afterRow] = after ?? [];
  // One more post is read: it shows whether there is a next page.
  const byCursor = { offset: 0, limit: size + 1, after: afterRow, passed, wantsTotal: true };
  return { query: { ...filter, ...byCursor }, size };
}

type Prepared = { query: ListQuery; begun: lists.Begun; size: number; basis: catalogue.Basis };

/** The page of a list, with the caller's votes on its posts. */
async function readPage(
  { query, begun, size }: Prepared,
  filter: Filter,
  caller: Caller | undefined,
  alsoRead: AlsoRead,
) {
  const page = await lists.finish(query, begun, filter, alsoRead);
  const full = page.posts.slice(0, size);
  const { isContiguous: contiguous } = page;
  return { ...page, full, ownVotes: caller && (await votes.ownVotesOn(full, caller.userId, { contiguous })) };
}

type FoundPage = Awaited<ReturnType<typeof readPage>>;

/** The paging of a page by cursor that shows its first `count` posts. */
function pagingByCursor({ query, size }: Prepared, { posts, full, total, lookedTo }: FoundPage, count: number): Paging {
  const { passed = 0, order } = query;
  const isCut = lookedTo !== undefined && count === posts.length;
  const place = { before: passed, first: size, total, hasNext: isCut || posts.length > count };
  const shown = full.slice(0, count);
  const paging = pagingOf(shown, place, ({ rowKey }, position) => cursorOf([position, rowKey, order]));
  // The next page begins after the last row that was looked at, even if this one shows no post.
  if (isCut) paging.page_info.end_cursor = cursorOf([passed + count, lookedTo, order]);
  return paging;
}

type PinsQuery = { filter: Filter; order: OrderName };

/** The pinned posts of a list as the caller sees them, read in one step. */
async function pinsOf({ filter, order }: PinsQuery, catalogue: Catalogue, caller: Caller | undefined) {
  const voteOn = async (postId: string) => [postId, caller && (await votes.voteOf(caller.userId, postId))] as const;
  const [found, ownVotes] = await Promise.all([
    pinnedPosts(catalogue.pinned, filter, order),
    Promise.all(catalogue.pinned.map(voteOn)),
  ]);
  const known = new Map(ownVotes.flatMap(([postId, voteId]) => (voteId ? [[postId, voteId]] : [])));
  return { pinned: lists.sorted(found, postListView(found, catalogue, caller?.userId, known), order) };
}

type Asked = { prepared: Prepared; pinned: boolean | undefined; caller: Caller | undefined };

/** The page and the pinned posts as the caller sees them, and the catalogue by which they were read. */
function readList({ prepared, pinned, caller }: Asked) {
  const { query, basis } = prepared;
  const { boardIds, roadmapId, statusIds, tagIds, order } = query;
  // `readBy` may read twice, and the rows that `begin` opened can be taken only once.
  let unused: lists.Begun | undefined = prepared.begun;
  return catalogue.readBy(basis, async (present, alsoRead) => {
    const visible = visibleCatalogue(caller, present);
    const statusLetters = statusIds && lettersOf(present.statuses, statusIds);
    const filter = visibleFilter({ boardIds, roadmapId, statusLetters, tagIds }, idsIn(visible));
    const begun = unused ?? (await lists.begin(query));
    unused = undefined;
    const [page, pins] = await Promise.all([
      readPage({ ...prepared, begun }, filter, caller, alsoRead),
      pinned ? pinsOf({ filter, order }, visible, caller) : {},
    ]);
    return { page, pins, visible };
  });
}

/**
 * Lists posts page by page, filtered by boards, roadmap, statuses and tags: docs/contract.md#list-posts
 * The newest come first by default. `sort` adds two orders: `top`, most votes first, and `trending`, where the weight
 * of a vote halves each week. In these two, the choice of posts can be some seconds old; each page is sorted by the
 * current votes. With `first` or `after` the list has pages by cursor, with `results`, `page_info`, `total_pages` and
 * `total_count`. A page by cursor can have fewer posts than `first`: `has_next_page` tells whether more follow. By date
 * and one filter at most, every page number and total is exact. In `top` and `trending`, and with several filters or
 * tags together, numbered pages reach the first 500 posts (of the smallest of the filtered lists): a page that goes
 * beyond gets a VALIDATION_ERROR, and `first` and `after` reach all. The total of several filters or tags is a minimum
 * where `total_is_minimum` is true. With `pinned: true` the answer has the pinned posts of the list too, in its order;
 * the list itself stays as it is.
 */
export const handler = defineEndpoint({
  name: "posts-list",
  route: "POST /posts/get",
  contract: true,
  access: "optional",
  request: z.object({ body }),
  response: z.extend(z.object({ posts: z.array(Post), pinned: z.optional(z.array(Post)) }), Extras.shape),
  table: {
    USER: ["get", "query"],
    CATALOGUE: ["get", "query"],
    POSTS: ["get", "query"],
    LIST: ["query"],
    COUNTS: ["query"],
    TOP: ["query"],
    TRENDING: ["query"],
  },
  // A post of a list costs 0.5 R, or up to 6 with a long text.
  expectedReads: ({ body: { first, limit, pinned } }) => 4 * ((first ?? limit) + (pinned ? MOST_PINNED : 0)),
  prefetch: async ({ body }) => {
    const { query, size } = queryOf(body);
    // The posts of rows are read in a further call, which also reads whether the catalogue has changed.
    const isCheckedLater = lists.beginsWithRows(query);
    const [begun, basis] = await Promise.all([
      lists.begin(query),
      isCheckedLater ? catalogue.begin() : catalogue.present(),
    ]);
    return { query, begun, size, basis };
  },
  handle: async ({ body: { pinned }, caller, prefetched }) => {
    const { query } = prefetched;
    const { page, pins, visible } = await readList({ prepared: prefetched, pinned, caller });
    const { full, ownVotes, isMinimum, lookedTo } = page;
    if (lookedTo !== undefined && !query.wantsTotal) {
      const message = `Numbered pages of this list end after ${MOST_LOOKED_AT} posts: use first and after`;
      throw invalid("body.page", "too_big", message);
    }
    const views = postListView(full, visible, caller?.userId, ownVotes);
    if (!query.wantsTotal) return { posts: lists.sorted(full, views, query.order), ...pins };
    const results = fittingPage(views, 2);
    const paging = pagingByCursor(prefetched, page, results.length);
    // The cursors are in the order of the rows.
    const posts = lists.sorted(full, results, query.order);
    return { posts, results: posts, ...paging, total_is_minimum: isMinimum, ...pins };
  },
});
