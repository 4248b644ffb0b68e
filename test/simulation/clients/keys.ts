import { scopes } from "../../../lib/auth/permissions.ts";
import type * as resource from "../../../lib/http/resources.ts";
import { ApiKey } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { change, deleted, type Family, type Turn } from "./turn.ts";

// API keys: made by moderators and owners, used by the other families in place of sessions (`Turn.caller`), ended.

async function create(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner", "moderator");
  if (!session || session.account.keys.length > 5) return;
  const some = scopes.filter(() => turn.random.chance(0.7));
  const body = { name: `Key ${turn.id}`, scopes: some.length > 0 ? some : scopes };
  const answer = await turn.call(session, "keys-create", { body });
  if (!turn.expectStatus(answer, 201, "TOO_MANY_KEYS")) return;
  const { key, secret } = answer.body as { key: resource.ApiKey; secret?: string };
  expectThat(secret !== undefined, "keys-create answers a new key without its text", key);
  new ApiKey(`key ${turn.id}`, session.account, { secret, keyId: key.keyId, scopes: key.scopes });
}

async function destroy(turn: Turn): Promise<void> {
  const keys = turn.site.accounts.flatMap((account) => account.keys);
  const key = turn.pick(keys);
  const session = key && turn.session((account) => account === key.account);
  if (!key || !session) return;
  const answer = await turn.write([change(key.life, deleted)], { 204: "deleted", KEY_NOT_FOUND: "was gone" }, () =>
    turn.call(session, "keys-delete", { params: { keyId: key.keyId } }),
  );
  turn.expectStatus(answer, 204, "KEY_NOT_FOUND");
}

/** The caller's keys: none left out that is there, none that is gone. */
async function list(turn: Turn): Promise<void> {
  const session = turn.session((account) => account.keys.length > 0);
  if (!session) return;
  const known = [...session.account.keys];
  const answer = await turn.call(session, "keys-list", {});
  if (!turn.expectStatus(answer, 200)) return;
  const ids = new Set((answer.body.keys as resource.ApiKey[]).map(({ keyId }) => keyId));
  for (const { name, keyId, life } of known) {
    const lives = life.between(answer.from, answer.to);
    expectThat(lives.includes(ids.has(keyId) ? "live" : "gone"), `keys-list is wrong about ${name}`, lives);
  }
}

export const keys: Family = {
  create: { weight: 0.6, act: create },
  destroy: { weight: 0.4, act: destroy },
  list: { weight: 0.4, act: list },
};
