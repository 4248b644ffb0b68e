import { beforeAll, describe, expect, it } from "vitest";
import { codeOf, stepAt } from "../../lib/auth/totp.ts";
import type { FaultKind } from "../simulator/faults/faults.ts";
import type { Program } from "../simulator/scheduler/program.ts";
import type { Request } from "../support/http/invoke.ts";
import { claimsOf, signedBy } from "../support/world/sso.ts";
import { secretIn } from "../support/world/two-factor.ts";
import { sharedService } from "./shared-program.ts";
import { FAULTS } from "./world/fault-at.ts";
import { liveProvider } from "./world/live-provider.ts";
import { returnedFor } from "./world/sign-in-provider.ts";
import { storyWith } from "./world/story.ts";
import type { Letter, World } from "./world/world.ts";

// A stranger signs up with the address of another person, and makes a session, and an API key or a linked sign-in. Then
// that person signs in, while one call of the sign-in meets a fault. Time is virtual and the seed fixed.

const VICTIM = "victim@example.com";
const PASSWORD = "correct horse battery staple";
const SIGN_IN = "auth-magic-verify";

let program: Program;

beforeAll(async () => {
  program = await sharedService();
});

/** What the stranger has: a session, an API key and a password. */
type Loot = { session: string; key: string };

async function strangerComes({ must }: World): Promise<Loot> {
  const setUp = await must("auth-set-up", { body: { email: "owner@example.com", password: PASSWORD } });
  const signedUp = await must("auth-sign-up", { body: { email: VICTIM, password: PASSWORD } });
  const { userId, authToken: session } = signedUp.user;
  const role = { params: { userId }, body: { role: "moderator" } };
  await must("users-update", { token: setUp.user.authToken, ...role });
  const made = await must("keys-create", { token: session, body: { name: "Mine", scopes: ["post:create"] } });
  return { session, key: made.secret };
}

/** How many of the stranger's three ways into the account are open. */
async function waysIn(world: World, { session, key }: Loot): Promise<number> {
  const { call } = world;
  const isOpen = async (name: string, request: Request) => (await call(name, request)).status < 400;
  const ways = [
    await isOpen("users-permissions", { token: session }),
    await isOpen("users-permissions", { token: key }),
    await isOpen("auth-log-in", { body: { email: VICTIM, password: PASSWORD } }),
  ];
  return ways.filter(Boolean).length;
}

async function aLetter(world: World): Promise<Letter> {
  const before = world.letters.length;
  await world.must("auth-magic", { body: { email: VICTIM } });
  await world.sleep(6000);
  const letter = world.letters.slice(before).find(({ purpose }) => purpose === "sign-in");
  if (!letter) throw new Error("no letter has arrived");
  return letter;
}

/** Follows the link, and where that had no answer once more; a link that was used up is followed by another one. */
async function signIn(world: World, { token }: Letter): Promise<string> {
  const { status, body } = await world.call(SIGN_IN, { body: { token } });
  if (status === 401) return signIn(world, await aLetter(world));
  return status === 200 ? (body.user as { authToken: string }).authToken : signIn(world, { token } as Letter);
}

/** Plays the story. Returns how many calls the first sign-in made, and how many ways in its fault has left. */
function story(number: number, kind: FaultKind): Promise<{ calls: number; left: number }> {
  const fault = { endpoint: SIGN_IN, number, kind };
  return storyWith(program, fault, `${kind} ${number}`, async (world, underFault) => {
    const loot = await strangerComes(world);
    expect(await waysIn(world, loot)).toBe(3);
    const { token } = await aLetter(world);
    await underFault(() => world.call(SIGN_IN, { body: { token } }));
    const left = await waysIn(world, loot);
    const session = await signIn(world, { token } as Letter);
    expect(await waysIn(world, loot)).toBe(0);
    const { user } = await world.must("users-profile", { token: session });
    expect(user).toMatchObject({ email: VICTIM, isVerified: true });
    return { left };
  });
}

describe("An account that a stranger made in advance", () => {
  it.each(FAULTS)("belongs to the holder of the address, at whichever call of the sign-in: %s", async (kind) => {
    const { calls } = await story(0, kind);
    expect(calls).toBeGreaterThanOrEqual(6);
    for (let number = 1; number <= calls; number++) {
      const { left } = await story(number, kind);
      // All ways in end together.
      expect([0, 3], `a fault at call ${number} of ${calls}`).toContain(left);
    }
  });
});

/** What the owner has set up for others to sign people in. */
type Ways = { providerId: string; secret: string };

/** How the holder of the address comes at an attempt. */
type Way = { endpoint: string; request: (ways: Ways, attempt: number, now: number) => Request };

const OTHERS: Record<string, Way> = {
  "a provider": {
    endpoint: "auth-oidc",
    request: ({ providerId }) => ({
      params: { providerId },
      body: returnedFor({ sub: "holder", email: VICTIM }),
    }),
  },
  "the owner's product": {
    endpoint: "auth-sso",
    request: ({ secret }, attempt, now) => ({
      body: { token: signedBy(secret, claimsOf({ id: "holder", email: VICTIM, jti: `${attempt}` }, now)) },
    }),
  },
};

async function ownerSetsUp(world: World): Promise<Ways> {
  const { user } = await world.must("auth-set-up", { body: { email: "owner@example.com", password: PASSWORD } });
  const token = user.authToken;
  const providerId = await liveProvider(world, token);
  const { secret } = await world.must("sso-rotate", { token });
  return { providerId, secret };
}

/** The stranger's sign-in at the provider, which they link to the account. */
const OF_STRANGER = { sub: "stranger", email: "stranger@example.com" };

type LinkedLoot = { session: string; userId: string };

async function strangerLinks({ must }: World, { providerId }: Ways): Promise<LinkedLoot> {
  const { user } = await must("auth-sign-up", { body: { email: VICTIM, password: PASSWORD } });
  const session = user.authToken;
  await must("auth-oidc-link", { token: session, params: { providerId }, body: returnedFor(OF_STRANGER) });
  return { session, userId: user.userId };
}

/** How many of the stranger's three ways into the account are open. */
async function linkedWaysIn({ call }: World, { providerId }: Ways, { session, userId }: LinkedLoot): Promise<number> {
  const bySession = await call("users-permissions", { token: session });
  const byPassword = await call("auth-log-in", { body: { email: VICTIM, password: PASSWORD } });
  const byIdentity = await call("auth-oidc", { params: { providerId }, body: returnedFor(OF_STRANGER) });
  const entered = byIdentity.body.user as { userId: string } | undefined;
  return [bySession.status < 400, byPassword.status < 400, entered?.userId === userId].filter(Boolean).length;
}

/** Plays the story with another way of the holder. */
function storyOf({ endpoint, request }: Way, number: number, kind: FaultKind) {
  return storyWith(program, { endpoint, number, kind }, `${endpoint} ${kind} ${number}`, async (world, underFault) => {
    const ways = await ownerSetsUp(world);
    const loot = await strangerLinks(world, ways);
    expect(await linkedWaysIn(world, ways, loot)).toBe(3);
    let reply = await underFault(() => world.call(endpoint, request(ways, 0, world.scheduler.now)));
    const left = await linkedWaysIn(world, ways, loot);
    for (let attempt = 1; reply.status !== 200; attempt++) {
      reply = await world.call(endpoint, request(ways, attempt, world.scheduler.now));
    }
    expect(await linkedWaysIn(world, ways, loot)).toBe(0);
    const { authToken } = reply.body.user as { authToken: string };
    const { user } = await world.must("users-profile", { token: authToken });
    expect(user).toMatchObject({ userId: loot.userId, email: VICTIM, isVerified: true });
    return { left };
  });
}

describe.each(Object.entries(OTHERS))("An account that a stranger made in advance, at a sign-in by %s", (_, way) => {
  it.each(FAULTS.slice(0, 2))("belongs to the holder of the address, at whichever call: %s", async (kind) => {
    const { calls } = await storyOf(way, 0, kind);
    expect(calls).toBeGreaterThanOrEqual(4);
    for (let number = 1; number <= calls; number++) {
      const { left } = await storyOf(way, number, kind);
      expect([0, 3], `a fault at call ${number} of ${calls}`).toContain(left);
    }
  });
});

const SECOND_STEP = "auth-two-factor";

/** Signs in by one code in two containers in parallel, and once more; a call of the first meets a fault. */
function codeTwice(number: number, kind: FaultKind): Promise<{ calls: number; sessions: number }> {
  const fault = { endpoint: SECOND_STEP, number, kind };
  return storyWith(program, fault, `code ${kind} ${number}`, async (world, underFault) => {
    const owner = { email: "owner@example.com", password: PASSWORD };
    const { user } = await world.must("auth-set-up", { body: owner });
    const begun = await world.must("users-two-factor", { token: user.authToken });
    const { secret } = await world.must("auth-two-factor-enrol", { body: begun });
    const codeNow = () => codeOf(secretIn(secret), stepAt(world.scheduler.now));
    await world.must(SECOND_STEP, { body: { ...begun, code: codeNow() } });
    await world.sleep(60_000);
    const asked = await world.call("auth-log-in", { body: owner });
    const { challenge } = asked.body.twoFactor as { challenge: string };
    const code = codeNow();
    const send = () => world.call(SECOND_STEP, { body: { challenge, code } });
    const both = await underFault(() => Promise.all([send(), send()]));
    const answers = [...both, await send()];
    await world.sleep(60_000);
    await world.must(SECOND_STEP, { body: { challenge, code: codeNow() } });
    return { sessions: answers.filter(({ status }) => status === 200).length };
  });
}

describe("A code of an app", () => {
  it.each(FAULTS)("opens at most one session in two containers, at whichever call: %s", async (kind) => {
    const { calls, sessions } = await codeTwice(0, kind);
    expect(sessions).toBe(1);
    for (let number = 1; number <= calls; number++) {
      const { sessions } = await codeTwice(number, kind);
      expect(sessions, `a fault at call ${number} of ${calls}`).toBeLessThanOrEqual(1);
    }
  });
});
