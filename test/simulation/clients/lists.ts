import type * as resource from "../../../lib/http/resources.ts";
import type { Post } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { type Answer, type Family, pages, type Turn } from "./turn.ts";
import { checkPost, postOf, type Span, visibility } from "./views.ts";

// Lists of posts: in their order, each post once, no deleted or misplaced one, every post that was there during the
// whole walk.

export const SEATS = 6;

export type Filter = { boardId?: string[]; roadmapId?: string; status?: string };

type Query = Filter & { created: "asc" | "desc" };

export function drawFilter(turn: Turn): Filter {
  const { boards, roadmaps } = turn.site;
  const query: Filter = {};
  if (turn.random.chance(0.35)) {
    const some = [turn.pick(boards.values()), turn.random.chance(0.4) ? turn.pick(boards.values()) : undefined];
    const ids = some.flatMap((board) => (board ? [board.id] : []));
    if (ids.length > 0) query.boardId = [...new Set(ids)];
  }
  if (turn.random.chance(0.2)) {
    const roadmap = turn.pick(roadmaps.values());
    if (roadmap) query.roadmapId = roadmap.id;
  }
  if (turn.random.chance(0.1)) query.status = turn.random.oneOf(["open", "planned", "completed"]);
  return query;
}

function drawQuery(turn: Turn): Query {
  return { created: turn.random.chance(0.7) ? "desc" : "asc", ...drawFilter(turn) };
}

/** Whether a post may have been in a list at some moment, and whether it was there the whole time. */
export function membership({ site }: Turn, post: Post, query: Filter, span: Span): { maybe: boolean; always: boolean } {
  const { from, to } = span;
  const lives = post.life.between(from, to);
  const states = post.fields.between(from, to);
  const isIn = (id: string | null, ids: readonly string[] | undefined): boolean =>
    !ids || (id !== null && ids.includes(id));
  const roadmapIds = query.roadmapId === undefined ? undefined : [query.roadmapId];
  const fits = states.map(
    (state) =>
      isIn(state.boardId, query.boardId) &&
      isIn(state.roadmapId, roadmapIds) &&
      (query.status === undefined || state.status === query.status),
  );
  // While a post is moved, a list may see neither row of it.
  const stays =
    (!query.boardId || new Set(states.map(({ boardId }) => boardId)).size === 1) &&
    (!roadmapIds ||
      new Set(states.map(({ roadmapId, boardId }) => `${roadmapId} ${query.boardId ? boardId : ""}`)).size === 1);
  const [state] = states;
  const isHidden =
    (query.boardId && visibility(site.boards.get(state?.boardId ?? ""), span).unseen) ||
    (roadmapIds && visibility(site.roadmaps.get(state?.roadmapId ?? ""), span).unseen);
  return {
    maybe: lives.includes("live") && fits.includes(true),
    always: post.since <= from && !lives.includes("gone") && !fits.includes(false) && stays && !isHidden,
  };
}

function isInOrder(ids: readonly string[], { created }: Query): boolean {
  return ids.every((id, at) => {
    const before = ids[at - 1];
    return before === undefined || (created === "asc" ? before < id : before > id);
  });
}

function checkPage(turn: Turn, views: readonly resource.Post[], query: Query, answer: Answer): void {
  const ids = views.map(({ postId }) => postId);
  expectThat(isInOrder(ids, query), "posts-list is not in order", ids);
  for (const view of views) {
    const post = checkPost(turn.site, view, answer, SEATS);
    expectThat(membership(turn, post, query, answer).maybe, `posts-list shows ${post.name}, which is not on it`, query);
  }
}

/** Checks that no post is left out between `after` and `last`, the end of a page that has a next one. */
function checkGaps(turn: Turn, seen: ReadonlySet<string>, query: Query, span: Span, last: string | undefined): void {
  for (const post of turn.site.posts.values()) {
    const { postId } = post;
    const isBeyond = last !== undefined && (query.created === "asc" ? postId > last : postId < last);
    if (isBeyond || seen.has(postId)) continue;
    expectThat(!membership(turn, post, query, span).always, `posts-list lacks ${post.name}`, query);
  }
}

/** Whether anything may have changed in a list: then one page may combine day counts of several moments. */
function isStill({ site }: Turn, { from, to }: Span): boolean {
  return (
    [...site.posts.values()].every(
      ({ life, fields, since }) =>
        since < from &&
        life.isQuiet(to) &&
        fields.isQuiet(to) &&
        life.between(from, to).length === 1 &&
        fields.between(from, to).length === 1,
    ) && site.unansweredPosts.size === 0
  );
}

async function page(turn: Turn): Promise<void> {
  const session = turn.random.chance(0.7) ? turn.caller() : undefined;
  const query = drawQuery(turn);
  const number = turn.random.chance(0.75) ? 1 : 2 + turn.random.below(3);
  const limit = 1 + turn.random.below(turn.random.chance(0.8) ? 12 : 50);
  const answer = await turn.call(session, "posts-list", { body: { ...query, page: number, limit } });
  if (!turn.expectStatus(answer, 200)) return;
  const views = answer.body.posts as resource.Post[];
  expectThat(views.length <= limit, "posts-list answers more than was asked for");
  checkPage(turn, views, query, answer);
  const ids = new Set(views.map(({ postId }) => postId));
  const isFull = views.length === limit;
  if (number === 1 && query.status === undefined)
    checkGaps(turn, ids, query, answer, isFull ? views.at(-1)?.postId : undefined);
  else if (isStill(turn, answer)) {
    const all = [...turn.site.posts.values()].filter((post) => membership(turn, post, query, answer).always);
    const sorted = all.map(({ postId }) => postId).sort();
    if (query.created === "desc") sorted.reverse();
    const expected = sorted.slice((number - 1) * limit, number * limit);
    const isWhole = expected.every((id) => ids.has(id));
    expectThat(isWhole, `posts-list leaves posts of page ${number} out`, query);
  }
}

/** Walks along a whole list by cursor while it changes: no post comes twice, every lasting one comes. */
async function walk(turn: Turn): Promise<void> {
  const session = turn.random.chance(0.7) ? turn.caller() : undefined;
  const { status: _, ...query } = drawQuery(turn);
  const from = turn.now;
  const seen: string[] = [];
  const send = (more: object) =>
    turn.call(session, "posts-list", { body: { ...query, first: 1 + turn.random.below(20), ...more } });
  for await (const answer of pages(send)) {
    if (!turn.expectStatus(answer, 200)) return;
    const views = answer.body.posts as resource.Post[];
    checkPage(turn, views, query, answer);
    seen.push(...views.map(({ postId }) => postId));
  }
  expectThat(isInOrder(seen, query), "a walk along posts-list repeats or turns back", seen);
  checkGaps(turn, new Set(seen), query, { from, to: turn.now, session, endpoint: "posts-list" }, undefined);
}

/** Searches for words of many titles: only existing posts come, each once. */
async function search(turn: Turn): Promise<void> {
  const session = turn.random.chance(0.7) ? turn.caller() : undefined;
  const query = turn.random.oneOf(["post", "title of", "first post", "pos"]);
  const answer = await turn.call(session, "posts-search", { body: { query, first: 20 } });
  if (!turn.expectStatus(answer, 200)) return;
  const views = answer.body.posts as resource.Post[];
  expectThat(new Set(views.map(({ postId }) => postId)).size === views.length, "posts-search shows a post twice");
  for (const view of views) checkPost(turn.site, view, answer, SEATS);
}

async function similar(turn: Turn): Promise<void> {
  const post = turn.pick([...turn.site.posts.values()].slice(-30));
  if (!post) return;
  const { title } = turn.random.oneOf(post.fields.between(turn.now, turn.now));
  const answer = await turn.call(turn.caller(), "posts-similar", { body: { title } });
  if (!turn.expectStatus(answer, 200)) return;
  for (const view of answer.body.posts as { postId: string; title: string }[]) {
    const { life, name } = postOf(turn.site, view, answer);
    expectThat(life.between(answer.from, answer.to).includes("live"), `posts-similar shows the dead post ${name}`);
  }
}

export const lists: Family = {
  search: { weight: 1.5, act: search },
  similar: { weight: 0.7, act: similar },
  page: { weight: 12, act: page },
  walk: { weight: 1.5, act: walk },
};
