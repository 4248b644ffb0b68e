import type * as resource from "../../../lib/http/resources.ts";
import type { Effect } from "../../simulator/history/register.ts";
import type { Place, PlaceFields } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import * as turns from "./turn.ts";
import { checkPlace, placeOf, visibility } from "./views.ts";

type View = PlaceFields & { boardId?: string; id?: string };

function idOf({ boardId, id }: View): string {
  return boardId ?? id ?? "";
}

type Kind = "boards" | "roadmaps";

const GONE: Record<Kind, string> = { boards: "BOARD_NOT_FOUND", roadmaps: "ROADMAP_ID_OR_URL_MISSING" };
const TAKEN: Record<Kind, string> = { boards: "BOARD_URL_EXISTS", roadmaps: "ROADMAP_URL_EXISTS" };

function livePlace(turn: turns.Turn, kind: Kind): Place | undefined {
  return turn.pick(
    turn.site[kind].values(),
    ({ life }) => turn.random.chance(0.03) || life.between(turn.now, turn.now).includes("live"),
  );
}

function isAtHome({ site, now }: turns.Turn, kind: Kind, most: number): boolean {
  return [...site[kind].values()].filter(({ life }) => life.between(now, now).includes("live")).length >= most;
}

function made(name: string): Effect<readonly string[]> {
  return (order) => [{ state: [...order, name], outcome: "made" }];
}

function create(kind: Kind) {
  return async (turn: turns.Turn): Promise<void> => {
    const session = turn.sessionAs("owner");
    if (!session || isAtHome(turn, kind, turn.site.mostPlaces)) return;
    const { site } = turn;
    const name = `${kind} ${turn.id}`;
    const display = kind === "boards" && turn.random.chance(0.8);
    site.unansweredPlaces.set(name, display);
    const body = kind === "boards" ? { name, display } : { name };
    const changes = kind === "roadmaps" ? [turns.change(site.order, made(name))] : [];
    const answer = await turn.write(changes, { 201: "made" }, () => turn.persist(session, `${kind}-create`, { body }));
    turn.expectStatus(answer, 201);
    if (answer.status === 201) {
      const view = answer.body[kind.slice(0, -1)] as View;
      placeOf(site, kind, idOf(view), view, answer).acknowledge(answer.to);
    } else if (answer.status !== 0) site.unansweredPlaces.delete(name);
  };
}

/** Whether one of these places may have had a url, and whether one surely had it. */
function holds(places: Place[], url: string | undefined, { from, to }: turns.Answer) {
  const holders = places.map(({ life, fields }) => ({
    lives: life.between(from, to),
    has: fields.between(from, to).map((each) => each.url === url),
  }));
  return {
    maybe: holders.some(({ lives, has }) => lives.includes("live") && has.includes(true)),
    surely: holders.some(({ lives, has }) => !lives.includes("gone") && !has.includes(false)),
  };
}

function update(kind: Kind) {
  return async (turn: turns.Turn): Promise<void> => {
    const place = livePlace(turn, kind);
    const session = turn.sessionAs("owner");
    if (!place || !session) return;
    const patch: Partial<PlaceFields> = turn.random.oneOf([
      { name: `Name of ${turn.id}` },
      { color: turn.random.bytes(3).toString("hex") },
      { display: turn.random.chance(0.75) },
      { url: `url-${turn.random.below(12)}` },
    ]);
    const id = kind === "boards" ? { boardId: place.id } : { id: place.id };
    const answer = await turn.write(
      [turns.change(place.fields, turns.patched(patch))],
      { 200: "changed", [GONE[kind]]: turns.MAYBE },
      () => turn.call(session, `${kind}-update`, { body: { ...id, ...patch } }),
    );
    turn.expectStatus(answer, 200, GONE[kind], TAKEN[kind]);
    turns.expectLife(place, GONE[kind], answer);
    if (answer.code !== TAKEN[kind]) return;
    const others = [...turn.site[kind].values()].filter((each) => each !== place);
    expectThat(
      holds(others, patch.url, answer).maybe,
      `${answer.endpoint} says that a url is taken, and it is free`,
      patch.url,
    );
  };
}

function without(name: string): Effect<readonly string[]> {
  return (order) => [
    { state: order.filter((each) => each !== name), outcome: order.includes(name) ? "deleted" : "was gone" },
  ];
}

function destroy(kind: Kind) {
  return async (turn: turns.Turn): Promise<void> => {
    const place = livePlace(turn, kind);
    const session = turn.sessionAs("owner");
    if (!place || !session || !isAtHome(turn, kind, 3)) return;
    const changes: turns.Change[] = [turns.change(place.life, turns.deleted)];
    if (kind === "roadmaps") changes.push(turns.change(turn.site.order, without(place.name)));
    const body = kind === "boards" ? { boardId: place.id } : { id: place.id };
    const answer = await turn.write(changes, { 204: "deleted", [GONE[kind]]: "was gone" }, () =>
      turn.call(session, `${kind}-delete`, { body }),
    );
    turn.expectStatus(answer, 204, GONE[kind]);
  };
}

function sorted(moved: string, target: string): Effect<readonly string[]> {
  return (order) => {
    if (!order.includes(moved) || !order.includes(target)) return [{ state: order, outcome: "was gone" }];
    const others = order.filter((each) => each !== moved);
    const state = moved === target ? order : others.toSpliced(order.indexOf(target), 0, moved);
    return [{ state, outcome: "sorted" }];
  };
}

async function sort(turn: turns.Turn): Promise<void> {
  const moved = livePlace(turn, "roadmaps");
  const target = livePlace(turn, "roadmaps");
  const session = turn.sessionAs("owner");
  if (!moved || !target || !session) return;
  const body = { from: { id: target.id }, to: { id: moved.id } };
  const effect = sorted(moved.name, target.name);
  const answer = await turn.write(
    [turns.change(turn.site.order, effect)],
    { 200: "sorted", [GONE.roadmaps]: "was gone" },
    () => turn.call(session, "roadmaps-sort", { body }),
  );
  turn.expectStatus(answer, 200, GONE.roadmaps);
  if (answer.status === 200) checkOrder(turn, answer.body.roadmaps as resource.RoadmapListItem[], answer);
}

/** Puts a board before another one: the answer shows it there, however many owners sort. */
async function sortBoards(turn: turns.Turn): Promise<void> {
  const moved = livePlace(turn, "boards");
  const next = livePlace(turn, "boards");
  const session = turn.sessionAs("owner");
  if (!moved || !next || !session) return;
  const answer = await turn.call(session, "boards-sort", { body: { boardId: moved.id, before: next.id } });
  turn.expectStatus(answer, 200, GONE.boards);
  const lives = [moved, next].map(({ life }) => life.between(answer.from, answer.to));
  const isOneGone = lives.some((life) => life.includes("gone"));
  expectThat(isOneGone || answer.code !== GONE.boards, "boards-sort does not find boards that are there");
  if (answer.status !== 200) return;
  const ids = (answer.body.boards as View[]).map(idOf);
  expectThat(new Set(ids).size === ids.length, "boards-sort shows one twice", ids);
  const isThere = moved === next || ids[ids.indexOf(moved.id) + 1] === next.id;
  expectThat(isThere, `boards-sort does not put ${moved.name} before ${next.name}`, ids);
}

/** Checks roadmaps against the order: the lasting ones are in an order that was possible. */
function checkOrder(
  turn: turns.Turn,
  views: readonly resource.RoadmapListItem[],
  { from, to, endpoint }: turns.Answer,
): void {
  const { site } = turn;
  const isSure = (place: Place | undefined): boolean =>
    place !== undefined && place.since < from && place.life.between(from, to).every((life) => life === "live");
  const named = new Map([...site.roadmaps.values()].map((place) => [place.name, place]));
  const shown = views
    .map(({ id }) => site.roadmaps.get(id))
    .filter((place) => isSure(place))
    .map((place) => place?.name);
  const isShown = (order: readonly string[]): boolean =>
    order.filter((name) => isSure(named.get(name)) && shown.includes(name)).join() === shown.join();
  const orders = site.order.between(from, to);
  expectThat(orders.some(isShown), `${endpoint} shows roadmaps in an order that never was`, [shown, orders]);
  site.order.learn(from, to, isShown);
  const indexes = views.map(({ index }) => index);
  const sorted = indexes.toSorted((a, b) => a - b);
  expectThat(indexes.join() === sorted.join(), `${endpoint} is not in the order of the indexes`, indexes);
}

/** Lists all boards or roadmaps that the caller sees: every lasting one and no deleted one. */
function list(kind: Kind) {
  return async (turn: turns.Turn): Promise<void> => {
    const session = turn.session();
    if (!session) return;
    const query: Record<string, string> =
      kind === "boards"
        ? { limit: "100", created: turn.random.oneOf(["asc", "desc"]) }
        : { first: "100", visibility: "public,private" };
    const endpoint = `${kind}-${turn.random.chance(0.3) ? "browse" : "list"}`;
    if (endpoint === "boards-browse" && turn.random.chance(0.5)) query.sort = "position";
    const answer = await turn.call(session, endpoint, { query });
    if (!turn.expectStatus(answer, 200)) return;
    const views = answer.body[kind] as (View & { post_count?: string })[];
    const ids = views.map(idOf);
    expectThat(new Set(ids).size === ids.length, `${endpoint} shows one twice`, ids);
    for (const view of views) {
      const place = placeOf(turn.site, kind, idOf(view), view, answer);
      checkPlace(place, view, answer);
      if (view.post_count !== undefined) checkPostCount(turn, place, Number(view.post_count), answer);
    }
    if (turn.site[kind].size <= 100) {
      for (const place of turn.site[kind].values()) {
        const mayLack = visibility(place, answer).unseen || ids.includes(place.id);
        expectThat(mayLack, `${endpoint} lacks ${place.name}`);
      }
    }
    if (kind === "roadmaps") checkOrder(turn, answer.body.roadmaps as resource.RoadmapListItem[], answer);
  };
}

/**
 * The number of posts on a board, between the posts that were surely there at one moment and those that possibly were.
 */
function checkPostCount({ site }: turns.Turn, board: Place, count: number, { from, to, endpoint }: turns.Answer): void {
  let least = 0;
  let most = 0;
  for (const { boardId } of site.unansweredPosts.values()) if (boardId === undefined || boardId === board.id) most++;
  for (const { life, fields, since } of site.posts.values()) {
    const lives = life.between(from, to);
    const on = fields.between(from, to).map(({ boardId }) => boardId === board.id);
    if (lives.includes("live") && on.includes(true)) most++;
    if (!lives.includes("gone") && !on.includes(false) && since <= from) least++;
  }
  expectThat(count >= least && count <= most, `${endpoint}: ${count} posts on ${board.name}, of ${least} to ${most}`);
}

function byUrl(kind: Kind) {
  return async (turn: turns.Turn): Promise<void> => {
    const place = livePlace(turn, kind);
    const session = turn.random.chance(0.7) ? turn.session() : undefined;
    if (!place) return;
    const { url } = turn.random.oneOf(place.fields.between(turn.now, turn.now));
    const answer = await turn.call(session, `${kind}-by-url`, { params: { url } });
    turn.expectStatus(answer, 200, GONE[kind]);
    const { from, to } = answer;
    if (answer.status === 200) {
      const view = answer.body[kind.slice(0, -1)] as View;
      expectThat(view.url === url, `${answer.endpoint} answers another url`, [view, url]);
      checkPlace(placeOf(turn.site, kind, idOf(view), view, answer), view, answer);
    } else if (answer.status === 404) {
      const hadIt = place.fields.between(from, to).every((each) => each.url === url);
      const mayLack = !hadIt || visibility(place, answer).unseen;
      expectThat(mayLack, `${answer.endpoint} does not find ${place.name}, which is there`);
    }
  };
}

function search(kind: Kind) {
  return async (turn: turns.Turn): Promise<void> => {
    const place = livePlace(turn, kind);
    const session = turn.session();
    if (!place || !session) return;
    const { name } = turn.random.oneOf(place.fields.between(turn.now, turn.now));
    const answer = await turn.call(session, `${kind}-search`, { params: { name } });
    if (!turn.expectStatus(answer, 200)) return;
    const views = answer.body[kind] as View[];
    for (const view of views) checkPlace(placeOf(turn.site, kind, idOf(view), view, answer), view, answer);
    const isNamed = place.fields.between(answer.from, answer.to).every((each) => each.name === name);
    const isShown = views.some((view) => idOf(view) === place.id);
    expectThat(isShown || !isNamed || visibility(place, answer).unseen, `${answer.endpoint} lacks ${place.name}`);
  };
}

/** An unused url is free, the url of a lasting board is not. */
async function checkSlug(turn: turns.Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const url = `url-${turn.random.below(12)}`;
  const answer = await turn.call(session, "boards-check-slug", { body: { url } });
  if (!turn.expectStatus(answer, 200)) return;
  const { maybe, surely } = holds([...turn.site.boards.values()], url, answer);
  const isFree = answer.body.available as boolean;
  expectThat(isFree ? !surely : maybe, `boards-check-slug is wrong about ${url}`, answer.body);
}

export const places: turns.Family = {
  createBoard: { weight: 0.8, act: create("boards") },
  updateBoard: { weight: 1.5, act: update("boards") },
  destroyBoard: { weight: 0.6, act: destroy("boards") },
  sortBoards: { weight: 1, act: sortBoards },
  listBoards: { weight: 3, act: list("boards") },
  boardByUrl: { weight: 1, act: byUrl("boards") },
  searchBoards: { weight: 1, act: search("boards") },
  checkSlug: { weight: 0.7, act: checkSlug },
  createRoadmap: { weight: 1, act: create("roadmaps") },
  updateRoadmap: { weight: 1.5, act: update("roadmaps") },
  destroyRoadmap: { weight: 0.8, act: destroy("roadmaps") },
  sortRoadmaps: { weight: 3, act: sort },
  listRoadmaps: { weight: 3, act: list("roadmaps") },
  roadmapByUrl: { weight: 1, act: byUrl("roadmaps") },
  searchRoadmaps: { weight: 1, act: search("roadmaps") },
};
