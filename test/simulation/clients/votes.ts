import type * as resource from "../../../lib/http/resources.ts";
import type { Effect } from "../../simulator/history/register.ts";
import type { Account, Post } from "../history/site.ts";
import { expectThat, isSorted } from "../history/violation.ts";
import type { Verb } from "../world/ledger.ts";
import { type Answer, becomes, change, type Family, MAYBE, pages, type Turn } from "./turn.ts";
import { checkVoters, checkWhereItContinues, endsOf, expectFound, expectPassingVoter } from "./views.ts";

// Votes: each account's vote on each post is a register that is true or false. views.ts checks the number of votes, the
// seats and the order at every answer.

const cast: Effect<boolean> = (hasVoted) => [{ state: true, outcome: hasVoted ? "had voted" : "voted" }];
const takenBack = becomes(false, "taken back");

const OUTCOMES = { VOTE_EXISTS: "had voted", 200: "voted", 201: "voted", POST_NOT_FOUND: MAYBE };
const BACK = { 200: "taken back", 204: "taken back", POST_NOT_FOUND: MAYBE };

const SHOWN = 100;

/** Sends a vote of an account, or its end, under the eyes of the ledger. */
function voting(turn: Turn, vote: { of: Account; on: Post; verb: Verb }, send: () => Promise<Answer>): Promise<Answer> {
  const { of: account, on: post, verb } = vote;
  const { userId } = account;
  return turn.world.ledger.during({ userId, postId: post.postId, verb }, () => turn.now, send);
}

/** An account that is said to have voted, or to have no vote any more, was so at some moment. */
function checkSaid(turn: Turn, post: Post, account: Account, answer: Answer, verb: Verb): void {
  const { from, to, code, status } = answer;
  const hasVoted = verb === "vote" && (code === "VOTE_EXISTS" || (status >= 200 && status < 300));
  const hasNone = verb === "take back" && status >= 200 && status < 300;
  if (!post.isJoined || (!hasVoted && !hasNone)) return;
  const states = endsOf(turn.site, post, answer).flatMap((end) => end.voteOf(account).between(from, to));
  expectThat(states.includes(hasVoted), `${answer.endpoint} is wrong about ${account.name} and ${post.name}`, states);
}

/** One of few posts, so that each gets many votes and seats change hands. The first post gets the most. */
export function popularPost(turn: Turn): Post | undefined {
  const [first, ...others] = turn.site.posts.values();
  const some = first ? [first, ...others.slice(-11)] : [];
  const live = some.filter(({ life }) => life.between(turn.now, turn.now).includes("live"));
  return turn.pick(turn.random.chance(0.7) ? live.slice(0, 4) : live);
}

const add = (turn: Turn): Promise<void> => castOn(turn, popularPost(turn));

export async function castOn(turn: Turn, post: Post | undefined): Promise<void> {
  const session = turn.caller();
  if (!post || !session) return;
  const body = { postId: post.postId };
  const send = turn.random.chance(0.15) ? "persist" : "call";
  const answer = await turn.write([change(post.voteOf(session.account), cast)], OUTCOMES, () =>
    voting(turn, { of: session.account, on: post, verb: "vote" }, () => turn[send](session, "votes-add", { body })),
  );
  turn.expectStatus(answer, 201, "VOTE_EXISTS", "POST_NOT_FOUND");
  expectFound(turn.site, post, answer);
  checkSaid(turn, post, session.account, answer, "vote");
  if (answer.status !== 201) return;
  const voters = answer.body.voters as resource.Voters;
  // A repeated answer shows the present voters: the vote may be removed by now. Only calls with an Idempotency-Key
  // repeat one.
  if (send === "call") expectThat(voters.viewerVote !== null, "votes-add answers without the vote");
  checkWhereItContinues(turn.site, post, answer, (end) => checkVoters(turn.site, end, voters, answer, SHOWN));
}

const remove = (turn: Turn): Promise<void> => takeBackOn(turn, popularPost(turn));

export async function takeBackOn(turn: Turn, post: Post | undefined): Promise<void> {
  const session = turn.caller();
  if (!post || !session) return;
  const send = () => turn.call(session, "votes-remove", { body: { postId: post.postId } });
  const answer = await turn.write([change(post.voteOf(session.account), takenBack)], BACK, () =>
    voting(turn, { of: session.account, on: post, verb: "take back" }, send),
  );
  turn.expectStatus(answer, 200, "POST_NOT_FOUND");
  expectFound(turn.site, post, answer);
  checkSaid(turn, post, session.account, answer, "take back");
  if (answer.status !== 200) return;
  const voters = answer.body.voters as resource.Voters;
  checkWhereItContinues(turn.site, post, answer, (end) => checkVoters(turn.site, end, voters, answer, SHOWN));
}

async function assign(turn: Turn): Promise<void> {
  const post = popularPost(turn);
  const session = turn.sessionAs("owner");
  const voter = turn.pick(turn.site.accounts);
  if (!post || !session || !voter) return;
  const params = { postId: post.postId, userId: voter.userId };
  const send = turn.random.chance(0.3) ? "persist" : "call";
  const answer = await turn.write([change(post.voteOf(voter), cast)], OUTCOMES, () =>
    voting(turn, { of: voter, on: post, verb: "vote" }, () => turn[send](session, "votes-assign", { params })),
  );
  turn.expectStatus(answer, 200, "VOTE_EXISTS", "POST_NOT_FOUND");
  expectFound(turn.site, post, answer);
  checkSaid(turn, post, voter, answer, "vote");
}

async function unassign(turn: Turn): Promise<void> {
  const post = popularPost(turn);
  const session = turn.sessionAs("owner");
  const voter = turn.pick(turn.site.accounts);
  if (!post || !session || !voter) return;
  const send = () => turn.call(session, "votes-unassign", { params: { postId: post.postId, userId: voter.userId } });
  const answer = await turn.write([change(post.voteOf(voter), takenBack)], BACK, () =>
    voting(turn, { of: voter, on: post, verb: "take back" }, send),
  );
  turn.expectStatus(answer, 204, "POST_NOT_FOUND");
  expectFound(turn.site, post, answer);
  checkSaid(turn, post, voter, answer, "take back");
}

/** Reads all votes on a post, page by page: each lasting vote comes once, in the order of the votes. */
async function browse(turn: Turn): Promise<void> {
  const post = popularPost(turn);
  const session = turn.random.chance(0.5) ? turn.caller() : undefined;
  if (!post) return;
  const from = turn.now;
  const seen: resource.CastVote[] = [];
  const send = (more: object) => {
    const query = { first: String(2 + turn.random.below(40)), ...more };
    return turn.call(session, "posts-votes", { params: { postId: post.postId }, query });
  };
  for await (const answer of pages(send)) {
    turn.expectStatus(answer, 200, "POST_NOT_FOUND");
    expectFound(turn.site, post, answer);
    if (answer.status !== 200) return;
    const { results } = answer.body.votes as { results: resource.CastVote[] };
    checkWhereItContinues(turn.site, post, answer, (end) => checkPage(turn, end, results, answer));
    seen.push(...results);
  }
  const ends = endsOf(turn.site, post, { from, to: turn.now });
  const [end] = ends;
  // Between two pages it may have been merged.
  if (!end || ends.length > 1) return;
  const ids = seen.map(({ voteId }) => voteId);
  expectThat(isSorted(ids), "posts-votes is not in order", ids);
  // The votes of a deleted post are deleted one after the other.
  if (end.life.between(from, turn.now).includes("gone")) return;
  const voters = new Set(seen.map(({ user }) => user.userId));
  for (const [account, vote] of end.votes) {
    const always = !vote.between(from, turn.now).includes(false);
    if (always) expectThat(voters.has(account.userId), `posts-votes lacks the vote of ${account.name} on ${end.name}`);
  }
}

function checkPage(turn: Turn, post: Post, results: readonly resource.CastVote[], answer: Answer): void {
  for (const { user } of results) {
    const voter = turn.site.byUserId.get(user.userId);
    if (voter) {
      const hasVoted = post.voteOf(voter).between(answer.from, answer.to).includes(true);
      expectThat(hasVoted, `${voter.name} has not voted on ${post.name}`);
    } else {
      expectThat(post.isJoined, "posts-votes shows a vote of nobody", user);
      expectPassingVoter(turn.site, post, user.userId, answer);
    }
  }
}

export const votes: Family = {
  add: { weight: 26, act: add },
  remove: { weight: 16, act: remove },
  assign: { weight: 3, act: assign },
  unassign: { weight: 1, act: unassign },
  browse: { weight: 1, act: browse },
};
