import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as apiKeys from "../../../lib/accounts/api-keys.ts";
import * as mailTokens from "../../../lib/accounts/mail-tokens.ts";
import * as users from "../../../lib/accounts/users.ts";
import { scopes } from "../../../lib/auth/permissions.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import { newId } from "../../../lib/values/ids.ts";
import { anId, atOnce, invoke, type Request, refusal, success, tally, timeInside } from "../../support/http/invoke.ts";
import { logLines } from "../../support/http/logs.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, newContainer } from "../../support/setup.ts";
import { writesIn } from "../../support/store/calls.ts";
import { connectionReset, withFaults } from "../../support/store/faults.ts";
import { aBoard, aKey, aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";
import { sendLetters } from "../../support/world/letters.ts";

const YEAR = 365 * 86_400_000;
function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

const body = { name: "Import", scopes: ["post:create", "vote:create"] };
function create({ token }: Person, request: Request = {}) {
  return invoke("keys-create", { token, body, ...request });
}
async function listed({ token }: Person) {
  return success(await invoke("keys-list", { token }), 200).keys;
}
function end({ token }: Person, keyId: string, query: Record<string, string> = {}) {
  return invoke("keys-delete", { token, params: { keyId }, query });
}

describe("An API key", () => {
  it("learns from a 403 all scopes that are missing, and no scope that its account lacks too", async () => {
    const post = await aPost(await aMember());
    const message = async (holder: Person, scopes: string[]) => {
      const { text } = await aKey(holder, scopes);
      const reply = await portal.changePost(post, { title: "Other" }, { token: text });
      refusal(reply, "NOT_ENOUGH_PERMISSION");
      return reply.body.message;
    };
    const moderator = await aUser("moderator");
    expect(await message(moderator, ["post:create"])).toMatch(/: the API key lacks the scope post:update:own$/);
    expect(await message(moderator, ["post:update:own"])).toMatch(/: the API key lacks the scope post:update$/);
    expect(await message(await aMember(), ["post:update:own"])).not.toContain("scope");
    const { text: token } = await aKey(await aUser("owner"), ["post:update:own"]);
    const moved = await portal.changePost(post, { boardId: (await aBoard()).boardId }, { token });
    expect(moved.body.message).toMatch(/: the API key lacks the scopes post:update, post:moderate$/);
    const onBehalf = await invoke("posts-create", { token, body: { title: "On behalf", authorId: newId() } });
    expect(onBehalf.body.message).toMatch(/: the API key lacks the scopes post:create, post:assign$/);
  });

  it("works until it is deleted, and its owner sees it in the list", async () => {
    const person = await aUser("moderator");
    const { key, secret } = success(await create(person), 201);
    expect(secret).toMatch(/^fb_[A-Za-z0-9_-]{76}$/);
    expect(key).toEqual({
      ...body,
      keyId: anId,
      lastFour: secret.slice(-4),
      createdAt: timeInside(key.keyId),
      expiresAt: expect.any(String),
      lastUsedOn: null,
    });
    // A year, unless it is asked for less.
    expect(Date.parse(key.expiresAt) - Date.parse(key.createdAt)).toBeLessThan(YEAR + 60_000);
    expect(Date.parse(key.expiresAt) - Date.parse(key.createdAt)).toBeGreaterThan(YEAR - 60_000);
    const { post } = success(await portal.post({ title: "By a program" }, { token: secret }), 201);
    expect(post.userId).toBe(person.userId);
    expect(success(await portal.profile({ token: secret }), 200).user.email).toBe(person.email);
    expect(await listed(person)).toEqual([{ ...key, lastUsedOn: new Date().toISOString().slice(0, 10) }]);
    success(await end(person, key.keyId), 204);
    refusal(await portal.profile({ token: secret }), "INVALID_TOKEN");
    expect(await listed(person)).toEqual([]);
    refusal(await end(person, key.keyId), "KEY_NOT_FOUND");
    await expectSound();
  });

  it("expires at a moment that its owner chose, in any time zone, and stays in the list", async () => {
    const person = await aUser("moderator");
    const day = new Date(Date.now() + YEAR / 2).toISOString().slice(0, 10);
    const { key } = success(await create(person, { body: { ...body, expiresAt: `${day}T03:00:00+02:00` } }), 201);
    expect(key.expiresAt).toBe(`${day}T01:00:00.000Z`);
    const { record, text } = await aKey(person, ["vote:create"], { endsAt: Date.now() - 1000 });
    refusal(await portal.profile({ token: text }), "INVALID_TOKEN");
    expect((await listed(person)).map(({ keyId }: { keyId: string }) => keyId)).toEqual([key.keyId, record.keyId]);
  });

  it.each([
    ...["2020-01-01T00:00:00Z", "tomorrow", 4102444800, "2999-12-31T00:00:00Z", "9999-12-31T23:59:59-23:59", ""],
    ...[inDays(30).slice(0, 10), inDays(30).slice(0, -1), inDays(30).replace("T", "T25"), inDays(366)],
  ])("refuses the expiry %j", async (expiresAt) => {
    const person = await aUser("moderator");
    refusal(await create(person, { body: { ...body, expiresAt } }), "VALIDATION_ERROR", "body.expiresAt");
    expect(await listed(person)).toEqual([]);
  });

  it.each([[[]], [["post:fly"]], [["key:create"]], [["post:create", "post:create"]], [undefined], [["role:read"]]])(
    "refuses the scopes %j",
    async (given) => {
      refusal(await create(await aUser("moderator"), { body: { ...body, scopes: given } }), "VALIDATION_ERROR");
    },
  );

  it("gets no scope that its role lacks", async () => {
    const person = await aUser("moderator");
    for (const scope of ["user:write", "settings:update", "post:assign"]) {
      refusal(await create(person, { body: { ...body, scopes: ["post:create", scope] } }), "NOT_ENOUGH_PERMISSION");
    }
    success(await create(await aUser("owner"), { body: { ...body, scopes } }), 201);
  });

  it("requires a session younger than ten minutes", async () => {
    const person = await aUser("moderator");
    const minutes = (ago: number) => tokens.issue(person, Date.now() - ago * 60_000);
    refusal(await create({ ...person, token: await minutes(10.1) }), "SIGN_IN_AGAIN");
    success(await create({ ...person, token: await minutes(9.5) }), 201);
    expect(await listed(person)).toHaveLength(1);
  });

  it("causes one mail to its account, which names it without a link and leads to all keys", async () => {
    const person = await aUser("moderator");
    await sendLetters();
    success(await create(person, { body: { ...body, name: "CI of evil.example" } }), 201);
    refusal(await create(await aMember()), "NOT_ENOUGH_PERMISSION");
    const letters = (await sendLetters()).filter(({ subject }) => !subject.startsWith("Welcome"));
    expect(letters).toMatchObject([{ to: person.email, subject: "A new API key" }]);
    expect(letters[0]?.text).toContain("The API key “CI of evil.\u2060example” was created");
    expect(letters[0]?.text).toContain("Open the API keys:\nhttp://localhost:3000/manage/keys\n");
    expect(JSON.stringify(letters)).not.toMatch(/evil\.example|token=|fb_/);
  });

  it("needs no mail sender", async () => {
    newContainer({ MAIL_TRANSPORT: "none" });
    onTestFinished(() => newContainer({ MAIL_TRANSPORT: "log" }));
    success(await create(await aUser("moderator")), 201);
  });

  it("shows the day of its last use, which costs one write a day and container", async () => {
    const person = await aUser("moderator");
    const { text } = await aKey(person);
    const writes = async () => writesIn(await portal.profile({ token: text })).length;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 30 * 86_400_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await writes()).toBe(1);
    expect(await writes()).toBe(0);
    vi.setSystemTime(Date.now() + 86_400_000);
    expect(await writes()).toBe(1);
    expect(await writes()).toBe(0);
    const items = await scan();
    newContainer();
    // Another container asks once, and changes nothing.
    success(await portal.profile({ token: text }), 200);
    expect(await scan()).toEqual(items);
    const [{ lastUsedOn }] = await listed({ ...person, token: await tokens.issue(person) });
    expect(lastUsedOn).toBe(inDays(0).slice(0, 10));
  });

  it("works while its use cannot be noted", async () => {
    const { text } = await aKey(await aUser("moderator"));
    const reply = await withFaults(
      ({ operation }) => (operation === "UpdateItem" ? connectionReset() : "none"),
      () => portal.profile({ token: text }),
    );
    success(reply, 200);
  });

  it("outlives a logout: a program does not stop because a person does", async () => {
    const person = await aUser("moderator");
    const { secret } = success(await create(person), 201);
    success(await invoke("auth-log-out", { token: person.token }), 204);
    success(await portal.profile({ token: secret }), 200);
  });

  it("shows its secret once: neither the table nor a log line nor a later answer has it", async () => {
    const person = await aUser("moderator");
    const start = logLines.length;
    const request = { headers: { "idempotency-key": newId() } };
    const { key, secret } = success(await create(person, request), 201);
    const seen = [
      await create(person, request),
      await invoke("keys-list", { token: person.token }),
      await portal.profile({ token: secret }),
      await portal.post({ title: "By a program" }, { token: secret }),
      await invoke("keys-list", { token: secret }),
      await portal.post({ title: 1 }, { token: secret }),
    ].map((reply) => JSON.stringify(reply.body));
    await sleep(0);
    const random = secret.slice(-33);
    const stored = inspect(await scan(), { depth: null, maxArrayLength: null, maxStringLength: null });
    expect([...seen, ...logLines.slice(start), stored].filter((text) => text.includes(random))).toEqual([]);
    const lines = logLines.slice(start).map((line) => JSON.parse(line));
    const byKey = lines.filter(({ apiKey }) => apiKey === key.keyId);
    const used = ["users-profile", "posts-create", "keys-list", "posts-create"];
    expect(byKey).toMatchObject(used.map((endpoint) => ({ endpoint, userId: person.userId })));
  });

  it("appears in no log line if it is invalid", async () => {
    const person = await aUser("moderator");
    const { text, record } = await aKey(person);
    await apiKeys.remove(person.userId, record.keyId);
    const start = logLines.length;
    refusal(await portal.profile({ token: text }), "INVALID_TOKEN");
    await sleep(0);
    const [line] = logLines.slice(start).map((each) => JSON.parse(each));
    expect(line.endpoint).toBe("users-profile");
    expect(line).not.toHaveProperty("userId");
    expect(line).not.toHaveProperty("apiKey");
  });
});

describe("All API keys of an account", () => {
  const role = (person: Person, wanted: string) =>
    invoke("users-update", { token: owner.token, params: { userId: person.userId }, body: { role: wanted } });
  const setPassword = async (person: Person, more = {}) => {
    const body = { token: await mailTokens.issue("reset-password", person), password: "another good horse", ...more };
    return success(await invoke("auth-password-set", { body }), 200);
  };
  let owner: Person;
  beforeEach(async () => {
    owner = await aUser("owner");
  });

  it.each([
    ["end by a suspension", (person: Person) => role(person, "suspended"), false],
    ["end by a new password", (person: Person) => setPassword(person), false],
    ["outlive a new password that keeps them", (person: Person) => setPassword(person, { keepKeys: true }), true],
  ])("%s, also if one of them does not parse", async (_, change, isKept) => {
    const person = await aUser("moderator");
    const { text: token } = await aKey(person);
    const broken = await aKey(person, [], { name: 7 as unknown as string });
    await change(person);
    if (isKept) success(await portal.profile({ token }), 200);
    else refusal(await portal.profile({ token }), "INVALID_TOKEN");
    expect(await apiKeys.idsOf(person.userId)).toHaveLength(isKept ? 2 : 0);
    if (isKept) await apiKeys.remove(person.userId, broken.record.keyId);
    await expectSound();
  });

  it.each([
    ["a new role", (person: Person) => role(person, "member")],
    ["a new password", (person: Person) => setPassword(person)],
  ])("stop with %s, also keys that are made at the same moment", async (_, endAll) => {
    for (let round = 0; round < 3; round++) {
      const person = await aUser("moderator");
      const old = await Promise.all([aKey(person), aKey(person)]);
      const deletions = () => end(person, old[0].record.keyId);
      const [made] = await Promise.all([atOnce(4, () => create(person)), deletions(), endAll(person)]);
      const fresh = { ...person, tokenVersion: (await users.find(person.userId))?.tokenVersion ?? 0 };
      expect(await listed({ ...person, token: await tokens.issue(fresh) })).toEqual([]);
      for (const { body } of made.filter(({ status }) => status === 201)) {
        refusal(await portal.profile({ token: body.secret }), "INVALID_TOKEN");
      }
    }
    await expectSound();
  });

  // That no other account may: test/security/permissions.test.ts.
  it("obey the owner of the site, who lists and deletes them", async () => {
    const person = await aUser("moderator");
    const other = await aUser("moderator");
    const { keyId } = (await aKey(person)).record;
    const query = { userId: person.userId };
    for (const { token } of [owner, person]) {
      expect(success(await invoke("keys-list", { token, query }), 200).keys).toHaveLength(1);
    }
    expect(await listed(other)).toEqual([]);
    refusal(await end(other, keyId), "KEY_NOT_FOUND");
    refusal(await end(owner, keyId, { userId: other.userId }), "KEY_NOT_FOUND");
    success(await end(owner, keyId, query), 204);
    expect(await listed(person)).toEqual([]);
    await expectSound();
  });
});

describe("The limit of 20 API keys an account", () => {
  it("admits as many of twelve calls in parallel as there is room for", async () => {
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
