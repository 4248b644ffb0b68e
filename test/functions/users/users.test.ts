import { beforeEach, describe, expect, it } from "vitest";
import { handler as setUp } from "../../../functions/auth/set-up.ts";
import { handler as signUp } from "../../../functions/auth/sign-up.ts";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { handler as dashboard } from "../../../functions/users/dashboard.ts";
import { handler as listUsers } from "../../../functions/users/list.ts";
import { handler as myPermissions } from "../../../functions/users/permissions.ts";
import { handler as profile } from "../../../functions/users/profile.ts";
import { handler as updateUser } from "../../../functions/users/update.ts";
import { handler as addVote } from "../../../functions/votes/add.ts";
import { handler as removeVote } from "../../../functions/votes/remove.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { createdAt, newId } from "../../../lib/values/ids.ts";
import { carryOutAll, invoke } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { measured } from "../../support/store/calls.ts";
import { costOf, planOf } from "../../support/store/plans.ts";
import { aMember, aPost, aUser, aVote } from "../../support/world/fixtures.ts";

beforeEach(freshTable);

function page(token: string, query: Record<string, string> = {}) {
  return invoke(listUsers, { token, query });
}
function giveRole(token: string, userId: string, role: unknown) {
  return invoke(updateUser, { token, params: { userId }, body: { role } });
}

describe("GET /users/permissions", () => {
  const member = [
    "profile:update",
    "post:create",
    "post:update:own",
    "post:destroy:own",
    "vote:create",
    "vote:destroy",
    "comment:create",
    "comment:update:own",
    "comment:delete:own",
    "roadmap:search",
  ];
  const moderator = [
    ...[...member, "roadmap:read", "board:read"],
    ...["post:moderate", "post:update", "post:destroy"],
    ...["comment:create_internal", "comment:view_internal", "comment:update:any", "comment:delete:any"],
    "dashboard:read",
    "key:create",
  ];
  const owner = [
    ...[...moderator, "board:create", "board:update", "board:destroy"],
    ...[
      "roadmap:create",
      "roadmap:update",
      "roadmap:destroy",
      "post:assign",
      "vote:assign",
      "vote:unassign",
      "user:write",
      "settings:update",
    ],
    ...["post:read", "board:assign", "board:unassign", "roadmap:assign", "roadmap:unassign"],
    ...["role:read", "role:create", "role:update", "role:destroy", "role:assign", "role:unassign", "settings:read"],
  ];
  it.each([
    ["suspended", []],
    ["member", member],
    ["moderator", moderator],
    ["owner", owner],
  ] as const)("answers the permissions of a %s", async (role, permissions) => {
    const { token } = await aUser(role);
    const { status, body } = await invoke(myPermissions, { token });
    expect([status, body]).toEqual([200, { permissions }]);
  });
});

describe("GET /users/dashboard", () => {
  it.each([
    ["owner", 200, { access: true }],
    ["moderator", 200, { access: true }],
    ["member", 403, expect.objectContaining({ code: "NOT_ENOUGH_PERMISSION" })],
    ["suspended", 403, expect.objectContaining({ code: "NOT_ENOUGH_PERMISSION" })],
  ] as const)("answers a %s with %i", async (role, expected, answer) => {
    const { status, body } = await invoke(dashboard, { token: (await aUser(role)).token });
    expect([status, body]).toEqual([expected, answer]);
  });
});

describe("GET /users/profile", () => {
  it("answers the caller's own account", async () => {
    const ada = await aMember("Ada");
    const { status, body } = await invoke(profile, { token: ada.token });
    const { userId, name, username, email } = ada;
    const avatar = expect.stringMatching(/^https:\/\/www\.gravatar\.com\/avatar\/[0-9a-f]{64}\?d=identicon$/);
    expect(status).toBe(200);
    expect(body).toEqual({ user: { userId, name, username, email, isVerified: false, avatar } });
  });
});

describe("GET /users", () => {
  it("answers every account with all its fields, newest first", async () => {
    const owner = await aUser("owner");
    const ada = await aUser("moderator", "Ada");
    const { status, body } = await page(owner.token);
    const { userId, name, username, email } = ada;
    const avatar = expect.stringMatching(/^https:\/\/www\.gravatar\.com\/avatar\//);
    const role = { id: "moderator", name: "moderator", isSystem: true, user_role_id: userId };
    const fields = { userId, name, username, email, avatar, isVerified: false, role: "moderator", roles: [role] };
    expect(status).toBe(200);
    expect(body.results[0]).toEqual({ ...fields, createdAt: createdAt(userId), posts: "0", votes: "0" });
    expect(body.results.map((user: users.UserRecord) => user.userId)).toEqual([ada.userId, owner.userId]);
    expect(body.users).toEqual(body.results);
    expect([body.total_count, body.total_pages]).toEqual([2, 1]);
    expect(body.page_info).toMatchObject({ count: 2, current_page: 1, has_next_page: false });
  });

  it("counts each account's posts and votes, exactly and at once", async () => {
    const owner = await aUser("owner");
    const [ada, grace] = [await aMember("Ada"), await aMember("Grace")];
    const post = await aPost(ada);
    await aPost(ada);
    for (const voter of [ada, grace]) await aVote(post.postId, voter);
    await aVote((await aPost(owner)).postId, grace);
    const counts = async () =>
      (await page(owner.token, { created: "asc" })).body.results.map((user: Record<string, unknown>) => [
        user.userId,
        user.posts,
        user.votes,
      ]);
    expect(await counts()).toEqual([
      [owner.userId, "1", "0"],
      [ada.userId, "2", "1"],
      [grace.userId, "0", "2"],
    ]);
    await invoke(removeVote, { token: grace.token, body: { postId: post.postId } });
    await posts.destroy(post);
    expect(await counts()).toEqual([
      [owner.userId, "1", "0"],
      [ada.userId, "1", "1"],
      [grace.userId, "0", "1"],
    ]);
    // The sweeper takes the votes on the deleted post.
    expect(await carryOutAll(sweep)).toBe(true);
    expect((await counts())[1]).toEqual([ada.userId, "1", "0"]);
  });

  it("names no role beside a member", async () => {
    const owner = await aUser("owner");
    await aMember();
    await aUser("suspended");
    const { results } = (await page(owner.token, { created: "asc" })).body;
    const roles = results.map((user: { roles: { name: string }[] }) => user.roles.map(({ name }) => name));
    expect(roles).toEqual([["owner"], [], ["suspended"]]);
  });

  it.each(["asc", "DESC"])("pages through all accounts once in the order %s", async (created) => {
    const owner = await aUser("owner");
    for (let n = 0; n < 24; n++) await aMember();
    const seen: string[] = [];
    const pages: unknown[] = [];
    let after: string | null | undefined;
    do {
      const { body } = await page(owner.token, { created, first: "10", ...(after ? { after } : {}) });
      seen.push(...body.results.map(({ userId }: users.UserRecord) => userId));
      const { count, current_page, has_next_page, end_cursor } = body.page_info;
      pages.push([count, current_page, has_next_page, body.total_pages, body.total_count]);
      after = has_next_page ? end_cursor : undefined;
    } while (after);
    expect(pages).toEqual([
      [10, 1, true, 3, 25],
      [10, 2, true, 3, 25],
      [5, 3, false, 3, 25],
    ]);
    const sorted = seen.toSorted();
    expect(new Set(seen).size).toBe(25);
    expect(seen).toEqual(created === "asc" ? sorted : sorted.toReversed());
  });

  it("answers an empty page after the last account", async () => {
    const owner = await aUser("owner");
    const { body } = await page(owner.token);
    const end = await page(owner.token, { after: body.page_info.end_cursor });
    expect(end.body).toMatchObject({ results: [], total_count: 1, total_pages: 1 });
    expect(end.body.page_info).toMatchObject({ count: 0, has_next_page: false, end_cursor: null, start_cursor: null });
  });

  it("costs the same with any number of accounts", async () => {
    const owner = await aUser("owner");
    for (let n = 0; n < 5; n++) await aMember();
    const few = await measured(() => page(owner.token, { first: "5" }));
    for (let n = 0; n < 40; n++) await aMember();
    const many = await measured(() => page(owner.token, { first: "5" }));
    expect([planOf(many.calls), costOf(many.calls)]).toEqual([planOf(few.calls), costOf(few.calls)]);
    expect(planOf(few.calls)).toBe(
      `GetItem USER | Query USERS | Query USER_COUNT ; ${Array(5).fill("Query USER").join(" | ")}`,
    );
    expect(costOf(few.calls)).toMatchObject({ steps: 2, readUnits: 8 });
  });

  it.each([
    [{ first: "0" }, "query.first"],
    [{ first: "x" }, "query.first"],
    [{ after: "" }, "query.after"],
    [{ after: "nonsense" }, "query.after"],
    [{ after: Buffer.from('["x","y"]').toString("base64url") }, "query.after"],
    [{ created: "sideways" }, "query.created"],
  ])("refuses %j", async (query, path) => {
    const { token } = await aUser("owner");
    const { status, body } = await page(token, query as unknown as Record<string, string>);
    expect([status, body.code, body.errors[0].path]).toEqual([400, "VALIDATION_ERROR", path]);
  });

  it.each(["moderator", "member", "suspended"] as const)("is not for a %s", async (role) => {
    const { token } = await aUser(role);
    const { status, body } = await page(token);
    expect([status, body.code]).toEqual([403, "NOT_ENOUGH_PERMISSION"]);
  });

  it("counts every account once if 40 sign up at once, some with the same address", async () => {
    const owner = (await invoke(setUp, { body: { email: "o@example.com", password: "correct horse" } })).body.user;
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        invoke(signUp, { body: { email: `member${n % 30}@example.com`, password: "correct horse" } }),
      ),
    );
    const { body } = await page(owner.authToken, { first: "100" });
    expect([body.total_count, body.results.length]).toEqual([31, 31]);
    expect(await users.count()).toBe(31);
  });
});

describe("PATCH /users/{userId}", () => {
  it("changes a role, effective with the next call", async () => {
    const owner = await aUser("owner");
    const spammer = await aMember();
    const { postId } = await aPost(owner);
    const { status, body } = await giveRole(owner.token, spammer.userId.toUpperCase(), "suspended");
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ userId: spammer.userId, email: spammer.email, role: "suspended" });
    const vote = () => invoke(addVote, { token: spammer.token, body: { postId } });
    expect((await vote()).body.code).toBe("NOT_ENOUGH_PERMISSION");
    expect((await giveRole(owner.token, spammer.userId, "moderator")).body.user.role).toBe("moderator");
    expect((await vote()).status).toBe(201);
    expect((await giveRole(owner.token, spammer.userId, "member")).body.user.role).toBe("member");
    expect((await users.find(spammer.userId))?.role).toBe("member");
  });

  it("writes nothing if the role is the same", async () => {
    const owner = await aUser("owner");
    const ada = await aMember();
    const { status, calls } = await giveRole(owner.token, ada.userId, "member");
    expect([status, calls.map(({ operation }) => operation)]).toEqual([200, ["GetItem", "GetItem"]]);
  });

  it("never changes the owner's role, also with many calls at once", async () => {
    const owner = await aUser("owner");
    for (const role of ["member", "moderator", "suspended"]) {
      const { status, body } = await giveRole(owner.token, owner.userId, role);
      expect([status, body.code]).toEqual([403, "NOT_ENOUGH_PERMISSION"]);
    }
    expect((await users.find(owner.userId))?.role).toBe("owner");
    expect(await users.changeRole(owner, "member")).toBe("is the owner");
  });

  it.each(["owner", "admin", "", "Member", 7, null, undefined, ["member"]])("refuses the role %j", async (role) => {
    const owner = await aUser("owner");
    const { status, body } = await giveRole(owner.token, (await aMember()).userId, role);
    expect([status, body.code, body.errors[0].path]).toEqual([400, "VALIDATION_ERROR", "body.role"]);
  });

  it.each([newId(), "nobody", "%", "x".repeat(500)])("answers USER_NOT_FOUND to %j", async (userId) => {
    const owner = await aUser("owner");
    const { status, body } = await giveRole(owner.token, userId, "member");
    expect([status, body.code]).toEqual([404, "USER_NOT_FOUND"]);
    expect(await users.changeRole({ userId: newId(), role: "member" }, "moderator")).toBe("changed meanwhile");
  });

  it.each(["moderator", "member", "suspended"] as const)("is not for a %s", async (role) => {
    const ada = await aMember();
    const { status, body } = await giveRole((await aUser(role)).token, ada.userId, "suspended");
    expect([status, body.code]).toEqual([403, "NOT_ENOUGH_PERMISSION"]);
    expect((await users.find(ada.userId))?.role).toBe("member");
  });
});
