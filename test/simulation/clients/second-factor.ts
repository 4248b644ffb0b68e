import { codeOf, stepAt } from "../../../lib/auth/totp.ts";
import type * as resource from "../../../lib/http/resources.ts";
import type { Effect } from "../../simulator/history/register.ts";
import { secretIn } from "../../support/world/two-factor.ts";
import type { Account, Session } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { sessionOf } from "./accounts.ts";
import { type Answer, change, type Family, type Turn } from "./turn.ts";

// Second factors: an app is switched on, signs in, and is switched off again, by its holder or by the owner.

/** All sessions of the account end. */
const ends: Effect<number> = (version) => [{ state: version + 1, outcome: "set" }];

type Opened = { session: Session; recoveryCodes: string[] };

/** Takes the session of an answer, which must be of the account. */
function sessionIn(turn: Turn, answer: Answer, account: Account): Session {
  const session = sessionOf(turn, answer.body.user as resource.User);
  expectThat(session.account === account, "a second factor signs in to another account");
  return session;
}

async function switchOn(turn: Turn, session: Session): Promise<Opened | undefined> {
  const { account } = session;
  const begun = await turn.call(session, "users-two-factor", {});
  if (!turn.expectStatus(begun, 200, "SIGN_IN_AGAIN", "TWO_FACTOR_ON")) return undefined;
  const { challenge } = begun.body as { challenge: string };
  const enrolled = await turn.call(undefined, "auth-two-factor-enrol", { body: { challenge } });
  if (!turn.expectStatus(enrolled, 200, "TWO_FACTOR_ON")) return undefined;
  const code = codeOf(secretIn(String(enrolled.body.secret)), stepAt(turn.now));
  const answer = await turn.write([change(account.version, ends)], { 200: "set" }, () =>
    turn.call(undefined, "auth-two-factor", { body: { challenge, code } }),
  );
  if (!turn.expectStatus(answer, 200, "TWO_FACTOR_ON")) return undefined;
  const recoveryCodes = answer.body.recoveryCodes as string[];
  expectThat(recoveryCodes.length === 10, "a second factor has other than ten recovery codes");
  return { session: sessionIn(turn, answer, account), recoveryCodes };
}

/** Signs in by the password and a recovery code, which works once. */
async function signIn(turn: Turn, account: Account, code: string): Promise<void> {
  const password = turn.random.oneOf(account.password.between(turn.now, turn.now));
  const asked = await turn.call(undefined, "auth-log-in", { body: { email: account.email, password } });
  if (asked.code !== "TWO_FACTOR_NEEDED") return;
  const { challenge } = asked.body.twoFactor as { challenge: string };
  const verify = () => turn.call(undefined, "auth-two-factor", { body: { challenge, code } });
  const first = await verify();
  if (!turn.expectStatus(first, 200)) return;
  sessionIn(turn, first, account);
  const second = await verify();
  expectThat(second.status !== 200, "a recovery code signs in twice");
}

/** Makes new recovery codes; the ones before no longer count. */
async function renew(turn: Turn, { session, recoveryCodes }: Opened): Promise<Opened> {
  const counted = await turn.call(session, "users-recovery-codes", {});
  if (turn.expectStatus(counted, 200, "TWO_FACTOR_OFF"))
    expectThat(Number(counted.body.left) <= 10, "a second factor has more than ten recovery codes");
  const body = { code: recoveryCodes[2] as string };
  const answer = await turn.call(session, "users-renew-recovery-codes", { body }, { mayRefuse: () => true });
  if (!turn.expectStatus(answer, 200, "TWO_FACTOR_OFF")) return { session, recoveryCodes };
  const renewed = answer.body.recoveryCodes as string[];
  expectThat(renewed.length === 10, "there are other than ten new recovery codes");
  return { session, recoveryCodes: renewed };
}

async function switchOff(turn: Turn, { session, recoveryCodes }: Opened): Promise<void> {
  const { account } = session;
  const owner = turn.sessionAs("owner");
  if (!owner || turn.random.chance(0.5)) {
    const body = { code: recoveryCodes[1] as string };
    // Another client may have switched it off.
    const off = await turn.call(session, "users-end-two-factor", { body }, { mayRefuse: () => true });
    turn.expectStatus(off, 204, "TWO_FACTOR_OFF");
    return;
  }
  const reset = await turn.write([change(account.version, ends)], { 204: "set" }, () =>
    turn.call(owner, "users-reset-two-factor", { params: { userId: account.userId } }),
  );
  turn.expectStatus(reset, 204, "SIGN_IN_AGAIN", "TWO_FACTOR_OFF");
}

async function useApp(turn: Turn): Promise<void> {
  const isOfOwner = ({ role }: Account) => role.between(turn.now, turn.now).includes("owner");
  const session = turn.session((account) => !isOfOwner(account));
  const opened = session && (await switchOn(turn, session));
  if (!opened) return;
  await signIn(turn, opened.session.account, opened.recoveryCodes[0] as string);
  await switchOff(turn, await renew(turn, opened));
}

export const secondFactor: Family = { useApp: { weight: 0.4, act: useApp } };
