import type * as resource from "../../../lib/http/resources.ts";
import type { Ranking } from "../../../lib/table/keys.ts";
import {
  allPosts,
  boardList,
  isAmong,
  type PostList,
  listsOf as placesOf,
  roadmapList,
} from "../../../lib/table/post-lists.ts";
import { expectThat } from "../history/violation.ts";
import { drawFilter, type Filter, membership, SEATS } from "./lists.ts";
import { type Answer, type Family, pages, type Turn } from "./turn.ts";
import { checkPost, type Span } from "./views.ts";

// Lists by rank. The rows decide which posts are on a page, and they lag behind votes. So a post whose row did not move
// must come once. The order of the posts on a page does not lag.

const RANKINGS = { top: "TOP", trending: "TRENDING" } as const satisfies Record<string, Ranking>;

export type Sort = keyof typeof RANKINGS;

export const SORTS = Object.keys(RANKINGS) as Sort[];

type Listed = { query: Filter; sort: Sort; span: Span };

/** The lists whose rows a filter reads. None for boards of a roadmap: which boards its rows name lags too. */
function listsOf({ boardId, roadmapId }: Filter): PostList[] {
  if (roadmapId !== undefined) return boardId ? [] : [roadmapList(roadmapId)];
  return boardId ? boardId.map(boardList) : [allPosts];
}

/** Whether a post is in a list the whole time; its row lags behind a move from a list that the caller may not read. */
function isIn({ site }: Turn, postId: string, list: PostList, { from, to }: Span): boolean {
  return (site.posts.get(postId)?.fields.between(from, to) ?? []).every(({ boardId, roadmapId }) =>
    isAmong(list, placesOf({ boardId: boardId ?? undefined, roadmapId: roadmapId ?? undefined })),
  );
}

/** The rows of a list that have not changed since before the call, for posts that are in it. */
function stillRows(turn: Turn, { query, sort, span }: Listed): Map<string, string> {
  const { rankRows } = turn.world;
  const ranking = RANKINGS[sort];
  return new Map(
    listsOf(query).flatMap((list) =>
      [...rankRows.of(ranking, list)].filter(
        ([postId]) => rankRows.isStill(ranking, postId, span.from) && isIn(turn, postId, list, span),
      ),
    ),
  );
}

/** Posts with more votes come first; of those with the same number, the newest. */
function isBefore(a: resource.Post, b: resource.Post): boolean {
  const more = a.voters.votesCount - b.voters.votesCount;
  return more > 0 || (more === 0 && a.postId > b.postId);
}

function checkPage(turn: Turn, views: readonly resource.Post[], { query, sort }: Listed, answer: Answer): void {
  for (const [at, view] of views.entries()) {
    const post = checkPost(turn.site, view, answer, SEATS);
    expectThat(membership(turn, post, query, answer).maybe, `${sort} shows ${post.name}, which is not on it`, query);
    const before = views[at - 1];
    const isRight = sort !== "top" || !before || view.postId === before.postId || isBefore(before, view);
    expectThat(isRight, "top is not in the order of the votes", [before?.voters.votesCount, view.voters.votesCount]);
  }
}

/** Each post above the last row comes once, unless its row moved. */
function checkRows(turn: Turn, seen: readonly string[], listed: Listed, isWhole: boolean): void {
  const { query, sort, span } = listed;
  const rows = stillRows(turn, listed);
  const ids = new Set(seen);
  const repeated = seen.find((postId, at) => rows.has(postId) && seen.indexOf(postId) !== at);
  expectThat(repeated === undefined, `${sort} shows a post twice`, repeated);
  const keys = [...ids].flatMap((postId) => rows.get(postId) ?? []);
  const last = isWhole ? "" : keys.reduce((least, each) => (each < least ? each : least), "~");
  for (const [postId, rowKey] of rows) {
    const post = turn.site.posts.get(postId);
    if (!post || ids.has(postId) || rowKey < last) continue;
    expectThat(!membership(turn, post, query, span).always, `${sort} lacks ${post.name}`, query);
  }
}

async function page(turn: Turn): Promise<void> {
  const session = turn.random.chance(0.7) ? turn.caller() : undefined;
  const [query, sort] = [drawFilter(turn), turn.random.oneOf(SORTS)];
  const number = turn.random.chance(0.75) ? 1 : 2 + turn.random.below(3);
  const limit = 1 + turn.random.below(12);
  const answer = await turn.call(session, "posts-list", { body: { ...query, sort, page: number, limit } });
  if (!turn.expectStatus(answer, 200)) return;
  const views = answer.body.posts as resource.Post[];
  expectThat(views.length <= limit, "posts-list answers more than was asked for");
  const listed = { query, sort, span: answer };
  checkPage(turn, views, listed, answer);
  const ids = views.map(({ postId }) => postId);
  // The start of a later page, and the places with posts of a status, follow from counts that lag.
  if (number === 1 && query.status === undefined) checkRows(turn, ids, listed, views.length < limit);
}

/** Walks along a whole list by cursor while its posts move. */
async function walk(turn: Turn): Promise<void> {
  const session = turn.random.chance(0.7) ? turn.caller() : undefined;
  const [{ status: _, ...query }, sort] = [drawFilter(turn), turn.random.oneOf(SORTS)];
  const from = turn.now;
  const seen: string[] = [];
  let last: Answer | undefined;
  const send = (more: object) =>
    turn.call(session, "posts-list", { body: { ...query, sort, first: 1 + turn.random.below(20), ...more } });
  for await (const answer of pages(send)) {
    if (!turn.expectStatus(answer, 200)) return;
    const views = answer.body.posts as resource.Post[];
    last = { ...answer, from };
    checkPage(turn, views, { query, sort, span: last }, answer);
    seen.push(...views.map(({ postId }) => postId));
  }
  checkRows(turn, seen, { query, sort, span: last as Answer }, true);
  turn.world.milestones.count("walks by rank");
}

export const ranks: Family = { page: { weight: 5, act: page }, walk: { weight: 1, act: walk } };
