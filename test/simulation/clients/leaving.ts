import { anAccount } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import type { Answer, Family, Turn } from "./turn.ts";

// People who sign up and delete their account again, or whose account the owner deletes. Nobody else uses such an
// account, so that none of the others has to expect its end.

const ADDRESS = /^leaving\.\d+@example\.com$/;

/** Whether an account is one that is about to be deleted. */
export function isLeaving({ email }: { email: string }): boolean {
  return ADDRESS.test(email);
}

// Every second container has no limits.
const MOST_ATTEMPTS = 50;

/** The answer of a container that does not limit calls: one that does tells a busy network nothing about its token. */
async function answerWithoutLimit(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send();
  for (let attempt = 2; answer.status === 429 && attempt <= MOST_ATTEMPTS; attempt++) answer = await send();
  return answer;
}

async function comeAndGo(turn: Turn): Promise<void> {
  const email = `leaving.${turn.random.below(1_000_000_000)}@example.com`;
  const body = { email, password: "a password of some length", name: "Leaving" };
  const joined = await turn.call(undefined, "auth-sign-up", { body });
  if (!turn.expectStatus(joined, 201, "SIGNUP_NOT_ALLOWED")) return;
  const { authToken: token, userId } = joined.body.user as { authToken: string; userId: string };
  const held = await turn.call(undefined, "users-export", { token });
  if (turn.expectStatus(held, 200)) {
    const { account } = held.body as { account: { email: string } };
    expectThat(account.email === email, "the data of a person are of another one", account);
  }
  await leaveTraces(turn, { token, userId });
  const owner = turn.random.chance(0.5) ? turn.sessionAs("owner") : undefined;
  const choice = { votes: turn.random.oneOf(["keep", "withdraw"]) };
  const gone = owner
    ? await turn.call(owner, "users-delete", { params: { userId }, body: choice })
    : await turn.call(undefined, "users-delete-profile", { token, body: choice }, { mayRefuse: () => true });
  if (!turn.expectStatus(gone, 202, "SIGN_IN_AGAIN")) return;
  const after = await answerWithoutLimit(() =>
    turn.call(undefined, "users-profile", { token }, { mayRefuse: () => true }),
  );
  expectThat(after.status === 401 || after.status === 0, "a session outlives its account", after);
}

/** Votes and comments on posts that take part in merges: there the store tells which votes there are. */
async function leaveTraces(turn: Turn, { token, userId }: { token: string; userId: string }): Promise<void> {
  const { ledger } = turn.world;
  ledger.leaves(userId);
  const author = anAccount(`leaving ${turn.id}`, {
    userId,
    email: "",
    role: "member",
    passwords: [],
    shownName: "Leaving",
  });
  const joined = [...turn.site.posts.values()].filter(({ isJoined }) => isJoined).slice(-6);
  for (const post of joined) {
    const { postId } = post;
    const send = () => turn.call(undefined, "votes-add", { token, body: { postId } });
    const vote = await ledger.during({ userId, postId, verb: "vote" }, () => turn.now, send);
    turn.expectStatus(vote, 201, "VOTE_EXISTS", "POST_NOT_FOUND");
    if (turn.random.chance(0.6)) continue;
    const text = `Comment ${turn.id} on ${post.name}`;
    post.unanswered.set(text, { name: text, author, isInternal: false });
    const comment = await turn.call(undefined, "comments-create", { token, params: { postId }, body: { body: text } });
    turn.expectStatus(comment, 201, "POST_NOT_FOUND", "POST_LOCKED");
    const choice = { params: { postId }, body: { isFollowing: turn.random.chance(0.5) } };
    turn.expectStatus(await turn.call(undefined, "posts-follow", { token, ...choice }), 200, "POST_NOT_FOUND");
  }
}

export const leaving: Family = { comeAndGo: { weight: 0.4, act: comeAndGo } };
