import { beforeEach, describe, expect, it } from "vitest";
import * as mailTokens from "../../lib/accounts/mail-tokens.ts";
import { BASE_PATH } from "../../lib/http/routes.ts";
import { newContainer } from "../support/container.ts";
import { serveEndpoints } from "../support/process/gateway.ts";
import { freshTable } from "../support/setup.ts";
import { aWorld } from "../support/world/examples.ts";
import { aBoard, anAccount, aPost, aRoadmap, aUser, aVote } from "../support/world/fixtures.ts";
import { badTokens } from "../support/world/tokens.ts";

// The calls of LogChimp's web front end (v0.9.0) that its pages depend on, as a browser sends them: from another
// origin, with a preflight, exactly its fields; and of the answers what the pages read.

const gateway = serveEndpoints();

beforeEach(freshTable);

const origin = "https://portal.example.com";

/** What a browser asks before the call itself: whether this origin may use the method and the headers. */
async function preflight(method: string, url: string): Promise<void> {
  const headers = {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": "authorization,content-type",
  };
  const { ok, headers: answer } = await fetch(url, { method: "OPTIONS", headers });
  expect(ok).toBe(true);
  expect(answer.get("access-control-allow-origin")).toBe("*");
  expect(answer.get("access-control-allow-methods")?.split(",")).toContain(method);
  const allowed = answer.get("access-control-allow-headers")?.split(",");
  expect(allowed).toEqual(expect.arrayContaining(["authorization", "content-type"]));
}

/**
 * Sends `GET /users` and the like; `token` undefined is the header that the front end sends before anybody signed in.
 */
async function send(line: string, token?: string, body?: unknown) {
  const [method = "", path = ""] = line.split(" ");
  const url = `http://127.0.0.1:${gateway.port}${BASE_PATH}${path}`;
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

/** The body of a success. */
async function ask(line: string, token?: string, body?: unknown) {
  const answer = await send(line, token, body);
  expect(answer.status).toBeLessThan(300);
  return answer.body;
}

async function expectCode(code: string, line: string, token?: string, body?: unknown): Promise<void> {
  expect((await send(line, token, body)).body.code).toBe(code);
}

// Which words open which buttons: users/users.test.ts.
describe("The dashboard's guard", () => {
  it("opens for owners and moderators", async () => {
    for (const role of ["owner", "moderator"] as const) {
      const { token } = await aUser(role);
      expect(await ask("GET /users/dashboard", token)).toEqual({ access: true });
      expect((await ask("GET /users/permissions", token)).permissions).toContain("dashboard:read");
    }
  });

  it("keeps members and visitors out", async () => {
    await expectCode("NOT_ENOUGH_PERMISSION", "GET /users/dashboard", (await aUser("member")).token);
    await expectCode("INVALID_AUTH_HEADER_FORMAT", "GET /users/dashboard");
  });
});

describe("A form for visitors", () => {
  it("shows the same error for a wrong password and an unknown address", async () => {
    const { email } = await anAccount("correct horse");
    for (const address of [email, "nobody@example.com"]) {
      const body = { email: address, password: "battery staple" };
      await expectCode("INCORRECT_PASSWORD", "POST /auth/login", undefined, body);
    }
  });

  it("shows an error for a password link that was used or made up", async () => {
    const token = await mailTokens.issue("reset-password", await anAccount("correct horse"));
    const line = "POST /auth/password/validateToken";
    expect(await ask(line, undefined, { token })).toEqual({ reset: { valid: true } });
    await ask("POST /auth/password/set", undefined, { token, password: "battery staple" });
    for (const bad of [token, "made-up"]) await expectCode("INVALID_TOKEN", line, undefined, { token: bad });
  });
});

describe("A page with the token of an ended session", () => {
  it("lists boards and roadmaps as for a visitor, with PUBLIC_READS", async () => {
    newContainer({ PUBLIC_READS: "on" });
    try {
      const [board, roadmap] = [await aBoard(), await aRoadmap()];
      const stale = (await badTokens(await aUser("owner"))).find(({ what }) => what === "an expired token");
      const token = stale?.authorization.replace("Bearer ", "") ?? "";
      expect((await ask("GET /boards?page=1&created=DESC", token)).boards[0].boardId).toBe(board.boardId);
      expect((await ask("GET /roadmaps?first=4", token)).results[0].id).toBe(roadmap.roadmapId);
    } finally {
      newContainer({ PUBLIC_READS: "" });
    }
  });
});

describe("The table of users in the dashboard", () => {
  it("shows names, roles, posts and votes", async () => {
    const { owner, moderator, member } = await aWorld();
    await aVote((await aPost(member)).postId, member);
    const { users, page_info } = await ask("GET /users", owner.token);
    const row = (userId: string) => users.find((user: { userId: string }) => user.userId === userId);
    const { name, email } = member;
    expect(row(member.userId)).toMatchObject({ name, email, roles: [], posts: "1", votes: "1" });
    const role = { id: expect.any(String), name: "moderator", isSystem: true, user_role_id: expect.any(String) };
    expect(row(moderator.userId)).toMatchObject({ roles: [role], posts: "0", votes: "0" });
    expect(row(owner.userId).roles).toMatchObject([{ name: "owner" }]);
    expect((await ask(`GET /users?after=${page_info.end_cursor}`, owner.token)).users).toEqual([]);
  });
});

describe("A vote on behalf in the dashboard", () => {
  it("goes to a person of the first page of users, once, until it is taken back", async () => {
    const { owner, author } = await aWorld();
    const { postId } = await aPost(author);
    await ask("PATCH /settings/labs", owner.token, { voteOnBehalf: true });
    const { userId, name, username, avatar } = (await ask("GET /users", owner.token)).users[0];
    const path = `/posts/${postId}/votes/${userId}`;
    const { vote } = await ask(`POST ${path}`, owner.token);
    expect(vote).toMatchObject({ user: { userId, name, username, avatar } });
    const shown = async () => (await ask(`GET /posts/${postId}/votes?first=10`, owner.token)).votes.results;
    expect(await shown()).toMatchObject([{ voteId: vote.voteId, user: { userId } }]);
    await expectCode("VOTE_EXISTS", `POST ${path}`, owner.token);
    await ask(`DELETE ${path}`, owner.token);
    expect(await shown()).toEqual([]);
  });
});

describe("The comments of a post", () => {
  it("show every field that the page reads, newest first, and can be changed and deleted", async () => {
    const { author, member } = await aWorld();
    const { postId } = await aPost(author);
    const shown = async () => (await ask(`GET /posts/${postId}/activity?page=1&visibility=public`)).activity;
    const write = (token: string, body: string) =>
      ask(`POST /posts/${postId}/comments`, token, { body, is_internal: false });
    const { activity } = await write(member.token, "Me too");
    const text = expect.any(String);
    expect(activity).toEqual({
      ...{ id: text, type: "comment", created_at: text },
      author: expect.objectContaining({ userId: text, name: text, avatar: text }),
      comment: expect.objectContaining({ is_internal: false, is_edited: false, is_spam: false, parent_id: null }),
    });
    await write(author.token, "Thanks");
    expect(await shown()).toMatchObject([{ comment: { body: "Thanks" } }, { comment: { body: "Me too" } }]);
    const path = `/posts/${postId}/comments/${activity.comment.id}`;
    const change = { body: "Me too, really", is_internal: false };
    const { comment } = await ask(`PUT ${path}`, member.token, change);
    expect(comment).toMatchObject({ body: "Me too, really", is_edited: true });
    await ask(`DELETE ${path}`, member.token);
    expect(await shown()).toHaveLength(1);
  });
});

describe("The settings in the dashboard", () => {
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
    await ask("PATCH /settings/site", token, settings);
    const shown = (await ask("GET /settings/site")).settings;
    expect(shown).toMatchObject({ ...settings, icon: settings.logo, labs: { voteOnBehalf: false } });
    const change = { googleAnalyticsId: null, developer_mode: false };
    await ask("PATCH /settings/site", token, { ...settings, ...change });
    expect((await ask("GET /settings/site")).settings).toMatchObject(change);
  });

  it("keep the switch of the labs page", async () => {
    const { token } = (await aWorld()).owner;
    await ask("PATCH /settings/labs", token, { voteOnBehalf: true });
    expect(await ask("GET /settings/labs")).toEqual({ labs: { voteOnBehalf: true } });
    expect((await ask("GET /settings/site")).settings.labs).toEqual({ voteOnBehalf: true });
  });
});

describe("The roadmaps in the dashboard", () => {
  it("keep the order in which they were dropped", async () => {
    const { token } = await aUser("owner");
    for (const name of ["Backlog", "Next", "Doing", "Done"]) await aRoadmap({ name });
    const shown = async () => (await ask("GET /roadmaps?first=20", token)).results;
    const names = async () => (await shown()).map(({ name }: { name: string }) => name);
    // The second is dragged onto the last.
    const [, dragged, , last] = await shown();
    const body = { from: { id: last.id, index: 2 }, to: { id: dragged.id, index: 4 } };
    await ask("PATCH /roadmaps/sort", token, body);
    expect(await names()).toEqual(["Backlog", "Doing", "Done", "Next"]);
    // And back, from the last place to the second.
    const [, second] = await shown();
    await ask("PATCH /roadmaps/sort", token, { from: { id: second.id, index: 4 }, to: { id: dragged.id, index: 2 } });
    expect(await names()).toEqual(["Backlog", "Next", "Doing", "Done"]);
  });

  it("show on their settings page whether they are displayed", async () => {
    const { token } = await aUser("owner");
    const { roadmapId: id } = await aRoadmap({ url: "planned", display: false });
    expect((await ask("GET /roadmaps/planned", token)).roadmap).toMatchObject({ id, display: false });
    await ask("PATCH /roadmaps", token, { id, name: "Planned", url: "planned", color: "00aaff", display: true });
    expect((await ask("GET /roadmaps/planned", token)).roadmap).toMatchObject({ id, display: true });
    const visitors = (await ask("GET /roadmaps/planned")).roadmap;
    expect(Object.keys(visitors).sort()).toEqual(["color", "id", "name", "url"]);
  });
});

describe("The url of a board in the dashboard", () => {
  it("may have underscores, and shows as free, taken or impossible while it is typed", async () => {
    const { token } = await aUser("owner");
    const { boardId, name, color } = await aBoard({ url: "ideas" });
    for (const [url, available] of Object.entries({
      ideas: false,
      big_ideas: true,
      "check-slug": false,
      "Ideas!": false,
    })) {
      expect(await ask("POST /boards/check-slug", token, { url })).toEqual({ available });
    }
    const change = { boardId, name, url: "big_ideas", color, view_voters: true, display: true };
    expect((await ask("PATCH /boards", token, change)).board.url).toBe("big_ideas");
    expect((await ask("GET /boards/big_ideas")).board.boardId).toBe(boardId);
  });
});
