import { scopes } from "../../../lib/auth/permissions.ts";
import type * as resource from "../../../lib/http/resources.ts";
import { ApiKey } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { type Answer, change, deleted, type Family, type Turn } from "./turn.ts";

// API keys: made by moderators and owners, used by the other families in place of sessions (`Turn.caller`), ended.

async function create(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner", "moderator");
  if (!session || session.account.keys.length > 5) return;
  const own = scopes.filter((scope) => session.mayHave(scope, turn.now, turn.now));
  const some = own.filter(() => turn.random.chance(0.7));
  const body = { name: `Key ${turn.id}`, scopes: some.length > 0 ? some : own };
  const answer = await turn.call(session, "keys-create", { body });
  const { from, to } = answer;
  const { accepted, refused } = session.freshness(from, to);
  expectThat(answer.status !== 201 || accepted, "keys-create takes an old session", session.name);
  expectThat(answer.code !== "SIGN_IN_AGAIN" || refused, "keys-create refuses a new session", session.name);
  if (!turn.expectStatus(answer, 201, "TOO_MANY_KEYS", "SIGN_IN_AGAIN")) return;
  const { key, secret } = answer.body as { key: resource.ApiKey; secret?: string };
  expectThat(secret !== undefined, "keys-create answers a new key without its text", key);
  new ApiKey(`key ${turn.id}`, session.account, { secret, keyId: key.keyId, scopes: key.scopes, from, to });
}

async function destroy(turn: Turn): Promise<void> {
  const keys = turn.site.accounts.flatMap((account) => account.keys);
  const key = turn.pick(keys);
  const session = key && turn.session((account) => account === key.account);
  if (!key || !session) return;
  // It may also have ended with all keys of its account.
  const outcomeOf = ({ status, code, from, to }: Answer): string | undefined => {
    if (status === 204) return "deleted";
    return code === "KEY_NOT_FOUND" && !key.mayHaveEndedWithAll(from, to) ? "was gone" : undefined;
  };
  const answer = await turn.write([change(key.life, deleted)], outcomeOf, () =>
    turn.call(session, "keys-delete", { params: { keyId: key.keyId } }),
  );
  turn.expectStatus(answer, 204, "KEY_NOT_FOUND");
}

/** The caller's keys: every lasting one and no deleted one. */
async function list(turn: Turn): Promise<void> {
  const session = turn.session((account) => account.keys.length > 0);
  if (!session) return;
  const known = [...session.account.keys];
  const answer = await turn.call(session, "keys-list", {});
  if (!turn.expectStatus(answer, 200)) return;
  const ids = new Set((answer.body.keys as resource.ApiKey[]).map(({ keyId }) => keyId));
  for (const key of known) {
    const standing = key.standing(answer.from, answer.to);
    const mayBe = ids.has(key.keyId) ? standing.accepted : standing.refused;
    expectThat(mayBe, `keys-list is wrong about ${key.name}`, standing);
  }
}

export const keys: Family = {
  create: { weight: 0.6, act: create },
  destroy: { weight: 0.4, act: destroy },
  list: { weight: 0.4, act: list },
};
