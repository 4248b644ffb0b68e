import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { run } from "../../../infra/operator/save-canny.ts";
import { listen } from "../../support/http/listen.ts";
import { operateHere } from "../../support/process/operate.ts";

const folder = mkdtempSync(join(tmpdir(), "canny-"));
const asked: { path: string; body: Record<string, unknown> }[] = [];

// Canny's API with two pages of posts and of comments; it is busy at the first call.
const server = createServer(async (request, response) => {
  const body = JSON.parse(await text(request));
  asked.push({ path: request.url ?? "", body });
  const answer = (status: number, page: unknown) => response.writeHead(status).end(JSON.stringify(page));
  if (body.apiKey !== "secret-key") return answer(401, {});
  if (asked.length === 1) return answer(429, {});
  if (request.url === "/v1/posts/list") return answer(200, { posts: [{ id: body.skip ?? 0 }], hasMore: !body.skip });
  if (request.url === "/v2/comments/list") {
    const items = [{ id: body.cursor ?? "first" }];
    return answer(200, body.cursor ? { items, hasNextPage: false } : { items, hasNextPage: true, cursor: "next" });
  }
  return answer(200, { boards: [{ id: "b" }], votes: [{ post: {} }], hasMore: false });
});

beforeAll(async () => {
  process.env.CANNY_URL = `http://127.0.0.1:${await listen(server)}`;
  process.env.CANNY_API_KEY = "secret-key";
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  delete process.env.CANNY_URL;
  delete process.env.CANNY_API_KEY;
  rmSync(folder, { recursive: true });
});

it("keeps all pages of each list, and neither prints nor keeps the key", async () => {
  const { code, output } = await operateHere(run, [join(folder, "canny")]);
  expect(output).toBe("boards: 1\nposts: 2\nvotes: 1\ncomments: 2\n");
  expect(code).toBe(0);
  const names = readdirSync(join(folder, "canny")).sort();
  expect(names).toEqual([
    "boards-00001.json",
    "comments-00001.json",
    "comments-00002.json",
    "posts-00001.json",
    "posts-00002.json",
    "votes-00001.json",
  ]);
  const kept = names.map((name) => readFileSync(join(folder, "canny", name), "utf8")).join("");
  expect(`${kept}${output}`).not.toContain("secret-key");
  expect(asked.map(({ body }) => body.limit)).toEqual(asked.map(() => 100));
});

it("says what Canny refuses, and does not mix two runs", async () => {
  const again = await operateHere(run, [join(folder, "canny")]);
  expect(again).toMatchObject({ code: 1, complaints: expect.stringContaining("exists: give a folder that does not") });
  process.env.CANNY_API_KEY = "another";
  const refused = await operateHere(run, [join(folder, "other")]);
  expect(refused).toMatchObject({ code: 1, complaints: "Canny answers 401 to /v1/boards/list\n" });
  process.env.CANNY_API_KEY = "secret-key";
  expect(await operateHere(run, [join(folder, "other")])).toMatchObject({ code: 0, complaints: "" });
});

it("says why Canny cannot be reached", async () => {
  vi.stubEnv("CANNY_URL", "http://127.0.0.1:9");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, complaints } = await operateHere(run, [join(folder, "unreached")]);
  expect(code).toBe(1);
  expect(complaints).toMatch(/^Canny does not answer at http:\/\/127.0.0.1:9: .*\w.*\n$/);
});
