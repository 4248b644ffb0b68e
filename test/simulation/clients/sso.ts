import { isStaff } from "../../../lib/accounts/roles.ts";
import type * as resource from "../../../lib/http/resources.ts";
import type { Effect } from "../../simulator/history/register.ts";
import { claimsOf, signedBy } from "../../support/world/sso.ts";
import type { Account } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { sessionOf } from "./accounts.ts";
import { type Answer, change, type Family, type Turn } from "./turn.ts";

// Sign-ins by tokens of the owner's product: the owner makes the secret that signs them, people sign in by them, and
// now and then the owner takes the secret away. Others may do the same meanwhile.

export const REFUSED = ["SSO_REFUSED", "SSO_NOT_ALLOWED"];

// The owner may make the person a moderator meanwhile. Nobody lets the team sign in by tokens.
const REFUSED_TO_STAFF = "STAFF_NOT_ALLOWED";

/** The team is refused, and nobody else. */
function expectNoStaff({ endpoint, from, to, status, code }: Answer, { name, role }: Account): void {
  const wasStaff = role.between(from, to).map((each) => isStaff({ role: each }));
  if (code === REFUSED_TO_STAFF) expectThat(wasStaff.includes(true), `${endpoint} takes ${name} for one of the team`);
  if (status === 200) expectThat(wasStaff.includes(false), `${endpoint} lets ${name} in, who is of the team`);
}

const opened: Effect<boolean> = (isTaken) => [{ state: true, outcome: isTaken ? "known" : "made" }];

/** Makes a secret. Undefined if a call got no answer. */
export async function makeSecret(turn: Turn): Promise<string | undefined> {
  const session = turn.sessionAs("owner");
  if (!session) return undefined;
  const answer = await turn.call(session, "sso-rotate", {});
  if (!turn.expectStatus(answer, 200, "SIGN_IN_AGAIN")) return undefined;
  const secret = answer.body.secret as string;
  const shown = await turn.call(session, "sso-show", {});
  if (turn.expectStatus(shown, 200)) expectThat(!JSON.stringify(shown.body).includes(secret), "a secret is answered");
  return secret;
}

async function signIn(turn: Turn, secret: string): Promise<void> {
  const { site } = turn;
  const email = `mailed.to${turn.id.replace(/\W/g, "-")}@example.com`;
  const [name = ""] = email.split("@");
  const token = (jti: string) => signedBy(secret, claimsOf({ id: turn.id, email, name, jti }, turn.now));
  const enter = (jti: string) => turn.call(undefined, "auth-sso", { body: { token: token(jti) } });
  const answer = await turn.write([change(site.address(email), opened)], { 200: "made" }, () => enter("first"));
  turn.expectStatus(answer, 200, "SIGNUP_NOT_ALLOWED", ...REFUSED);
  if (answer.status !== 200) return;
  const session = sessionOf(turn, answer.body.user as resource.User);
  session.account.isConfirmed = true;
  const twice = { body: { token: token("second") } };
  const both = await Promise.all([turn.call(undefined, "auth-sso", twice), turn.call(undefined, "auth-sso", twice)]);
  for (const each of both) {
    turn.expectStatus(each, 200, REFUSED_TO_STAFF, ...REFUSED);
    expectNoStaff(each, session.account);
  }
  const sessions = both.flatMap(({ status, body }) => (status === 200 ? [(body.user as resource.User).userId] : []));
  expectThat(sessions.length < 2, "a token of the product opens two sessions");
  expectThat(
    sessions.every((userId) => userId === session.account.userId),
    "a person has two accounts",
    sessions,
  );
  const other = signedBy(secret, claimsOf({ id: `second of ${turn.id}`, email, name }, turn.now));
  // This 401 is about the token of the product, of which another client may have changed the secret.
  const mayRefuse = ({ code }: Answer): boolean => code === "SSO_REFUSED";
  const linked = await turn.call(session, "auth-sso-link", { body: { token: other } }, { mayRefuse });
  turn.expectStatus(linked, 200, "SIGN_IN_AGAIN", REFUSED_TO_STAFF, ...REFUSED);
  expectNoStaff(linked, session.account);
}

async function useProduct(turn: Turn): Promise<void> {
  const secret = await makeSecret(turn);
  if (!secret) return;
  await signIn(turn, secret);
  const session = turn.sessionAs("owner");
  if (!session || turn.random.chance(0.5)) return;
  turn.expectStatus(await turn.call(session, "sso-update", { body: { staff: false } }), 200);
  turn.expectStatus(await turn.call(session, "sso-delete", {}), 204);
}

export const sso: Family = { useProduct: { weight: 1, act: useProduct } };
