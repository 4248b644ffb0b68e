import { decodeProtectedHeader, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { signingKeyOf } from "../../../lib/auth/signing-keys.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import { invoke } from "../../support/http/invoke.ts";
import { logLines } from "../../support/http/logs.ts";
import { losePatience, takePatience } from "../../support/patience.ts";
import { SecretsManager } from "../../support/process/secrets-manager.ts";
import { newContainer } from "../../support/setup.ts";
import { aMember, type Person } from "../../support/world/fixtures.ts";

const MINUTE = 60_000;

describe("The key ring of Secrets Manager", () => {
  let store: SecretsManager;
  let member: Person;

  beforeAll(() => {
    // Only the clock is ours: sockets and timeouts are real.
    vi.useFakeTimers({ toFake: ["Date"] });
  });

  beforeEach(async () => {
    store = new SecretsManager();
    newContainer(await store.start());
    member = await aMember();
  });

  afterAll(() => {
    vi.useRealTimers();
    newContainer({ SIGNING_SECRET: "a signing secret for tests, 32 characters or more" });
  });

  const statusWith = async (token: string) => (await invoke("boards-list", { token })).status;
  const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

  it("fetches the keys once, and puts the secret's version into tokens as kid", async () => {
    expect(decodeProtectedHeader(member.token).kid).toBe(store.versions[0]?.id);
    for (let call = 0; call < 5; call++) expect(await statusWith(member.token)).toBe(200);
    expect(store.requests).toBe(2); // the current version, and that there is none before
  });

  it("signs with a new version once every container looks for it", async () => {
    store.rotate();
    pass(5 * MINUTE - 1);
    newContainer();
    expect(decodeProtectedHeader(await tokens.issue(member)).kid).toBe(store.versions[1]?.id);
    pass(1);
    newContainer();
    expect(decodeProtectedHeader(await tokens.issue(member)).kid).toBe(store.versions[0]?.id);
  });

  it("keeps tokens valid if the secret is rotated while its versions are read", async () => {
    newContainer();
    store.rotatesWhileRead = true;
    expect(await statusWith(member.token)).toBe(200);
    expect(store.versions).toHaveLength(2);
  });

  it("fetches again for a token with an unknown kid, at most once a minute", async () => {
    const { secret, id } = store.rotate();
    const foreign = await signedAsIn(member.token, secret, id);
    expect(await statusWith(foreign)).toBe(401); // asked less than a minute ago
    expect(store.requests).toBe(2);
    pass(MINUTE);
    expect(await statusWith(foreign)).toBe(200);
    expect(await statusWith(member.token)).toBe(200);
    expect(store.requests).toBe(4);
    const forged = await signedAsIn(member.token, "f".repeat(64), "no such version");
    for (let call = 0; call < 5; call++) expect(await statusWith(forged)).toBe(401);
    pass(MINUTE);
    for (let call = 0; call < 5; call++) expect(await statusWith(forged)).toBe(401);
    expect(store.requests).toBe(6);
  });

  it("rejects a secret that was rotated out after an hour at most, also without a new token", async () => {
    store.rotate();
    store.rotate();
    expect(await statusWith(member.token)).toBe(200);
    pass(60 * MINUTE);
    // The second call comes while the first one fetches the keys.
    expect(await Promise.all([statusWith(member.token), statusWith(member.token)])).toEqual([401, 401]);
  });

  it.each(["failing", "silent"] as const)("answers 503 while Secrets Manager is %s, and recovers", async (mood) => {
    newContainer();
    store.mood = mood;
    losePatience();
    const before = store.requests;
    const { status, headers, body } = await invoke("boards-list", { token: member.token });
    takePatience();
    expect(status).toBe(503);
    expect(body.code).toBe("SERVER_ERROR");
    expect(headers["retry-after"]).toBe("1");
    // Two versions, three attempts each; each call is given up after two seconds, and all work after five.
    expect(store.requests - before).toBeLessThanOrEqual(2 * 3);
    store.mood = "well";
    expect(await statusWith(member.token)).toBe(200);
  });

  it("keeps its keys if a later fetch fails; a token with an unknown kid gets a 503, not a 401", async () => {
    const { secret, id } = store.rotate();
    const foreign = await signedAsIn(member.token, secret, id);
    pass(61 * MINUTE);
    store.mood = "failing";
    expect(await statusWith(member.token)).toBe(200);
    expect(await statusWith(foreign)).toBe(503);
    const asked = store.requests;
    expect(await statusWith(foreign)).toBe(503);
    expect(store.requests).toBe(asked);
    store.mood = "well";
    pass(MINUTE);
    expect(await statusWith(foreign)).toBe(200);
  });

  it("drops its keys after a day without an answer: a key that was rotated out must end", async () => {
    newContainer({ TOKEN_LIFETIME_SECONDS: String(90 * 24 * 60 * 60) });
    const token = await tokens.issue(member);
    store.mood = "failing";
    pass(23 * 60 * MINUTE);
    expect(await statusWith(token)).toBe(200);
    pass(61 * MINUTE);
    expect(await statusWith(token)).toBe(503);
    expect(await statusWith(token)).toBe(503);
    store.mood = "well";
    expect(await statusWith(token)).toBe(200);
    newContainer({ TOKEN_LIFETIME_SECONDS: "" });
  });

  it("rejects a token of the previous key once no such token can be valid: it would be forged", async () => {
    const DAY = 24 * 60 * MINUTE;
    const secretBefore = store.versions[0] as { id: string; secret: string };
    pass(MINUTE);
    store.rotate();
    newContainer();
    pass(6 * DAY);
    expect(await statusWith(member.token)).toBe(200);
    pass(2 * DAY + MINUTE);
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const forged = await signedAsIn(member.token, secretBefore.secret, secretBefore.id, { exp });
    expect(await statusWith(forged)).toBe(401);
    expect(await statusWith(await tokens.issue(member))).toBe(200);
  });

  it("rejects a secret that is too short for HS256", async () => {
    newContainer();
    store.versions.splice(0, 1, { id: "short", secret: "too short" });
    expect(await statusWith(member.token)).toBe(503);
  });

  it("fetches nothing while SIGNING_SECRET is set", async () => {
    newContainer({ SIGNING_SECRET: "another signing secret for tests, long enough" });
    const before = store.requests;
    const token = await tokens.issue(member);
    expect(await statusWith(token)).toBe(200);
    await expect(signingKeyOf("unknown")).rejects.toThrow();
    expect(store.requests).toBe(before);
  });

  it("keeps secrets out of log lines", () => {
    expect(logLines.length).toBeGreaterThan(0);
    expect(logLines.filter((line) => line.includes("canary"))).toEqual([]);
  });
});

/** The payload of a token, signed with another key under another name. */
async function signedAsIn(token: string, secret: string, kid: string, claims: object = {}): Promise<string> {
  const payload = JSON.parse(Buffer.from(token.split(".")[1] as string, "base64url").toString());
  return new SignJWT({ ...payload, ...claims })
    .setProtectedHeader({ ...decodeProtectedHeader(token), alg: "HS256", kid })
    .sign(new TextEncoder().encode(secret));
}
