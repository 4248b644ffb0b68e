import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { tryOut, write } from "../../../infra/import/import.ts";
import { undo } from "../../../infra/import/undo.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import type { Item } from "../../../infra/operator/check-table/stored.ts";
import * as site from "../../../lib/accounts/site.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import { issue } from "../../../lib/auth/tokens.ts";
import * as lists from "../../../lib/lists/lists.ts";
import type { PostWithVoters } from "../../../lib/posts/posts.ts";
import { familyOf } from "../../../lib/table/families.ts";
import { newId } from "../../../lib/values/ids.ts";
import { invoke, success } from "../../support/http/invoke.ts";
import { expectRanked, expectSound, freshTable } from "../../support/setup.ts";
import { diesAt } from "../../support/store/faults.ts";
import { canaries, LONG, type Portal, portalOf, sourceNames, writeDump } from "../../support/world/dumps.ts";
import { aDumpFolder, unpaced, withoutReport, withoutTraces } from "../../support/world/imports.ts";

// The dump of each source: looked at with 2,000 posts, imported with 12 (POSTS=2000, each night).

const WHOLE = 2000;
const POSTS = Number(process.env.POSTS ?? 12);
const LONGEST_MS = 300_000 + POSTS * 1000;

/** A portal of a real size: ten votes a post, a person for each five posts. */
function aLargePortal(posts: number): Portal {
  return portalOf({ posts, votes: posts * 10, people: posts / 5 });
}

const whole = aLargePortal(WHOLE);
const portal = POSTS > 100 ? aLargePortal(POSTS) : portalOf({ posts: POSTS });

const { folder, problems, reported, orderOf } = aDumpFolder();

let owner: ReturnType<typeof newAccount>;

beforeEach(async () => {
  await freshTable();
  owner = newAccount("olive@example.com", "Olive", "owner");
  await site.setUp("Feedback", owner, "no password", site.firstBoard(newId()));
});

/** The sources that say which posts were merged. */
const MERGING = new Set(["fider", "uservoice", "canny", "jsonl"]);

/** How many posts and votes an import makes of a portal: of a person and a post one vote, also of merged posts. */
function expectedOf({ posts, votes }: Portal, source: string) {
  const byId = new Map(posts.map((post) => [post.id, post]));
  const continuedIn = (id: string): string => {
    const into = MERGING.has(source) ? byId.get(id)?.mergedInto : undefined;
    return into === undefined ? id : continuedIn(into);
  };
  const cast = votes.filter(({ post }) => byId.has(post)).map(({ post, voter }) => `${continuedIn(post)} ${voter}`);
  return {
    posts: posts.filter(({ id }) => continuedIn(id) === id).length,
    votes: new Set(cast).size,
  };
}

/** What the table has of imported posts. */
function countedIn(items: Item[]) {
  const summaries = items.filter(({ pk, sk }) => familyOf(pk) === "POSTS" && sk.endsWith("#VOTERS"));
  const total = (field: string) => summaries.reduce((sum, item) => sum + Number(item[field] ?? 0), 0);
  return { posts: summaries.length, votes: total("count"), comments: total("comments") + total("notes") };
}

/** The counts in a line of the command. */
function countsIn(line = ""): Record<string, number> {
  const found = [...line.matchAll(/(\d+) (posts|votes|comments)/g)];
  return Object.fromEntries(found.map(([, number, name]) => [name, Number(number)]));
}

/** The posts of the site by their titles. */
async function allPosts(): Promise<Map<string, PostWithVoters>> {
  const posts = await lists.read({ order: "asc", offset: 0, limit: 500 });
  return new Map(posts.map((found) => [found.post.title, found]));
}

/** The report of the only import, as the owner reads it. It stays: it holds nothing of a person. */
async function reportForOwner() {
  const token = await issue({ userId: owner.userId, tokenVersion: 1 });
  const { imports } = success(await invoke("imports-list", { token }), 200);
  expect(imports).toHaveLength(1);
  const [report] = imports;
  const kinds = report.problems.map(({ problem }: { problem: string }) => problem);
  expect(kinds).toContainEqual(expect.stringMatching(/: [\w ]+ … is no time between … and now: left out$/));
  expect(kinds.filter((kind: string) => /: .*(?:\d|@|“)/.test(kind))).toEqual([]);
  return report;
}

function keyOf({ pk, sk }: Item): string {
  return `${pk} ${sk}`;
}

async function madeSince(before: Item[]): Promise<Item[]> {
  const keys = new Set(before.map(keyOf));
  return (await scan()).filter((item) => !keys.has(keyOf(item)));
}

const ANNOUNCING = new Set(["OUTBOX", "EVENTS", "NEWS", "NOTICES", "DELIVERIES", "MAIL_TOKEN", "DUE", "API_KEYS"]);

function textOf(item: Item): string {
  return inspect(item, { depth: 9, maxArrayLength: null, maxStringLength: null });
}

/** Expects no role, confirmation, token or key among what was made, and nothing that announces it. */
function expectHarmless(made: Item[]): void {
  const isSecret = (text: string) => text.includes("canary") && canaries.some((canary) => text.includes(canary));
  expect(made.map(textOf).filter(isSecret)).toEqual([]);
  expect(made.filter(({ pk }) => ANNOUNCING.has(familyOf(pk)))).toEqual([]);
  const accounts = made.filter(({ sk }) => sk === "USER");
  expect(accounts.filter(({ role }) => role === "suspended").length).toBeLessThanOrEqual(1);
  expect(accounts.filter(({ role }) => role !== "suspended" && role !== "member")).toEqual([]);
  expect(accounts.filter(({ isVerified, tokenVersion }) => isVerified || tokenVersion !== 1)).toEqual([]);
}

/** Expects the special posts of the portal as they should be here. */
async function expectSpecialPosts(): Promise<void> {
  const posts = await allPosts();
  const textOfPost = (title: string) => posts.get(title)?.post.contentMarkdown;
  expect(textOfPost("Dark mode")).toBe(portal.posts[0]?.body);
  expect(textOfPost("Rich text")).toBe("Hello **you**\n\nx");
  expect(textOfPost("=SUM(A1:A9)")).toBe("+1");
  expect(textOfPost("Emoji 👩‍👩‍👧 and 🇫🇷")).toBe("日本語のテキスト");
  const long = posts.get("A text of 20,001 characters");
  // One holds the end of the text; two are the pieces of a comment of 6,000 characters.
  expect(long?.voters.comments).toBe(3);
  expect(LONG.startsWith(long?.post.contentMarkdown ?? "-")).toBe(true);
}

/** Runs work that is killed again and again, each time later, until it comes to its end. */
async function survived<T>(work: () => Promise<T>): Promise<T> {
  let outcome: T | undefined;
  const finish = async () => {
    outcome = await work();
  };
  for (let call = 30; await diesAt(call, call % 4 === 2 ? "die" : new Error("killed"), finish); call *= 5)
    await expectSound();
  return outcome as T;
}

/** The names that each source has for the time, the text and the title of a post, and for the voter of a vote. */
const columns: Record<string, string[]> = {
  logchimp: ["createdAt", "contentMarkdown", "title", "userId"],
  fider: ["created_at", "description", "title", "user_id"],
  quackback: ["created_at", "content", "title", "voter_email"],
  uservoice: ["Created Timestamp", "Idea Description", "Idea Title", "User Email Address"],
  canny: ["created", "details", "title", "voter"],
  csv: ["Created at", "Content", "Title", "email"],
  jsonl: ["at", "body", "title", "voter"],
};

/** The problems of the special rows of a portal, which each hundred posts have once. */
function problemsOf(source: string): string[] {
  const [at, body, title, voter] = columns[source] as string[];
  return [
    `${at},“2023-02-31 25:00:00” is no time between 2010 and now: left out`,
    `${body},is too long: its end follows in 1 comments`,
    `${title},"has 324 characters: cut to \\d+, and the whole is in the text"`,
    `${voter},is the second vote of a person for a post: left out`,
  ];
}

/** The texts of a dump's files. */
function textsAt(path: string): string[] {
  if (!statSync(path).isDirectory()) return [readFileSync(path, "utf8")];
  return readdirSync(path).map((name) => readFileSync(join(path, name), "utf8"));
}

describe.each(sourceNames)("A dump of %s", (source) => {
  it("has thirty secrets, byte order marks and CR LF", () => {
    const texts = textsAt(writeDump(folder, source, portalOf()));
    expect(canaries.filter((canary) => texts.some((text) => text.includes(canary)))).toHaveLength(30);
    for (const text of texts) {
      expect(text).toContain("\ufeff");
      expect(text).toContain("\r\n");
    }
  });

  it("is looked at with 2,000 posts, which names the rows of all problems and writes nothing", async () => {
    const before = await scan();
    const lines = await tryOut(await orderOf(source, whole), problems());
    expect(countsIn(lines[1])).toMatchObject(expectedOf(whole, source));
    expect(lines.at(-1)).toBe("Nothing was written: the same command with --write imports");
    for (const problem of problemsOf(source)) {
      const rows = [...reported().matchAll(new RegExp(`^([^,]+,\\d+),${problem}$`, "gm"))].map(([, row]) => row);
      expect(new Set(rows).size, problem).toBe(WHOLE / 100);
    }
    expect(await scan()).toEqual(before);
  });

  it("is imported in spite of kills, imported again, and taken back", { timeout: LONGEST_MS }, async () => {
    const order = await orderOf(source, portal);
    const before = await scan();
    const looked = await tryOut(order, problems());
    for (const problem of problemsOf(source)) expect(reported()).toMatch(new RegExp(`,\\d+,${problem}\n`));

    const written = await survived(() => write(order, problems(), unpaced()));
    await expectSound();
    await expectRanked();
    const after = await scan();
    expect(countedIn(after)).toEqual(countsIn(looked[1]));
    expect(countedIn(after)).toMatchObject(expectedOf(portal, source));
    expect(after.filter(({ sk }) => sk === "USER")).toHaveLength(portal.people.length + 1);
    expectHarmless(await madeSince(before));
    await expectSpecialPosts();
    const report = await reportForOwner();
    expect(report).toMatchObject({ name: source, source, state: "done" });
    expect(report.problemCount).toBe(reported().trim().split("\n").length - 1);
    expect(written[0]).toContain(`${report.found.posts} posts, ${report.found.votes} votes,`);

    const again = await write(order, problems(), unpaced());
    expect(again[1]).toMatch(/^Wrote 0 accounts, 0 posts, 0 votes, 0 comments and notes, in \d+ s, with 0 write units/);
    expect(withoutReport(await scan())).toEqual(withoutReport(after));

    expect((await survived(() => undo(source, unpaced()))).at(-1)).toBe("Nothing of the import is left");
    await expectSound();
    expect(withoutTraces(await scan())).toEqual(withoutTraces(before));
  });
});
