import type * as resource from "../../../lib/http/resources.ts";
import type { Effect } from "../../simulator/history/register.ts";
import { expectThat } from "../history/violation.ts";
import { PROVIDER, returnedFor } from "../world/sign-in-provider.ts";
import { sessionOf } from "./accounts.ts";
import { change, type Family, type Turn } from "./turn.ts";

// Sign-ins by a provider: the owner makes one and tests it, people sign in by it, and the owner takes it away.

const GONE = "PROVIDER_NOT_FOUND";

const opened: Effect<boolean> = (isTaken) => [{ state: true, outcome: isTaken ? "known" : "made" }];

/** Makes a provider live. Returns its id; undefined if a call got no answer. */
async function make(turn: Turn): Promise<string | undefined> {
  const session = turn.sessionAs("owner");
  if (!session) return undefined;
  const created = await turn.call(session, "providers-create", { body: PROVIDER });
  if (!turn.expectStatus(created, 201, "TOO_MANY_PROVIDERS", "SIGN_IN_AGAIN")) return undefined;
  const { providerId } = created.body.provider as resource.Provider;
  const params = { providerId };
  const asked = await turn.call(session, "providers-test", { params, body: {} });
  if (!turn.expectStatus(asked, 200, GONE)) return providerId;
  const returned = returnedFor({ sub: "owner", email: "owner@example.com" });
  const tested = await turn.call(session, "providers-test", { params, body: { returned } });
  if (turn.expectStatus(tested, 200, GONE)) {
    const { passed } = tested.body.test as resource.ProviderTest;
    expectThat((tested.body.provider as resource.Provider).live === passed, "a provider is live without a test");
  }
  return providerId;
}

async function signIn(turn: Turn, providerId: string): Promise<void> {
  const { site } = turn;
  const email = `mailed.by${turn.id.replace(/\W/g, "-")}@example.com`;
  const [name = ""] = email.split("@");
  const request = { params: { providerId }, body: returnedFor({ sub: turn.id, email, name }) };
  const answer = await turn.write([change(site.address(email), opened)], { 200: "made" }, () =>
    turn.call(undefined, "auth-oidc", request),
  );
  turn.expectStatus(answer, 200, GONE, "SIGNUP_NOT_ALLOWED");
  const allowed = site.settings.between(answer.from, answer.to).map(({ allowSignup }) => allowSignup);
  if (answer.code === "SIGNUP_NOT_ALLOWED") expectThat(allowed.includes(false), "a sign-in is refused as a signup");
  if (answer.status !== 200) return;
  const session = sessionOf(turn, answer.body.user as resource.User);
  session.account.isConfirmed = true;
  const again = await turn.call(undefined, "auth-oidc", request);
  if (turn.expectStatus(again, 200, GONE)) {
    const { userId } = again.body.user as resource.User;
    expectThat(userId === session.account.userId, "an identity signs in to two accounts");
  }
  await linkMore(turn, session, providerId);
}

async function linkMore(turn: Turn, session: ReturnType<typeof sessionOf>, providerId: string): Promise<void> {
  const body = returnedFor({ sub: `second of ${turn.id}`, email: session.account.email });
  const linked = await turn.call(session, "auth-oidc-link", { params: { providerId }, body });
  turn.expectStatus(linked, 200, GONE, "SIGN_IN_AGAIN");
  const listed = await turn.call(session, "users-identities", {});
  if (!turn.expectStatus(listed, 200)) return;
  const identities = listed.body.results as resource.Identity[];
  if (linked.status === 200) expectThat(identities.length === 2, "a linked sign-in is not listed", identities);
  const [first] = identities;
  if (!first) return;
  const unlinked = await turn.call(session, "users-unlink", { params: { identityId: first.identityId } });
  turn.expectStatus(unlinked, 204);
}

async function remove(turn: Turn, providerId: string): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const params = { providerId };
  const changed = await turn.call(session, "providers-update", { params, body: { enabled: false } });
  turn.expectStatus(changed, 200, GONE);
  turn.expectStatus(await turn.call(session, "providers-delete", { params }), 204, GONE);
}

async function useProvider(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  const providerId = await make(turn);
  if (!providerId) return;
  await signIn(turn, providerId);
  const listed = await turn.call(session, "providers-list", {});
  if (turn.expectStatus(listed, 200)) {
    expectThat(!JSON.stringify(listed.body).includes(PROVIDER.clientSecret), "a secret is answered");
  }
  await remove(turn, providerId);
}

export const providers: Family = { useProvider: { weight: 1, act: useProvider } };
