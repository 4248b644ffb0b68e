import { findingsIn, unrankedIn } from "../../../infra/operator/check-table/check.ts";
import type * as resource from "../../../lib/http/resources.ts";
import { timeOf } from "../../../lib/values/ids.ts";
import { trendingTime, trendOf } from "../../../lib/values/trend.ts";
import type { Post, Session } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { FICKLE } from "../world/receivers.ts";
import { SORTS, type Sort } from "./ranks.ts";
import { type Answer, pages, type Turn } from "./turn.ts";
import { checkPost } from "./views.ts";

// Checks after a minute without calls and faults: everything stored fits together, the background work is done, and
// every list is exactly the one of the history.

const MOST = 50;

export async function checkAtRest(turn: Turn, hasLimits: boolean): Promise<void> {
  const { world } = turn;
  await waitUntilNone(turn, "works that wait", () => world.waiting());
  expectSound(turn);
  expectThat(world.service.database.heldItems === 0, "items are still held by transactions");
  const wrong = world.ledger.findings();
  expectThat(wrong.length === 0, "votes and comments are not where they belong", wrong.slice(0, 5));
  expectNoTraces(turn);
  await checkEvents(turn);
  await checkAudit(turn);
  await checkMessages(turn);
  await checkNewsLetters(turn, hasLimits);
  checkDigestLetters(turn, hasLimits);
  const shown = await checkPosts(turn);
  forgetWhatNeverCame(turn);
  // A lost record is found within some hours.
  const unranked = (): unknown[] => unrankedIn(world.items() as never);
  if (unranked().length > 0) {
    await waitUntilNone(turn, "posts that are not ranked", unranked);
    expectSound(turn);
  }
  await checkRanks(turn, shown);
}

/** Nothing is left of the people who were erased. */
function expectNoTraces({ world }: Turn): void {
  const traces = world.lives.tracesIn(world.items());
  expectThat(traces.length === 0, "the table still has something of an erased person", traces.slice(0, 5));
}

/** Each change has one event, and a polling client gets each event. */
async function checkEvents(turn: Turn): Promise<void> {
  const { events } = turn.world;
  expectThat(events.unmatched.length === 0, "changes and events differ", events.unmatched.slice(0, 5));
  // Without a session of the owner, the next rest polls on from the cursor.
  const session = owner(turn);
  if (!session) return;
  for (let hasMore = true; hasMore; ) {
    const query = { first: "100", ...(events.cursor && { after: events.cursor }) };
    const { body } = await calm(turn, () => turn.call(session, "events-list", { query }));
    const { events: page, page_info: info } = body as { events: resource.Event[]; page_info: resource.PageInfo };
    events.polled.push(...page.map(({ eventId }) => eventId));
    events.cursor = info.end_cursor ?? undefined;
    hasMore = info.has_next_page;
  }
  const missed = events.ids.toSorted().filter((id, at) => events.polled[at] !== id);
  const isComplete = missed.length === 0 && events.polled.length === events.ids.length;
  expectThat(isComplete, "a client that polls is not told of each event once, in order", missed.slice(0, 5));
}

/** The owner reads the newest records that were committed, and nothing but calls left any. */
async function checkAudit(turn: Turn): Promise<void> {
  const { audit } = turn.world;
  audit.expectNoOthers();
  const session = owner(turn);
  if (!session) return;
  const { body } = await calm(turn, () => turn.call(session, "audit-list", { query: { first: String(MOST) } }));
  const shown = (body.records as resource.AuditEntry[]).map(({ recordId }) => recordId);
  expectThat(shown.join() === audit.newest(MOST).join(), "the audit log lacks records, or has others", shown);
}

/** Mails about posts say what happened, in its order; without limits on mails nobody who asked misses one. */
async function checkNewsLetters(turn: Turn, hasLimits: boolean): Promise<void> {
  const { newsLetters, scheduler } = turn.world;
  const { untrue, outOfOrder } = newsLetters;
  expectThat(untrue.length === 0, "a mail tells of what was not so", untrue.slice(0, 5));
  expectThat(outOfOrder.length === 0, "an older status is mailed after a newer one", outOfOrder.slice(0, 5));
  if (hasLimits) return;
  await waitUntilNone(turn, "mails of news that wait", () => turn.world.partition("NOTICES"));
  const missed = newsLetters.missed(scheduler.now);
  expectThat(missed.length === 0, "a reader is not mailed a status", missed.slice(0, 5));
}

/** Only the team gets digests, and once an hour; without limits on mails it is told of all that waits. */
function checkDigestLetters({ world: { digestLetters } }: Turn, hasLimits: boolean): void {
  const { untrue, tooSoon, missed } = digestLetters;
  expectThat(untrue.length === 0, "a digest goes to who may not have it", untrue.slice(0, 5));
  expectThat(tooSoon.length === 0, "a reader gets two digests within an hour", tooSoon.slice(0, 5));
  expectThat(hasLimits || missed.length === 0, "a reader of the digest is not told of a text", missed.slice(0, 5));
}

/** The receiver got each event that outsiders may see, and none before its change or without one. */
async function checkMessages(turn: Turn): Promise<void> {
  const { events, receivers } = turn.world;
  await waitUntilNone(turn, "deliveries that wait", () => waitingDeliveries(turn));
  const untrue = receivers.messages.filter(({ delay }) => delay === undefined);
  expectThat(untrue.length === 0, "a webhook tells of what was not so", untrue.slice(0, 5));
  const told = new Set(
    receivers.messages.filter(({ host, isTaken }) => isTaken && host === FICKLE).map(({ eventId }) => eventId),
  );
  const missed = events.publicAfter(receivers.eventsBefore).filter((id) => !told.has(id));
  expectThat(missed.length === 0, "a webhook does not tell of events", missed.slice(0, 5));
}

/** Waiting deliveries to webhooks that are there: those to a deleted webhook expire. */
function waitingDeliveries({ world }: Turn): unknown[] {
  const items = world.items();
  const webhookIds = new Set(items.filter(({ pk }) => pk === "WEBHOOKS").map(({ sk }) => sk));
  return items.filter(({ pk, sk }) => {
    const [family, webhookId] = String(pk).split("#");
    return family === "DELIVERIES" && webhookIds.has(webhookId) && String(sk).startsWith("#");
  });
}

function expectSound({ world }: Turn): void {
  const findings = findingsIn(world.items() as never);
  expectThat(findings.length === 0, "the table breaks its invariants", findings.slice(0, 5));
}

// Failed work is repeated after ever longer pauses, of at most an hour.
const LONGEST_MS = 3 * 3_600_000;
const MINUTE = 60_000;

async function waitUntilNone({ world, now: begun }: Turn, what: string, left: () => unknown[]): Promise<void> {
  for (let some = left(); some.length > 0; some = left()) {
    expectThat(world.scheduler.now < begun + LONGEST_MS, `at rest there are ${what}`, some.slice(0, 5));
    await world.sleep(MINUTE);
  }
}

async function readAll(turn: Turn, query: object): Promise<resource.Post[]> {
  const session = owner(turn);
  const all: resource.Post[] = [];
  let total: unknown;
  const send = (more: object) =>
    calm(turn, () => turn.call(session, "posts-list", { body: { ...query, first: MOST, ...more } }));
  for await (const answer of pages(send)) {
    const posts = answer.body.posts as resource.Post[];
    for (const view of posts) checkPost(turn.site, view, answer, 6);
    all.push(...posts);
    total = answer.body.total_count;
  }
  expectThat(total === all.length, `a list at rest has ${all.length} posts and says ${total}`, query);
  return all;
}

const MOST_ATTEMPTS = 30;

/** Without faults every call gets an answer, if necessary from a container that does not limit calls. */
async function calm(turn: Turn, send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send();
    turn.expectStatus(answer, 200);
    if (answer.status === 200) return answer;
    const isLimited = answer.status === 429 && attempt < MOST_ATTEMPTS;
    expectThat(isLimited, `${answer.endpoint} fails at rest`, [answer.status, answer.body]);
  }
}

/** A session of the owner that has surely not ended; undefined if there is none. */
function owner({ site, now }: Turn): Session | undefined {
  return site.accounts[0]?.sessions.find((session) => !session.standing(now, now).refused);
}

/** Checks all posts and their lists by date; returns the posts. */
async function checkPosts(turn: Turn): Promise<resource.Post[]> {
  const { site, now } = turn;
  const shown = await readAll(turn, {});
  const ids = new Set(shown.map(({ postId }) => postId));
  expectThat(ids.size === shown.length, "a post is listed twice at rest");
  for (const post of site.posts.values()) {
    const lives = post.life.between(now, now);
    const isListed = ids.has(post.postId);
    expectThat(lives.includes(isListed ? "live" : "gone"), `${post.name} ${isListed ? "is there" : "is lost"}`);
    post.life.learn(now, now, (life) => (life === "live") === isListed);
  }
  for (const view of shown) {
    const post = site.posts.get(view.postId);
    if (post) await checkPostAtRest(turn, post, view);
  }
  for (const filter of filtersOf(turn, 8)) await expectList(turn, shown, filter);
  await expectPins(turn, shown);
  await checkSearch(turn, shown);
  return shown;
}

/** A post at rest: its votes by every way to read them, under the current names. */
async function checkPostAtRest(turn: Turn, post: Post, listed: resource.Post): Promise<void> {
  const { site } = turn;
  const session = owner(turn);
  const answer = await calm(turn, () => turn.call(session, "posts-by-slug", { body: { slug: listed.slug } }));
  const view = answer.body.post as resource.PostBySlug;
  checkPost(site, view, answer, 100);
  expectThat(view.voters.votesCount === listed.voters.votesCount, `${post.name} has two numbers of votes at rest`);
  const voted = new Set(view.voters.votes.map(({ userId }) => userId));
  const people = [view.author, ...view.voters.votes];
  for (const { userId, name } of people) {
    const account = site.byUserId.get(userId);
    // An account that comes and goes.
    if (!account && post.isJoined) continue;
    const names = account?.shownName.between(answer.from, answer.to) ?? [];
    expectThat(names.includes(name), `${post.name} shows an old name at rest`, [name, names]);
  }
  if (view.voters.votesCount > voted.size) return;
  for (const [account, vote] of post.votes) {
    const has = voted.has(account.userId);
    const isRight = vote.between(answer.from, answer.to).includes(has);
    expectThat(isRight, `the vote of ${account.name} on ${post.name} is ${has ? "there" : "lost"}`);
    vote.learn(answer.from, answer.to, (state) => state === has);
  }
}

type Filter = { query: object; has: (view: resource.Post) => boolean };

/** Filters by the last boards and roadmaps, by both, by statuses and by tags. */
function filtersOf({ site }: Turn, most: number): Filter[] {
  const boards = [...site.boards.keys()].slice(-most);
  const roadmaps = [...site.roadmaps.keys()].slice(-most);
  const isOn = (boardId: string) => (view: resource.Post) => view.board?.boardId === boardId;
  const isIn = (roadmapId: string) => (view: resource.Post) => view.roadmap?.id === roadmapId;
  const hasTag = (id: string) => (view: resource.Post) => view.tags.some((tag) => tag.id === id);
  return [
    ...boards.map((boardId): Filter => ({ query: { boardId }, has: isOn(boardId) })),
    ...roadmaps.map((roadmapId): Filter => ({ query: { roadmapId }, has: isIn(roadmapId) })),
    ...(boards.length > 0 ? roadmaps.slice(0, 1) : []).map(
      (roadmapId): Filter => ({
        query: { boardId: boards, roadmapId },
        has: (view) => isIn(roadmapId)(view) && boards.some((boardId) => isOn(boardId)(view)),
      }),
    ),
    ...[...site.tags.keys()].slice(-most).map((id): Filter => ({ query: { tag: id }, has: hasTag(id) })),
    ...["open", "planned"].map((id): Filter => ({ query: { status: id }, has: ({ status }) => status.id === id })),
  ];
}

/** A list holds exactly its posts, in their order. */
async function expectList(turn: Turn, sorted: readonly resource.Post[], { query, has }: Filter): Promise<void> {
  const listed = (await readAll(turn, query)).map(({ postId }) => postId);
  const expected = sorted.filter(has).map(({ postId }) => postId);
  expectThat(listed.join() === expected.join(), "a list at rest differs from the posts", [query, listed, expected]);
}

/** The pinned posts stand beside the list, and no others. */
async function expectPins(turn: Turn, sorted: readonly resource.Post[]): Promise<void> {
  const answer = await calm(turn, () => turn.call(owner(turn), "posts-list", { body: { pinned: true } }));
  const listed = (answer.body.pinned as resource.Post[]).map(({ postId }) => postId);
  const expected = sorted.filter(({ isPinned }) => isPinned).map(({ postId }) => postId);
  expectThat(listed.join() === expected.join(), "other posts are pinned at rest", [listed, expected]);
}

/** The lists by rank hold all posts, in the orders of their votes and trends. */
async function checkRanks(turn: Turn, shown: readonly resource.Post[]): Promise<void> {
  const trendingAt = new Map<string, number>();
  for (const { postId, voters } of shown) {
    const votes = voters.votesCount > voters.votes.length ? await votesOn(turn, postId) : voters.votes;
    const times = [postId, ...votes.map(({ voteId }) => voteId)].map(timeOf);
    trendingAt.set(postId, trendingTime(timeOf(postId), trendOf(times)));
  }
  const merits: Record<Sort, (view: resource.Post) => number> = {
    top: ({ voters }) => voters.votesCount,
    trending: ({ postId }) => trendingAt.get(postId) ?? 0,
  };
  const everything: Filter = { query: {}, has: () => true };
  for (const sort of SORTS) {
    const sorted = shown.toSorted((a, b) => merits[sort](b) - merits[sort](a) || (a.postId < b.postId ? 1 : -1));
    for (const { query, has } of [everything, ...filtersOf(turn, 2)])
      await expectList(turn, sorted, { query: { ...query, sort }, has });
    await expectPage(turn, sorted, sort);
  }
}

async function expectPage(turn: Turn, sorted: readonly resource.Post[], sort: Sort): Promise<void> {
  const page = 1 + turn.random.below(4);
  const limit = 5;
  const answer = await calm(turn, () => turn.call(owner(turn), "posts-list", { body: { sort, page, limit } }));
  const listed = (answer.body.posts as resource.Post[]).map(({ postId }) => postId);
  const expected = sorted.slice((page - 1) * limit, page * limit).map(({ postId }) => postId);
  expectThat(listed.join() === expected.join(), `page ${page} of ${sort} is another at rest`, [listed, expected]);
}

async function votesOn(turn: Turn, postId: string): Promise<resource.CastVote[]> {
  const all: resource.CastVote[] = [];
  const send = (more: object) => {
    const request = { params: { postId }, query: { first: "100", ...more } };
    return calm(turn, () => turn.call(owner(turn), "posts-votes", request));
  };
  for await (const { body } of pages(send)) all.push(...(body.votes as { results: resource.CastVote[] }).results);
  return all;
}

async function checkSearch(turn: Turn, shown: readonly resource.Post[]): Promise<void> {
  for (const { title, postId } of shown.slice(0, 3)) {
    const answer = await calm(turn, () =>
      turn.call(undefined, "posts-search", { body: { query: title.slice(0, 100), first: 50 } }),
    );
    const found = (answer.body.results as resource.Post[]).map((post) => post.postId);
    expectThat(found.includes(postId), `a post is not found by its title: ${title}`, found);
  }
}

/** A write without an answer and without an effect never takes effect later: that would be a violation. */
function forgetWhatNeverCame({ site, now }: Turn): void {
  site.unansweredPosts.clear();
  for (const post of site.posts.values()) {
    if (post.life.between(now, now).includes("live")) post.life.learn(now, now, () => true);
  }
}
