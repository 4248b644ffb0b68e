import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { work as announce } from "../../../../functions/background/announce.ts";
import { work as derive } from "../../../../functions/background/derive.ts";
import { work as sendMail } from "../../../../functions/background/send-mail.ts";
import { work as sweep } from "../../../../functions/background/sweep.ts";
import { demoFile as contentOf, type DemoFile } from "../../../../infra/local/demo/demo-file.ts";
import {
  boards as demoBoards,
  merged as demoMerged,
  owner as demoOwner,
  password as demoPassword,
  posts as demoPosts,
  roadmaps as demoRoadmaps,
  lastDay,
} from "../../../../infra/local/demo/demo-set.ts";
import { loadDemo } from "../../../../infra/local/demo/load.ts";
import { demoFileIn } from "../../../../infra/local/service.ts";
import { scan } from "../../../../infra/operator/check-table/check.ts";
import type * as resource from "../../../../lib/http/resources.ts";
import { familyOf } from "../../../../lib/table/families.ts";
import type { Key } from "../../../../lib/table/keys.ts";
import { carryOutAll, invoke, success } from "../../../support/http/invoke.ts";
import { theEngine } from "../../../support/process/operate.ts";
import { aFolder, call, startServer } from "../../../support/process/server-process.ts";
import { expectSound, freshTable } from "../../../support/setup.ts";
import { type Attempt, withFaults } from "../../../support/store/faults.ts";

async function dump(): Promise<Key[]> {
  return (await scan()).sort((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1));
}

/** A sort key without ids, months, and times in the order of trending, which differ from load to load. */
function withoutValues(sk: string): string {
  return sk
    .replace(/^[0-9a-f-]{36}|(?<=[#$*])[0-9a-f-]{36}/g, "id")
    .replace(/\d{4}-\d\d/, "month")
    .replace(/^\d{13}(?=#)/, "time");
}

async function census(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { pk, sk } of await dump()) {
    // Which of the sixteen counters of accounts are there depends on random ids; expectSound adds them up.
    if (pk === "USER_COUNT") continue;
    // The owner of the demo and an earlier one have different words to be found by.
    const kind = pk === "PEOPLE" ? pk : `${familyOf(pk)} ${withoutValues(sk)}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function demoFile(): Promise<DemoFile> {
  return contentOf("http://127.0.0.1:3000/api/v1");
}

async function allPosts(token: string): Promise<resource.Post[]> {
  return (await invoke("posts-list", { token, body: { limit: 50 } })).body.posts;
}

let whole: Record<string, number>;

describe("The demo set", () => {
  let file: DemoFile;
  let posts: resource.Post[];

  beforeAll(async () => {
    await freshTable();
    await loadDemo();
    whole = await census();
    // It sends no mail.
    expect(Object.keys(whole).filter((kind) => kind.startsWith("OUTBOX"))).toEqual([]);
    file = await demoFile();
    posts = await allPosts(file.ownerToken);
  });

  it.each(["top", "trending", "newest"])("has all its posts in the order %s as soon as it is loaded", async (sort) => {
    const { posts } = (await invoke("posts-list", { body: { sort, first: 50 } })).body;
    expect(posts).toHaveLength(demoPosts.length);
  });

  it("shows its boards with their posts, and lists them in demo.json", async () => {
    const query = { limit: "100", created: "asc" };
    const { boards } = (await invoke("boards-list", { token: file.memberToken, query })).body;
    expect(boards.map(({ url }: resource.Board) => url)).toEqual(demoBoards.map(({ url }) => url));
    for (const { post_count } of boards) expect(Number(post_count)).toBeGreaterThan(0);
    expect(file.boards).toEqual(boards.map(({ boardId, name, url }: resource.Board) => ({ boardId, name, url })));
  });

  it("shows its roadmaps in their order, one of them to the team alone, and lists them in demo.json", async () => {
    const list = async (token: string): Promise<resource.RoadmapListItem[]> =>
      (await invoke("roadmaps-list", { token, query: { visibility: "public,private" } })).body.roadmaps;
    const all = await list(file.ownerToken);
    expect(all.map(({ url }) => url)).toEqual(demoRoadmaps.map(({ url }) => url));
    expect(await list(file.memberToken)).toHaveLength(all.length - 1);
    expect(file.roadmaps).toEqual(all.map(({ id, name, url, display, index }) => ({ id, name, url, display, index })));
  });

  it("shows posts and votes of some weeks, none of them from the future, and lists the posts in demo.json", async () => {
    expect(posts).toHaveLength(demoPosts.length);
    const oldest = Math.min(...posts.map(({ createdAt }) => Date.parse(createdAt)));
    expect((Date.now() - oldest) / 86_400_000).toBeLessThan(lastDay);
    const listed: DemoFile["posts"] = [];
    for (const { slug } of posts) {
      const { post } = (await invoke("posts-by-slug", { token: file.ownerToken, body: { slug } })).body;
      const times = [post.createdAt, ...post.voters.votes.map(({ createdAt }: resource.Vote) => createdAt)];
      expect(times).toEqual(times.toSorted());
      expect(Date.parse(times.at(-1))).toBeLessThanOrEqual(Date.now());
      const { postId, board, roadmap } = post;
      listed.push({ postId, slug, boardId: board.boardId, roadmapId: roadmap?.id ?? null });
    }
    const byId = (all: DemoFile["posts"]) => all.toSorted((a, b) => (a.postId < b.postId ? -1 : 1));
    expect(byId(file.posts)).toEqual(byId(listed));
  });

  it("has no completed post on a roadmap of plans", () => {
    const plans = ["under-review", "fuer-spaeter", "planned", "q1-q2", "50-percent-there"];
    const completed = demoPosts.filter(({ status }) => status === "completed");
    expect(completed.filter(({ roadmap = "" }) => plans.includes(roadmap)).map(({ key }) => key)).toEqual([]);
  });

  it.each(demoPosts)("shows a post where its line says, with its status, votes and comments: $key", async (line) => {
    const { title, status = "open" } = line;
    const shown = posts.find((each) => each.title === title) as resource.Post;
    const place = { board: shown.board?.url, roadmap: shown.roadmap?.url, status: shown.status.id };
    expect(place).toEqual({ board: line.board, roadmap: line.roadmap, status });
    const joined = demoMerged.filter(({ into }) => into === line.key);
    const votes = joined.reduce((sum, each) => sum + each.votes, line.votes);
    const comments = [line, ...joined].flatMap((each) => each.comments ?? []);
    expect(shown.voters.votesCount).toBe(votes);
    expect(shown.response?.text).toBe(line.response?.text.join("\n"));
    expect(shown.commentsCount).toBe(comments.filter(({ internal }) => !internal).length);
    const query = { visibility: "public,internal", limit: "50" };
    const request = { token: file.moderatorToken, params: { postId: shown.postId }, query };
    const activity: resource.Activity[] = (await invoke("comments-list", request)).body.activity;

    expect(activity).toHaveLength(comments.length);
    // A comment is after its post and after the one that it answers.
    const ids = activity.map(({ id }) => id);
    expect([shown.postId, ...ids.toReversed()]).toEqual([shown.postId, ...ids].sort());
    const answered = activity.flatMap(({ id, comment }) => (comment.parent_id ? [{ id, to: comment.parent_id }] : []));
    expect(answered).toHaveLength(comments.filter(({ answers }) => answers).length);
    for (const { id, to } of answered) expect(ids.indexOf(to)).toBeGreaterThan(ids.indexOf(id));
  });

  it.each(demoMerged)("leads from a merged post to its target, which names it: $key", async ({ title, into }) => {
    const target = posts.find((each) => each.title === demoPosts.find(({ key }) => key === into)?.title);
    const { postId = "" } = target ?? {};
    const request = { token: file.moderatorToken, params: { postId }, query: {} };
    const { body } = await invoke("posts-merged", request);
    expect(body.votes).toBe("moved");
    expect(body.merged).toHaveLength(1);
    expect(body.merged[0]).toMatchObject({ title, mergedBy: { name: "Mateo Quispe" } });
    const read = await invoke("posts-by-slug", { body: { slug: body.merged[0].slug } });
    expect(read.body.post).toMatchObject({ postId, mergedFrom: { title } });
  });

  it("pins an announcement, locks a post, and says who did so in the audit log", async () => {
    const titlesOf = (field: "isPinned" | "isLocked") => posts.filter((each) => each[field]).map(({ title }) => title);
    expect(titlesOf("isPinned")).toEqual(["Read this first: how we choose what to build"]);
    expect(titlesOf("isLocked")).toEqual(["Android app drains the battery in the background"]);
    const query = { action: "post.updated" };
    const { records } = (await invoke("audit-list", { token: file.ownerToken, query })).body;
    const told = records.map(({ byName, changed }: resource.AuditEntry) => [byName, changed]);
    expect(told).toEqual([
      ["Mateo Quispe", ["locked"]],
      ["Mateo Quispe", ["pinned"]],
    ]);
  });

  it("has a post and a reported comment in the queue of the team", async () => {
    const { results } = (await invoke("moderation-list", { token: file.moderatorToken })).body;
    const shown = results.map(({ kind, reasons, text }: resource.Held) => ({ kind, reasons, text }));
    expect(shown).toEqual([
      { kind: "comment", reasons: ["reports"], text: expect.stringContaining("https://plugins.example") },
      { kind: "post", reasons: ["words"], text: "Free chips for everybody, today only." },
    ]);
  });

  it("shows rising posts among the first that are trending", async () => {
    for (const { postId } of posts) await derive.carryOut(postId, () => false);
    const { body } = await invoke("posts-list", { body: { sort: "trending" } });
    const rising = demoPosts.filter((line) => line.rising).map(({ title }) => title);
    const first: string[] = body.posts.slice(0, 3).map(({ title }: resource.Post) => title);
    expect(first.filter((title) => rising.includes(title))).toHaveLength(2);
  });

  it("holds a token in demo.json for each kind of caller, and accounts that log in with the password there", async () => {
    const [{ postId } = { postId: "" }] = file.posts;
    const vote = async (token: string) => (await invoke("votes-add", { token, body: { postId } })).status;
    const boards = async (token: string) => (await invoke("boards-list", { token })).status;
    const tokens = [file.ownerToken, file.memberToken, file.restrictedToken, file.expiredToken];
    expect(await Promise.all(tokens.map(boards))).toEqual([200, 200, 200, 401]);
    expect(await vote(file.restrictedToken)).toBe(403);
    expect(file.accounts.map(({ role }) => role)).toEqual(["owner", "moderator", "member", "suspended"]);
    for (const { email, password, userId } of file.accounts) {
      const { status, body } = await invoke("auth-log-in", { body: { email, password } });
      expect(status).toBe(200);
      expect(body.user.userId).toEqual(userId);
    }
  });

  it("keeps what people did to it when it is loaded again", async () => {
    const [first, second] = file.posts;
    const token = file.ownerToken;
    const wanted = posts.find(({ voters }) => voters.votesCount > 100);
    await invoke("posts-delete", { token, body: { id: first?.postId } });
    await invoke("votes-remove", { token: file.memberToken, body: { postId: wanted?.postId } });
    await carryOutAll(sweep, sendMail);
    const before = await dump();
    await loadDemo();
    expect(await dump()).toEqual(before);
    await expectSound();
    const after = await demoFile();
    expect(after.posts).toHaveLength(demoPosts.length - 1);
    expect(after.posts[0]).toEqual(second);
  });
});

describe("A load of the demo set", () => {
  it("completes an interrupted one, and leaves the site to an earlier owner", async () => {
    await freshTable();
    const boss = { email: "boss@example.com", password: "correct horse", name: "Ada Earlier" };
    const made = await invoke("auth-set-up", { body: boss });
    await carryOutAll(sendMail, announce);
    // The rules of the earlier owner stay, which hold nothing.
    const { "HELD id": waiting = 0, "USER HELD#id": _way, ...others } = whole;
    // The earlier owner got a mail.
    const items = { ...others, "HELD id": waiting - 1, "MAIL_TOKEN MAIL_TOKEN": 1 };
    for (const transactions of [10, 500]) {
      let left = transactions;
      const broken = withFaults(
        ({ operation }) => (operation === "TransactWriteItems" && left-- <= 0 ? new Error("crash") : "none"),
        () => loadDemo(),
      );
      await expect(broken).rejects.toThrow("crash");
      expect(await census()).not.toEqual(items);
      await expectSound();
    }
    await loadDemo();
    await expectSound();
    expect(await census()).toEqual(items);
    const file = await demoFile();
    expect(file.accounts.map(({ role }) => role)).toEqual(["moderator", "member", "suspended"]);
    const [claims = ""] = file.ownerToken.split(".").slice(1);
    expect(JSON.parse(Buffer.from(claims, "base64url").toString()).sub).toBe(made.body.user.userId);
  });
});

describe("A further load of the demo set", () => {
  const [merged] = demoMerged;
  const [target] = demoPosts.filter(({ key }) => key === merged?.into);

  it.each([
    ["a post that is to be merged", merged],
    ["the post into which another is to be merged", target],
  ])("leaves out %s and was deleted meanwhile", async (_, deleted) => {
    await freshTable();
    const isMerge = ({ operation, input }: Attempt) =>
      operation === "TransactWriteItems" && JSON.stringify(input).includes('"MERGED#');
    await expect(withFaults((each) => (isMerge(each) ? new Error("crash") : "none"), loadDemo)).rejects.toThrow();
    const credentials = { email: demoOwner.email, password: demoPassword };
    const { authToken: token } = success(await invoke("auth-log-in", { body: credentials }), 200).user;
    const ofTitle = (posts: resource.Post[]) => posts.find(({ title }) => title === deleted?.title);
    const post = ofTitle(await allPosts(token));
    success(await invoke("posts-delete", { token, body: { id: post?.postId } }), 204);
    await loadDemo();
    expect(ofTitle(await allPosts(token))).toBeUndefined();
    await carryOutAll(sweep);
    await expectSound();
  });
});

// On the table of these tests, into which the set has been loaded.
describe.runIf(process.platform === "linux")("npm start -- --demo", () => {
  const read = (folder: string): DemoFile => JSON.parse(readFileSync(join(folder, "demo.json"), "utf8"));

  it("writes demo.json at each start, with new tokens and the same data", async () => {
    const DATA_DIR = aFolder();
    const first = await startServer({ options: ["--demo"], env: { DATA_DIR, ...theEngine() } });
    const before = read(DATA_DIR);
    expect(before.baseUrl).toBe(first.baseUrl);
    expect(statSync(join(DATA_DIR, "demo.json")).mode & 0o777).toBe(0o600);
    for (const { email } of before.accounts) expect(first.output()).toContain(email);
    expect(first.output()).toContain(before.accounts[0]?.password);
    await first.stop();
    const second = await startServer({ options: ["--demo"], env: { DATA_DIR, ...theEngine() } });
    const after = read(DATA_DIR);
    for (const what of ["boards", "roadmaps", "posts"] as const) expect(after[what]).toEqual(before[what]);
    expect(after.memberToken).not.toBe(before.memberToken);
    const { body } = await call(after.baseUrl, "GET", "/boards?limit=100", { token: after.memberToken });
    expect(body.boards).toHaveLength(demoBoards.length);
    await second.stop();
  });
});

it("A demo set in memory leaves the demo.json of one on disk", () => {
  const folder = aFolder();
  const file = (name: string) => join(folder, name);
  expect([false, true].map((memory) => demoFileIn({ file }, memory))).toEqual(["demo.json", "demo.json"]);
  writeFileSync(file("table.db"), "");
  expect([false, true].map((memory) => demoFileIn({ file }, memory))).toEqual(["demo.json", "demo-memory.json"]);
});
