import { claimsOf, signedBy } from "../../support/world/sso.ts";
import { expectThat } from "../history/violation.ts";
import { type Leaver, leavingAuthor, live } from "./life.ts";
import { aNewcomer } from "./newcomers.ts";
import { makeSecret, REFUSED } from "./sso.ts";
import type { Answer, Family, Turn } from "./turn.ts";

// People who sign up, live, and delete their account again, or whose account the owner deletes. Nobody else uses such
// an account, so that none of the others has to expect its end.

// Every second container has no limits.
const MOST_ATTEMPTS = 50;

const MOST_DEEDS = 6;
const MOST_LATE_DEEDS = 2;

/** The answer of a container that does not limit calls: one that does tells a busy network nothing about its token. */
async function answerWithoutLimit(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send();
  for (let attempt = 2; answer.status === 429 && attempt <= MOST_ATTEMPTS; attempt++) answer = await send();
  return answer;
}

async function comeAndGo(turn: Turn): Promise<void> {
  const leaver = await come(turn);
  if (!leaver) return;
  if (turn.random.chance(0.3)) await readOwn(turn, leaver);
  await live(turn, leaver, MOST_DEEDS);
  // Some are still at it while their account ends.
  const late = turn.random.chance(0.5) ? live(turn, leaver, MOST_LATE_DEEDS) : undefined;
  await Promise.all([leave(turn, leaver), late]);
}

async function come(turn: Turn): Promise<Leaver | undefined> {
  const { email, name } = aNewcomer(turn);
  const subject = `subject of ${email}`;
  const isByProduct = turn.random.chance(0.15);
  const joined = isByProduct ? await signIn(turn, { id: subject, email, name }) : await signUp(turn, { email, name });
  if (!joined || !turn.expectStatus(joined, isByProduct ? 200 : 201, "SIGNUP_NOT_ALLOWED", ...REFUSED)) return;
  const {
    authToken: token,
    userId,
    username,
  } = joined.body.user as Record<"authToken" | "userId" | "username", string>;
  turn.world.ledger.leaves(userId);
  turn.world.lives.know(userId, email, email.split("@")[0] as string, name, username, subject);
  return { userId, token, email, name, author: leavingAuthor(turn, { userId, name }) };
}

function signUp(turn: Turn, person: { email: string; name: string }): Promise<Answer> {
  return turn.call(undefined, "auth-sign-up", { body: { ...person, password: "a password of some length" } });
}

/** Signs in by a token of the owner's product, whose secret another client may change meanwhile. */
async function signIn(turn: Turn, person: object): Promise<Answer | undefined> {
  const secret = await makeSecret(turn);
  if (!secret) return undefined;
  const token = signedBy(secret, claimsOf({ ...person, jti: turn.id }, turn.now));
  return turn.call(undefined, "auth-sso", { body: { token } });
}

async function readOwn(turn: Turn, { token, email }: Leaver): Promise<void> {
  const held = await turn.call(undefined, "users-export", { token });
  if (!turn.expectStatus(held, 200)) return;
  const { account } = held.body as { account: { email: string } };
  expectThat(account.email === email, "the data of a person are of another one", account);
}

async function leave(turn: Turn, { token, userId }: Leaver): Promise<void> {
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

export const leaving: Family = { comeAndGo: { weight: 0.4, act: comeAndGo } };
