import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { createGateway } from "../../infra/local/gateway/gateway.ts";
import * as mailTokens from "../../lib/accounts/mail-tokens.ts";
import { BASE_PATH } from "../../lib/http/routes.ts";
import { newContainer } from "../support/container.ts";
import { freshTable } from "../support/setup.ts";
import { aWorld } from "../support/world/examples.ts";
import { aBoard, anAccount, aPost, aRoadmap, aUser, aVote } from "../support/world/fixtures.ts";
import { badTokens } from "../support/world/tokens.ts";

// The calls of LogChimp's web front end (v0.9.0) that its pages depend on, as a browser sends them: from another origin, with a
// preflight, exactly its fields; and of the answers what the pages read.

let server: Server;
let base: string;

beforeAll(async () => {
  server = createGateway(endpoints);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(freshTable);

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const origin = "https://portal.example.com";

/** What a browser asks before the call itself: whether this origin may use the method and the headers. */
async function preflight(method: string, url: string): Promise<void> {
  const headers = {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": "authorization,content-type",
  };
  const { ok, headers: answer } = await fetch(url, { method: "OPTIONS", headers });
  expect([ok, answer.get("access-control-allow-origin")]).toEqual([true, "*"]);
  expect(answer.get("access-control-allow-methods")?.split(",")).toContain(method);
  const allowed = answer.get("access-control-allow-headers")?.split(",");
  expect(allowed).toEqual(expect.arrayContaining(["authorization", "content-type"]));
}

/** Sends `GET /users` and the like; `token` undefined is the header that the front end sends before anybody signed in. */
async function send(line: string, token?: string, body?: unknown) {
  const [method = "", path = ""] = line.split(" ");
  const url = `${base}${BASE_PATH}${path}`;
  await preflight(method, url);
  const headers = {
    origin,
    authorization: `Bearer ${token ?? ""}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const answer = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

async function words(token: string): Promise<string[]> {
  return (await send("GET /users/permissions", token)).body.permissions;
}

describe("The dashboard's guard", () => {
  it("lets owners and moderators in", async () => {
    for (const role of ["owner", "moderator"] as const) {
      const { token } = await aUser(role);
      expect(await send("GET /users/dashboard", token)).toEqual({ status: 200, body: { access: true } });
      expect(await words(token)).toContain("dashboard:read");
    }
  });

  it("keeps members and visitors out", async () => {
    const { status, body } = await send("GET /users/dashboard", (await aUser("member")).token);
    expect([status, body.code]).toEqual([403, "NOT_ENOUGH_PERMISSION"]);
    expect((await send("GET /users/dashboard")).body.code).toBe("INVALID_AUTH_HEADER_FORMAT");
  });
});

describe("The words that open buttons", () => {
  it("let a member write and vote, and change no post of others", async () => {
    const told = await words((await aUser("member")).token);
    expect(told).toEqual(expect.arrayContaining(["post:create", "vote:create", "vote:destroy"]));
    expect(told).toEqual(expect.arrayContaining(["comment:create", "comment:update:own", "comment:delete:own"]));
    for (const word of ["post:update", "post:destroy", "board:create", "dashboard:read", "settings:update"]) {
      expect(told).not.toContain(word);
    }
  });

  it("let a moderator change posts and see hidden boards and roadmaps", async () => {
    const told = await words((await aUser("moderator")).token);
    expect(told).toEqual(expect.arrayContaining(["post:update", "board:read", "roadmap:read"]));
    expect(told).not.toContain("board:create");
  });

  it("let the owner do everything", async () => {
    const told = await words((await aUser("owner")).token);
    const verbs = ["read", "create", "update", "destroy"];
    const all = ["post", "board", "roadmap", "role"].flatMap((what) => verbs.map((verb) => `${what}:${verb}`));
    const assigned = ["board", "roadmap", "role"].flatMap((what) => [`${what}:assign`, `${what}:unassign`]);
    const votes = ["create", "destroy", "assign", "unassign"].map((verb) => `vote:${verb}`);
    const onComments = ["create", "create_internal", "view_internal", "update:any", "delete:any"];
    const comments = onComments.map((verb) => `comment:${verb}`);
    const others = ["dashboard:read", "settings:read", "settings:update"];
    expect(told).toEqual(expect.arrayContaining([...all, ...assigned, ...votes, ...comments, ...others]));
  });

  it("let a suspended account do nothing", async () => {
    expect(await words((await aUser("suspended")).token)).toEqual([]);
  });
});

describe("Forms for visitors", () => {
  it("show that the password is wrong, and the same for an unknown address", async () => {
    const { email } = await anAccount("correct horse");
    for (const body of [
      { email, password: "battery staple" },
      { email: "nobody@example.com", password: "battery staple" },
    ]) {
      const { status, body: answer } = await send("POST /auth/login", undefined, body);
      expect([status, answer.code]).toEqual([401, "INCORRECT_PASSWORD"]);
    }
  });

  it("end with an error at a password link that was used or made up", async () => {
    const token = await mailTokens.issue("reset-password", await anAccount("correct horse"));
    expect(await send("POST /auth/password/validateToken", undefined, { token })).toEqual({
      status: 200,
      body: { reset: { valid: true } },
    });
    await send("POST /auth/password/set", undefined, { token, password: "battery staple" });
    for (const bad of [token, "made-up"]) {
      const { status, body } = await send("POST /auth/password/validateToken", undefined, { token: bad });
      expect([status, body.code]).toEqual([401, "INVALID_TOKEN"]);
    }
  });
});

describe("A page that is opened with the token of an ended session", () => {
  it("lists boards and roadmaps as for a visitor, with PUBLIC_READS", async () => {
    newContainer({ PUBLIC_READS: "on" });
    try {
      const [board, roadmap] = [await aBoard(), await aRoadmap()];
      const stale = (await badTokens(await aUser("owner"))).find(({ what }) => what === "an expired token");
      const token = stale?.authorization.replace("Bearer ", "") ?? "";
      expect((await send("GET /boards?page=1&created=DESC", token)).body.boards[0].boardId).toBe(board.boardId);
      expect((await send("GET /roadmaps?first=4", token)).body.results[0].id).toBe(roadmap.roadmapId);
    } finally {
      newContainer({ PUBLIC_READS: "" });
    }
  });
});

describe("The table of users in the dashboard", () => {
  it("shows names, roles, posts and votes", async () => {
    const { owner, moderator, member } = await aWorld();
    await aVote((await aPost(member)).postId, member);
    const { body } = await send("GET /users", owner.token);
    const row = (userId: string) => body.users.find((user: { userId: string }) => user.userId === userId);
    expect(row(member.userId)).toMatchObject({ name: member.name, email: member.email, posts: "1", votes: "1" });
    expect(row(member.userId).roles).toEqual([]);
    const role = { id: expect.any(String), name: "moderator", isSystem: true, user_role_id: expect.any(String) };
    expect(row(moderator.userId)).toMatchObject({ roles: [role], posts: "0", votes: "0" });
    expect(row(owner.userId).roles).toMatchObject([{ name: "owner" }]);
    const next = await send(`GET /users?after=${body.page_info.end_cursor}`, owner.token);
    expect(next.body.users).toEqual([]);
  });
});

describe("Votes on behalf in the dashboard", () => {
  it("are added for a person of the first page of users, told when they exist, and taken back", async () => {
    const { owner, author } = await aWorld();
    const { postId } = await aPost(author);
    await send("PATCH /settings/labs", owner.token, { voteOnBehalf: true });
    const { users } = (await send("GET /users", owner.token)).body;
    const { userId, name, username, avatar } = users[0];
    const line = `POST /posts/${postId}/votes/${userId}`;
    const { status, body } = await send(line, owner.token);
    expect([status, body.vote]).toMatchObject([200, { user: { userId, name, username, avatar } }]);
    const shown = async () => (await send(`GET /posts/${postId}/votes?first=10`, owner.token)).body.votes.results;
    expect(await shown()).toMatchObject([{ voteId: body.vote.voteId, user: { userId } }]);
    expect((await send(line, owner.token)).body.code).toBe("VOTE_EXISTS");
    expect((await send(`DELETE /posts/${postId}/votes/${userId}`, owner.token)).status).toBe(204);
    expect(await shown()).toEqual([]);
  });
});

describe("Comments", () => {
  const activity = {
    id: expect.any(String),
    type: "comment",
    created_at: expect.any(String),
    author: expect.objectContaining({
      userId: expect.any(String),
      name: expect.any(String),
      avatar: expect.any(String),
    }),
    comment: expect.objectContaining({ is_internal: false, is_edited: false, is_spam: false, parent_id: null }),
  };

  it("are written, shown newest first to everybody, changed and deleted", async () => {
    const { author, member } = await aWorld();
    const { postId } = await aPost(author);
    const shown = async (token?: string) =>
      (await send(`GET /posts/${postId}/activity?page=1&visibility=public`, token)).body.activity;
    const write = (token: string, body: string) =>
      send(`POST /posts/${postId}/comments`, token, { body, is_internal: false });
    const first = await write(member.token, "Me too");
    expect([first.status, first.body.activity]).toEqual([201, activity]);
    await write(author.token, "Thanks");
    expect((await shown()).map(({ comment }: { comment: { body: string } }) => comment.body)).toEqual([
      "Thanks",
      "Me too",
    ]);
    const line = `/posts/${postId}/comments/${first.body.activity.comment.id}`;
    const changed = await send(`PUT ${line}`, member.token, { body: "Me too, really", is_internal: false });
    expect([changed.status, changed.body.comment]).toMatchObject([200, { body: "Me too, really", is_edited: true }]);
    expect((await send(`DELETE ${line}`, member.token)).status).toBe(204);
    expect(await shown(member.token)).toHaveLength(1);
  });

  it("are asked for page after page until one is empty", async () => {
    const { author } = await aWorld();
    const { postId } = await aPost(author);
    for (let n = 0; n < 25; n++) {
      await send(`POST /posts/${postId}/comments`, author.token, { body: `Comment ${n}`, is_internal: false });
    }
    const ids = new Set<string>();
    let page = 1;
    for (; ; page++) {
      const { body } = await send(`GET /posts/${postId}/activity?page=${page}&visibility=public`);
      if (body.activity.length === 0) break;
      for (const { id } of body.activity) ids.add(id);
    }
    expect([ids.size, page]).toEqual([25, 3]);
  });

  it("that are internal are shown and offered to moderators and owners only", async () => {
    const { owner, moderator, member, author } = await aWorld();
    const { postId } = await aPost(author);
    const note = { body: "Planned for May", is_internal: true };
    expect((await send(`POST /posts/${postId}/comments`, moderator.token, note)).status).toBe(201);
    expect((await send(`POST /posts/${postId}/comments`, member.token, note)).status).toBe(403);
    const shown = async (token?: string) =>
      (await send(`GET /posts/${postId}/activity?page=1&visibility=public,internal`, token)).body.activity.length;
    expect(await Promise.all([owner, moderator, member].map(({ token }) => shown(token)))).toEqual([1, 1, 0]);
    expect(await shown()).toBe(0);
    const told = await words(moderator.token);
    expect(told).toEqual(expect.arrayContaining(["comment:create_internal", "comment:view_internal"]));
    expect(await words(member.token)).not.toContain("comment:view_internal");
  });
});

describe("A browser", () => {
  it("may use every method of the front end from another origin", async () => {
    for (const method of ["GET", "POST", "PATCH", "PUT", "DELETE"])
      await preflight(method, `${base}${BASE_PATH}/posts`);
  });
});

describe("Settings in the dashboard", () => {
  it("keep what the general page sends", async () => {
    const { token } = (await aWorld()).owner;
    const settings = {
      title: "Acme",
      description: "What shall we build?",
      logo: "https://example.com/logo.svg",
      accentColor: "ff8800",
      googleAnalyticsId: "G-ABC123",
      allowSignup: false,
      developer_mode: true,
    };
    expect((await send("PATCH /settings/site", token, settings)).status).toBe(200);
    const shown = (await send("GET /settings/site")).body.settings;
    expect(shown).toMatchObject({ ...settings, icon: settings.logo, labs: { voteOnBehalf: false } });
    await send("PATCH /settings/site", token, { ...settings, googleAnalyticsId: null, developer_mode: false });
    const changed = (await send("GET /settings/site")).body.settings;
    expect(changed).toMatchObject({ googleAnalyticsId: null, developer_mode: false });
  });

  it("keep the switch of the labs page", async () => {
    const { token } = (await aWorld()).owner;
    expect((await send("GET /settings/labs")).body).toEqual({ labs: { voteOnBehalf: false } });
    const { status, body } = await send("PATCH /settings/labs", token, { voteOnBehalf: true });
    expect([status, body]).toEqual([200, { labs: { voteOnBehalf: true } }]);
    expect((await send("GET /settings/labs")).body).toEqual({ labs: { voteOnBehalf: true } });
    expect((await send("GET /settings/site")).body.settings.labs).toEqual({ voteOnBehalf: true });
  });
});

describe("Roadmaps in the dashboard", () => {
  it("keep the order in which they were dropped", async () => {
    const { token } = await aUser("owner");
    for (const name of ["Backlog", "Next", "Doing", "Done"]) await aRoadmap({ name });
    const shown = async () => (await send("GET /roadmaps?first=20", token)).body.results;
    // The second is dragged onto the last.
    const [, dragged, , last] = await shown();
    const body = { from: { id: last.id, index: 2 }, to: { id: dragged.id, index: 4 } };
    expect((await send("PATCH /roadmaps/sort", token, body)).status).toBe(200);
    const names = async () => (await shown()).map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(["Backlog", "Doing", "Done", "Next"]);
    // And back, from the last place to the second.
    const [, second] = await shown();
    await send("PATCH /roadmaps/sort", token, { from: { id: second.id, index: 4 }, to: { id: dragged.id, index: 2 } });
    expect(await names()).toEqual(["Backlog", "Next", "Doing", "Done"]);
  });

  it("show whether they are displayed on their settings page", async () => {
    const { token } = await aUser("owner");
    const { roadmapId: id } = await aRoadmap({ url: "planned", display: false });
    expect((await send("GET /roadmaps/planned", token)).body.roadmap).toMatchObject({ id, display: false });
    const visible = { id, name: "Planned", url: "planned", color: "00aaff", display: true };
    expect((await send("PATCH /roadmaps", token, visible)).status).toBe(200);
    expect((await send("GET /roadmaps/planned", token)).body.roadmap).toMatchObject({ id, display: true });
    const visitors = (await send("GET /roadmaps/planned")).body.roadmap;
    expect(Object.keys(visitors).sort()).toEqual(["color", "id", "name", "url"]);
  });
});

describe("The url of a board in the dashboard", () => {
  it("is told to be free, taken or impossible while it is typed, and may have underscores", async () => {
    const { token } = await aUser("owner");
    const { boardId, name, color } = await aBoard({ url: "ideas" });
    for (const [url, available] of [
      ["ideas", false],
      ["big_ideas", true],
      ["check-slug", false],
      ["Ideas!", false],
    ] as const) {
      expect(await send("POST /boards/check-slug", token, { url })).toEqual({ status: 200, body: { available } });
    }
    const change = { boardId, name, url: "big_ideas", color, view_voters: true, display: true };
    expect((await send("PATCH /boards", token, change)).body.board.url).toBe("big_ideas");
    expect((await send("GET /boards/big_ideas")).body.board.boardId).toBe(boardId);
  });
});
