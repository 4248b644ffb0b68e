import type { Post, PostFields, Tag } from "../history/site.ts";
import type { Turn } from "./turn.ts";
import { type Span, tagVisibility, visibility } from "./views.ts";

// Which posts belong to a list.

export type Filter = { boardId?: string[]; roadmapId?: string; status?: string; tag?: string[] };

export function drawFilter(turn: Turn): Filter {
  const { boards, roadmaps, tags } = turn.site;
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
  if (turn.random.chance(0.15)) {
    const some = [turn.pick(tags.values()), turn.random.chance(0.3) ? turn.pick(tags.values()) : undefined];
    const ids = some.flatMap((tag) => (tag ? [tag.id] : []));
    if (ids.length > 0) query.tag = [...new Set(ids)];
  }
  return query;
}

/** Whether a post may have been in a list at some moment, and whether it was there the whole time. */
export function membership({ site }: Turn, post: Post, query: Filter, span: Span): { maybe: boolean; always: boolean } {
  const { from, to } = span;
  const lives = post.life.between(from, to);
  const states = post.fields.between(from, to);
  const isIn = (id: string | null, ids: readonly string[] | undefined): boolean =>
    !ids || (id !== null && ids.includes(id));
  const roadmapIds = query.roadmapId === undefined ? undefined : [query.roadmapId];
  const tags = query.tag?.map((id) => site.tags.get(id));
  const hasOneOf = (state: PostFields, among: (Tag | undefined)[] | undefined): boolean =>
    !among || among.some((tag) => tag && state.tags.includes(tag.id));
  const fits = states.map(
    (state) =>
      isIn(state.boardId, query.boardId) &&
      isIn(state.roadmapId, roadmapIds) &&
      (query.status === undefined || state.status === query.status) &&
      hasOneOf(state, tags),
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
  // Of several tags a post may lose one and get another, and a list may see neither row of it.
  const lasting = tags?.filter((tag) => !tagVisibility(tag, span).unseen);
  const keepsTag = !lasting || lasting.some((tag) => states.every((each) => hasOneOf(each, [tag])));
  const known = tags?.filter((tag) => tagVisibility(tag, span).seen);
  return {
    maybe: lives.includes("live") && fits.includes(true) && states.some((each) => hasOneOf(each, known)),
    always: post.since <= from && !lives.includes("gone") && !fits.includes(false) && stays && !isHidden && keepsTag,
  };
}
