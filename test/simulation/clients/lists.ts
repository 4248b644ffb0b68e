import type * as resource from "../../../lib/http/resources.ts";
import { expectThat, isSorted } from "../history/violation.ts";
import { drawFilter, type Filter, membership } from "./membership.ts";
import { type ByRank, checkRows, checkVotesOrder, SORTS } from "./ranks.ts";
import { type Answer, type Family, pages, type Turn } from "./turn.ts";
import { checkPost, postOf, type Span } from "./views.ts";

// Lists of posts: in their order, each post once, no deleted or misplaced one, every post that was there during the
// whole walk.

const SEATS = 6;

type ByDate = Filter & { created: "asc" | "desc" };

function drawQuery(turn: Turn): ByDate | ByRank {
  const filter = drawFilter(turn);
  if (turn.random.chance(0.3)) return { sort: turn.random.oneOf(SORTS), ...filter };
  return { created: turn.random.chance(0.7) ? "desc" : "asc", ...filter };
}

function isInOrder(ids: readonly string[], { created }: ByDate): boolean {
  return isSorted(created === "asc" ? ids : ids.toReversed());
}

function checkPage(turn: Turn, views: readonly resource.Post[], query: ByDate | ByRank, answer: Answer): void {
  for (const view of views) {
    const post = checkPost(turn.site, view, answer, SEATS);
    expectThat(membership(turn, post, query, answer).maybe, `posts-list shows ${post.name}, which is not on it`, query);
  }
  const ids = views.map(({ postId }) => postId);
  if (!("sort" in query)) expectThat(isInOrder(ids, query), "posts-list is not in order", ids);
  else if (query.sort === "top") checkVotesOrder(views);
}

/** Checks the pinned posts beside a list: each one of the list is there, and no other. */
function checkPinned(turn: Turn, query: ByDate | ByRank, answer: Answer): void {
  const views = answer.body.pinned as resource.Post[];
  checkPage(turn, views, query, answer);
  expectThat(
    views.every(({ isPinned }) => isPinned),
    "posts-list shows a post as pinned that is not",
    views,
  );
  const ids = views.map(({ postId }) => postId);
  expectThat(new Set(ids).size === ids.length, "posts-list shows a pinned post twice", ids);
  for (const post of turn.site.posts.values()) {
    const isPinned = !turn.site.stored.pinnedStates(post.postId, answer.from, answer.to).includes(false);
    const isMissing = isPinned && !ids.includes(post.postId) && membership(turn, post, query, answer).always;
    expectThat(!isMissing, `posts-list lacks the pinned post ${post.name}`, query);
  }
}

/** Checks that no post is left out between `after` and `last`, the end of a page that has a next one. */
function checkGaps(turn: Turn, seen: ReadonlySet<string>, query: ByDate, span: Span, last: string | undefined): void {
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
  const pinned = turn.random.chance(0.3);
  const answer = await turn.call(session, "posts-list", { body: { ...query, page: number, limit, pinned } });
  if (!turn.expectStatus(answer, 200)) return;
  if (pinned) checkPinned(turn, query, answer);
  const views = answer.body.posts as resource.Post[];
  expectThat(views.length <= limit, "posts-list answers more than was asked for");
  checkPage(turn, views, query, answer);
  const ids = views.map(({ postId }) => postId);
  const isWhole = views.length < limit;
  if ("sort" in query) {
    // Status and tags in a row by rank lag behind its post.
    if (number === 1 && query.status === undefined && query.tag === undefined)
      checkRows(turn, ids, query, answer, isWhole);
  } else if (number === 1) checkGaps(turn, new Set(ids), query, answer, isWhole ? undefined : ids.at(-1));
  else if (isStill(turn, answer)) {
    const all = [...turn.site.posts.values()].filter((post) => membership(turn, post, query, answer).always);
    const sorted = all.map(({ postId }) => postId).sort();
    if (query.created === "desc") sorted.reverse();
    const expected = sorted.slice((number - 1) * limit, number * limit);
    const isThere = expected.every((id) => ids.includes(id));
    expectThat(isThere, `posts-list leaves posts of page ${number} out`, query);
  }
}

/** A query without what lags: status and tags in a row by rank. */
function drawWalk(turn: Turn): ByDate | ByRank {
  const query = drawQuery(turn);
  if (!("sort" in query)) return query;
  const { status: _, tag: __, ...byRank } = query;
  return byRank;
}

/** Walks along a whole list by cursor while it changes: no post comes twice, every lasting one comes. */
async function walk(turn: Turn): Promise<void> {
  const session = turn.random.chance(0.7) ? turn.caller() : undefined;
  const query = drawWalk(turn);
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
  const span: Span = { from, to: turn.now, session, endpoint: "posts-list" };
  if ("sort" in query) {
    checkRows(turn, seen, query, span, true);
    turn.world.milestones.count("walks by rank");
  } else {
    expectThat(isInOrder(seen, query), "a walk along posts-list repeats or turns back", seen);
    checkGaps(turn, new Set(seen), query, span, undefined);
  }
}

/** Walks along the posts that wait for the team: open ones without a response, the newest first. */
async function waiting(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner", "moderator");
  if (!session) return;
  const seen: string[] = [];
  const send = (more: object) => turn.call(session, "posts-waiting", { query: { first: "20", ...more } });
  for await (const answer of pages(send)) {
    if (!turn.expectStatus(answer, 200)) return;
    for (const view of answer.body.results as resource.Post[]) {
      const post = checkPost(turn.site, view, answer, SEATS);
      const isOpen = membership(turn, post, { status: "open" }, answer).maybe;
      expectThat(isOpen && view.response === null, `posts-waiting shows ${post.name}, which is answered`, view);
      expectThat(view.author.role === undefined, `posts-waiting shows ${post.name}, which the team wrote`, view);
      seen.push(view.postId);
    }
  }
  expectThat(isSorted(seen.toReversed()), "posts-waiting is not in order", seen);
}

/** Searches for words of many titles: only existing posts come, each once. */
async function search(turn: Turn): Promise<void> {
  const session = turn.random.chance(0.7) ? turn.caller() : undefined;
  const query = turn.random.oneOf(["post", "title of", "first post", "pos"]);
  const answer = await turn.call(session, "posts-search", { body: { query, first: 20 } });
  if (!turn.expectStatus(answer, 200)) return;
  const views = answer.body.results as resource.Post[];
  expectThat(new Set(views.map(({ postId }) => postId)).size === views.length, "posts-search shows a post twice");
  for (const view of views) checkPost(turn.site, view, answer, SEATS);
}

/** Reads the latest changes of statuses: each of an existing post, the newest first. */
async function statusChanges(turn: Turn): Promise<void> {
  const answer = await turn.call(turn.caller(), "posts-status-changes", {});
  if (!turn.expectStatus(answer, 200)) return;
  const changes = answer.body.changes as resource.PostStatusChange[];
  for (const { post } of changes) {
    const { life, name } = postOf(turn.site, post, answer);
    expectThat(
      life.between(answer.from, answer.to).includes("live"),
      `posts-status-changes shows the dead post ${name}`,
    );
  }
  expectThat(isSorted(changes.map(({ id }) => id).toReversed()), "posts-status-changes is not in order", changes);
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
  waiting: { weight: 0.4, act: waiting },
  search: { weight: 1.5, act: search },
  similar: { weight: 0.7, act: similar },
  statusChanges: { weight: 0.4, act: statusChanges },
  page: { weight: 17, act: page },
  walk: { weight: 2.5, act: walk },
};
