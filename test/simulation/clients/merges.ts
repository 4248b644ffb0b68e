import type * as resource from "../../../lib/http/resources.ts";
import type { Account, Session } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { type Answer, type Family, pages, type Turn } from "./turn.ts";
import { postOf, TO_MERGE } from "./views.ts";

// Two posts of a team, on which nobody else votes, are merged and parted again while people vote on both. What each
// person's votes may be is followed through the answers; at rest the posts have exactly such votes.

/** Whether a person's vote counts for the duplicate, and whether for the other post, once they are parted. */
type Own = { here: boolean; there: boolean };

type Phase = "apart" | "merged" | "parting";

type Step = { verb: "vote" | "take back"; on: "here" | "there" };

const NONE: Own = { here: false, there: false };

/** What a step may lead to, and whether that is said to be a change. */
type Result = { own: Own; isNew: boolean };

function resultsApart(own: Own, { verb, on }: Step): Result[] {
  const wanted = verb === "vote";
  return [{ own: { ...own, [on]: wanted }, isNew: own[on] !== wanted }];
}

function resultsMerged(own: Own, { verb }: Step): Result[] {
  if (verb === "take back") return [{ own: NONE, isNew: own.here || own.there }];
  if (own.there) return [{ own, isNew: false }];
  const voted = { own: { ...own, there: true }, isNew: true };
  // The vote of the duplicate counts as soon as it is moved.
  return own.here ? [voted, { own, isNew: false }] : [voted];
}

function resultsParting(own: Own, step: Step): Result[] {
  const { verb, on } = step;
  const apart = resultsApart(own, step);
  if (!own.here) return apart;
  // Its vote has returned already, or not yet.
  if (on === "here") return verb === "vote" ? [...apart, { own, isNew: true }] : apart;
  if (verb === "vote") return own.there ? apart : [...apart, { own, isNew: false }];
  return [...apart, { own: NONE, isNew: true }];
}

const resultsIn = { apart: resultsApart, merged: resultsMerged, parting: resultsParting };

/** The states in which a person's votes may be. */
class Votes {
  states: Own[] = [NONE];

  /** Learns from an answer that a step was carried out in one of some phases. */
  learn(step: Step, phases: readonly Phase[], answer: Answer): void {
    const results = this.states.flatMap((own) => phases.flatMap((phase) => resultsIn[phase](own, step)));
    const said = results.filter(({ isNew }) => {
      if (answer.code === "VOTE_EXISTS") return !isNew;
      return step.verb === "take back" || isNew;
    });
    const mayHaveNoEffect = answer.status === 0;
    const isDone = answer.status < 300 || answer.code === "VOTE_EXISTS";
    if (!isDone) return;
    const next = (mayHaveNoEffect ? results : said).map(({ own }) => own);
    const all = [...next, ...(mayHaveNoEffect ? this.states : [])];
    expectThat(all.length > 0, `${step.verb} on a merged post: ${answer.status} has no place in history`, {
      states: this.states,
      step,
      phases,
    });
    this.states = [...new Map(all.map((own) => [`${own.here} ${own.there}`, own])).values()];
  }
}

// A write without an answer is over by then.
const LATEST_MS = 13_000;

const MOST_ATTEMPTS = 60;

/** One merge with its undoing. */
class Round {
  readonly #turn: Turn;
  readonly #here: string;
  readonly #there: string;
  /** When each phase may have lasted. */
  readonly #phases: { phase: Phase; from: number; to: number }[] = [{ phase: "apart", from: 0, to: Infinity }];
  readonly #votes = new Map<Account, Votes>();
  #isOver = false;
  #isPaused = false;
  #acting = 0;

  constructor(turn: Turn, here: string, there: string) {
    this.#turn = turn;
    this.#here = here;
    this.#there = there;
  }

  async run(voters: Account[]): Promise<void> {
    const team = this.#mergeAndPart().finally(() => {
      this.#isOver = true;
    });
    await Promise.all([team, ...voters.map((account) => this.#person(account))]);
  }

  /** The phases in which a call may have been carried out. */
  #between(from: number, to: number): Phase[] {
    const possible = this.#phases.filter((each) => each.from <= to && each.to >= from);
    return [...new Set(possible.map(({ phase }) => phase))];
  }

  /** A phase that may begin from now on. Returns what notes that it has begun: all others are over. */
  #enter(phase: Phase): () => void {
    const before = [...this.#phases];
    this.#phases.push({ phase, from: this.#turn.now, to: Infinity });
    return () => {
      for (const each of before) each.to = Math.min(each.to, this.#turn.now);
    };
  }

  async #person(account: Account): Promise<void> {
    const turn = this.#turn;
    const votes = new Votes();
    this.#votes.set(account, votes);
    while (!this.#isOver) {
      await turn.world.sleep(turn.random.between(20, 4000));
      if (this.#isPaused || this.#isOver) continue;
      this.#acting++;
      await this.#act(account, votes);
      this.#acting--;
    }
  }

  async #act(account: Account, votes: Votes): Promise<void> {
    const turn = this.#turn;
    const session = turn.session((each) => each === account);
    if (!session) return;
    const step: Step = {
      verb: turn.random.chance(0.6) ? "vote" : "take back",
      on: turn.random.oneOf(["here", "there"]),
    };
    const body = { postId: step.on === "here" ? this.#here : this.#there };
    const answer = await turn.call(session, step.verb === "vote" ? "votes-add" : "votes-remove", { body });
    turn.expectStatus(answer, 200, 201, "VOTE_EXISTS", "POST_NOT_FOUND");
    if (answer.status === 0) await turn.world.sleep(LATEST_MS);
    const phases = this.#between(answer.from, answer.status === 0 ? turn.now : answer.to);
    // Where a merge leads to a hidden board, only the team finds the post.
    const isApart = phases.every((phase) => phase === "apart");
    if (answer.code === "POST_NOT_FOUND") expectThat(!isApart, "a post is lost that nobody deleted", body);
    votes.learn(step, phases, answer);
  }

  async #mergeAndPart(): Promise<void> {
    const { random, world } = this.#turn;
    await world.sleep(random.between(0, 15_000));
    const merge = { params: { postId: this.#here }, body: { into: this.#there } };
    if (!(await this.#change("merged", "posts-merge", merge))) return;
    if (random.chance(0.6)) {
      if (!(await this.#isMoved(this.#there))) return;
      await this.#check();
    }
    if (!(await this.#change("parting", "posts-unmerge", { params: { postId: this.#here } }))) return;
    if (!(await this.#isMoved(this.#here))) return;
    this.#enter("apart")();
    await world.sleep(random.between(0, 10_000));
    await this.#check();
  }

  /** Begins a phase; false if the team has no session any more. */
  async #change(phase: Phase, endpoint: string, request: object): Promise<boolean> {
    const turn = this.#turn;
    const hasBegun = this.#enter(phase);
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const session = turn.sessionAs("owner", "moderator");
      if (!session) break;
      const answer = await turn.call(session, endpoint, request);
      turn.expectStatus(answer, 200, "MERGE_CONFLICT", "POST_NOT_FOUND");
      if (answer.status === 200) {
        hasBegun();
        return true;
      }
      if (answer.status !== 0) await turn.world.sleep(20_000);
    }
    return false;
  }

  async #isMoved(postId: string): Promise<boolean> {
    const turn = this.#turn;
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      await turn.world.sleep(attempt === 1 ? 3000 : 60_000);
      const session = turn.sessionAs("owner", "moderator");
      if (!session) return false;
      const answer = await turn.call(session, "posts-merged", { params: { postId }, query: {} });
      turn.expectStatus(answer, 200);
      if (answer.status === 200 && answer.body.votes === "moved") return true;
    }
    return false;
  }

  /** While nothing moves, each post has votes as they may be. */
  async #check(): Promise<void> {
    this.#isPaused = true;
    while (this.#acting > 0) await this.#turn.world.sleep(1000);
    await this.#checkWhileNobodyVotes();
    this.#isPaused = false;
  }

  async #checkWhileNobodyVotes(): Promise<void> {
    const isMerged = this.#phases.at(-1)?.phase === "merged";
    const there = await this.#votersOf(this.#there);
    const here = isMerged ? new Set<string>() : await this.#votersOf(this.#here);
    if (!there || !here) return;
    this.#turn.world.milestones.count(isMerged ? "merges checked" : "partings checked");
    for (const [account, { states }] of this.#votes) {
      const fits = ({ here: h, there: t }: Own): boolean =>
        isMerged
          ? there.has(account.userId) === (h || t)
          : there.has(account.userId) === t && here.has(account.userId) === h;
      expectThat(states.some(fits), `the votes of ${account.name} on merged posts are not those of history`, states);
    }
  }

  async #votersOf(postId: string): Promise<Set<string> | undefined> {
    const turn = this.#turn;
    const voters = new Set<string>();
    const session = turn.sessionAs("owner", "moderator");
    const send = (more: object) =>
      turn.call(session as Session, "posts-votes", { params: { postId }, query: { first: "100", ...more } });
    if (!session) return undefined;
    for await (const answer of pages(send)) {
      if (answer.status !== 200) return undefined;
      for (const { user } of (answer.body.votes as { results: resource.CastVote[] }).results) voters.add(user.userId);
    }
    return voters;
  }
}

async function aPost(turn: Turn, name: string): Promise<string | undefined> {
  const session = turn.sessionAs("owner", "moderator");
  if (!session) return undefined;
  const title = `${TO_MERGE} ${turn.id} ${name}`;
  const known = { name: title, author: session.account, title, content: null, boardId: undefined };
  turn.site.unansweredPosts.set(title, known);
  const answer = await turn.call(session, "posts-create", { body: { title } });
  if (!turn.expectStatus(answer, 201)) return undefined;
  return postOf(turn.site, answer.body.post as resource.CreatedPost, answer).postId;
}

async function round(turn: Turn): Promise<void> {
  const here = await aPost(turn, "here");
  const there = here && (await aPost(turn, "there"));
  if (!here || !there) return;
  const voters = turn.site.accounts.filter(() => turn.random.chance(0.5)).slice(0, 6);
  await new Round(turn, here, there).run(voters);
}

export const merges: Family = { round: { weight: 0.3, act: round } };
