import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as mailTokens from "../../../lib/accounts/mail-tokens.ts";
import * as rates from "../../../lib/accounts/rates.ts";
import * as signInMails from "../../../lib/accounts/sign-in-mails.ts";
import * as unsubscribeTokens from "../../../lib/accounts/unsubscribe-tokens.ts";
import { newKey } from "../../../lib/auth/api-keys.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import * as limits from "../../../lib/http/rate-limits.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { update } from "../../../lib/table/parts.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { newId } from "../../../lib/values/ids.ts";
import {
  atOnce,
  endpointNamed,
  invoke,
  type Reply,
  type Request,
  refusal,
  success,
  tally,
  unavailable,
} from "../../support/http/invoke.ts";
import { freshTable, newContainer } from "../../support/setup.ts";
import { measured, planOf } from "../../support/store/calls.ts";
import { type Attempt, connectionReset, withFaults } from "../../support/store/faults.ts";
import { aLinkedIdentity, aWorld } from "../../support/world/examples.ts";
import { aKey, aMember, anAccount, aPost, aProvider, aWebhook, type Person } from "../../support/world/fixtures.ts";
import { sendLetters } from "../../support/world/letters.ts";
import { LONGEST_TEXT } from "../../support/world/worst-calls.ts";

// Ten seconds into a minute, an hour and a day: no window ends while a test runs.
const NOW = Date.parse("2031-05-05T00:00:10.000Z");
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PASSWORD = "correct horse";

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  process.env.RATE_LIMITS = "on";
  await freshTable();
});

afterEach(() => {
  vi.useRealTimers();
  newContainer({ RATE_LIMITS: "off" });
});

function refusals(replies: Reply[]): string[] {
  const refused = replies.filter(({ status }) => status === 429);
  return [...new Set(refused.map(({ headers, body }) => `${body.code} ${headers["retry-after"]}`))];
}

/** Calls one after the other: which of parallel hits a window lets through is anybody's guess. */
async function inTurn(times: number, call: (n: number) => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let n = 0; n < times; n++) replies.push(await call(n));
  return replies;
}

/** A new token of a person whose earlier one is revoked. */
async function revoke(person: Person): Promise<string> {
  await transact({ user: update(key.user(person.userId), "SET tokenVersion = :next", { values: { ":next": 2 } }) });
  return tokens.issue({ ...person, tokenVersion: 2 });
}

function passed(replies: Reply[]): number {
  return replies.filter(({ status }) => status !== 429).length;
}

/** Expects how many calls were admitted, and how many seconds the others were told to wait. */
function expectAdmitted(replies: Reply[], admitted: number, wait: number): void {
  expect(passed(replies)).toBe(admitted);
  expect(refusals(replies)).toEqual([`TOO_MANY_REQUESTS ${wait}`]);
}

/** Counts calls against the count at this place of a limit, without making them. */
async function hit({ counts }: limits.RateLimit, at: number, times = 1): Promise<void> {
  await atOnce(times, () => rates.hit(counts[at] as rates.Count));
}

async function addLargePosts(author: Person): Promise<void> {
  for (let n = 0; n < 36; n++) await aPost(author, { contentMarkdown: LONGEST_TEXT });
}

describe("A rate limit", () => {
  it("accepts 20 signups an hour from one address, of which a refused client uses up five", async () => {
    const { email: known } = await anAccount(PASSWORD);
    const signUp = (email: string, sourceIp = "198.51.100.1") =>
      invoke("auth-sign-up", { body: { email, password: PASSWORD }, sourceIp });
    const again = await atOnce(30, () => signUp(known));
    expect(tally(again)).toEqual({ "409 USER_EXISTS": 5, "429 TOO_MANY_REQUESTS": 25 });
    const newcomers = await atOnce(20, (n) => signUp(`new${n}@example.com`));
    expectAdmitted(newcomers, 15, HOUR - 10);
    expect(tally(newcomers)[201]).toBe(15);
    success(await signUp("other@example.com", "198.51.100.2"), 201);
  });

  it("costs no hash for a refused call, and ignores calls with invalid input", async () => {
    const body = { email: "ada@example.com", password: "short" };
    const bad = await invoke("auth-sign-up", { body });
    refusal(bad, "VALIDATION_ERROR", "body.password");
    expect(bad.calls).toEqual([]);
    await hit(limits.signUp("x@example.com", "203.0.113.7"), 1, 20);
    const refused = await invoke("auth-sign-up", { body: { email: "ada@example.com", password: PASSWORD } });
    expect(refused.status).toBe(429);
    expect(refused.calls.map(({ operation }) => operation)).toEqual(["UpdateItem", "UpdateItem"]);
  });

  const body = { email: "no@example.com", password: PASSWORD, token: "x" };
  it.each<[what: string, endpoint: string, admitted: number, wait: number]>([
    ["10 calls of setup an hour from one address", "auth-set-up", 10, HOUR - 10],
    ["logins with an unknown address like any other login", "auth-log-in", 10, 5 * MINUTE - 10],
    ["60 tries of mail tokens an hour at email/validate", "auth-email-validate", 60, HOUR - 10],
    ["60 tries of mail tokens an hour at password/validateToken", "auth-password-validate-token", 60, HOUR - 10],
    ["60 tries of mail tokens an hour at password/set", "auth-password-set", 60, HOUR - 10],
    ["10 tries of one code or one link an hour from one address", "auth-magic-verify", 10, HOUR - 10],
  ])("admits %s", async (_, endpoint, admitted, wait) => {
    const { token } = await aMember();
    const bearer = endpoint === "auth-email-validate" ? { token } : {};
    expectAdmitted(await atOnce(admitted + 5, () => invoke(endpoint, { ...bearer, body })), admitted, wait);
  });

  it("stops logins to an account from one address for longer and longer, but not its owner elsewhere", async () => {
    const { email } = await anAccount(PASSWORD);
    const attempt = (password: string, sourceIp = "198.51.100.1") =>
      invoke("auth-log-in", { body: { email, password }, sourceIp });
    for (const [at, admitted, wait] of [
      [0, 10, 5 * MINUTE],
      [5, 10, 5 * MINUTE],
      // The thirty of the hour are used up: refused attempts do not count.
      [10, 10, 50 * MINUTE],
      [15, 0, 45 * MINUTE],
      [60, 10, 5 * MINUTE],
      [65, 10, 5 * MINUTE],
      // The sixty of the day are used up.
      [70, 10, DAY - 70 * MINUTE],
      [120, 0, DAY - 120 * MINUTE],
    ] as const) {
      vi.setSystemTime(NOW + at * 60_000);
      expectAdmitted(await inTurn(12, () => attempt("wrong horse")), admitted, wait - 10);
    }
    expect((await attempt(PASSWORD)).status).toBe(429);
    expect((await attempt(PASSWORD, "198.51.100.2")).status).toBe(200);
  });

  it("stops tries of the present password in a session together with tries at the login", async () => {
    const { email, token } = await anAccount(PASSWORD);
    const wrong = { email, password: "wrong horse", newPassword: "battery staple" };
    const tries = await inTurn(12, (n) =>
      n < 5
        ? invoke("auth-log-in", { body: wrong })
        : invoke("users-change-password", { token, body: { ...wrong, email: undefined } }),
    );
    expectAdmitted(tries, 10, 5 * MINUTE - 10);
    const right = { password: PASSWORD, newPassword: "battery staple" };
    expect((await invoke("users-change-password", { token, body: right })).status).toBe(429);
    expect((await invoke("auth-log-in", { body: { email, password: PASSWORD } })).status).toBe(429);
  });

  it("stops login attempts on many accounts from one address", async () => {
    await hit(limits.logIn("a@example.com", "198.51.100.1"), 1, 300);
    const login = (sourceIp: string) =>
      invoke("auth-log-in", { body: { email: "new@example.com", password: PASSWORD }, sourceIp });
    expect((await login("198.51.100.1")).status).toBe(429);
    refusal(await login("198.51.100.2"), "INCORRECT_PASSWORD");
  });

  it("stops mails to one address, and mails that one client asks for", async () => {
    const ask = (email: string) => invoke("auth-password-reset", { body: { email } });
    const toOne = await atOnce(8, () => ask("ada@example.com"));
    expectAdmitted(toOne, 5, HOUR - 10);
    const toMany = await atOnce(20, (n) => ask(`member${n}@example.com`));
    expect(passed(toMany)).toBe(15);
    expect(await due.waitingIds("OUTBOX")).toHaveLength(20);
    const { token } = await aMember();
    const verify = await atOnce(8, () => invoke("auth-email-verify", { token, sourceIp: "198.51.100.3" }));
    expectAdmitted(verify, 5, HOUR - 10);
  });

  it("stops mails that sign in, apart from others, and tries of codes", async () => {
    const ask = (email: string) => invoke("auth-magic", { body: { email } });
    const toOne = await atOnce(8, () => ask("ada@example.com"));
    expectAdmitted(toOne, 5, HOUR - 10);
    expect(passed(await atOnce(40, (n) => ask(`member${n}@example.com`)))).toBe(35);
    vi.setSystemTime(NOW + 20_000);
    success(await invoke("auth-password-reset", { body: { email: "ada@example.com" } }), 200);
    await hit(limits.signInByMail("x@example.com", "198.51.100.1"), 1, 120);
    const attempt = (sourceIp: string) =>
      invoke("auth-magic-verify", { body: { email: "ada@example.com", code: "ABCDEFGH" }, sourceIp });
    expect((await attempt("198.51.100.1")).status).toBe(429);
    refusal(await attempt("198.51.100.2"), "INCORRECT_CODE");
  });

  it("counts an account that a mail makes as a signup, and leaves the link good when it is refused", async () => {
    const email = "new@example.com";
    const { token } = await signInMails.issue({ email, askedFrom: "" });
    const enter = (sourceIp: string) => invoke("auth-magic-verify", { body: { token }, sourceIp });
    await hit(limits.signUp("x@example.com", "198.51.100.1"), 1, 20);
    expect((await enter("198.51.100.1")).status).toBe(429);
    success(await enter("198.51.100.2"), 200);
    const again = await signInMails.issue({ email, askedFrom: "" });
    const second = await invoke("auth-magic-verify", { body: { token: again.token }, sourceIp: "198.51.100.1" });
    success(second, 200);
  });

  it("counts what an account writes, by all endpoints, sessions and keys together, and not by address", async () => {
    const ada = await aMember();
    const grace = await aMember();
    const { postId } = await aPost(ada);
    const program = await aKey(ada, ["vote:create"]);
    let calls = 0;
    const call = (endpoint: string, token: string) =>
      invoke(endpoint, { token, body: { postId }, sourceIp: `198.51.100.${++calls}` });
    const replies = await atOnce(20, (n) => call(n % 2 ? "votes-add" : "votes-remove", ada.token));
    expectAdmitted(replies, 10, 10);
    expect((await call("votes-add", grace.token)).status).toBe(201);
    expect((await invoke("posts-create", { token: ada.token, body: { title: "An idea" } })).status).toBe(429);
    expect((await call("votes-add", program.text)).status).toBe(429);
    // A new session changes nothing.
    success(await invoke("auth-log-out", { token: ada.token }), 204);
    expect((await call("votes-add", await tokens.issue({ ...ada, tokenVersion: 2 }))).status).toBe(429);
  });

  it("never refuses to end access, however much the account and its neighbours have called", async () => {
    const { owner, member } = await aWorld();
    const { token } = owner;
    const { webhook } = await aWebhook(owner);
    const { record: apiKey } = await aKey(owner);
    const { providerId } = await aProvider({
      issuer: "https://id.example.com",
      clientId: "us",
      clientSecret: "secret",
    });
    const unsubscribe = (await unsubscribeTokens.tokensOf(member.userId))("all");
    const { postId } = await aPost(member);
    const ends: Record<string, Request> = {
      "keys-delete": { token, params: { keyId: apiKey.keyId } },
      "users-update": { token, params: { userId: member.userId }, body: { role: "suspended" } },
      "users-unsubscribe": { query: { token: unsubscribe } },
      "users-unlink": { token, params: { identityId: await aLinkedIdentity(owner) } },
      "providers-update": { token, params: { providerId }, body: { enabled: false } },
      "providers-delete": { token, params: { providerId } },
      "sso-update": { token, body: { staff: false } },
      "sso-delete": { token },
      "webhooks-update": { token, params: { webhookId: webhook.webhookId }, body: { status: "disabled" } },
      "webhooks-delete": { token, params: { webhookId: webhook.webhookId } },
      "auth-log-out": { token },
    };
    const known = endpoints.filter(({ definition }) => definition.endsAccess).map(({ definition }) => definition.name);
    expect(Object.keys(ends).sort()).toEqual(known.sort());
    const fill = async () => {
      await hit(limits.network("203.0.113.7", 1e9), 0);
      await hit(limits.account(owner.userId, 1e9), 0);
    };
    await fill();
    const vote = () => invoke("votes-add", { token, body: { postId } });
    // The first call is refused by the table, the second by the container, which remembers.
    expect(passed(await inTurn(2, vote))).toBe(0);
    const grant = { token, params: { userId: member.userId }, body: { role: "moderator" } };
    expect((await invoke("users-update", grant)).status).toBe(429);
    for (const [name, request] of Object.entries(ends)) {
      success(await invoke(name, request), endpointNamed(name).definition.success);
    }
  });

  it("counts a text at its cost, background writes included", async () => {
    const ada = await aMember();
    const { postId: id } = await aPost(ada, { contentMarkdown: LONGEST_TEXT });
    let calls = 0;
    const change = (body: object) =>
      invoke("posts-update", { token: ada.token, body: { id, ...body }, sourceIp: `198.51.100.${++calls}` });
    // 20 KB: known before it is written if the call brings the text, otherwise after that.
    expect(passed(await atOnce(20, (n) => change({ contentMarkdown: `${n}${LONGEST_TEXT.slice(2)}` })))).toBe(4);
    vi.setSystemTime(NOW + 10_000);
    expect(passed(await inTurn(20, (n) => change({ title: `Title ${n}` })))).toBeLessThanOrEqual(5);
  });

  it("refuses a network that has read its share, before it reads anything", async () => {
    await addLargePosts(await aMember());
    const list = (sourceIp: string) => invoke("posts-list", { body: { limit: 36 }, sourceIp });
    // Each reads about 200 units of the 1,500. What one took counts with the next one.
    const replies = await inTurn(20, () => list("198.51.100.1"));
    const at = replies.findIndex(({ status }) => status === 429);
    expect(at).toBeGreaterThan(6);
    expect(at).toBeLessThan(10);
    expect(refusals(replies)).toEqual(["TOO_MANY_REQUESTS 10"]);
    expect(replies[at]?.calls.map(({ operation }) => operation)).toEqual(["UpdateItem"]);
    expect(replies.slice(at + 1).flatMap(({ calls }) => calls)).toEqual([]);
    expect((await list("198.51.100.2")).status).toBe(200);
  });

  it("counts a long list before it is read, so that many containers read little for a network", async () => {
    await addLargePosts(await aMember());
    // Each call comes to a container that knows nothing of the others.
    const replies = await inTurn(30, () => {
      newContainer();
      return invoke("posts-list", { body: { limit: 50 }, sourceIp: "198.51.100.1" });
    });
    expect(passed(replies)).toBe(7);
    const refused = replies.slice(7).flatMap(({ calls }) => calls);
    expect(new Set(refused.map(({ operation }) => operation))).toEqual(new Set(["UpdateItem"]));
  });

  it("gives a credit for what was expected and not read, until the window ends", async () => {
    await aPost(await aMember());
    const list = () => invoke("posts-list", { body: { limit: 50 }, sourceIp: "198.51.100.1" });
    expect(passed(await inTurn(40, list))).toBe(40);
    vi.setSystemTime(NOW + 10_000);
    newContainer();
    const later = await inTurn(3, list);
    expect(later.map(({ calls }) => calls.filter(({ operation }) => operation === "UpdateItem").length)).toEqual([
      1, 0, 0,
    ]);
  });

  it("counts a call that one limit refuses in no other", async () => {
    const ada = await aMember();
    const { postId } = await aPost(ada);
    const vote = (sourceIp: string) => invoke("votes-add", { token: ada.token, body: { postId }, sourceIp });
    await hit(limits.network("198.51.100.1", 1e9), 0);
    // Each refusal comes from the table: the container forgets the last one.
    const refused = await inTurn(20, () => {
      newContainer();
      return vote("198.51.100.1");
    });
    expect(passed(refused)).toBe(0);
    expect((await vote("198.51.100.2")).status).toBe(201);
  });

  it("keeps a debt that it could not count, until a window has room for it", async () => {
    await addLargePosts(await aMember());
    const sourceIp = "198.51.100.1";
    const list = async () => (await invoke("posts-list", { body: { limit: 36 }, sourceIp })).status;
    expect(await list()).toBe(200);
    for (const seconds of [0, 10, 20]) {
      vi.setSystemTime(NOW + seconds * 1000);
      await hit(limits.network(sourceIp, 1350), 0);
      expect(await list()).toBe(429);
    }
    vi.setSystemTime(NOW + 30_000);
    expect(await list()).toBe(200);
  });

  it("refuses a network that tries made-up API keys", async () => {
    await hit(limits.network("198.51.100.1", 1450), 0);
    const profile = (token: string) => invoke("users-profile", { token, sourceIp: "198.51.100.1" });
    const { userId } = await aMember();
    const replies = await inTurn(60, () => profile(newKey(userId, newId()).text));
    expect(tally(replies.slice(0, 50))).toEqual({ "401 INVALID_TOKEN": 50 });
    expect(tally(replies.slice(52))).toEqual({ "429 TOO_MANY_REQUESTS": 8 });
    expect((await invoke("posts-list", { body: {}, sourceIp: "198.51.100.1" })).status).toBe(429);
  });

  it.each([
    ["lacks the permission", async (by: Person) => by.token, "403 NOT_ENOUGH_PERMISSION"],
    ["has revoked its token", (by: Person) => revoke(by).then(() => by.token), "401 INVALID_TOKEN"],
  ])("counts what was read for an account that %s", async (_, tokenOf, refused) => {
    const ada = await aMember();
    for (let n = 0; n < 100; n++) await aPost(ada);
    const token = await tokenOf(ada);
    // Events are read when they are some seconds old.
    vi.setSystemTime(NOW + 20_000);
    await hit(limits.network("198.51.100.1", 1450), 0);
    // The refusal is known first.
    const slowly = ({ operation }: Attempt) => sleep(operation === "Query" ? 5 : 0, "none" as const);
    const list = () => invoke("events-list", { token, sourceIp: "198.51.100.1", query: { first: "100" } });
    const replies = await withFaults(slowly, () => inTurn(60, list));
    expect(tally(replies.slice(0, 10))).toEqual({ [refused]: 10 });
    expect(tally(replies.slice(40))).toEqual({ "429 TOO_MANY_REQUESTS": 20 });
  });

  it("keeps an account's debt through calls with a revoked token", async () => {
    const ada = await aMember();
    const { postId: id } = await aPost(ada, { contentMarkdown: LONGEST_TEXT });
    const token = await revoke(ada);
    const replies = await inTurn(40, async (n) => {
      refusal(await invoke("posts-update", { token: ada.token, body: { id }, sourceIp: "192.0.2.1" }), "INVALID_TOKEN");
      return invoke("posts-update", { token, body: { id, title: `Title ${n}` }, sourceIp: `198.51.100.${n}` });
    });
    expect(passed(replies)).toBeLessThanOrEqual(28);
  });

  it("writes nothing for cheap reads", async () => {
    await aPost(await aMember());
    const replies = await Promise.all(Array.from({ length: 10 }, () => invoke("posts-list", { body: {} })));
    expect(replies.flatMap(({ calls }) => calls).filter(({ operation }) => operation === "UpdateItem")).toEqual([]);
  });

  it("stops new posts by the minute, the hour and the day", async () => {
    const { token } = await aMember();
    let calls = 0;
    // From networks of their own: ten posts in ten seconds are about what one network may write.
    const create = () =>
      invoke("posts-create", { token, body: { title: "An idea" }, sourceIp: `203.0.113.${++calls}` });
    const createAt = (seconds: number, tries: number) => {
      vi.setSystemTime(NOW + seconds * 1000);
      return atOnce(tries, create);
    };
    expectAdmitted(await createAt(0, 15), 10, MINUTE - 10);
    for (let minute = 1; minute < 6; minute++) {
      // With its words and ranks a post takes more than a small change: not all ten within ten seconds.
      expect(passed(await createAt(minute * MINUTE - 10, 5))).toBe(5);
      expect(passed(await createAt(minute * MINUTE, 6))).toBe(5);
    }
    expectAdmitted(await createAt(6 * MINUTE, 5), 0, HOUR - 6 * MINUTE - 10);
    expect(limits.NEW_POSTS.map(({ hits }) => hits)).toEqual([10, 60, 200]);
    expect(limits.RENAMES.map(({ hits }) => hits)).toEqual([3, 10]);
  });

  it("counts nothing for the user of a revoked token", async () => {
    const ada = await aMember();
    const { postId } = await aPost(ada);
    const token = await revoke(ada);
    for (const [endpoint, body, tries] of [
      ["votes-add", { postId }, 70],
      ["users-update-profile", { name: "Another" }, 12],
      ["posts-create", { title: "An idea" }, 20],
      ["posts-update", { id: postId }, 40],
    ] as const) {
      const stale = await atOnce(tries, () => invoke(endpoint, { token: ada.token, body, sourceIp: "192.0.2.1" }));
      expect(stale.filter(({ status }) => status < 400)).toEqual([]);
      expect((await invoke(endpoint, { token, body })).status).toBe(endpointNamed(endpoint).definition.success);
    }
  });

  it("adds no step to a vote: it is counted in parallel with the look-up of the caller", async () => {
    const ada = await aMember();
    const { postId } = await aPost(ada);
    const { calls } = await measured(() => invoke("votes-add", { token: ada.token, body: { postId } }));
    const plan = planOf(calls).split(" ; ");
    expect(plan).toHaveLength(3);
    expect(plan[0]).toBe("BatchGetItem 2 USER POSTS | UpdateItem RATE | UpdateItem RATE");
  });

  it("uses the gateway's view of an address, and a viewer's only from the portal's distribution", async () => {
    newContainer({ PORTAL_KEY: "k" });
    const statusWith = async (headers: Record<string, string>) =>
      (await invoke("auth-log-in", { body: { email: "a@example.com", password: "x" }, headers })).status;
    await atOnce(10, () => statusWith({}));
    const names = ["x-forwarded-for", "x-real-ip", "cf-connecting-ip", "true-client-ip", "x-portal-viewer"];
    for (const name of names) expect(await statusWith({ [name]: "192.0.2.9" }), name).toBe(429);
    expect(await statusWith({ forwarded: "for=192.0.2.9" })).toBe(429);
    const viewer = { "x-portal-viewer": "192.0.2.9" };
    expect(await statusWith({ ...viewer, "x-portal-key": "another" })).toBe(429);
    expect(await statusWith({ ...viewer, "x-portal-key": "k" })).not.toBe(429);
    newContainer({ PORTAL_KEY: "" });
    expect(await statusWith({ ...viewer, "x-portal-key": "" })).toBe(429);
  });

  it("writes no address into the table", async () => {
    await invoke("auth-log-in", { body: { email: "ada@example.com", password: "x" }, sourceIp: "198.51.100.77" });
    const everything = { depth: null, maxArrayLength: null, maxStringLength: null };
    expect(inspect(await scan(), everything)).not.toMatch(/ada@example|198\.51/);
  });
});

describe("The limit of failed logins to one account", () => {
  const attempt = (email: string, network: number, password = "wrong horse") =>
    invoke("auth-log-in", {
      body: { email, password },
      sourceIp: `10.0.${Math.floor(network / 250)}.${network % 250}`,
    });

  it("admits a hundred a day from all networks, for an account that exists and for one that does not", async () => {
    const { email } = await anAccount(PASSWORD);
    for (const target of [email, "nobody@example.com"]) {
      const replies = await atOnce(105, (n) => attempt(target, n));
      expectAdmitted(replies, 100, DAY - 10);
    }
    expect((await attempt(email, 999, PASSWORD)).status).toBe(429);
    vi.setSystemTime(NOW + DAY * 1000);
    expect((await attempt(email, 999, PASSWORD)).status).toBe(200);
  });

  it("admits the owner in a network with a login of the last 90 days", async () => {
    const { email } = await anAccount(PASSWORD);
    const home = 1000;
    // Logins that succeed do not count as guesses.
    for (let n = 0; n < 9; n++) expect((await attempt(email, home, PASSWORD)).status).toBe(200);
    expect(passed(await atOnce(105, (n) => attempt(email, n)))).toBe(100);
    vi.setSystemTime(NOW + 5 * MINUTE * 1000);
    expect((await attempt(email, home, PASSWORD)).status).toBe(200);
    // That login gave nothing back to those who guess.
    expect((await attempt(email, 998)).status).toBe(429);
    expect(passed(await atOnce(20, () => attempt(email, home)))).toBe(9);
    vi.setSystemTime(NOW + 91 * DAY * 1000);
    await atOnce(100, (n) => attempt(email, n));
    expect((await attempt(email, home, PASSWORD)).status).toBe(429);
  });

  it("admits the owner after a new password by mail", async () => {
    const ada = await anAccount(PASSWORD);
    await atOnce(100, (n) => attempt(ada.email, n));
    const password = "another good horse";
    const token = await mailTokens.issue("reset-password", ada);
    const set = await invoke("auth-password-set", { body: { token, password }, sourceIp: "192.0.2.1" });
    expect(set.status).toBe(200);
    const login = (sourceIp: string) => invoke("auth-log-in", { body: { email: ada.email, password }, sourceIp });
    success(await login("192.0.2.1"), 200);
    expect((await login("192.0.2.2")).status).toBe(429);
  });

  it("leaves three new passwords a day to a network with an earlier login, if the address is confirmed", async () => {
    const { email, userId } = await anAccount(PASSWORD);
    await transact({ user: update(key.user(userId), "SET isVerified = :true", { values: { ":true": true } }) });
    await attempt(email, 1000, PASSWORD);
    const asked = async (networks: number[]) => {
      for (const n of networks) await invoke("auth-password-reset", { body: { email }, sourceIp: `10.0.4.${n}` });
      return (await sendLetters()).length;
    };
    // 5 an hour from each network; network 1000 is 10.0.4.0.
    expect(await asked(Array.from({ length: 12 }, (_, n) => 1 + n))).toBe(7);
    expect(await asked([0, 0, 0, 0, 0])).toBe(3);
  });

  it("accepts a right password even if the store cannot record the login", async () => {
    const { email } = await anAccount(PASSWORD);
    let counted = 0;
    const { status } = await withFaults(
      ({ operation }) => (operation === "UpdateItem" && ++counted > 3 ? connectionReset() : "none"),
      () => attempt(email, 1, PASSWORD),
    );
    expect(status).toBe(200);
    expect(counted).toBeGreaterThan(3);
  });
});

describe("A call that the store cannot count", () => {
  const uncounted = <T>(work: () => Promise<T>): Promise<T> =>
    withFaults(({ operation }) => (operation === "UpdateItem" ? connectionReset() : "none"), work);

  it("fails with a 503 on the auth routes, and where a session tries a password", async () => {
    const { email, token } = await anAccount(PASSWORD);
    const mailbox = { email: "new@example.com", password: PASSWORD };
    const calls: [endpoint: string, object][] = [
      ["auth-sign-up", { body: mailbox }],
      ["auth-set-up", { body: mailbox }],
      ["auth-log-in", { body: { email, password: PASSWORD } }],
      ["auth-magic", { body: { email } }],
      ["auth-magic-verify", { body: { token: "x" } }],
      ["auth-password-reset", { body: { email } }],
      ["auth-password-set", { body: { token: "x", password: PASSWORD } }],
      ["auth-password-validate-token", { body: { token: "x" } }],
      ["auth-email-validate", { token: (await aMember()).token, body: { token: "x" } }],
      ["auth-email-verify", { token: (await aMember()).token }],
      ["users-change-password", { token, body: { password: PASSWORD, newPassword: "battery staple" } }],
    ];
    const waiting = await due.waitingIds("OUTBOX");
    for (const [endpoint, request] of calls) unavailable(await uncounted(() => invoke(endpoint, request)));
    const stored = (await scan()).map(({ pk }) => pk);
    expect(stored.filter((pk) => pk === "EMAIL#new@example.com" || pk === "SITE")).toEqual([]);
    expect(await due.waitingIds("OUTBOX")).toEqual(waiting);
  });

  it("passes if it is a vote", async () => {
    const ada = await aMember();
    const { postId } = await aPost(ada);
    const request = { token: ada.token, body: { postId } };
    expect((await uncounted(() => invoke("votes-add", request))).status).toBe(201);
    expect((await uncounted(() => invoke("votes-remove", request))).status).toBe(200);
  });
});

describe("networkOf", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["0:0:0:0:0:FFFF:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["2001:0db8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1::/48"],
    ["2001:DB8:1:2::9", "2001:db8:1::/48"],
    ["2001:db8:1:ffff::9", "2001:db8:1::/48"],
    ["2001:db8:2::9", "2001:db8:2::/48"],
    ["2001:db8:1::2", "2001:db8:1::/48"],
    ["2001:db8::", "2001:db8:0::/48"],
    ["::1", "0:0:0::/48"],
    ["::", "0:0:0::/48"],
    ["64:ff9b::192.0.2.33", "64:ff9b:0::/48"],
    ["1:2:3:4:5:6:192.0.2.33", "1:2:3::/48"],
    ["fe80::1%eth0", "fe80:0:0::/48"],
    ["", ""],
    ["nonsense", "nonsense"],
  ])("counts %s as %s", (address, network) => {
    expect(limits.networkOf(address)).toBe(network);
  });
});
