import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { aFolder, startServer } from "./support/process/server-process.ts";

/** The commands below a heading of the page. */
function commandsBelow(heading: string): string {
  const [, section = ""] = readFileSync("docs/tour.md", "utf8").split(`## ${heading}\n`);
  return /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? "";
}

async function printedBy(commands: string, env: Record<string, string>): Promise<string> {
  return (await promisify(execFile)("bash", ["-c", commands], { env: { ...process.env, ...env } })).stdout;
}

describe("docs/tour.md", () => {
  const DATA_DIR = aFolder();

  it("plays the life of a portal, from setup to an export of all of it", async () => {
    const server = await startServer({ env: { DATA_DIR } });
    const printed = await printedBy(commandsBelow("A tour with curl"), { API: server.baseUrl, DATA_DIR });
    await server.stop();
    const answers = printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const [published, voted, onRoadmap, listed, planned, commented, happened, merged, ...rest] = answers;
    const [tried, tagged, withTag, policy, blocked, waiting, decided, refused, pinned, locked, ...signIns] = rest;
    const [asked, reset, entered, set, login, reported, kept, linked, ...last] = signIns;
    const [trending, similar, unmerged, audit, figures, personal, receipt, polled, ...exported] = last;
    expect(answers).toHaveLength(36);
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
    expect(pinned.post).toMatchObject({ title: "Dark mode", isPinned: true, isLocked: true });
    expect(locked.code).toBe("POST_LOCKED");
    expect(asked).toEqual({ magic: { success: true } });
    expect(entered.user).toMatchObject({ email: "grace@example.com", name: "New member" });
    expect(reset).toEqual({ reset: { success: true } });
    expect(set).toEqual({ reset: { success: true } });
    const reason = "This is an advertisement.";
    const reports = { count: 1, first: [{ author: { name: "New member" }, reason }] };
    expect(reported.results).toMatchObject([{ kind: "post", title: "Dark mode", reasons: ["reports"], reports }]);
    expect(kept.results).toMatchObject([{ id: pinned.post.postId, outcome: "kept" }]);
    expect(linked.user).toMatchObject({ email: "linus@example.com", name: "Linus" });
    for (const { posts } of [trending, similar]) {
      expect(posts).toMatchObject([{ title: "Dark mode", status: { id: "planned" } }]);
    }
    expect(login.user).toMatchObject({ email: "ada@example.com", name: "Ada" });
    expect(unmerged.post).toMatchObject({ title: "A dark theme", postId: merged.merged.postId });
    expect(audit.records[0]).toMatchObject({ action: "post.unmerged", byName: "Olga", itemName: "A dark theme" });
    expect(figures.days[0]).toMatchObject({ day: figures.from });
    expect(personal).toMatchObject({ account: { email: "grace@example.com" }, reports: [{ reason }] });
    expect(receipt.erasure).toMatchObject({ userId: entered.user.userId, votes: "keep" });
    expect(receipt.erasure.stays).toContainEqual({ what: "votes", until: null });
    expect(polled.events).toMatchObject([
      { type: "post.created", postId: listed.posts[0].postId },
      { type: "post.created", postId: merged.merged.postId },
    ]);
    expect(exported.map(({ title }) => title).sort()).toEqual(["A dark theme", "Dark mode"]);
  });

  it("then looks at the sheets of another portal, writes their rows and takes them back", async () => {
    // The folder, not the table of these tests.
    const ofFolder = { DATA_DIR, DYNAMODB_ENDPOINT: "", TABLE_NAME: "" };
    const printed = await printedBy(commandsBelow("Posts from another portal"), ofFolder);
    expect(printed).toContain("Nothing was written: the same command with --write imports\n");
    // Ada has an account already.
    expect(printed).toContain("Wrote 1 accounts, 1 posts, 2 votes, 0 comments and notes");
    expect(printed).toContain("Removed 1 posts\nRemoved 1 accounts\nNothing of the import is left\n");
    expect(printed.match(/No problems/g)).toHaveLength(2);
  });
});
