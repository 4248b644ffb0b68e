import { beforeAll, describe, expect, it } from "vitest";
import * as users from "../../lib/accounts/users.ts";
import * as tokens from "../../lib/auth/tokens.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { requiresToken, takesIfMatch } from "../../lib/http/definition.ts";
import { newId } from "../../lib/values/ids.ts";
import { invoke, type Reply, refusal, success } from "../support/http/invoke.ts";
import { writesIn } from "../support/store/calls.ts";
import { contract } from "../support/world/contract.ts";
import { aWorld, endpointsWithExample, exampleOf, type World } from "../support/world/examples.ts";
import { aUser } from "../support/world/fixtures.ts";
import { permissionsOf } from "../support/world/permissions.ts";

// docs/contract.md#roles as a matrix: every endpoint for every kind of caller.

const people = ["member", "author", "moderator", "owner", "suspended"] as const;
const callers = ["none", "malformed", "expired", ...people, "deleted user"] as const;
type CallerKind = (typeof callers)[number];

const WEEKS = 8 * 24 * 60 * 60 * 1000;
let world: World;

beforeAll(async () => {
  world = await aWorld();
});

/** New tokens for the people of the world, and a new person in place of one who has gone. */
async function signInAgain(): Promise<void> {
  for (const person of people.map((kind) => world[kind])) {
    const found = await users.find(person.userId);
    Object.assign(person, found ?? (await aUser(person.role)));
    person.token = await tokens.issue(person);
  }
}

async function headerOf(caller: CallerKind): Promise<{ authorization?: string }> {
  if (caller === "none") return {};
  if (caller === "malformed") return { authorization: `Token ${world.owner.token}` };
  if (caller === "expired") return { authorization: `Bearer ${await tokens.issue(world.owner, Date.now() - WEEKS)}` };
  const isDeleted = caller === "deleted user";
  const token = isDeleted ? await tokens.issue({ userId: newId(), tokenVersion: 1 }) : world[caller].token;
  return { authorization: `Bearer ${token}` };
}

/** The code that refuses a kind of caller; undefined where the request succeeds. */
function refusalOf(endpoint: Endpoint, caller: CallerKind): string | undefined {
  const { permission } = endpoint.definition;
  const { answers, isAuthors, refusesOthers, refusesOwner, refusesOtherTokens } = exampleOf(endpoint);
  if (!requiresToken(endpoint.definition)) return answers;
  if (caller === "none") return "INVALID_AUTH_HEADER";
  if (caller === "malformed") return "INVALID_AUTH_HEADER_FORMAT";
  if (caller === "expired" || caller === "deleted user") return "INVALID_TOKEN";
  const permissions: readonly string[] = permissionsOf[caller === "author" ? "member" : caller];
  if (permission !== undefined && !permissions.includes(permission)) return "NOT_ENOUGH_PERMISSION";
  if (isAuthors && caller === "member") return "NOT_ENOUGH_PERMISSION";
  if (refusesOthers && caller !== "owner") return refusesOthers;
  if (refusesOwner && caller === "owner") return refusesOwner;
  if (refusesOtherTokens) return refusesOtherTokens;
  return answers;
}

const cells = endpointsWithExample.flatMap((row) => callers.map((caller) => ({ ...row, caller })));

async function call(endpoint: Endpoint, caller: CallerKind, conditions: Record<string, string> = {}): Promise<Reply> {
  const { token: own, ...request } = await exampleOf(endpoint).make(world);
  const reply = await invoke(endpoint, { ...request, headers: { ...(await headerOf(caller)), ...conditions } });
  // An example with a token of its own may end the session that it is called with.
  if (own) await signInAgain();
  return reply;
}

function expectDecided(endpoint: Endpoint, reply: Reply, code: string | undefined): void {
  if (code === undefined) return void success(reply, endpoint.definition.success);
  refusal(reply, code);
  expect(writesIn(reply)).toEqual([]);
}

describe("the permission matrix", () => {
  it.each(cells)("decides $name for the caller: $caller", async ({ endpoint, caller }) => {
    expectDecided(endpoint, await call(endpoint, caller), refusalOf(endpoint, caller));
  });

  it.each(cells.filter(({ endpoint: { definition } }) => definition.idempotency || takesIfMatch(definition)))(
    "decides $name with Idempotency-Key and If-Match for the caller: $caller",
    async ({ endpoint, caller }) => {
      const reply = await call(endpoint, caller, { "idempotency-key": newId(), "if-match": '"of-another-state"' });
      const code = takesIfMatch(endpoint.definition) ? "CHANGED_MEANWHILE" : undefined;
      expectDecided(endpoint, reply, refusalOf(endpoint, caller) ?? code);
    },
  );

  it("matches the rows written out here for the contract", () => {
    const letters: Record<string, string> = {
      INVALID_AUTH_HEADER: "h",
      INVALID_AUTH_HEADER_FORMAT: "f",
      INVALID_TOKEN: "t",
      NOT_ENOUGH_PERMISSION: "-",
      SETUP_COMPLETED: "s",
    };
    const rows = contract.map((endpoint) => {
      const row = callers.map((caller) => letters[refusalOf(endpoint, caller) ?? ""] ?? "+").join("");
      return `${endpoint.definition.name} ${row}`;
    });
    expect(rows).toEqual([
      "auth-sign-up +++++++++",
      "auth-set-up sssssssss",
      "posts-list +++++++++",
      "posts-by-slug +++++++++",
      "votes-add hft++++-t",
      "votes-remove hft++++-t",
      "roadmaps-list hft+++++t",
      "roadmaps-search hft++++-t",
      "roadmaps-by-url +++++++++",
      "posts-create hft++++-t",
      "posts-delete hft-+++-t",
      "boards-list hft+++++t",
    ]);
  });
});
