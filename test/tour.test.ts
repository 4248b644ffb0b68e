import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "feedback-board-tour-"));
let server: ReturnType<typeof spawn>;
let baseUrl = "";

beforeAll(async () => {
  // Only what a new user has: none of the variables that the test setup sets.
  const { PATH, HOME } = process.env;
  server = spawn(process.execPath, ["infra/local/main.ts"], {
    env: { PATH, HOME, PORT: "0", DATA_DIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  baseUrl = await new Promise((done, fail) => {
    let printed = "";
    server.once("exit", () => fail(new Error(`the server ended: ${printed}`)));
    server.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const url = /Feedback Board is up: (\S+)/.exec(printed)?.[1];
      if (url) done(url);
    });
  });
});

afterAll(async () => {
  const ended = new Promise((done) => server.once("exit", done));
  server.kill("SIGTERM");
  await ended;
  rmSync(folder, { recursive: true });
});

function tour(): string {
  const [, section = ""] = readFileSync("docs/tour.md", "utf8").split("## A tour with curl\n");
  return /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? "";
}

describe("docs/tour.md", () => {
  it("plays the life of a portal, from setup to a password reset by mail", async () => {
    const { stdout } = await run("bash", ["-c", tour()], { env: { ...process.env, API: baseUrl, DATA_DIR: folder } });
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const [published, voted, onRoadmap, listed, planned, commented, happened, ...rest] = answers;
    const [tried, polled, suspended, refused, reset, set, login, trending, similar] = rest;
    expect(answers).toHaveLength(16);
    expect(published.roadmap).toMatchObject({ name: "Next up", url: "next-up", display: true });
    expect(voted.voters).toMatchObject({ votesCount: 1, votes: [{ name: "Ada" }] });
    expect(onRoadmap.post).toMatchObject({ title: "Dark mode", roadmap_id: published.roadmap.id });
    expect(listed.posts).toHaveLength(1);
    expect(listed.posts[0]).toMatchObject({
      title: "Dark mode",
      contentMarkdown: "At **night**.",
      author: { name: "Ada" },
      board: { name: "Ideas" },
      roadmap: { name: "Next up" },
      voters: { votesCount: 1, viewerVote: null },
    });
    expect(planned.post).toMatchObject({
      status: { id: "planned" },
      response: { text: "Next month.", status: { id: "planned" } },
    });
    expect(commented.activity).toMatchObject({ author: { name: "Ada" }, comment: { body: "I can hardly wait." } });
    expect(happened.activity).toMatchObject([{ type: "comment" }, { type: "status", to: { id: "planned" } }]);
    expect(Object.keys(tried)).toEqual(["status", "ms", "reason"]);
    // Events are listed fifteen seconds after they happened.
    expect(polled.page_info).toMatchObject({ has_next_page: false });
    expect(suspended.user.role).toBe("suspended");
    expect(refused.code).toBe("NOT_ENOUGH_PERMISSION");
    expect(reset).toEqual({ reset: { success: true } });
    expect(set).toEqual({ reset: { success: true } });
    for (const { posts } of [trending, similar]) {
      expect(posts).toMatchObject([{ title: "Dark mode", status: { id: "planned" } }]);
    }
    expect(login.user).toMatchObject({ email: "ada@example.com", name: "Ada" });
  });
});
