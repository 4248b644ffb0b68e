import { beforeEach, describe, expect, it } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { createdAt, newId } from "../../../lib/values/ids.ts";
import { carryOutAll, invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { costOf, measured, planOf } from "../../support/store/calls.ts";
import { aMember, aPost, aUser, aVote, type Person } from "../../support/world/fixtures.ts";
import { permissionsOf } from "../../support/world/permissions.ts";
import { avatar } from "../../support/world/resources.ts";

let owner: Person;
beforeEach(async () => {
  await freshTable();
  owner = await aUser("owner");
});

function ask(query: Record<string, string> = {}) {
  return invoke("users-list", { token: owner.token, query });
}

async function page(query: Record<string, string> = {}) {
  return success(await ask(query), 200);
}

function giveRole({ userId }: { userId: string }, role: unknown) {
  return invoke("users-update", { token: owner.token, params: { userId }, body: { role } });
}

describe("GET /users/permissions", () => {
  const ofDashboard = `post:read board:assign board:unassign roadmap:assign roadmap:unassign role:read role:create
    role:update role:destroy role:assign role:unassign settings:read`;

  it.each(["suspended", "member", "moderator", "owner"] as const)("answers the permissions of a %s", async (role) => {
    const permissions = [...permissionsOf[role], ...(role === "owner" ? ofDashboard.split(/\s+/) : [])];
    const { token } = await aUser(role);
    expect(success(await invoke("users-permissions", { token }), 200).permissions).toEqual(permissions);
  });
});

describe("GET /users/permissions, for who makes API keys,", () => {
  it.each(["moderator", "owner"] as const)("answers the scopes that a key of a %s can have", async (role) => {
    const { token } = await aUser(role);
    const { scopes } = success(await invoke("users-permissions", { token }), 200);
    expect(scopes).toEqual(permissionsOf[role].filter((permission) => permission !== "key:create"));
    success(await invoke("keys-create", { token, body: { name: "All", scopes } }), 201);
  });

  it("answers no scopes to others", async () => {
    const { token } = await aUser("member");
    expect(success(await invoke("users-permissions", { token }), 200).scopes).toEqual([]);
  });
});

describe("GET /users/profile", () => {
  it("answers the caller's own account", async () => {
    const ada = await aMember("Ada");
    const { userId, name, username, email } = ada;
    const user = {
      userId,
      name,
      username,
      email,
      isNamed: true,
      isVerified: false,
      language: null,
      newEmail: null,
      twoFactor: false,
      avatar: avatar(userId),
    };
    expect(success(await portal.profile(ada), 200)).toEqual({ user });
  });
});

describe("GET /users", () => {
  it("answers every account with all its fields, newest first, and no role beside a member", async () => {
    const ada = await aUser("moderator", "Ada");
    const body = await page();
    const { userId, name, username, email } = ada;
    const role = { id: "moderator", name: "moderator", isSystem: true, user_role_id: userId };
    expect(body.results[0]).toEqual({
      ...{
        userId,
        name,
        username,
        email,
        avatar: avatar(userId),
        isVerified: false,
        twoFactor: false,
        role: "moderator",
        roles: [role],
      },
      ...{ createdAt: createdAt(userId), invitedAt: null, posts: "0", votes: "0", postsCount: 0, votesCount: 0 },
    });
    expect(body.results).toMatchObject([{ userId }, { userId: owner.userId }]);
    expect(body.users).toEqual(body.results);
    expect(body).toMatchObject({ total_count: 2, total_pages: 1 });
    expect(body.page_info).toMatchObject({ count: 2, current_page: 1, has_next_page: false });
    await aMember();
    await aUser("suspended");
    expect((await page()).results).toMatchObject([{ roles: [{ name: "suspended" }] }, { roles: [] }, {}, {}]);
  });

  it("counts each account's posts and votes, exactly and immediately", async () => {
    const ada = await aMember("Ada");
    const grace = await aMember("Grace");
    const post = await aPost(ada);
    await aPost(ada);
    for (const voter of [ada, grace]) await aVote(post.postId, voter);
    await aVote((await aPost(owner)).postId, grace);
    const counts = async () => (await page({ created: "asc" })).results;
    const owners = { userId: owner.userId, posts: "1", votes: "0" };
    expect(await counts()).toMatchObject([owners, { posts: "2", votes: "1" }, { posts: "0", votes: "2" }]);
    await portal.unvote(post, grace);
    await posts.destroy(post);
    expect(await counts()).toMatchObject([owners, { posts: "1", votes: "1" }, { posts: "0", votes: "1" }]);
    // The sweeper takes the votes on the deleted post.
    expect(await carryOutAll(sweep)).toBe(true);
    expect((await counts())[1]).toMatchObject({ posts: "1", votes: "0" });
  });

  it("finds accounts by the start of an address, a name or a last name, whatever the case and the accents", async () => {
    const ada = await aUser("moderator", "Ada Lovelace");
    const jose = await aMember("José María Núñez");
    const ai = await aMember("愛子");
    const found = async (q: string) => (await page({ q })).results.map(({ userId }: { userId: string }) => userId);
    expect(await found("ada")).toEqual([ada.userId]);
    expect(await found(" ADA  lov")).toEqual([ada.userId]);
    expect(await found("Lovel")).toEqual([ada.userId]);
    expect(await found(ada.email.slice(0, -4))).toEqual([ada.userId]);
    expect(await found("jose maria")).toEqual([jose.userId]);
    expect(await found("nunez")).toEqual([jose.userId]);
    expect(await found("愛")).toEqual([ai.userId]);
    expect(await found("maria")).toEqual([]);
    expect(await found("ovelace")).toEqual([]);
    expect(await found("\u0301a")).toEqual([]);
  });

  it("has one account by its id, and none by the id of nobody", async () => {
    const ada = await aUser("suspended", "Ada");
    const found = await page({ userId: ada.userId });
    expect(found).toMatchObject({ results: [{ email: ada.email, role: "suspended" }], total_count: 1 });
    expect(found.page_info).toMatchObject({ has_next_page: false });
    for (const userId of [newId(), "nobody"]) expect((await page({ userId })).results).toEqual([]);
  });

  it("finds an account once, and follows its names", async () => {
    const ada = await aMember("Ada Adams");
    const found = async (q: string) => (await page({ q })).results.map(({ userId }: { userId: string }) => userId);
    expect(await found("a")).toEqual([ada.userId]);
    success(await portal.rename("Grace Hopper", ada), 200);
    expect(await found("ada")).toEqual([]);
    expect(await found("hop")).toEqual([ada.userId]);
    // The name of another account's address is a text of its own.
    const grace = await aMember(ada.email);
    expect((await found(ada.email)).sort()).toEqual([ada.userId, grace.userId].sort());
    success(await portal.rename("Grace", grace), 200);
    expect(await found(ada.email)).toEqual([ada.userId]);
    await expectSound();
  });

  it("continues a search after an account that has another name by now", async () => {
    const people: Person[] = [];
    for (const letter of "ABCD") people.push(await aMember(`Crowd ${letter}`));
    const names = ({ results }: { results: { name: string }[] }) => results.map(({ name }) => name);
    const start = await page({ q: "Crowd", first: "2" });
    expect(names(start)).toEqual(["Crowd A", "Crowd B"]);
    success(await portal.rename("Grace", people[1] as Person), 200);
    const after = start.page_info.end_cursor;
    expect(names(await page({ q: "Crowd", first: "2", after }))).toEqual(["Crowd C", "Crowd D"]);
  });

  it("finds at most 50 accounts, page by page, at the same cost with any number of them", async () => {
    const search = (more: object = {}) => page({ q: "Crowd", first: "20", ...more });
    for (let n = 0; n < 60; n++) await aMember(`Crowd ${String(n).padStart(2, "0")}`);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const body = await search(after === null ? {} : { after });
      expect(body).toMatchObject({ total_count: 50, total_pages: 3 });
      seen.push(...body.results.map(({ name }: { name: string }) => name));
      after = body.page_info.has_next_page ? body.page_info.end_cursor : null;
    } while (after !== null);
    expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => `Crowd ${String(n).padStart(2, "0")}`));
    const { calls } = await measured(() => ask({ q: "Crowd", first: "5" }));
    const counts = Array(5).fill("Query USER").join(" | ");
    expect(planOf(calls)).toBe(`GetItem USER | Query PEOPLE ; ${counts}`);
    expect(costOf(calls)).toMatchObject({ steps: 2, readUnits: 7 });
  });

  it("has the team or the suspended accounts of a group, page by page, also among the ones that it finds", async () => {
    const moderator = await aUser("moderator", "Crowd Ada");
    const left = await aUser("moderator", "Crowd Grace");
    const lost = await aUser("suspended", "Crowd Joan");
    await aMember("Crowd Mary");
    const inGroup = async (query: Record<string, string>) =>
      (await page(query)).results.map(({ userId }: { userId: string }) => userId);
    expect(await inGroup({ group: "team" })).toEqual([left.userId, moderator.userId, owner.userId]);
    expect(await inGroup({ group: "team", created: "asc" })).toEqual([owner.userId, moderator.userId, left.userId]);
    const start = await page({ group: "team", first: "2" });
    expect(start).toMatchObject({ total_count: 3, total_pages: 2, page_info: { has_next_page: true } });
    const after = start.page_info.end_cursor;
    success(await giveRole(left, "suspended"), 200);
    const rest = await page({ group: "team", first: "2", after });
    expect(rest).toMatchObject({ results: [{ userId: owner.userId }], page_info: { has_next_page: false } });
    expect(await inGroup({ group: "suspended" })).toEqual([lost.userId, left.userId]);
    expect(await inGroup({ group: "suspended", q: "crowd" })).toEqual([left.userId, lost.userId]);
    expect(await inGroup({ group: "team", q: "crowd g" })).toEqual([]);
    expect(await inGroup({ group: "team", email: moderator.email })).toEqual([moderator.userId]);
    success(await giveRole(lost, "member"), 200);
    expect(await inGroup({ group: "suspended" })).toEqual([left.userId]);
    refusal(await ask({ group: "members" }), "VALIDATION_ERROR");
    await expectSound();
  });

  it("never takes a name for a group", async () => {
    const ada = await aMember(" team");
    const results = (await page({ group: "team" })).results;
    expect(results).toMatchObject([{ userId: owner.userId }]);
    expect((await page({ q: " team" })).results).toMatchObject([{ userId: ada.userId }]);
  });

  it("reads the rows of a group alone, whatever the number of accounts", async () => {
    for (let n = 0; n < 4; n++) await aUser("suspended");
    const { calls } = await measured(() => ask({ group: "suspended", first: "2" }));
    expect(planOf(calls)).toBe("GetItem USER | Query PEOPLE ; Query USER | Query USER");
    expect(costOf(calls)).toMatchObject({ steps: 2, readUnits: 4 });
  });

  it("costs the same with any number of accounts", async () => {
    for (let n = 0; n < 5; n++) await aMember();
    const few = await measured(() => ask({ first: "5" }));
    for (let n = 0; n < 40; n++) await aMember();
    const many = await measured(() => ask({ first: "5" }));
    const counts = Array(5).fill("Query USER").join(" | ");
    expect(planOf(few.calls)).toBe(`GetItem USER | Query USERS | Query USER_COUNT ; ${counts}`);
    expect(planOf(many.calls)).toBe(planOf(few.calls));
    expect(costOf(few.calls)).toMatchObject({ steps: 2, readUnits: 8 });
    expect(costOf(many.calls)).toEqual(costOf(few.calls));
  });
});

describe("PATCH /users/{userId}", () => {
  it("changes a role, effective with the next call", async () => {
    const ada = await aMember();
    const post = await aPost(owner);
    const { user } = success(await giveRole({ userId: ada.userId.toUpperCase() }, "suspended"), 200);
    expect(user).toMatchObject({ userId: ada.userId, email: ada.email, role: "suspended" });
    refusal(await portal.vote(post, ada), "NOT_ENOUGH_PERMISSION");
    expect(success(await giveRole(ada, "moderator"), 200).user.role).toBe("moderator");
    success(await portal.vote(post, ada), 201);
    expect(success(await giveRole(ada, "member"), 200).user.role).toBe("member");
    expect((await users.find(ada.userId))?.role).toBe("member");
  });

  it("never changes the owner's role", async () => {
    for (const role of ["member", "moderator", "suspended"]) {
      refusal(await giveRole(owner, role), "NOT_ENOUGH_PERMISSION");
    }
    expect(await users.changeRole({ ...owner, keyIds: [] }, "member")).toBe("is the owner");
    expect((await users.find(owner.userId))?.role).toBe("owner");
  });
});

describe("GET /users/dashboard", () => {
  // Who may not: test/security/permissions.test.ts.
  it("gives access to owners", async () => {
    expect(success(await invoke("users-dashboard", { token: owner.token }), 200)).toEqual({ access: true });
  });
});
