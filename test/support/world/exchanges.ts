import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { vi } from "vitest";
import { handler as setUp } from "../../../functions/auth/set-up.ts";
import { endpoints } from "../../../functions/index.ts";
import type { Exchange } from "../../../infra/openapi/operations.ts";
import * as mailTokens from "../../../lib/accounts/mail-tokens.ts";
import { register } from "../../../lib/accounts/new-users.ts";
import type { Role } from "../../../lib/accounts/roles.ts";
import * as signInMails from "../../../lib/accounts/sign-in-mails.ts";
import * as site from "../../../lib/accounts/site.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import * as challenges from "../../../lib/auth/challenges.ts";
import * as passwords from "../../../lib/auth/passwords.ts";
import { may } from "../../../lib/auth/permissions.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import * as counting from "../../../lib/figures/counting.ts";
import { dayAt } from "../../../lib/values/days.ts";
import { newId } from "../../../lib/values/ids.ts";
import { eventOf, lambdaContext, type Request } from "../http/invoke.ts";
import { freshTable } from "../setup.ts";
import { aLinkedIdentity, byProvider, exampleOf, type World } from "./examples.ts";
import { aBoard, aKey, aPost, aRecord, aRoadmap, aTag, aVote, countFrom, type Person } from "./fixtures.ts";
import { aHeldPost } from "./held.ts";
import { codeNow, withTwoFactor } from "./two-factor.ts";

// The examples of docs/openapi.json: a request to each endpoint and its answer, byte for byte as the service gives it.
// Clock and chance are fixed for each endpoint by its name, so that the same code gives the same examples, whatever
// endpoints there are beside it.

const PASSWORD = "correct horse";

/** Requests that show more than the full ones of examples.ts. */
const shown: Record<string, (world: World) => Request | Promise<Request>> = {
  "auth-sign-up": () => {
    const wants = { does: "vote", postId: newId() };
    return { body: { email: "barbara@example.com", password: PASSWORD, name: "Barbara", wants } };
  },
  "auth-set-up": () => ({ body: { email: "olga@example.com", password: PASSWORD, name: "Olga", siteTitle: "Ideas" } }),
  "auth-log-in": ({ member }) => ({ body: { email: member.email, password: PASSWORD } }),
  "auth-email-validate": async ({ member }) => ({ body: { token: await mailTokens.issue("verify-email", member) } }),
  "auth-magic-verify": async ({ member: { email } }) => {
    const { code } = await signInMails.issue({ email, askedFrom: "" });
    return { body: { email, code } };
  },
  // A minute later: two steps of an app.
  "auth-two-factor": async ({ member }) => {
    const { secret, challenge } = await withTwoFactor(member);
    return { body: { challenge, code: codeNow(secret, 2) } };
  },
  "auth-two-factor-enrol": async ({ moderator }) => ({ body: { challenge: await challenges.issue(moderator) } }),
  "users-end-two-factor": async ({ member }) => {
    const { person, secret } = await withTwoFactor(member);
    return { token: person.token, body: { code: codeNow(secret, 2) } };
  },
  "users-recovery-codes": async ({ member }) => ({ token: (await withTwoFactor(member)).person.token }),
  // A minute later: two steps of an app.
  "users-renew-recovery-codes": async ({ member }) => {
    const { person, secret } = await withTwoFactor(member);
    return { token: person.token, body: { code: codeNow(secret, 2) } };
  },
  "users-withdraw": async ({ member }) => ({ params: { heldId: (await aHeldPost(member)).id } }),
  "users-unlink": async ({ member }) => ({ params: { identityId: await aLinkedIdentity(member) } }),
  "auth-oidc": () => byProvider({ sub: "248289761001", email: "ada.byron@example.com" }, "ada"),
  "auth-oidc-link": () => byProvider({ sub: "248289761001" }, "ada"),
  "providers-test": async () => {
    const { params, body } = await byProvider({ sub: "248289761001", email: "ada.byron@example.com" }, "ada");
    return { params: params as { providerId: string }, body: { returned: body } };
  },
  "keys-create": ({ moderator }) => ({
    token: moderator.token,
    body: { name: "Import from the help desk", scopes: ["post:create", "comment:create"] },
  }),
  "keys-list": async ({ moderator }) => {
    await aKey(moderator, ["post:create", "comment:create"], { name: "Import from the help desk" });
    return { token: moderator.token };
  },
  "keys-delete": async ({ moderator }) => ({
    token: moderator.token,
    params: { keyId: (await aKey(moderator)).record.keyId },
  }),
  "audit-list": async ({ owner, board }) => {
    await aRecord(owner, { action: "board.updated", item: board.boardId, changed: ["name"] });
    return { query: { action: "board", first: "1" } };
  },
  "stats-show": async ({ author }) => {
    const { postId } = await aPost(author, { title: "Dark mode" });
    await aVote(postId, author);
    await derive(postId);
    await counting.begin();
    await counting.carryOut(() => false);
    const today = dayAt(Date.now());
    return { query: { from: today, to: today } };
  },
  "events-list": async ({ author }) => {
    await aPost(author, { at: Date.now() - 60_000 });
    return { query: { types: "post.created", first: "1" } };
  },
  "users-list": () => ({ query: { first: "2" } }),
  "users-create": () => ({ body: { email: "grace.hopper@example.com", name: "Grace Hopper" } }),
  "users-update": ({ author }) => ({ params: { userId: author.userId }, body: { role: "moderator" } }),
  "users-delete-profile": ({ author }) => ({ token: author.token, body: { votes: "keep" } }),
  "users-delete": ({ author }) => ({ params: { userId: author.userId }, body: { votes: "withdraw" } }),
  "users-change-password": ({ member }) => ({
    token: member.token,
    body: { password: PASSWORD, newPassword: "battery staple" },
  }),
  "users-change-email": () => ({ body: { email: "ada.lovelace@example.com" } }),
  "users-update-profile": () => ({ body: { name: "Ada Lovelace" } }),
  "posts-list": async (world) => {
    const { member, board, roadmap } = world;
    const { postId } = await aDarkMode(world);
    await aVote(postId, member);
    return { body: { boardId: board.boardId, roadmapId: roadmap.roadmapId, created: "desc", page: 1, limit: 10 } };
  },
  "posts-by-slug": async (world) => {
    const { postId, slug } = await aDarkMode(world);
    await aVote(postId, world.author);
    return { body: { slug } };
  },
  "posts-create": ({ board }) => ({
    body: { title: "Dark mode", contentMarkdown: "At **night**.", boardId: board.boardId },
  }),
  "posts-update": async (world) => {
    const { postId } = await aPost(world.author, { title: "Dark mod", boardId: world.board.boardId });
    return { body: { id: postId, title: "Dark mode", contentMarkdown: "At **night**." } };
  },
  "posts-votes": async (world) => {
    const { postId } = await aDarkMode(world);
    for (const voter of [world.author, world.moderator]) await aVote(postId, voter);
    return { params: { postId }, query: { first: "2" } };
  },
  "votes-add": async (world) => ({ body: { postId: (await aDarkMode(world)).postId } }),
  "votes-remove": async (world) => {
    const { postId } = await aDarkMode(world);
    for (const voter of [world.author, world.member]) await aVote(postId, voter);
    return { body: { postId } };
  },
  "tags-list": async () => {
    for (const name of ["Editor", "Mobile"]) await aTag({ name });
    return {};
  },
  "tags-create": () => ({ body: { tag: { name: "Mobile", color: "0a5fa8" } } }),
  "tags-update": async () => ({
    params: { tagId: (await aTag({ name: "Phones" })).tagId },
    body: { tag: { name: "Mobile" } },
  }),
  "posts-set-tags": async (world) => {
    const { postId } = await aDarkMode(world);
    const tag = await aTag({ name: "Mobile" });
    return { params: { postId }, body: { tags: [tag.tagId] } };
  },
  "roadmaps-list": () => ({ query: { first: "20", visibility: "public" } }),
  "roadmaps-update": ({ roadmap }) => ({ body: { id: roadmap.roadmapId, name: "Now", url: "now", display: true } }),
  "roadmaps-sort": async ({ roadmap }) => {
    const { roadmapId } = await aRoadmap({ name: "Later", url: "later" });
    return { body: { from: { id: roadmapId }, to: { id: roadmap.roadmapId } } };
  },
  "boards-list": () => ({ query: { created: "desc", limit: "10", page: "1" } }),
  "boards-browse": () => ({ query: { created: "desc", limit: "10", page: "1" } }),
  "boards-create": () => ({ body: { name: "Mobile app", display: true } }),
  "boards-update": ({ board }) => ({ body: { boardId: board.boardId, name: "Bugs", url: "bugs", color: "123abc" } }),
  "boards-sort": async ({ board }) => {
    const { boardId } = await aBoard({ name: "Bugs", url: "bugs" });
    return { body: { boardId, before: board.boardId } };
  },
  "boards-check-slug": () => ({ body: { url: "mobile-app" } }),
};

function aDarkMode({ author, board, roadmap }: World) {
  return aPost(author, {
    title: "Dark mode",
    contentMarkdown: "At **night**.",
    boardId: board.boardId,
    roadmapId: roadmap.roadmapId,
  });
}

async function aPerson(name: string, role: Role): Promise<Person> {
  const user = newAccount(`${name.toLowerCase()}@example.com`, name, role);
  await register(user, await passwords.hash(PASSWORD));
  return { ...user, token: await tokens.issue(user) };
}

async function aWorldToShow(): Promise<World> {
  const owner = newAccount("olga@example.com", "Olga", "owner");
  await site.setUp("Feedback", owner, "no password", site.firstBoard(newId()));
  return {
    owner: { ...owner, token: await tokens.issue(owner) },
    moderator: await aPerson("Mary", "moderator"),
    member: await aPerson("Ada", "member"),
    author: await aPerson("Grace", "member"),
    suspended: await aPerson("Sam", "suspended"),
    board: await aBoard({ name: "Ideas", url: "ideas" }),
    roadmap: await aRoadmap({ name: "Next", url: "next", index: 1 }),
  };
}

/** The caller: a visitor if no token is read, else a person with the permission. */
function callerOf(endpoint: Endpoint, { owner, author, member }: World): Person | undefined {
  const { access, permission } = endpoint.definition;
  if (access === "public") return undefined;
  if (exampleOf(endpoint).isAuthors) return author;
  return permission && !may({ role: "member" }, permission) ? owner : member;
}

/** Fixes the random numbers of `node:crypto` by a seed; returns the function that undoes it. */
function fixChance(seed: string): () => void {
  const { randomBytes, randomInt, randomUUID } = crypto;
  let drawn = 0;
  const bytes = (size: number): Buffer =>
    Buffer.concat(
      Array.from({ length: Math.ceil(size / 32) }, () => crypto.hash("sha256", `${seed} ${drawn++}`, "buffer")),
    ).subarray(0, size);
  const int = (a: number, b?: number): number => {
    const [min, max] = b === undefined ? [0, a] : [a, b];
    return min + (bytes(6).readUIntBE(0, 6) % (max - min));
  };
  // Only a token's id is shown. The SDK and transactions need ids that were never used.
  const uuid: typeof randomUUID = (options) =>
    new Error().stack?.includes("lib/auth/signed-tokens.ts") ? JWT_ID : randomUUID(options);
  Object.assign(crypto, { randomBytes: bytes, randomInt: int, randomUUID: uuid });
  syncBuiltinESMExports();
  return () => {
    Object.assign(crypto, { randomBytes, randomInt, randomUUID });
    syncBuiltinESMExports();
  };
}

const JWT_ID = "6f5902ac-237a-4c1e-9b1c-2f0f4bd1c0de";

const MINUTE_MS = 60_000;
const NEW_YEAR = Date.parse("2026-01-01T00:00:00Z");

function momentOf({ definition: { name } }: Endpoint): number {
  return NEW_YEAR + (crypto.hash("sha256", name, "buffer").readUInt32BE() % (300 * 24 * 60)) * MINUTE_MS;
}

/** The provider of the examples listens on another port each time. */
function named(text: string): string {
  return text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "https://id.example");
}

async function exchangeOf(endpoint: Endpoint): Promise<Exchange> {
  const { name, success } = endpoint.definition;
  countFrom(0);
  const isFirst = endpoint === setUp;
  const world = isFirst ? ({} as World) : await aWorldToShow();
  const made = await (shown[name] ?? exampleOf(endpoint).make)(world);
  vi.setSystemTime(momentOf(endpoint) + MINUTE_MS);
  const token = isFirst ? undefined : callerOf(endpoint, world)?.token;
  const { statusCode, body } = await endpoint(eventOf(endpoint, { token, ...made }), lambdaContext());
  if (statusCode !== success) throw new Error(`the example of ${name} is answered with ${statusCode}: ${body}`);
  const { token: _, ...request } = made;
  return JSON.parse(named(JSON.stringify({ request, ...(body && { answer: JSON.parse(body) }) })));
}

export async function recordExchanges(): Promise<Record<string, Exchange>> {
  const exchanges: Record<string, Exchange> = {};
  // Ids count up from the latest moment, so the earliest moment comes first.
  for (const endpoint of endpoints.toSorted((a, b) => momentOf(a) - momentOf(b))) {
    const { name } = endpoint.definition;
    await freshTable();
    const restoreChance = fixChance(name);
    vi.useFakeTimers({ now: momentOf(endpoint), toFake: ["Date"] });
    try {
      exchanges[name] = await exchangeOf(endpoint);
    } finally {
      restoreChance();
      vi.useRealTimers();
    }
  }
  return exchanges;
}
