import fc from "fast-check";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import * as apiKeys from "../../lib/accounts/api-keys.ts";
import { newKey } from "../../lib/auth/api-keys.ts";
import { scopes as allScopes, type Permission } from "../../lib/auth/permissions.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { newId } from "../../lib/values/ids.ts";
import { invoke, type Reply, refusal, success } from "../support/http/invoke.ts";
import * as portal from "../support/portal.ts";
import { expectSound, newContainer } from "../support/setup.ts";
import { measured, planOf, writesIn } from "../support/store/calls.ts";
import { aWorld, endpointsWithExample, exampleOf, type World } from "../support/world/examples.ts";
import { aBoard, aComment, aKey, aPost, aRoadmap, aVote, type Person } from "../support/world/fixtures.ts";
import { generated } from "../support/world/generated.ts";

// An API key may do what both its scopes and the role of its account allow, at every endpoint. Forged keys at every
// endpoint: tokens.test.ts.

let world: World;
beforeAll(async () => {
  world = await aWorld();
});

/** Sends the example of an endpoint with a key of a person, which is there for this call alone. */
async function byKey(endpoint: Endpoint, person: Person, scopes: readonly string[]): Promise<Reply> {
  const { text, record } = await aKey(person, scopes);
  const reply = await invoke(endpoint, { ...(await exampleOf(endpoint).make(world)), token: text });
  expect(await apiKeys.remove(person.userId, record.keyId)).toBe("removed");
  // The day of its use is noted, whatever the answer.
  return { ...reply, calls: reply.calls.filter(({ touches: [touch] }) => touch?.family !== "KEY_USES") };
}

async function bySession(endpoint: Endpoint, { token }: Person): Promise<Reply> {
  return invoke(endpoint, { ...(await exampleOf(endpoint).make(world)), token });
}

// The permissions that a call needs besides its endpoint's own, where it names what is another's; typed in by hand.
const alsoForOthers: Record<string, Permission> = {
  "posts-update": "post:update",
  "posts-delete": "post:destroy",
  "comments-update": "comment:update:any",
  "comments-delete": "comment:delete:any",
};

const people = ["member", "author", "moderator", "owner"] as const;

const withToken = endpointsWithExample.filter(({ endpoint }) => endpoint.definition.access !== "public");
const open = withToken.filter(({ endpoint: { definition } }) => !definition.permission && !definition.refusesKeys);
const guarded = withToken.filter(({ endpoint: { definition } }) => definition.permission && !definition.refusesKeys);
const refusing = withToken.filter(({ endpoint: { definition } }) => definition.refusesKeys);
/** An author differs from other members only where a call names what is another's. */
function cellsOf(rows: typeof withToken) {
  return rows.flatMap((row) =>
    people.filter((person) => person !== "author" || row.name in alsoForOthers).map((person) => ({ ...row, person })),
  );
}

describe("an API key", () => {
  it("meets every endpoint that checks tokens, of which some refuse keys", () => {
    expect(open.length + guarded.length + refusing.length).toBe(withToken.length);
    expect(refusing.map(({ name }) => name)).toEqual([
      "auth-log-out",
      "auth-email-validate",
      "users-change-password",
      "users-change-email",
      "auth-email-verify",
      "users-export",
      "exports-create",
      "exports-latest",
      "exports-file",
      "imports-list",
      "users-delete-profile",
      "users-delete",
      "users-two-factor",
      "users-end-two-factor",
      "users-reset-two-factor",
      "users-recovery-codes",
      "users-renew-recovery-codes",
      "keys-create",
      "keys-list",
      "keys-delete",
      "users-identities",
      "users-unlink",
      "auth-sso-link",
      "providers-list",
      "providers-create",
      "providers-update",
      "providers-delete",
      "sso-show",
      "sso-rotate",
      "sso-update",
      "sso-delete",
      "providers-test",
      "auth-oidc-link",
    ]);
  });

  it.each(cellsOf(guarded))(
    "equals a session of $person at $name, if it has the scopes",
    async ({ name, endpoint, person: kind }) => {
      const person = world[kind];
      const own = endpoint.definition.permission as Permission;
      const others = alsoForOthers[name];
      const needed = [own, ...(others ? [others] : [])];
      const { status, body } = await bySession(endpoint, person);
      const withThem = await byKey(endpoint, person, needed);
      expect(withThem.status).toEqual(status);
      expect(withThem.body?.code).toEqual(body?.code);
      for (const missing of needed) {
        // An author needs no right to what is another's.
        if (missing === others && kind === "author") continue;
        const rest = allScopes.filter((scope) => scope !== missing);
        const without = await byKey(endpoint, person, rest);
        refusal(without, "NOT_ENOUGH_PERMISSION");
        expect(writesIn(without)).toEqual([]);
      }
    },
  );

  it("leaves the table sound", expectSound);

  it.each(cellsOf(open))(
    "equals a session of $person at $name, whatever its scopes",
    async ({ endpoint, person: kind }) => {
      const { status, body } = await bySession(endpoint, world[kind]);
      const reply = await byKey(endpoint, world[kind], ["vote:create"]);
      expect(reply.status).toEqual(status);
      expect(reply.body?.code).toEqual(body?.code);
    },
  );

  it.each(cellsOf(refusing))("fails at $name, with all scopes of $person", async ({ endpoint, person: kind }) => {
    const reply = await byKey(endpoint, world[kind], allScopes);
    refusal(reply, "KEY_NOT_ALLOWED");
    expect(writesIn(reply)).toEqual([]);
  });

  it("shows hidden things where both role and scopes allow it", async () => {
    const { moderator, member, author } = world;
    const { boardId } = await aBoard({ display: false });
    const { roadmapId } = await aRoadmap({ display: false });
    const { postId, slug } = await aPost(author, { boardId, roadmapId });
    await aComment(postId, moderator, { isInternal: true });
    const sees = async (person: Person, scopes: readonly string[]) => {
      const by = { token: (await aKey(person, scopes)).text };
      const { board, roadmap } = await portal.shownPost({ slug }, by);
      const { activity } = await portal.activity({ postId }, by, { visibility: "internal" });
      return { board: board !== null, roadmap: roadmap !== null, notes: activity.length };
    };
    const nothing = { board: false, roadmap: false, notes: 0 };
    expect(await sees(moderator, allScopes)).toEqual({ board: true, roadmap: true, notes: 1 });
    expect(await sees(moderator, ["board:read"])).toEqual({ ...nothing, board: true });
    expect(await sees(moderator, ["roadmap:read", "board:create"])).toEqual({ ...nothing, roadmap: true });
    const others = ["roadmap:search", "comment:view_internal"];
    expect(await sees(moderator, others)).toEqual({ ...nothing, notes: 1 });
    expect(await sees(member, allScopes)).toEqual(nothing);
  });

  it("gets its own permissions, without the words of the dashboard", async () => {
    const { text } = await aKey(world.moderator, ["post:create", "board:create", "post:moderate"]);
    const { permissions } = success(await invoke("users-permissions", { token: text }), 200);
    expect(permissions).toEqual(["post:create", "post:moderate"]);
    const { text: ofOwner } = await aKey(world.owner);
    expect(success(await invoke("users-permissions", { token: ofOwner }), 200).permissions).toEqual([...allScopes]);
  });
});

describe("a forged key", () => {
  const limitRates = (): void => {
    newContainer({ RATE_LIMITS: "on" });
    onTestFinished(() => newContainer({ RATE_LIMITS: "" }));
  };

  it.each(withToken)("starts only its own look-up at $name, and then the work of a visitor", async ({ endpoint }) => {
    const accounts = [world.owner.userId, newId()];
    const request = { ...(await exampleOf(endpoint).make(world)), headers: { "idempotency-key": newId() } };
    limitRates();
    const anonymous = await measured(() => invoke(endpoint, { ...request, token: undefined }));
    const steps = ["BatchGetItem 2 USER API_KEYS", planOf(anonymous.calls)].filter((step) => step !== "");
    for (const token of accounts.map((userId) => newKey(userId, newId()).text)) {
      // A container counts what its calls used together, in a call after them.
      limitRates();
      const { calls } = await measured(() => invoke(endpoint, { ...request, token }));
      expect(planOf(calls)).toBe(steps.join(" ; "));
    }
  });

  it("shows no vote of the account that it names", async () => {
    const { postId, slug } = await aPost(world.author);
    await aVote(postId, world.author);
    const { record, text } = await aKey(world.author);
    const voteOf = async (token: string) => (await portal.shownPost({ slug }, { token })).voters.viewerVote?.userId;
    expect(await voteOf(text)).toBe(world.author.userId);
    expect(await voteOf(newKey(world.author.userId, record.keyId).text)).toBeUndefined();
  });

  it("uses up nothing of the true key's limit", async () => {
    const { text, record } = await aKey(world.moderator);
    const forgedText = newKey(world.moderator.userId, record.keyId).text;
    limitRates();
    const post = await aPost(world.author);
    for (let n = 0; n < 70; n++) refusal(await portal.vote(post, { token: forgedText }), "INVALID_TOKEN");
    success(await portal.vote(post, { token: text }), 201);
  });

  generated("fails with 401 after any change of a true key", async ({ seed, times }) => {
    const { text } = await aKey(world.moderator);
    const character = fc.constantFrom("A", "-", "_", "0", ".", "=", "+", "/", "ä", "\u0000");
    const aChange = fc.record({ at: fc.nat(90), by: character, insert: fc.boolean() });
    const changes = fc.array(aChange, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const changed = list.reduce((now, { at, by, insert }) => {
          const place = at % (now.length + 1);
          return now.slice(0, place) + by + now.slice(insert ? place : place + 1);
        }, text);
        fc.pre(changed !== text);
        refusal(await portal.profile({ token: changed }), "INVALID_TOKEN");
      }),
      { seed, numRuns: times(300) },
    );
  });
});
