import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Reader } from "../../../infra/import/formats/form.ts";
import { openInput } from "../../../infra/import/formats/input.ts";
import { tryOut, write } from "../../../infra/import/import.ts";
import { KEPT_MS, Names, userIdIn } from "../../../infra/import/people.ts";
import { resolve } from "../../../infra/import/resolve.ts";
import { sources } from "../../../infra/import/sources/index.ts";
import { Staging } from "../../../infra/import/staging.ts";
import { undo } from "../../../infra/import/undo.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import type { Item } from "../../../infra/operator/check-table/stored.ts";
import * as erasures from "../../../lib/accounts/erasures.ts";
import * as mailTokens from "../../../lib/accounts/mail-tokens.ts";
import * as newAddress from "../../../lib/accounts/new-address.ts";
import { register } from "../../../lib/accounts/new-users.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import * as catalogue from "../../../lib/catalogue/catalogue.ts";
import * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import * as statuses from "../../../lib/catalogue/statuses.ts";
import * as tags from "../../../lib/catalogue/tags.ts";
import * as lists from "../../../lib/lists/lists.ts";
import { destroy, find, type PostRecord, type PostWithVoters } from "../../../lib/posts/posts.ts";
import { currentRequest, STORE_BUDGET_MS } from "../../../lib/runtime/store-budget.ts";
import { familyOf } from "../../../lib/table/families.ts";
import { SETTLE_MS } from "../../../lib/table/settling.ts";
import { newId } from "../../../lib/values/ids.ts";
import { invoke } from "../../support/http/invoke.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { type Attempt, connectionReset, isTransaction, overtaken, withFaults } from "../../support/store/faults.ts";
import { portalOf, writeDump } from "../../support/world/dumps.ts";
import { aMember, aPost, aTag, aVote } from "../../support/world/fixtures.ts";
import { aDumpFolder, unpaced, withoutReport, withoutTraces } from "../../support/world/imports.ts";
import { mergeInto, takeOut } from "../../support/world/merges.ts";

const { folder, problems, reported, orderOf: orderOfPortal } = aDumpFolder();

beforeEach(async () => {
  await freshTable();
  owner = newAccount("olive@example.com", "Olive", "owner");
  await site.setUp("Feedback", owner, "no password", site.firstBoard(newId()));
});

type Owner = ReturnType<typeof newAccount>;
let owner: Owner;

const portal = portalOf();

function orderOf(source: string, given = portal) {
  return orderOfPortal(source, given);
}

/** The order to import these rows, as a file of JSON lines. */
async function orderOfRows(rows: object[]) {
  const dump = join(folder, "portal.jsonl");
  writeFileSync(dump, rows.map((row) => JSON.stringify(row)).join("\n"));
  const input = await openInput(dump, problems().report);
  return { source: "jsonl", importId: "jsonl", read: sources.jsonl as Reader, input };
}

/** The posts of the site by their titles. */
async function allPosts(): Promise<Map<string, PostWithVoters>> {
  const posts = await lists.read({ order: "asc", offset: 0, limit: 500 });
  return new Map(posts.map((found) => [found.post.title, found]));
}

/** Imports a portal from a source. Returns its posts by their titles. */
async function imported(source: string, given = portal): Promise<Map<string, PostWithVoters>> {
  await write(await orderOf(source, given), problems(), unpaced());
  return allPosts();
}

describe("An import", () => {
  it.each([
    ["fider", ["wish-0", "wish-8", "wish-9"]],
    ["uservoice", ["1000", "1008", "1009"]],
  ])("follows chains of merged posts of %s, whose votes, comments and slugs go to the last", async (source, slugs) => {
    const posts = await imported(source);
    const { post, voters } = posts.get("Dark mode") ?? {};
    expect(posts.has("Dark theme")).toBe(false);
    expect(posts.has("Night mode")).toBe(false);
    expect(voters).toMatchObject({ count: 5, comments: 5 });
    for (const slug of slugs) {
      const { status, body } = await invoke("posts-by-slug", { body: { slug } });
      expect({ status, slug: body.post?.slug }).toEqual({ status: 200, slug: post?.slug });
    }
    expect((await invoke("posts-by-slug", { body: { slug: "wish-999" } })).status).toBe(404);
  });

  it("needs a site with an owner", async () => {
    await freshTable();
    await expect(imported("csv")).rejects.toThrow("The site has no owner yet: set it up first, then import");
  });

  it("refuses a file that the source does not export", async () => {
    const input = await openInput(writeDump(folder, "fider", portal), problems().report);
    const order = { source: "logchimp", importId: "logchimp", read: sources.logchimp as Reader, input };
    await expect(tryOut(order, problems())).rejects.toThrow(
      / has nothing that logchimp exports: see docs\/moving\.md$/,
    );
  });

  it("names what a post refers to and the source does not have, and addresses of two accounts", async () => {
    const rows = [
      { kind: "account", ref: "u1", email: "ada@example.com" },
      { kind: "account", ref: "u2", email: "Ada@Example.com" },
      { kind: "post", ref: "p1", title: "Dark mode", board: "b9", roadmap: "r9", status: "Perhaps" },
      { kind: "comment", ref: "c1", post: "p1", body: "Yes", parent: "c9", author: "u3" },
      { kind: "comment", ref: "c2", post: "p1", body: "No", author: "u4" },
      { kind: "account", ref: "u3", name: "Eve" },
    ];
    const lines = await tryOut(await orderOfRows(rows), problems());
    expect(lines.slice(3)).toEqual([
      "portal.jsonl, row 3: board “b9” is not in the source: the post goes to the oldest board",
      "portal.jsonl, row 3: roadmap “r9” is not in the source: the post is on no roadmap",
      "portal.jsonl, row 3: status “Perhaps” is not in the source: the post is open",
      "portal.jsonl, row 4: parent “c9” is not in the source: the comment answers the post",
      "portal.jsonl, row 6: email “u3” has no address: nobody can claim the account",
      "author “u4” has no address: nobody can claim the account",
      "portal.jsonl, row 2: email “ada@example.com” is of another account, too: they become one",
      expect.stringMatching(/^7 problems, all of them in /),
      "Nothing was written: the same command with --write imports",
    ]);
  });

  it("lets comments that answer each other, or one on another post, answer the post", async () => {
    const rows = [
      { kind: "post", ref: "p1", title: "Dark mode" },
      { kind: "post", ref: "p2", title: "Light mode" },
      { kind: "comment", ref: "c1", post: "p1", body: "One", parent: "c2", at: "2024-01-01" },
      { kind: "comment", ref: "c2", post: "p1", body: "Two", parent: "c3", at: "2024-01-02" },
      { kind: "comment", ref: "c3", post: "p1", body: "Three", parent: "c1", at: "2024-01-03" },
      { kind: "comment", ref: "c4", post: "p1", body: "Self", parent: "c4", at: "2024-01-04" },
      { kind: "comment", ref: "c5", post: "p1", body: "Answer", parent: "c4", at: "2024-01-05" },
      { kind: "comment", ref: "c6", post: "p2", body: "Elsewhere", parent: "c4" },
    ];
    await write(await orderOfRows(rows), problems(), unpaced());
    const comments = (await scan()).filter(({ body }) => body !== undefined);
    const answered = ({ parentId }: Item) => comments.find(({ sk }) => sk === parentId)?.body;
    expect(Object.fromEntries(comments.map((comment) => [comment.body, answered(comment)]))).toEqual({
      One: "Two",
      Two: "Three",
      Three: undefined,
      Self: undefined,
      Answer: "Self",
      Elsewhere: undefined,
    });
    const what = "is no earlier comment on the post: the comment answers the post";
    expect(reported().trim().split("\n").slice(1)).toEqual([
      `portal.jsonl,5,parent,“c1” ${what}`,
      `portal.jsonl,6,parent,“c4” ${what}`,
      `portal.jsonl,8,parent,“c4” ${what}`,
    ]);
  });

  it("keeps a person whose id is a word that the import could use itself", async () => {
    const rows = [
      { kind: "account", ref: "nobody", email: "nora@example.com", name: "Nora" },
      { kind: "post", ref: "p1", title: "Without an author" },
      { kind: "post", ref: "p2", title: "Of Nora", author: "nobody" },
    ];
    await write(await orderOfRows(rows), problems(), unpaced());
    const posts = await allPosts();
    const authorOf = (title: string) => posts.get(title)?.post.author.name;
    expect([authorOf("Without an author"), authorOf("Of Nora")]).toEqual(["Deleted user", "Nora"]);
    expect(await users.idOf("nora@example.com")).toBeDefined();
  });

  it("lets a slug that several posts have lead to the first of them, and says so", async () => {
    const rows = ["One", "Two", "Three"].map((title) => ({ kind: "post", ref: title, title, slug: "same" }));
    await write(await orderOfRows(rows), problems(), unpaced());
    expect((await invoke("posts-by-slug", { body: { slug: "same" } })).body.post?.title).toBe("One");
    expect(reported().trim().split("\n").slice(1)).toEqual(
      [2, 3].map((row) => `portal.jsonl,${row},slug,“same” is the slug of an earlier post: it leads there`),
    );
  });

  it("leaves a slug that leads to a post of another import, and so does its undo", async () => {
    const rowsOf = (title: string) => [{ kind: "post", ref: "p1", title, slug: "same" }];
    const secondOf = async () => ({ ...(await orderOfRows(rowsOf("Second"))), importId: "second" });
    const leadsTo = async () => (await invoke("posts-by-slug", { body: { slug: "same" } })).body.post?.title;
    await write(await orderOfRows(rowsOf("First")), problems(), unpaced());
    await write(await secondOf(), problems(), unpaced());
    expect(reported()).toContain("portal.jsonl,1,slug,“same” leads to another post here: it still does");
    const after = await scan();
    await write(await secondOf(), problems(), unpaced());
    expect(withoutReport(await scan())).toEqual(withoutReport(after));
    expect(await leadsTo()).toBe("First");
    await undo("second", unpaced());
    expect(await leadsTo()).toBe("First");
    await undo("jsonl", unpaced());
    await write(await secondOf(), problems(), unpaced());
    expect(await leadsTo()).toBe("Second");
  });

  it("leaves a slug where an earlier run let it lead, and says so of each post that has it now", async () => {
    const first = { kind: "post", ref: "p1", title: "First", slug: "same" };
    const other = { kind: "post", ref: "p2", title: "Other", slug: "other" };
    await write(await orderOfRows([first, other]), problems(), unpaced());
    const newer = { kind: "post", ref: "p0", title: "Newer", slug: "same" };
    await write(await orderOfRows([newer, { ...other, mergedInto: "p0" }]), problems(), unpaced());
    const what = "leads to another post here: it still does";
    expect(reported().trim().split("\n").slice(1)).toEqual(
      ["same", "other"].map((slug) => `portal.jsonl,1,slug,“${slug}” ${what}`),
    );
    expect((await invoke("posts-by-slug", { body: { slug: "same" } })).body.post?.title).toBe("First");
    await undo("jsonl", unpaced());
    await expectSound();
  });

  it("prints three problems of a kind, so that other kinds have room too", async () => {
    const bad = Array.from({ length: 30 }, (_, n) => ({ kind: "post", ref: `p${n}`, title: `Wish ${n}`, at: "soon" }));
    const lines = await tryOut(await orderOfRows([...bad, { kind: "vote", post: "p0" }]), problems());
    expect(lines.slice(3, -2)).toEqual([
      ...[1, 2, 3].map((row) => `portal.jsonl, row ${row}: at “soon” is no time between 2010 and now: left out`),
      "portal.jsonl, row 31: voter is missing: the vote is left out",
    ]);
    expect(lines.at(-2)).toMatch(/^31 problems, all of them in /);
  });

  it("keeps an unknown key, which may be an address, out of the report that stays in the table", async () => {
    const report = problems();
    const order = await orderOfRows([{ kind: "tag", ref: "t1", name: "Mobile", "ada@example.com": true }]);
    await tryOut(order, report);
    const what = "is no field of a tag, here and in further lines: not read";
    expect(reported()).toContain(`portal.jsonl,1,key,"“ada@example.com” ${what}"`);
    expect(report.summary.kinds).toEqual([{ problem: `portal.jsonl: key … ${what}`, count: 1 }]);
  });

  it("brings tags in, each name once whatever its case, and takes them back", async () => {
    const known = await aTag({ name: "mobile" });
    const refs = Array.from({ length: 12 }, (_, n) => `t${n}`);
    const rows = [
      ...refs.map((ref, n) => ({
        kind: "tag",
        ref,
        name: n < 2 ? ["Mobile", "MOBILE"][n] : `Tag ${ref}`,
        color: "0a5fa8",
      })),
      { kind: "post", ref: "p1", title: "Dark mode", tags: ["t0", "t1", "t9", "of nobody"] },
      { kind: "post", ref: "p2", title: "Bright mode", tags: refs },
    ];
    await write(await orderOfRows(rows), problems(), unpaced());
    expect(reported()).toMatch(/,tags,“of nobody” is not in the source: left out\n/);
    expect(reported()).toMatch(/,tags,are 12: only the first 10 come in\n/);
    const made = await tags.all();
    expect(made).toHaveLength(11);
    const posts = await allPosts();
    const named = made.filter(({ name }) => name === "mobile" || name === "Tag t9").map(({ tagId }) => tagId);
    expect(posts.get("Dark mode")?.post.tagIds).toEqual(named.toSorted());
    // Ten of the source, of which two have one name here.
    expect(posts.get("Bright mode")?.post.tagIds).toHaveLength(9);
    await expectSound();
    const before = await scan();
    await write(await orderOfRows(rows), problems(), unpaced());
    expect(withoutReport(await scan())).toEqual(withoutReport(before));
    await undo("jsonl", unpaced());
    expect(await tags.all()).toEqual([known]);
    await expectSound();
  });

  it("says before it writes which statuses and tags find no place, and loses no post of theirs", async () => {
    const room = statuses.MAX_STATUSES - (await statuses.read()).statuses.length;
    await aTag({ name: "of the site" });
    const entries = (kind: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({ kind, ref: `${kind} ${n}`, name: `${kind} ${n}` }));
    const ofStatuses = entries("status", room + 1);
    const planned = { kind: "status", ref: "late", name: "Late", category: "planned" };
    const ofTags = entries("tag", tags.MAX_TAGS);
    const titled = (title: string, more: object) => ({ kind: "post", ref: title, title, ...more });
    const posts = [
      titled("Within", { status: "status 0", tags: ["tag 0", `tag ${tags.MAX_TAGS - 1}`] }),
      titled("Beyond", { status: `status ${room}`, tags: [`tag ${tags.MAX_TAGS - 1}`] }),
      titled("Planned", { status: "late" }),
    ];
    const order = await orderOfRows([...ofStatuses, planned, ...ofTags, ...posts]);
    const looked = await tryOut(order, problems());
    expect(looked[2]).not.toMatch(/Late|status 15|tag 99/);
    const told = reported();
    const inRow = (row: number, what: string) => `portal.jsonl,${row},${what}`;
    expect(told.trim().split("\n").slice(1)).toEqual([
      inRow(room + 1, "status,“status 15” finds no place among 20 statuses: its posts are open"),
      inRow(room + 2, "status,“Late” finds no place among 20 statuses: its posts are planned"),
      inRow(room + 102, "tag,“tag 99” finds no place among 100 tags: its posts come in without it"),
    ]);

    await write(order, problems(), unpaced());
    expect(reported()).toBe(told);
    const { statuses: ofSite, tags: tagsOfSite } = await catalogue.read();
    expect([ofSite.length, tagsOfSite.length]).toEqual([statuses.MAX_STATUSES, tags.MAX_TAGS]);
    const made = await allPosts();
    const shown = posts.map(({ title }) => {
      const { status, tagIds = [] } = made.get(title)?.post ?? {};
      const name = ofSite.find(({ letter }) => letter === status)?.name;
      return [name, ...tagIds.map((id) => tagsOfSite.find(({ tagId }) => tagId === id)?.name)];
    });
    expect(shown).toEqual([["status 0", "tag 0"], ["Open"], ["Planned"]]);
    await expectSound();
    expect((await tryOut(order, problems()))[2]).toMatch(/new statuses: none; new tags: none$/);
    expect(reported()).toBe(told);
  });

  it("names people as their sheet does", async () => {
    const sheets = join(folder, "named");
    mkdirSync(sheets);
    writeFileSync(join(sheets, "posts.csv"), "Title,Author,E-Mail\nDark mode,Cleo,\n");
    writeFileSync(join(sheets, "votes.csv"), "Post,E-Mail\nDark mode,dan@example\n");
    const input = await openInput(sheets, problems().report);
    await tryOut({ source: "csv", importId: "csv", read: sources.csv as Reader, input }, problems());
    expect(reported().trim().split("\n").slice(1)).toEqual([
      "votes.csv,2,E-Mail,“dan@example” is no address: left out",
      "votes.csv,2,E-Mail,“dan@example” is of nobody with an address: the row is left out",
      "posts.csv,2,E-Mail,“Cleo” has no address: nobody can claim the account",
      "votes.csv,2,E-Mail,“dan@example” has no address and wrote nothing: the person is left out",
    ]);
  });

  it("names people without an address who wrote nothing, and counts them", async () => {
    const rows = [
      { kind: "account", ref: "u1", name: "Silent" },
      { kind: "account", ref: "u2", name: "Author" },
      { kind: "account", ref: "u3", name: "Voter" },
      { kind: "post", ref: "p1", title: "Dark mode", author: "u2" },
      { kind: "vote", post: "p1", voter: "u3" },
    ];
    const report = problems();
    const lines = await tryOut(await orderOfRows(rows), report);
    const what = "has no address and wrote nothing: the person is left out";
    expect(lines[0]).toMatch(/^Found 1 people, /);
    expect(lines).toEqual(expect.arrayContaining([1, 3].map((n) => `portal.jsonl, row ${n}: email “u${n}” ${what}`)));
    expect(report.summary.kinds[0]).toEqual({ problem: `portal.jsonl: email … ${what}`, count: 2 });
    await write(await orderOfRows(rows), problems(), unpaced());
    expect((await scan()).filter(({ sk }) => sk === "USER")).toHaveLength(2);
  });

  it("makes one board, roadmap and status of names that differ in their case", async () => {
    const kinds = ["board", "roadmap", "status"];
    const entries = kinds.flatMap((kind) => ["Web", "WEB"].map((name) => ({ kind, ref: name, name })));
    const own = [1, 2].map((n) => ({ kind: "board", ref: `own ${n}`, name: "Own", url: `own-${n}` }));
    const post = { kind: "post", title: "Dark mode", board: "WEB", roadmap: "WEB", status: "WEB" };
    const rows = [...entries, ...own, { ...post, ref: "p1" }, { ...post, ref: "p2", board: "own 2" }];
    const looked = await tryOut(await orderOfRows(rows), problems());
    expect(looked).toContain("New boards: Web, Own, Own; new roadmaps: Web; new statuses: Web; new tags: none");
    await write(await orderOfRows(rows), problems(), unpaced());
    const { boards: made } = await catalogue.read();
    expect(made.map(({ url }) => url)).toEqual(expect.arrayContaining(["web", "own-1", "own-2"]));
    expect(made).toHaveLength(4);
    const found = await lists.read({ order: "asc", offset: 0, limit: 10 });
    const urlOf = (boardId = "") => made.find((board) => board.boardId === boardId)?.url;
    expect(found.map(({ post: { boardId } }) => urlOf(boardId)).toSorted()).toEqual(["own-2", "web"]);
    await expectSound();
  });

  it("lets every former address lead to a post that many were merged into", async () => {
    const orderOfSome = (merged: number) => {
      const posts = Array.from({ length: merged }, (_, n) => ({
        ...{
          kind: "post",
          ref: `p${n}`,
          title: `Wish ${n}`,
          slug: `wish-${n}`,
          mergedInto: n === 0 ? undefined : "p0",
        },
      }));
      return orderOfRows(posts);
    };
    const leadsTo = async (slug: string) => (await invoke("posts-by-slug", { body: { slug } })).body.post?.title;
    const before = await scan();
    await write(await orderOfSome(150), problems(), unpaced());
    for (const n of [0, 42, 43, 132, 133, 149]) expect(await leadsTo(`wish-${n}`)).toBe("Wish 0");
    const after = await scan();
    await write(await orderOfSome(150), problems(), unpaced());
    expect(withoutReport(await scan())).toEqual(withoutReport(after));
    await write(await orderOfSome(152), problems(), unpaced());
    expect(await leadsTo("wish-151")).toBe("Wish 0");
    await expectSound();
    expect((await undo("jsonl", unpaced())).at(-1)).toBe("Nothing of the import is left");
    await expectSound();
    expect(withoutTraces(await scan())).toEqual(withoutTraces(before));
  });

  it("keeps the official response of a merged post in its comment", async () => {
    const rows = [
      { kind: "post", ref: "p1", title: "Dark mode" },
      { kind: "post", ref: "p2", title: "Night mode", body: "Please", mergedInto: "p1", response: "Soon\n\nVery soon" },
    ];
    await write(await orderOfRows(rows), problems(), unpaced());
    const bodies = (await scan()).flatMap(({ body }) => body ?? []);
    expect(bodies).toEqual(["**Night mode**\n\nPlease\n\n> Soon\n> \n> Very soon"]);
  });

  it("lists every row that leads nowhere, however many they are", () => {
    const staging = new Staging();
    onTestFinished(() => staging.close());
    let found = 0;
    const place = { file: "votes.csv", row: 2 };
    const count = () => void found++;
    for (let n = 0; n < 100_001; n++)
      staging.add({ kind: "vote", place, value: { post: "p1", voter: `u${n}` } }, count);
    resolve(staging, "csv", count);
    expect(found).toBe(100_001);
  });

  it("adds to a second run only what is new in the dump", async () => {
    await imported("csv");
    const more = portalOf({ posts: 14, votes: 70 });
    const lines = await write(await orderOf("csv", more), problems(), unpaced());
    expect(lines[1]).toMatch(/^Wrote 0 accounts, 2 posts, 10 votes, 2 comments and notes/);
    await expectSound();
  });

  it("finds the accounts that are there, by their addresses", async () => {
    const ada = newAccount("person.3@example.com", "Ada", "member");
    await register(ada, "no password");
    await imported("csv");
    expect(await users.idOf("person.3@example.com")).toBe(ada.userId);
    expect(await users.find(ada.userId)).toMatchObject({ name: "Ada" });
    expect((await undo("csv", unpaced())).at(-1)).toBe("Nothing of the import is left");
    expect(await users.find(ada.userId)).toMatchObject({ name: "Ada" });
    expect((await scan()).filter(({ pk }) => familyOf(pk).startsWith("IMPORT"))).toEqual([]);
    await expectSound();
  });

  it("makes no account of a person who had one, and deleted it since", async () => {
    const email = "person.3@example.com";
    const ada = newAccount(email, "Ada", "member");
    await register(ada, "no password");
    await imported("csv");
    await erasures.erase(ada.userId, { ...ada, keyIds: [] }, { by: ada.userId, votes: "keep" });
    const lines = await write(await orderOf("csv"), problems(), unpaced());
    expect(lines).toContainEqual(expect.stringMatching(/^Wrote 0 accounts, 0 posts, 0 votes, 0 comments and notes/));
    expect(await users.idOf(email)).toBeUndefined();
  });

  it("makes no account of a person who signed up while it ran, and deleted the account since", async () => {
    const rows = [{ kind: "account", ref: "u1", email: "ada@example.com" }];
    const ada = newAccount("ada@example.com", "Ada", "member");
    const order = await orderOfRows(rows);
    const isOpening = (attempt: Attempt) =>
      isTransaction(attempt) && JSON.stringify(attempt.input).includes("ada@example.com");
    await overtaken(
      () => write(order, problems(), unpaced()),
      () => register(ada, "no password"),
      isOpening,
    );
    await erasures.erase(ada.userId, { ...ada, keyIds: [] }, { by: ada.userId, votes: "keep" });
    await write(await orderOfRows(rows), problems(), unpaced());
    expect(await users.idOf("ada@example.com")).toBeUndefined();
  });

  it("gives what is new in the dump to a person who has another address by now", async () => {
    const ada = newAccount("ada@example.com", "Ada", "member");
    const post = { kind: "post", author: "u1" };
    await register(ada, "no password");
    const account = { kind: "account", ref: "u1", email: "ada@example.com" };
    await write(await orderOfRows([account, { ...post, ref: "p1", title: "First" }]), problems(), unpaced());
    await newAddress.ask(ada, "ada@example.org");
    const asked = (await users.find(ada.userId)) as users.UserRecord;
    const token = await mailTokens.issue("verify-email", { ...asked, email: "ada@example.org" });
    const mailed = (await mailTokens.find("verify-email", token)) as mailTokens.MailToken;
    expect(await newAddress.take(token, mailed, asked)).toBe("taken");
    await write(await orderOfRows([account, { ...post, ref: "p2", title: "Second" }]), problems(), unpaced());
    const posts = await allPosts();
    expect(posts.get("Second")?.post.author.userId).toBe(ada.userId);
  });

  it("makes nothing again that was deleted", async () => {
    const posts = await imported("csv");
    const { post } = posts.get("Dark mode") as PostWithVoters;
    await destroy(post);
    await imported("csv");
    expect(await find(post.postId)).toBeUndefined();
  });

  it("brings later posts where an earlier run put others, though all has other names by now", async () => {
    const kinds = ["board", "roadmap", "status", "tag"];
    const entries = kinds.map((kind) => ({ kind, ref: "x", name: "日本" }));
    const post = { kind: "post", board: "x", roadmap: "x", status: "x", tags: ["x"] };
    await write(await orderOfRows([...entries, { ...post, ref: "p1", title: "First" }]), problems(), unpaced());
    const before = await catalogue.read();
    const isMade = ({ name }: { name: string }) => name === "日本";
    const board = (await boards.all()).find(isMade) as boards.BoardRecord;
    await boards.change(board, { name: "Nihon", url: "nihon" });
    await roadmaps.change(before.roadmaps.find(isMade) as roadmaps.RoadmapRecord, { name: "Nihon", url: "nihon" });
    await tags.change(before.tags.find(isMade) as tags.TagRecord, { name: "Nihon" });
    const list = await statuses.read();
    const renamed = list.statuses.map((status) => (isMade(status) ? { ...status, name: "Nihon" } : status));
    await statuses.replace(list, renamed);
    // Ids are made of the Latin letters of names. Neither name has any, so both statuses want the same id.
    const more = { kind: "status", ref: "y", name: "한국" };
    const rows = [...entries, more, { ...post, ref: "p2", title: "Second" }];
    await write(await orderOfRows(rows), problems(), unpaced());
    const posts = await allPosts();
    const placeOf = (title: string) => {
      const { boardId, roadmapId, status, tagIds } = posts.get(title)?.post ?? {};
      return { boardId, roadmapId, status, tagIds };
    };
    expect(placeOf("Second")).toEqual(placeOf("First"));
    const { statuses: left } = await catalogue.read();
    expect(left.slice(-2).map(({ name }) => name)).toEqual(["Nihon", "한국"]);
    await expectSound();
  });

  it("makes no board, roadmap, status or tag again that was deleted, also behind new ones", async () => {
    const [first, second, third, ...further] = ["First", "Second", "Third", "Fresh", "Fresher"].map((name) => ({
      ref: name,
      name,
    }));
    const kinds = ["board", "roadmap", "status", "tag"];
    const rowsOf = (...entries: unknown[]) =>
      kinds.flatMap((kind) => entries.map((entry) => ({ kind, ...(entry as object) })));
    await write(await orderOfRows(rowsOf(first, second, third)), problems(), unpaced());
    const isSecond = ({ name }: { name: string }) => name === "Second";
    await boards.remove((await boards.all()).find(isSecond) as boards.BoardRecord);
    const order = await roadmaps.allWithOrder();
    await roadmaps.remove(order.roadmaps.find(isSecond) as roadmaps.RoadmapRecord, order);
    await tags.remove((await tags.all()).find(isSecond) as tags.TagRecord);
    await statuses.remove(await statuses.read(), "second");
    const looked = await tryOut(await orderOfRows(rowsOf(...further, first, second, third)), problems());
    const fresh = "Fresh, Fresher";
    expect(looked).toContain(
      `New boards: ${fresh}; new roadmaps: ${fresh}; new statuses: ${fresh}; new tags: ${fresh}`,
    );
    await write(await orderOfRows(rowsOf(...further, first, second, third)), problems(), unpaced());
    const { statuses: ofSite, ...site } = await catalogue.read();
    const namesOf = (entries: { name: string }[]) => entries.map(({ name }) => name);
    const left = ["First", "Third", "Fresh", "Fresher"];
    expect(namesOf(site.boards).slice(1).toSorted()).toEqual(left.toSorted());
    expect(namesOf(site.roadmaps)).toEqual(left);
    expect(namesOf(site.tags)).toEqual(left.toSorted());
    expect(namesOf(ofSite).slice(-4)).toEqual(left);
    await expectSound();
  });

  it("reads on in its journal when the table was too slow for a page of it", async () => {
    await imported("csv");
    const order = await orderOf("csv");
    let slow: object | undefined;
    const isTooSlow = ({ operation, input }: Attempt) => {
      if (operation !== "Query" || !JSON.stringify(input).includes("IMPORTED#")) return "none";
      slow ??= currentRequest();
      return currentRequest() === slow ? connectionReset() : "none";
    };
    const lines = await withFaults(isTooSlow, () => write(order, problems(), unpaced()));
    expect(lines[1]).toMatch(/^Wrote 0 accounts, 0 posts, 0 votes, 0 comments and notes/);
  });

  it("keeps a name for five seconds, so that a rename and an erasure find what it wrote", async () => {
    const ada = newAccount("ada@example.com", "Ada", "member");
    await register(ada, "no password");
    const staging = new Staging();
    onTestFinished(() => staging.close());
    staging.run("INSERT INTO people VALUES (?, NULL, NULL, 0, ?)", ada.email, ada.userId);
    const names = new Names((email) => userIdIn(staging, email));
    expect((await names.of([ada.email])).get(ada.email)?.name).toBe("Ada");
    await erasures.erase(ada.userId, { ...ada, keyIds: [] }, { by: ada.userId, votes: "keep" });
    expect((await names.of([ada.email])).size).toBe(1);
    const later = performance.now() + KEPT_MS + 1;
    vi.spyOn(performance, "now").mockReturnValue(later);
    onTestFinished(() => void vi.restoreAllMocks());
    expect((await names.of([ada.email])).size).toBe(0);
    expect(KEPT_MS + STORE_BUDGET_MS).toBeLessThan(SETTLE_MS);
  });

  it("makes no status again that was archived", async () => {
    const later = { ...portal, posts: portal.posts.map((post) => ({ ...post, status: "Perhaps later" })) };
    await imported("csv", later);
    const { statuses: made, version } = await statuses.read();
    expect(made.map(({ name }) => name)).toContain("Perhaps later");
    const kept = made.filter(({ name }) => name !== "Perhaps later");
    const archived = await statuses.replace({ statuses: made, version }, kept);
    await imported("csv", {
      ...later,
      posts: [...later.posts, { ...later.posts[2], id: "13", title: "One more" }] as never,
    });
    expect((await statuses.read()).statuses).toEqual(archived);
  });
});

describe("An undo", () => {
  it("continues after the table was too slow for what it reads in its journal", async () => {
    await imported("csv");
    const slow = new Map<string, object | undefined>();
    // The first request for the entries of a kind, and the first for one of them.
    const isTooSlow = ({ operation, input }: Attempt) => {
      const { ":pk": pk, ":from": from } = (input.ExpressionAttributeValues ?? {}) as Record<string, { S: string }>;
      if (operation !== "Query" || !from || !pk?.S.startsWith("IMPORTED#")) return "none";
      const kind = from.S.slice(0, 2);
      if (!slow.has(kind)) slow.set(kind, currentRequest());
      return slow.get(kind) === currentRequest() ? connectionReset() : "none";
    };
    const lines = await withFaults(isTooSlow, () => undo("csv", unpaced()));
    expect(lines.at(-1)).toBe("Nothing of the import is left");
    expect([...slow.keys()]).toEqual(expect.arrayContaining(["p", "p#", "a", "a#", "v", "c"]));
    await expectSound();
  });

  it("leaves posts that were merged since, and those into which others were merged", async () => {
    const posts = await imported("csv");
    const [duplicate, target, other] = [...posts.values()].map(({ post }) => post) as [
      PostRecord,
      PostRecord,
      PostRecord,
    ];
    await mergeInto(duplicate, target.postId);
    await mergeInto(await aPost(await aMember()), other.postId);
    const lines = await undo("csv", unpaced());
    expect(lines).toContain("Removed 9 posts; 3 stay, because people have used them");
    await expectSound();
    await takeOut(duplicate);
    expect(await find(duplicate.postId)).toMatchObject({ title: duplicate.title });
  });

  it("leaves the former addresses of a post that gets a vote meanwhile", async () => {
    const rows = Array.from({ length: 150 }, (_, n) => ({
      ...{ kind: "post", ref: `p${n}`, title: `Wish ${n}`, slug: `wish-${n}` },
      ...(n > 0 && { mergedInto: "p0" }),
    }));
    await write(await orderOfRows(rows), problems(), unpaced());
    const { post } = (await allPosts()).get("Wish 0") as PostWithVoters;
    const guest = await aMember();
    const { slow: lines } = await overtaken(
      () => undo("jsonl", unpaced()),
      () => aVote(post.postId, guest),
      (attempt) => isTransaction(attempt) && JSON.stringify(attempt.input).includes(post.postId),
    );
    expect(lines).toContain("Removed 0 posts; 1 stay, because people have used them");
    for (const n of [0, 42, 43, 149])
      expect((await invoke("posts-by-slug", { body: { slug: `wish-${n}` } })).body.post?.title).toBe("Wish 0");
    await expectSound();
  });

  it("leaves posts, accounts and boards that people have used since, and says so", async () => {
    const posts = await imported("csv");
    const { post } = posts.get("Dark mode") as PostWithVoters;
    const guest = newAccount("guest@example.com", "Guest", "member");
    await register(guest, "no password");
    await aVote(post.postId, guest);
    await aPost(guest, { title: "Of a guest", ...(post.boardId !== undefined && { boardId: post.boardId }) });
    const lines = await undo("csv", unpaced());
    expect(lines).toContain("Removed 11 posts; 1 stay, because people have used them");
    expect(lines).toContain("Removed 1 boards; 1 stay, because people have used them");
    expect(lines.at(-1)).toBe("The same command again removes what became unused");
    await expectSound();
    const left = await lists.read({ order: "asc", offset: 0, limit: 10 });
    expect(left.map(({ post: { title } }) => title)).toEqual(["Dark mode", "Of a guest"]);
    expect(left[0]?.voters.count).toBe(6);
  });
});
