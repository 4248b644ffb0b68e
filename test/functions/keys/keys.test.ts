import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { handler as logOut } from "../../../functions/auth/log-out.ts";
import { handler as createKey } from "../../../functions/keys/create.ts";
import { handler as deleteKey } from "../../../functions/keys/delete.ts";
import { handler as listKeys } from "../../../functions/keys/list.ts";
import { handler as createPost } from "../../../functions/posts/create.ts";
import { handler as profile } from "../../../functions/users/profile.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as apiKeys from "../../../lib/accounts/api-keys.ts";
import { scopes } from "../../../lib/auth/permissions.ts";
import { newId } from "../../../lib/values/ids.ts";
import { anId, refusal, success, timeInside } from "../../support/http/answers.ts";
import { invoke, type Request } from "../../support/http/invoke.ts";
import { logLines } from "../../support/http/logs.ts";
import { atOnce, tally } from "../../support/http/tally.ts";
import { isTransaction, withFaults } from "../../support/store/faults.ts";
import { expectSound } from "../../support/store/sound.ts";
import { aKey, aMember, aUser, type Person } from "../../support/world/fixtures.ts";

const body = { name: "Import", scopes: ["post:create", "vote:create"] };
function create({ token }: Person, request: Request = {}) {
  return invoke(createKey, { token, body, ...request });
}
async function listed({ token }: Person) {
  return success(await invoke(listKeys, { token }), 200).keys;
}
function end({ token }: Person, keyId: string) {
  return invoke(deleteKey, { token, params: { keyId } });
}

describe("API keys", () => {
  it("are made, used, listed and ended", async () => {
    const person = await aUser("moderator");
    const { key, secret } = success(await create(person), 201);
    expect(secret).toMatch(/^fb_[A-Za-z0-9_-]{76}$/);
    expect(key).toEqual({
      ...body,
      keyId: anId,
      lastFour: secret.slice(-4),
      createdAt: timeInside(key.keyId),
      expiresAt: null,
    });
    const { post } = success(await invoke(createPost, { token: secret, body: { title: "By a program" } }), 201);
    expect(post.userId).toBe(person.userId);
    expect(success(await invoke(profile, { token: secret }), 200).user.email).toBe(person.email);
    expect(await listed(person)).toEqual([key]);
    success(await end(person, key.keyId), 204);
    refusal(await invoke(profile, { token: secret }), "INVALID_TOKEN");
    expect(await listed(person)).toEqual([]);
    refusal(await end(person, key.keyId), "KEY_NOT_FOUND");
    await expectSound();
  });

  it("end at a moment that their owner chose, in any time zone, and are listed until they are deleted", async () => {
    const person = await aUser("moderator");
    const expiresAt = "2999-12-31T01:00:00+02:00";
    const { key } = success(await create(person, { body: { ...body, expiresAt } }), 201);
    expect(key.expiresAt).toBe("2999-12-30T23:00:00.000Z");
    const { record, text } = await aKey(person, ["vote:create"], { endsAt: Date.now() - 1000 });
    refusal(await invoke(profile, { token: text }), "INVALID_TOKEN");
    expect((await listed(person)).map(({ keyId }: { keyId: string }) => keyId)).toEqual([key.keyId, record.keyId]);
  });

  it("refuse an expiry that is past or no date-time, and scopes that are none, unknown, repeated or the right to make keys", async () => {
    const person = await aUser("moderator");
    for (const expiresAt of [
      "2020-01-01T00:00:00Z",
      "2999-12-31",
      "tomorrow",
      4102444800,
      "2999-13-01T00:00:00Z",
      "2999-12-31T00:00:00",
      "9999-12-31T23:59:59-23:59",
      "2999-02-30T00:00:00Z",
      "",
    ]) {
      refusal(await create(person, { body: { ...body, expiresAt } }), "VALIDATION_ERROR", "body.expiresAt");
    }
    for (const given of [
      [],
      ["post:fly"],
      ["key:create"],
      ["post:create", "post:create"],
      "post:create",
      undefined,
      [1],
      ["role:read"],
    ]) {
      const reply = await create(person, { body: { ...body, scopes: given } });
      expect([given, reply.body.code]).toEqual([given, "VALIDATION_ERROR"]);
    }
    expect(await listed(person)).toEqual([]);
  });

  it("may have scopes that the role has not: they count for nothing", async () => {
    const person = await aUser("moderator");
    const { secret } = success(await create(person, { body: { ...body, scopes } }), 201);
    refusal(
      await invoke(createPost, { token: secret, body: { title: "x", authorId: newId() } }),
      "NOT_ENOUGH_PERMISSION",
    );
  });

  it("are for moderators and owners, each their own", async () => {
    refusal(await create(await aMember()), "NOT_ENOUGH_PERMISSION");
    const [one, two] = [await aUser("moderator"), await aUser("owner")];
    const { key } = success(await create(one), 201);
    expect(await listed(two)).toEqual([]);
    refusal(await end(two, key.keyId), "KEY_NOT_FOUND");
    expect(await listed(one)).toEqual([key]);
  });

  it("outlive a logout: a program does not stop because a person does", async () => {
    const person = await aUser("moderator");
    const { secret } = success(await create(person), 201);
    success(await invoke(logOut, { token: person.token }), 204);
    success(await invoke(profile, { token: secret }), 200);
  });

  it("are told once: neither the table nor a log line nor a later answer has the secret", async () => {
    const person = await aUser("moderator");
    const start = logLines.length;
    const request = { headers: { "idempotency-key": newId() } };
    const { key, secret } = success(await create(person, request), 201);
    const seen = [
      await create(person, request),
      await invoke(listKeys, { token: person.token }),
      await invoke(profile, { token: secret }),
      await invoke(createPost, { token: secret, body: { title: "By a program" } }),
      await invoke(listKeys, { token: secret }),
      await invoke(createPost, { token: secret, body: { title: 1 } }),
    ].map((reply) => JSON.stringify(reply.body));
    await sleep(0);
    const random = secret.slice(-33);
    expect([...seen, ...logLines.slice(start)].filter((text) => text.includes(random))).toEqual([]);
    expect(
      (await scan()).filter((item) => inspect(item, { depth: null, maxStringLength: null }).includes(random)),
    ).toEqual([]);
    const lines = logLines.slice(start).map((line) => JSON.parse(line));
    const byKey = lines.filter(({ apiKey }) => apiKey === key.keyId);
    expect(byKey.map(({ endpoint, userId }) => [endpoint, userId])).toEqual([
      ["users-profile", person.userId],
      ["posts-create", person.userId],
      ["keys-list", person.userId],
      ["posts-create", person.userId],
    ]);
  });

  it("a log line does not believe a key that is not good", async () => {
    const person = await aUser("moderator");
    const { text, record } = await aKey(person);
    await apiKeys.remove(person.userId, record.keyId);
    const start = logLines.length;
    refusal(await invoke(profile, { token: text }), "INVALID_TOKEN");
    await sleep(0);
    const [line] = logLines.slice(start).map((each) => JSON.parse(each));
    expect([line.endpoint, line.userId, line.apiKey]).toEqual(["users-profile", undefined, undefined]);
  });
});

describe("At most 20 API keys an account", () => {
  it("of many calls at once as many succeed as there is room for", async () => {
    const person = await aUser("moderator");
    for (let n = 0; n < 15; n++) await aKey(person);
    const replies = await atOnce(12, () => create(person));
    expect(tally(replies)).toEqual({ 201: 5, "409 TOO_MANY_KEYS": 7 });
    expect(await listed(person)).toHaveLength(20);
    refusal(await create(person), "TOO_MANY_KEYS");
    const [{ keyId }] = await listed(person);
    // Of many deletions of one key, one counts.
    expect(tally(await atOnce(6, () => end(person, keyId)))).toEqual({ 204: 1, "404 KEY_NOT_FOUND": 5 });
    expect(tally(await atOnce(4, () => create(person)))).toEqual({ 201: 1, "409 TOO_MANY_KEYS": 3 });
    await expectSound();
  });
});

describe("A key whose answer is lost", () => {
  it("is made once if the store's answer is lost, and the secret is told", async () => {
    const person = await aUser("moderator");
    let lost = 0;
    const decide = (attempt: Parameters<typeof isTransaction>[0]) =>
      isTransaction(attempt) && lost++ === 0 ? ("lose the answer" as const) : ("none" as const);
    const reply = await withFaults(decide, () => create(person));
    const { secret } = success(reply, 201);
    success(await invoke(profile, { token: secret }), 200);
    expect([lost, (await listed(person)).length]).toEqual([2, 1]);
  });

  it("is made once under an Idempotency-Key if the function dies; the secret is gone, and the answer names the key to delete", async () => {
    const person = await aUser("moderator");
    const request = { headers: { "idempotency-key": newId() } };
    const decide = (attempt: Parameters<typeof isTransaction>[0]) =>
      isTransaction(attempt) ? ("die" as const) : ("none" as const);
    const killed = await withFaults(decide, () => create(person, request));
    // The edges answer for the dead function, as the gateway would.
    expect(killed).toMatchObject({ status: 500 });
    const again = await create(person, request);
    expect(again.headers["idempotency-replayed"]).toBe("true");
    const { key, secret } = success(again, 201);
    expect([secret, await listed(person)]).toEqual([undefined, [key]]);
    success(await end(person, key.keyId), 204);
    // Deleted since: the first answer cannot be given again.
    refusal(await create(person, request), "KEY_NOT_FOUND");
    const next = success(await create(person, { headers: { "idempotency-key": newId() } }), 201);
    success(await invoke(profile, { token: next.secret }), 200);
    await expectSound();
  });
});
