import type * as resource from "../../../lib/http/resources.ts";
import type { Ranking } from "../../../lib/table/families.ts";
import {
  allPosts,
  boardList,
  isAmong,
  type PostList,
  listsOf as placesOf,
  roadmapList,
} from "../../../lib/table/post-lists.ts";
import { expectThat } from "../history/violation.ts";
import { type Filter, membership } from "./membership.ts";
import type { Turn } from "./turn.ts";
import type { Span } from "./views.ts";

// Lists by rank. The rows decide which posts are on a page, and they lag behind votes. So a post whose row did not move
// must come once. The order of the posts on a page does not lag.

const RANKINGS = { top: "TOP", trending: "TRENDING" } as const satisfies Record<string, Ranking>;

export type Sort = keyof typeof RANKINGS;

export const SORTS = Object.keys(RANKINGS) as Sort[];

export type ByRank = Filter & { sort: Sort };

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
function stillRows(turn: Turn, { sort, ...query }: ByRank, span: Span): Map<string, string> {
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
export function checkVotesOrder(views: readonly resource.Post[]): void {
  for (const [at, { postId, voters }] of views.entries()) {
    const before = views[at - 1];
    if (!before || before.postId === postId) continue;
    const more = before.voters.votesCount - voters.votesCount;
    const isRight = more > 0 || (more === 0 && before.postId > postId);
    expectThat(isRight, "top is not in the order of the votes", [before.voters.votesCount, voters.votesCount]);
  }
}

/** Each post above the last row comes once, unless its row moved. */
export function checkRows(turn: Turn, seen: readonly string[], query: ByRank, span: Span, isWhole: boolean): void {
  const { sort } = query;
  const rows = stillRows(turn, query, span);
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
