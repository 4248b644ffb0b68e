import { beforeEach, describe, expect, it } from "vitest";
import { BASE_PATH } from "../../lib/http/routes.ts";
import { serveEndpoints } from "../support/http/listen.ts";
import { freshTable } from "../support/setup.ts";
import { aWorld } from "../support/world/examples.ts";
import { aComment, aPost, aRoadmap } from "../support/world/fixtures.ts";

// The calls of LogChimp's web front end (v0.9.0) that its pages depend on, as a browser sends them: from another
// origin, exactly its fields. Preflights: test/infra/local/gateway/gateway.test.ts.

const gateway = serveEndpoints();

beforeEach(freshTable);

const origin = "https://portal.example.com";

/** Sends `GET /users` and the like; the body of the success. */
async function ask(line: string, token: string, body?: object) {
  const [method = "", path = ""] = line.split(" ");
  const url = `http://127.0.0.1:${gateway.port}${BASE_PATH}${path}`;
  const type = body && { "content-type": "application/json" };
  const headers = { origin, authorization: `Bearer ${token}`, ...type };
  const answer = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null });
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.status).toBeLessThan(300);
  return JSON.parse((await answer.text()) || "null");
}

describe("The dashboard", () => {
  // The fields of the answers: the tests of each endpoint.
  it("gets an answer to each call of its pages", async () => {
    const { owner, author, member, board, roadmap } = await aWorld();
    const { postId } = await aPost(author);
    const { commentId } = await aComment(postId, author);
    const [{ userId }, { boardId, name, color }, { roadmapId }] = [member, board, await aRoadmap()];
    const comment = { body: "Me too", is_internal: false };
    const site = {
      ...{ title: "Acme", description: "What shall we build?", logo: "https://example.com/logo.svg" },
      ...{ accentColor: "ff8800", googleAnalyticsId: "G-ABC123", allowSignup: false, developer_mode: true },
    };
    const vote = `/posts/${postId}/votes/${userId}`;
    const calls: [line: string, body?: object][] = [
      ["GET /users/permissions"],
      ["GET /users/dashboard"],
      ["GET /users"],
      ["GET /settings/labs"],
      ["PATCH /settings/labs", { voteOnBehalf: true }],
      ["PATCH /settings/site", site],
      [`POST ${vote}`],
      [`GET /posts/${postId}/votes?first=10`],
      [`DELETE ${vote}`],
      [`POST /posts/${postId}/comments`, comment],
      [`GET /posts/${postId}/activity?page=1&visibility=public`],
      [`PUT /posts/${postId}/comments/${commentId}`, comment],
      [`DELETE /posts/${postId}/comments/${commentId}`],
      ["GET /roadmaps?first=20"],
      ["PATCH /roadmaps/sort", { from: { id: roadmap.roadmapId, index: 1 }, to: { id: roadmapId, index: 2 } }],
      ["PATCH /roadmaps", { id: roadmapId, name: "Planned", url: "planned", color: "00aaff", display: true }],
      ["GET /roadmaps/planned"],
      ["POST /boards/check-slug", { url: "big_ideas" }],
      ["PATCH /boards", { boardId, name, url: "big_ideas", color, view_voters: true, display: true }],
      ["GET /boards/big_ideas"],
    ];
    for (const [line, body] of calls) await ask(line, owner.token, body);
  });
});
