import type * as resource from "../../../lib/http/resources.ts";
import type { Effect } from "../../simulator/history/register.ts";
import type { Account } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import type { Letter } from "../world/world.ts";
import { LETTER_MS, letterTo, mailedAddress, NONE, sessionOf, taken } from "./accounts.ts";
import { type Change, change, type Family, type Turn } from "./turn.ts";

// Sign-ins by the link or the code of a mail: into accounts of all kinds, and into new ones.

const BROWSERS = ["", "Firefox/145.0 (Linux)", "Safari/604.1 (iPhone)"];

function aBrowser(turn: Turn) {
  return { headers: { "user-agent": turn.random.oneOf(BROWSERS) } };
}

/** An account that is not confirmed changes, unless it was confirmed meanwhile. */
function maybe<S>(changed: (state: S) => S): Effect<S> {
  return (state) => [
    { state: changed(state), outcome: "set" },
    { state, outcome: "set" },
    { state, outcome: "refused" },
  ];
}

const next = (number: number) => number + 1;

/** What a sign-in may change: nothing of a confirmed account. */
function changesOf(account: Account): Change[] {
  if (account.isConfirmed) return [];
  return [
    change(
      account.password,
      maybe(() => NONE),
    ),
    change(account.version, maybe(next)),
    change(account.keyEra, maybe(next)),
  ];
}

const opened: Effect<boolean> = (isTaken) => [
  { state: true, outcome: "set" },
  { state: isTaken, outcome: "refused" },
];

async function byMail(turn: Turn): Promise<void> {
  const { site } = turn;
  const isOfOwner = ({ role }: Account) => role.between(turn.now, turn.now).includes("owner");
  const known = turn.pick(site.accounts, (account) => !isOfOwner(account));
  const email = known && turn.random.chance(0.6) ? known.email : mailedAddress(turn.random.below(5));
  const asked = turn.now;
  const request = await turn.call(undefined, "auth-magic", { body: { email }, ...aBrowser(turn) });
  if (!turn.expectStatus(request, 200)) return;
  await turn.world.sleep(LETTER_MS);
  const letter = letterTo(turn, email, "sign-in", asked);
  if (!letter) return;
  if (turn.random.chance(0.3)) {
    const answer = await turn.call(undefined, "auth-magic-verify", { body: { email, code: "AAAAAAAA" } });
    turn.expectStatus(answer, "INCORRECT_CODE");
  }
  await enter(turn, letter, asked);
}

async function enter(turn: Turn, letter: Letter, asked: number): Promise<void> {
  const { site } = turn;
  const { to: email, token, code } = letter;
  const account = site.accountOf(email);
  const isByLink = turn.random.chance(0.6);
  const body = isByLink ? { token } : { email, code };
  const changes = [
    change(letter.isTaken, taken),
    ...(account ? changesOf(account) : [change(site.address(email), opened)]),
  ];
  // A link is used up before the second factor is asked for.
  const outcomes = { 200: "set", TWO_FACTOR_NEEDED: "set", INVALID_TOKEN: "refused", INCORRECT_CODE: "refused" };
  const answer = await turn.write(changes, outcomes, () =>
    turn.call(undefined, "auth-magic-verify", { body, ...aBrowser(turn) }),
  );
  turn.expectStatus(answer, 200, "SIGNUP_NOT_ALLOWED");
  const { from, to } = answer;
  const allowed = site.settings.between(from, to).map(({ allowSignup }) => allowSignup);
  if (answer.code === "SIGNUP_NOT_ALLOWED") expectThat(allowed.includes(false), "a sign-in is refused as a signup");
  const mayBeOver =
    letter.isTaken.between(asked, to).includes(true) || (account?.version.between(asked, to).length ?? 1) > 1;
  if (answer.code === "INVALID_TOKEN") expectThat(mayBeOver, "a fresh link of a mail is refused");
  if (answer.status !== 200) return;
  const session = sessionOf(turn, answer.body.user as resource.User);
  expectThat(!account || session.account === account, "a mail signs in to another account");
  session.account.isConfirmed = true;
  const isCurrent = session.account.version.between(from, to).includes(session.version);
  expectThat(isCurrent, `a mail signs in to an ended session of ${session.account.name}`);
  session.account.version.learn(from, to, (each) => each === session.version);
}

/** The ways to sign in are the same for everybody. */
async function ways(turn: Turn): Promise<void> {
  const answer = await turn.call(undefined, "auth-providers", {});
  if (!turn.expectStatus(answer, 200)) return;
  const { password, magic } = answer.body as resource.SignInWays;
  expectThat(password && magic, "a way to sign in is gone", answer.body);
}

export const signIn: Family = {
  byMail: { weight: 0.8, act: byMail },
  ways: { weight: 0.2, act: ways },
};
