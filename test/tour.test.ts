import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { aFolder, startServer } from "./support/process/server-process.ts";

function tour(): string {
  const [, section = ""] = readFileSync("docs/tour.md", "utf8").split("## A tour with curl\n");
  return /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? "";
}

describe("docs/tour.md", () => {
  it("plays the life of a portal, from setup to a password reset by mail", async () => {
    const DATA_DIR = aFolder();
    const { baseUrl: API } = await startServer({ env: { DATA_DIR } });
    const { stdout } = await promisify(execFile)("bash", ["-c", tour()], { env: { ...process.env, API, DATA_DIR } });
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const [published, voted, onRoadmap, listed, planned, commented, happened, merged, ...rest] = answers;
    const [tried, tagged, withTag, policy, blocked, waiting, decided, refused, ...signIns] = rest;
    const [asked, reset, entered, set, login, linked, ...last] = signIns;
    const [trending, similar, polled] = last;
    expect(answers).toHaveLength(25);
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
    expect(merged).toMatchObject({ post: { title: "Dark mode" }, merged: { title: "A dark theme" } });
    expect(Object.keys(tried)).toEqual(["status", "ms", "reason", "reasonCode"]);
    expect(tagged.post.tags).toMatchObject([{ name: "Design" }]);
    expect(withTag.posts).toMatchObject([{ title: "Dark mode" }]);
    expect(policy.moderation).toMatchObject({ links: true, blockedMailDomains: ["spam.example"] });
    expect(blocked.code).toBe("SIGNUP_NOT_ALLOWED");
    expect(waiting.results).toMatchObject([{ kind: "post", title: "Buy now", reasons: ["links"] }]);
    expect(decided.results).toMatchObject([{ id: waiting.results[0].id, outcome: "suspended" }]);
    expect(refused.code).toBe("NOT_ENOUGH_PERMISSION");
    expect(asked).toEqual({ magic: { success: true } });
    expect(entered.user).toMatchObject({ email: "grace@example.com", name: "grace" });
    expect(reset).toEqual({ reset: { success: true } });
    expect(set).toEqual({ reset: { success: true } });
    expect(linked.user).toMatchObject({ email: "linus@example.com", name: "Linus" });
    for (const { posts } of [trending, similar]) {
      expect(posts).toMatchObject([{ title: "Dark mode", status: { id: "planned" } }]);
    }
    expect(login.user).toMatchObject({ email: "ada@example.com", name: "Ada" });
    expect(polled.events).toMatchObject([
      { type: "post.created", postId: listed.posts[0].postId },
      { type: "post.created", postId: merged.merged.postId },
    ]);
  });
});
