import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openInput } from "../../../infra/import/formats/input.ts";
import { write } from "../../../infra/import/import.ts";
import { Problems } from "../../../infra/import/problems.ts";
import { fider } from "../../../infra/import/sources/fider.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { run as exportCommand } from "../../../infra/operator/export.ts";
import { run as importCommand } from "../../../infra/operator/import.ts";
import * as accountErasures from "../../../lib/accounts/erasures.ts";
import { handOver } from "../../../lib/accounts/hand-over.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import { ownRows } from "../../../lib/moving/form.ts";
import { allEntries, entryKey, find, subjectOf } from "../../../lib/moving/journal.ts";
import { workshop } from "../../../lib/moving/work.ts";
import { findMerged } from "../../../lib/posts/merged-posts.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as subscriptions from "../../../lib/posts/subscriptions.ts";
import { familyOf } from "../../../lib/table/families.ts";
import { put } from "../../../lib/table/parts.ts";
import * as votes from "../../../lib/votes/votes.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import { operateHere } from "../../support/process/operate.ts";
import { expectRanked, expectSound, freshTable } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { type Attempt, isTransaction, withFaults } from "../../support/store/faults.ts";
import { transactRaw } from "../../support/store/raw-calls.ts";
import { portalOf, writeDump } from "../../support/world/dumps.ts";
import { aBoard, aComment, aMember, anOwner, aPost, aUser, aVote } from "../../support/world/fixtures.ts";
import { sendLetters, tokenIn } from "../../support/world/letters.ts";
import { mergeInto, moveAll, takeOut } from "../../support/world/merges.ts";
import { aWholeSite, hardTexts, OWNER_PASSWORD, type WholeSite } from "../../support/world/whole-site.ts";

const folder = mkdtempSync(join(tmpdir(), "exports-"));
afterAll(() => rmSync(folder, { recursive: true }));
const problems = join(folder, "problems.csv");
const reported = () => readFileSync(problems, "utf8");

let files = 0;
/** A name for a file or folder that nothing has. */
const unusedPath = () => join(folder, `export-${files++}`);

async function exported(...more: string[]): Promise<{ path: string; text: string; output: string }> {
  const path = unusedPath();
  const { code, output } = await operateHere(exportCommand, ["--format", "jsonl", path, ...more]);
  expect(output).toContain(` to ${path}, in `);
  expect(code).toBe(0);
  return { path, text: readFileSync(path, "utf8"), output };
}

function bringIn(path: string, ...more: string[]) {
  return operateHere(importCommand, ["jsonl", path, "--problems", problems, ...more]);
}

async function restored(path: string, ...more: string[]): Promise<string> {
  await freshTable();
  const { code, output } = await bringIn(path, "--write", ...more);
  expect(output).toContain("No problems");
  expect(code).toBe(0);
  return output;
}

type Row = Record<string, unknown> & { kind: string };

function rowsIn(text: string): Row[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

let whole: WholeSite;
let plain: Awaited<ReturnType<typeof exported>>;
let withAll: Awaited<ReturnType<typeof exported>>;
let boardsOfOrigin: Map<string, unknown>;

/** The boards of the merged posts from which comments came, by the ids of the comments. */
async function readBoardsOfOrigin(): Promise<Map<string, unknown>> {
  return new Map((await scan()).flatMap(({ sk, fromBoard }) => (fromBoard === undefined ? [] : [[sk, fromBoard]])));
}

beforeAll(async () => {
  await freshTable();
  whole = await aWholeSite();
  const found = new Problems(problems);
  const input = await openInput(writeDump(folder, "fider", portalOf()), found.report);
  const order = { source: "fider", importId: "fider", read: fider, input };
  await write(order, found, workshop(Number.POSITIVE_INFINITY));
  await mergeAnImportedPost();
  await expectSound();
  plain = await exported();
  withAll = await exported("--with-credentials");
  boardsOfOrigin = await readBoardsOfOrigin();
});

/** Merges a post that has the slug of another portal. */
async function mergeAnImportedPost(): Promise<void> {
  const [entry] = (await allEntries("fider", entryKey("post"))).filter(({ slugs = [] }) => slugs.length > 0);
  const post = await posts.find(entry ? subjectOf(entry) : "");
  if (post) await mergeInto(post, whole.popular);
}

describe("An export of a site", () => {
  it("has every kind of row, each with all of its fields", () => {
    const found = new Map<string, Set<string>>();
    for (const row of rowsIn(withAll.text)) {
      const fields = found.get(row.kind) ?? new Set();
      for (const field of Object.keys(row)) fields.add(field);
      found.set(row.kind, fields);
    }
    const missing = Object.entries(ownRows).flatMap(([kind, { def }]) =>
      Object.keys(def.shape)
        .filter((field) => !found.get(kind)?.has(field))
        .map((field) => `${kind} ${field}`),
    );
    expect(missing).toEqual([]);
  });

  it("comes back from an empty table byte for byte", async () => {
    await restored(plain.path);
    await expectSound();
    await expectRanked();
    expect((await exported()).text).toBe(plain.text);
  });

  it("comes back with the boards of the merged posts from which comments came, which hide them", async () => {
    expect(boardsOfOrigin.size).toBeGreaterThan(0);
    await restored(plain.path);
    expect(await readBoardsOfOrigin()).toEqual(boardsOfOrigin);
  });

  it("comes back with more former addresses of posts than a transaction has room for", async () => {
    await restored(plain.path);
    const many = ["p", "q"].flatMap((letter) =>
      Array.from({ length: 100 }, (_, n) => ({
        ...{ kind: "post", ref: `${letter}${n}`, title: `Wish ${letter}`, slug: `wish-${letter}-${n}` },
        ...(n > 0 && { mergedInto: `${letter}0` }),
      })),
    );
    const dump = unusedPath();
    writeFileSync(dump, many.map((post) => JSON.stringify(post)).join("\n"));
    expect((await bringIn(dump, "--write", "--name", "many")).code).toBe(0);
    const [entry] = await allEntries("many", entryKey("post"));
    await mergeInto((await posts.find(entry ? subjectOf(entry) : "")) as posts.PostRecord, whole.popular);
    const { path, text } = await exported();
    await restored(path);
    await expectSound();
    expect((await exported()).text).toBe(text);
  });

  it("comes back with credentials, and people sign in as before", async () => {
    await restored(withAll.path, "--with-credentials");
    await expectSound();
    expect((await exported("--with-credentials")).text).toBe(withAll.text);
    expect((await exported()).text).toBe(plain.text);
    const body = { email: whole.owner.email, password: OWNER_PASSWORD };
    // The site requires it of the team.
    refusal(await invoke("auth-log-in", { body }), "TWO_FACTOR_NEEDED");
    refusal(await invoke("auth-log-in", { body: { ...body, password: "another password" } }), "INCORRECT_PASSWORD");
  });

  it("comes back with the lists of the team and of suspended accounts, also after the site was handed over", async () => {
    await freshTable();
    const owner = await anOwner();
    const next = await aUser("moderator");
    for (const role of ["moderator", "suspended"] as const) await aUser(role);
    expect(await handOver({ ...owner, keyIds: [] }, { ...next, keyIds: [] })).toBe("handed over");
    const listsOfPeople = async () => (await scan()).filter(({ pk }) => pk === "PEOPLE");
    const before = await listsOfPeople();
    expect(before.filter(({ sk }) => /^ (team|suspended)#/.test(sk))).toHaveLength(4);
    const { path } = await exported("--with-credentials");
    await restored(path, "--with-credentials");
    expect(await listsOfPeople()).toEqual(before);
    expect((await users.find(owner.userId))?.role).toBe("moderator");
    await expectSound();
  });

  it("keeps merges, so that they can be undone after it came back", async () => {
    await restored(plain.path);
    const rows = rowsIn(plain.text).filter(({ kind }) => kind === "merged");
    const titleOf = (id: unknown) => rows.find(({ ref }) => ref === id)?.title;
    expect(rows.map(({ title }) => title)).toEqual(expect.arrayContaining(["Black", "Night mode"]));
    const night = rows.find(({ title }) => title === "Night mode");
    const black = rows.find(({ title }) => title === "Black");
    expect(titleOf(black?.into)).toBe("Night mode");
    await takeOut(await mergedPost(night?.ref));
    await takeOut(await mergedPost(black?.ref));
    await expectSound();
    expect((await votes.summary(String(black?.ref)))?.count).toBe(2);
    expect((await votes.summary(String(night?.into)))?.count).toBe(1);
    expect(await subscriptions.choiceOf(whole.owner.userId, String(black?.ref))).toBeUndefined();
  });

  async function mergedPost(postId: unknown): Promise<posts.PostRecord> {
    return (await findMerged(String(postId)))?.post as posts.PostRecord;
  }

  it("ends without a file if posts are merged meanwhile, and waits for votes that move", async () => {
    await restored(plain.path);
    const path = unusedPath();
    const d = await aPost(await aMember());
    const t = await aPost(await aMember());
    await aVote(d.postId, await aMember());
    await mergeInto(d, t.postId, { waits: true });
    const waiting = exported();
    setTimeout(() => moveAll(d.postId), 100);
    expect(rowsIn((await waiting).text).filter(({ kind, ref }) => kind === "merged" && ref === d.postId)).toHaveLength(
      1,
    );
    let isMerged = true;
    const takeOutOnce = async (): Promise<"none"> => {
      const isFirst = isMerged;
      isMerged = false;
      if (isFirst) await takeOut(d);
      return "none";
    };
    const onFirstVotes = ({ operation, input }: Attempt) =>
      operation === "Query" && JSON.stringify(input).includes("VOTES#") ? takeOutOnce() : "none";
    const running = withFaults(onFirstVotes, () => operateHere(exportCommand, ["--format", "jsonl", path]));
    expect((await running).complaints).toContain("while the export ran: run it again");
    expect(existsSync(path)).toBe(false);
  });

  it("says aloud what its file has and has not", () => {
    expect(plain.output).toContain("It has no passwords, second factors, roles or confirmations of addresses");
    expect(withAll.output).toContain("who gets it can become anybody here");
    expect(statSync(plain.path).mode & 0o777).toBe(0o600);
  });

  it("has nothing secret without credentials, and nothing of who was erased", async () => {
    const secrets = rowsIn(withAll.text).flatMap(({ passwordHash }) => passwordHash ?? []);
    expect(secrets.length).toBeGreaterThan(70);
    for (const secret of [...secrets, whole.secret, "moderator", "confirmed", "secret", "recovery"])
      expect(plain.text).not.toContain(secret);
    for (const text of [whole.gone.userId, whole.gone.email, whole.gone.username, whole.gone.name])
      expect(withAll.text).not.toContain(text);
  });

  it("replaces no file, and needs a format", async () => {
    const again = await operateHere(exportCommand, ["--format", "jsonl", plain.path]);
    expect(again).toMatchObject({ code: 1 });
    expect(again.complaints).toContain("is there already: name another file or folder");
    for (const words of [[], ["--format", "xml"], ["--format", "csv", "--with-credentials"]])
      expect(await operateHere(exportCommand, words)).toMatchObject({ code: 1 });
  });
});

describe("An export while people use the site", () => {
  it("names nothing that is not in it, whatever comes and goes", async () => {
    await restored(plain.path);
    let isOver = false;
    const writers = [aBusyPerson, aPersonWhoLeaves, aTeamThatTidiesUp].map(async (live) => {
      for (let n = 0; !isOver; n++) await live(n);
    });
    const file = await exported();
    isOver = true;
    await Promise.all(writers);
    expect(danglingIn(rowsIn(file.text))).toEqual([]);
    await restored(file.path);
    await expectSound();
    expect((await exported()).text).not.toBe(plain.text);
  });

  async function aBusyPerson(n: number): Promise<void> {
    const person = await aMember();
    const { boardId } = await aBoard();
    const { postId } = await aPost(person, { boardId });
    await aVote(postId, person);
    await aVote(whole.popular, person);
    await aComment(whole.popular, person, { body: `Comment ${n}` });
    await subscriptions.choose(person.userId, postId, true);
  }

  async function aPersonWhoLeaves(): Promise<void> {
    const person = await aMember("Gone by then");
    await aVote(whole.popular, person);
    await aPost(person);
    const how = { by: person.userId, votes: "keep" as const };
    await accountErasures.erase(person.userId, await users.findWithKeys(person.userId), how);
  }

  async function aTeamThatTidiesUp(): Promise<void> {
    const board = await aBoard();
    const post = await aPost(await aMember(), { boardId: board.boardId });
    await boards.remove((await boards.find(board.boardId)) ?? board);
    await posts.destroy(post);
  }
});

/** The fields of rows that name a row which does not stand above. */
function danglingIn(rows: Row[]): string[] {
  const known = new Set<unknown>();
  const names = [
    "author",
    "by",
    "board",
    "roadmap",
    "status",
    "responseStatus",
    "responseBy",
    "post",
    "voter",
    "account",
  ];
  return rows.flatMap((row) => {
    const dangling = [...names, "editedBy", "owner"].filter((name) => row[name] !== undefined && !known.has(row[name]));
    known.add(row.ref);
    return dangling.map((name) => `${row.kind} ${row.ref}: ${name}`);
  });
}

describe("An export into a table of one's own", () => {
  beforeEach(() => freshTable());

  it("is looked at first, row by row, and nothing is written", async () => {
    const path = unusedPath();
    const bad = { kind: "vote", ref: "x", post: "y", at: "yesterday" };
    writeFileSync(path, `${plain.text}${JSON.stringify(bad)}\nno JSON\n`);
    const { code, output } = await bringIn(path);
    expect(code).toBe(0);
    expect(output).toContain(`The site will belong to ${whole.owner.email}`);
    expect(output).toContain("Nothing was written");
    const end = rowsIn(plain.text).length;
    expect(reported()).toContain(`,${end + 1},ref,Must be an id of a moment between 2010 and now: the row is left out`);
    expect(reported()).toContain(`,${end + 2},line,is no row of an export: it is left out`);
    expect(await scan()).toEqual([]);
  });

  it("gives the site to its owner, by a mail, and nobody else a role, a confirmation or a password", async () => {
    const { output } = await bringIn(withAll.path, "--write");
    expect(output).toContain("Roles, passwords and confirmations: none but the owner's role");
    const accounts = (await scan()).filter(({ sk }) => sk === "USER");
    expect(accounts.filter(({ role }) => role === "owner").map(({ email }) => email)).toEqual([whole.owner.email]);
    expect(accounts.filter(({ role, isVerified }) => role === "moderator" || isVerified)).toEqual([]);
    const families = new Set((await scan()).map(({ pk }) => familyOf(pk)));
    for (const family of ["TWO_FACTOR", "IDENTITY", "API_KEYS", "OUTBOX", "EVENTS", "NEWS", "NOTICES"])
      expect(families.has(family as never), family).toBe(false);
    const body = { email: whole.owner.email, password: OWNER_PASSWORD };
    refusal(await invoke("auth-log-in", { body }), "INCORRECT_PASSWORD");
    success(await invoke("auth-magic", { body: { email: whole.owner.email } }), 200);
    const [letter] = await sendLetters();
    const { user } = success(await invoke("auth-magic-verify", { body: { token: tokenIn(letter) } }), 200);
    expect(user).toMatchObject({ email: whole.owner.email });
  });

  it("names an account that cannot come in, but keeps nothing of it in the report for the owner", async () => {
    const accounts = rowsIn(plain.text).filter(({ kind }) => kind === "account");
    const [{ email }, other] = accounts.slice(-2) as [Row, Row];
    const path = unusedPath();
    writeFileSync(path, plain.text.replace(`"${other.email}"`, `"${email}"`));
    await bringIn(path, "--write");
    expect(reported()).toContain(`,account,"“${email}” cannot come in: its address, `);
    expect((await find("jsonl"))?.report?.kinds).toEqual([
      { problem: "account … cannot come in: its address, username or sign-in is in use here", count: 1 },
    ]);
  });

  it("removes the list of problems of a run before, and no file of another kind", async () => {
    const path = unusedPath();
    writeFileSync(path, `${plain.text}no JSON\n`);
    await bringIn(path);
    expect(reported()).toContain("is no row of an export");
    expect((await bringIn(plain.path)).output).toContain("No problems");
    expect(existsSync(problems)).toBe(false);
    writeFileSync(problems, "my notes\n");
    await bringIn(plain.path);
    expect(reported()).toBe("my notes\n");
    rmSync(problems);
  });

  it("goes into no table with a site, and needs credentials to take them", async () => {
    const taken = await bringIn(plain.path, "--write", "--with-credentials");
    expect(taken.complaints).toContain("The file has no credentials: it was exported without them");
    await restored(plain.path);
    const before = await scan();
    const other = await bringIn(plain.path, "--write", "--name", "other");
    expect(other.complaints).toContain("the table has a site: it goes into an empty table");
    const again = await bringIn(plain.path, "--write");
    expect(again).toMatchObject({ code: 0 });
    expect(again.output).toContain("nothing is left to do");
    const undo = await operateHere(importCommand, ["jsonl", "--undo"]);
    expect(undo.complaints).toContain("delete its table or data folder instead");
    expect(await scan()).toEqual(before);
  });

  it("is refused before anything is written if a later version has made it, or its first line is damaged", async () => {
    const [head = "", ...others] = plain.text.split("\n");
    const reasons: [string, string][] = [
      [head.replace(":1", ":2"), "is an export in form 2, and this version reads only form 1: upgrade this one first"],
      [head.replace("1", '"1"'), "begins like an export, but its first line is not as one writes it: export it anew"],
    ];
    const path = unusedPath();
    await freshTable();
    await anOwner();
    const before = await scan();
    for (const [first, reason] of reasons) {
      writeFileSync(path, [first, ...others].join("\n"));
      for (const more of [[], ["--write"]]) {
        const { code, complaints } = await bringIn(path, ...more);
        expect({ code, complaints }).toEqual({ code: 1, complaints: expect.stringContaining(reason) });
      }
    }
    expect(await scan()).toEqual(before);
  });

  it("is refused beside other files, and the export is named: they are not another portal's", async () => {
    const both = unusedPath();
    const withSheet = unusedPath();
    for (const path of [both, withSheet]) {
      mkdirSync(path);
      writeFileSync(join(path, "first.jsonl"), plain.text);
    }
    writeFileSync(join(both, "second.jsonl"), withAll.text);
    writeFileSync(join(withSheet, "people.csv"), "name\nAda\n");
    await freshTable();
    await anOwner();
    const before = await scan();
    for (const [path, found] of [
      [both, "first.jsonl, second.jsonl"],
      [withSheet, "first.jsonl"],
    ] as const) {
      const { code, complaints } = await bringIn(path, "--write");
      const reason = `Among 2 files are exports of a site (${found}): give the path of one such file`;
      expect({ code, complaints }).toEqual({ code: 1, complaints: expect.stringContaining(reason) });
    }
    expect(await scan()).toEqual(before);
  });

  it("continues after a kill, wherever it was", async () => {
    let kills = 0;
    const words = ["jsonl", plain.path, "--write", "--problems", problems];
    for (let isDone = false; !isDone; ) {
      expect(kills).toBeLessThan(100);
      let calls = 0;
      // What is saved after it takes fewer calls.
      const stop = 150 + (kills % 7);
      const { code } = await withFaults(
        () => (++calls >= stop ? new Error("killed") : "none"),
        () => operateHere(importCommand, words),
      );
      isDone = code === 0;
      kills++;
      if (!isDone) await expectSound();
    }
    expect(kills).toBeGreaterThan(3);
    await expectRanked();
    expect((await exported()).text).toBe(plain.text);
  });

  it("leads no merged post to nothing when it is killed after the write of one", async () => {
    const merged = rowsIn(plain.text).filter(({ kind }) => kind === "merged");
    const inChain = merged.filter(({ into }) => merged.some(({ ref }) => ref === into));
    expect(inChain).toHaveLength(1);
    for (let kills = 0, isDone = false; !isDone; kills++) {
      let writes = 0;
      const killsAfter = (attempt: Attempt) => {
        if (writes > kills) return new Error("killed");
        if (isTransaction(attempt) && JSON.stringify(attempt.input).includes('"MERGED#')) writes++;
        return "none";
      };
      const words = ["jsonl", plain.path, "--write", "--problems", problems];
      const { code } = await withFaults(killsAfter, () => operateHere(importCommand, words));
      isDone = code === 0;
      await expectSound();
    }
  });

  it("makes no account again that was deleted while it was interrupted", async () => {
    const { ref } = rowsIn(plain.text).find(({ kind }) => kind === "account") as Row;
    await transactRaw([put({ pk: "ERASED", sk: String(ref) }, { at: Date.now(), votes: "keep" })]);
    await bringIn(plain.path, "--write");
    expect(await users.find(String(ref))).toBeUndefined();
  });
});

describe("A folder of sheets", () => {
  it("has all that people look for, in cells that no program runs", async () => {
    await restored(withAll.path, "--with-credentials");
    const path = unusedPath();
    const { code } = await operateHere(exportCommand, ["--format", "csv", path]);
    expect(code).toBe(0);
    const files = readdirSync(path).sort();
    expect(files).toEqual(
      [
        "boards",
        "comments",
        "followers",
        "held",
        "people",
        "posts",
        "roadmaps",
        "site",
        "status_changes",
        "statuses",
        "tags",
        "votes",
      ].map((name) => `${name}.csv`),
    );
    const sheet = (name: string): Record<string, string>[] => {
      const text = readFileSync(join(path, `${name}.csv`), "utf8");
      expect(text.startsWith("\ufeff")).toBe(true);
      return parse(text, { bom: true, columns: true, record_delimiter: "\r\n" });
    };
    const cells = files.flatMap((name) => sheet(name.slice(0, -4)).flatMap((row) => Object.values(row)));
    expect(cells.filter((cell) => /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(cell))).toEqual([]);
    const posts = sheet("posts");
    const rows = rowsIn(plain.text).filter(({ kind }) => kind === "post" || kind === "merged");
    expect(posts.map(({ source_id }) => source_id)).toEqual(rows.map(({ ref }) => ref));
    expect(posts.map(({ merged_into }) => merged_into)).toEqual(rows.map(({ into = "" }) => into));
    const tagged = posts.map(({ tags }) => tags);
    expect(tagged).toEqual(expect.arrayContaining(["API", '["Mobil, am Abend","API"]', ""]));
    const texts = new Set(posts.map(({ content }) => content));
    for (const text of hardTexts)
      expect(
        [text, `'${text}`].some((each) => texts.has(each)),
        JSON.stringify(text),
      ).toBe(true);
    expect(
      sheet("held")
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(["comment", "post"]);
    const people = sheet("people");
    expect(people.filter(({ team }) => team === "moderator")).toHaveLength(1);
    expect(people.filter(({ suspended }) => suspended === "true").length).toBeGreaterThan(0);
    expect(JSON.stringify(cells)).not.toContain("argon2");
  });
});

describe("The command", () => {
  it("reads by three calls alone, and counts their units but the one of the model's version", async () => {
    const { calls, result } = await recordCalls(() => exported("--with-credentials"));
    expect([...new Set(calls.map(({ operation }) => operation))].sort()).toEqual(["BatchGetItem", "GetItem", "Query"]);
    const read = calls.reduce((sum, { readUnits }) => sum + readUnits, 0);
    expect(result.output).toContain(`with ${Math.ceil(read) - 1} read units`);
  });

  it("leaves no file that is not whole under its name", async () => {
    const path = unusedPath();
    let calls = 0;
    await withFaults(
      () => (++calls > 20 ? new Error("killed") : "none"),
      () => operateHere(exportCommand, ["--format", "jsonl", path]),
    );
    expect(existsSync(path)).toBe(false);
    const { code } = await operateHere(exportCommand, ["--format", "jsonl", path]);
    expect(code).toBe(0);
    expect(existsSync(`${path}.part`)).toBe(false);
  });
});
