import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import * as yauzl from "yauzl";
import { exportAt } from "../../../infra/local/gateway/exports.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { run as exportCommand } from "../../../infra/operator/export.ts";
import { run as importCommand } from "../../../infra/operator/import.ts";
import * as exports from "../../../lib/accounts/exports.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import { EXPORTS_A_DAY } from "../../../lib/http/rate-limits.ts";
import { carryOut } from "../../../lib/moving/export-job.ts";
import { shelf } from "../../../lib/moving/own-shelf.ts";
import { wholePost } from "../../../lib/moving/posts.ts";
import type { Shelf } from "../../../lib/moving/shelf.ts";
import type { Work } from "../../../lib/moving/work.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { StoreUnavailable } from "../../../lib/table/client.ts";
import { familyOf } from "../../../lib/table/families.ts";
import { REGION, startBucket } from "../../support/http/bucket.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import { logLines } from "../../support/http/logs.ts";
import { operateHere } from "../../support/process/operate.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { connectionReset, withFaults } from "../../support/store/faults.ts";
import { addPosts } from "../../support/world/bulk.ts";
import { aKey, aMember, aPost, aSiteExport, aUser, aVote, postOf } from "../../support/world/fixtures.ts";
import { sendLetters } from "../../support/world/letters.ts";
import { aMergedPost, moveAll } from "../../support/world/merges.ts";
import { aWholeSite, type WholeSite } from "../../support/world/whole-site.ts";

const scratch = mkdtempSync(join(tmpdir(), "site-exports-"));
const folder = join(scratch, "exports");
afterAll(() => rmSync(scratch, { recursive: true }));

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

let whole: WholeSite;
let owner: { token: string };
/** What the operator's export writes of the same site. */
let expected: string;
let sheets: Map<string, string>;

let files = 0;
async function byOperator(): Promise<string> {
  const path = join(scratch, `by-operator-${files++}.jsonl`);
  const { code } = await operateHere(exportCommand, ["--format", "jsonl", path]);
  expect(code).toBe(0);
  return readFileSync(path, "utf8");
}

beforeAll(async () => {
  newContainer({ EXPORT_FOLDER: folder });
  whole = await aWholeSite();
  owner = { token: await tokenOf(whole.owner.userId) };
  expected = await byOperator();
  sheets = await sheetsByOperator();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function tokenOf(userId: string): Promise<string> {
  return tokens.issue((await users.find(userId)) as users.UserRecord);
}

function later(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
}

async function begun(format?: "csv"): Promise<string> {
  await aSiteExport({ readyAt: 1 });
  const body = format && { format };
  return success(await invoke("exports-create", { ...owner, body }), 202).export.exportId;
}

async function latest() {
  return success(await invoke("exports-latest", owner), 200).export;
}

/** Works on an export until its hour begins; each piece is as short as it can be. */
async function written(exportId: string): Promise<void> {
  for (let pieces = 0; (await carryOut(exportId, () => true)) === "more"; pieces++) expect(pieces).toBeLessThan(100);
}

/** Works on an export, killed at one call to the table after the other. Returns how often. */
async function killedUntilReady(exportId: string): Promise<number> {
  let kills = 0;
  for (let isOver = false; !isOver; kills++) {
    expect(kills).toBeLessThan(200);
    let calls = 0;
    const stop = 2 + (kills % 40);
    const outcome = await withFaults(
      () => (++calls >= stop ? connectionReset() : "none"),
      () => carryOut(exportId, () => calls > 8).catch((error: unknown) => error),
    );
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(StoreUnavailable);
    isOver = typeof outcome === "object" && outcome !== null && "notBefore" in outcome;
  }
  return kills;
}

async function continuesBehind(name: keyof Shelf, format?: "csv"): Promise<string> {
  const exportId = await begun(format);
  const real = shelf()[name] as (...given: unknown[]) => Promise<unknown>;
  vi.spyOn(shelf() as Record<string, typeof real>, name).mockImplementationOnce(async (...given) => {
    await real.apply(shelf(), given);
    throw new Error("killed");
  });
  await expect(written(exportId), name).rejects.toThrow("killed");
  await written(exportId);
  vi.restoreAllMocks();
  return exportId;
}

function askForLink(exportId: string) {
  return invoke("exports-file", { ...owner, params: { exportId } });
}

async function downloaded(exportId: string) {
  const { url } = success(await askForLink(exportId), 200);
  return exportAt(new URL(url).pathname);
}

async function textOf(exportId: string): Promise<string> {
  return Buffer.from((await downloaded(exportId))?.body ?? "", "base64").toString();
}

/** The sheets that the operator's export writes of the same site, by their names. */
async function sheetsByOperator(): Promise<Map<string, string>> {
  const path = join(scratch, `by-operator-${files++}`);
  expect(await operateHere(exportCommand, ["--format", "csv", path])).toMatchObject({ code: 0 });
  return new Map(readdirSync(path).map((name) => [name, readFileSync(join(path, name), "utf8")]));
}

/** The files of an archive, whose records are right. */
async function filesIn(archive: Buffer): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const zip = await yauzl.fromBufferPromise(archive);
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry));
    expect(crc32(content), entry.fileName).toBe(entry.crc32);
    found.set(entry.fileName, content.toString());
  }
  return found;
}

async function sheetsOf(exportId: string): Promise<Map<string, string>> {
  return filesIn(Buffer.from((await downloaded(exportId))?.body ?? "", "base64"));
}

function filesOf(exportId: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith(exportId));
}

describe("An export from the portal", () => {
  it("is the operator's file, piece by piece, and its owner gets a mail", async () => {
    const exportId = await begun();
    expect(await latest()).toMatchObject({ exportId, state: "running", expiresAt: null, counts: null });
    await written(exportId);
    expect(await textOf(exportId)).toBe(expected);
    const { state, bytes, counts } = await latest();
    expect(state).toBe("ready");
    expect(bytes).toBe(Buffer.byteLength(expected));
    const lines = expected.split("\n");
    const rowsOf = (kind: string) => lines.filter((line) => line.startsWith(`{"kind":"${kind}"`)).length;
    expect(counts).toEqual({
      accounts: rowsOf("account"),
      boards: rowsOf("board"),
      roadmaps: rowsOf("roadmap"),
      statuses: rowsOf("status"),
      posts: rowsOf("post"),
      votes: rowsOf("vote"),
      comments: rowsOf("comment"),
    });
    const letters = (await sendLetters()).filter(({ subject }) => subject === "Your export is ready");
    expect(letters.map(({ to }) => to)).toEqual([whole.owner.email]);
    expect(letters[0]?.text).toContain("http://localhost:3000/manage/export\n");
    expect(filesOf(exportId)).toEqual([`${exportId}-site.jsonl`]);
    await expectSound();
  });

  it("comes back from an empty table byte for byte", async () => {
    const exportId = await begun();
    await written(exportId);
    const file = join(folder, `${exportId}-site.jsonl`);
    const table = process.env.TABLE_NAME;
    await freshTable();
    const words = ["jsonl", file, "--problems", join(scratch, "problems.csv"), "--write"];
    const { code, output } = await operateHere(importCommand, words);
    expect(output).toContain("No problems");
    expect(code).toBe(0);
    expect(await byOperator()).toBe(expected);
    newContainer({ TABLE_NAME: table });
  });

  it("has nothing secret, and says in the log how many it has of whom", async () => {
    for (const secret of ["argon2", whole.secret, "moderator", "confirmed", "recovery"])
      expect(expected).not.toContain(secret);
    const lines = logLines.filter((line) => line.includes("exported {"));
    expect(lines.at(-1)).toContain(`\\"posts\\":`);
    const asked = logLines.filter((line) => line.includes('"exports-create"') && line.includes('"status":202'));
    expect(asked.at(-1)).toContain(whole.owner.userId);
  });

  it("ends after an hour: the link, the file and the job", async () => {
    const exportId = await begun();
    await written(exportId);
    const { url } = success(await askForLink(exportId), 200);
    later(59 * 60 * 1000);
    owner = { token: await tokenOf(whole.owner.userId) };
    expect(await textOf(exportId)).toBe(expected);
    expect(await exportAt(new URL(url).pathname), "a link of an hour ago").toBeUndefined();
    expect(await carryOut(exportId, () => false)).toEqual({ notBefore: expect.any(Number) });
    later(2 * 60 * 1000);
    refusal(await askForLink(exportId), "EXPORT_NOT_FOUND");
    expect((await latest()).state).toBe("expired");
    expect(await carryOut(exportId, () => false)).toBe("done");
    expect(filesOf(exportId)).toEqual([]);
    expect((await scan()).filter(({ pk, sk }) => familyOf(pk) === "EXPORTS" && sk === exportId)).toEqual([]);
  });

  it("continues after a kill at any call to the table", async () => {
    const exportId = await begun();
    expect(await killedUntilReady(exportId)).toBeGreaterThan(10);
    expect(await textOf(exportId)).toBe(expected);
  });

  it("continues after a kill right behind each call to the folder of the files", async () => {
    for (const name of ["begin", "put", "putPart", "complete", "remove"] as const)
      expect(await textOf(await continuesBehind(name)), name).toBe(expected);
  });

  it("continues after a kill right behind each call to a bucket, whose uploads end with their file", async () => {
    const { bucket, url, close } = await startBucket("local");
    onTestFinished(() => {
      close();
      newContainer({ EXPORT_BUCKET_URL: undefined, EXPORT_FOLDER: folder });
    });
    newContainer({ EXPORT_BUCKET_URL: url, EXPORT_FOLDER: undefined, AWS_REGION: REGION });
    const link = async (exportId: string) => success(await askForLink(exportId), 200).url;
    const lines = await fetch(await link(await continuesBehind("putPart")));
    expect(await lines.text()).toBe(expected);
    const archiveId = await continuesBehind("complete", "csv");
    const archive = await fetch(await link(archiveId));
    expect(await filesIn(Buffer.from(await archive.arrayBuffer()))).toEqual(sheets);
    const ofArchive = [...bucket.objects.keys()].filter((path) => path.startsWith(`/${archiveId}/`));
    expect(ofArchive).toEqual([`/${archiveId}/site.zip`]);
    expect(bucket.refused).toEqual([]);
  });

  it("is given up after a day", async () => {
    const exportId = await begun();
    later(25 * HOUR_MS);
    owner = { token: await tokenOf(whole.owner.userId) };
    expect(await carryOut(exportId, () => true)).toBe("done");
    expect((await latest()).state).toBe("failed");
    expect(filesOf(exportId)).toEqual([]);
  });

  it("fails, and can be asked for again, if what was written is gone", async () => {
    const exportId = await begun();
    expect(await carryOut(exportId, () => true)).toBe("more");
    // Another process takes over, and finds nothing.
    vi.spyOn(shelf() as Shelf, "get").mockResolvedValue(undefined);
    const other = await continuedElsewhere(exportId);
    expect(other).toBe("done");
    expect((await latest()).state).toBe("failed");
    expect(filesOf(exportId)).toEqual([]);
    vi.restoreAllMocks();
    await written(success(await invoke("exports-create", owner), 202).export.exportId);
    expect((await latest()).state).toBe("ready");
  });

  /** As a process that has nothing in memory of the piece before. */
  async function continuedElsewhere(exportId: string) {
    const third = await begunBeside();
    expect(await carryOut(third, () => true)).toBe("more");
    await aSiteExport({ exportId, readyAt: undefined });
    return carryOut(exportId, () => true);
  }

  async function begunBeside(): Promise<string> {
    const made = await exports.begin(await aSiteExport({ readyAt: 1 }), "jsonl");
    if (made === "is running") throw new Error(made);
    return made.exportId;
  }

  it("gives way to a later one", async () => {
    const first = await begun();
    expect(await carryOut(first, () => true)).toBe("more");
    later(25 * HOUR_MS);
    owner = { token: await tokenOf(whole.owner.userId) };
    expect((await latest()).state).toBe("failed");
    const second = success(await invoke("exports-create", owner), 202).export.exportId;
    for (const exportId of [first, second]) await written(exportId);
    expect((await latest()).exportId).toBe(second);
    expect(filesOf(first)).toEqual([]);
    expect((await sendLetters()).filter(({ subject }) => subject === "Your export is ready")).not.toEqual([]);
    vi.useRealTimers();
    owner = { token: await tokenOf(whole.owner.userId) };
  });
});

describe("An export as sheets", () => {
  it("is an archive of the operator's sheets, piece by piece", async () => {
    const exportId = await begun("csv");
    expect(await latest()).toMatchObject({ exportId, format: "csv", state: "running" });
    await written(exportId);
    expect(await sheetsOf(exportId)).toEqual(sheets);
    expect(sheets.get("people.csv")).toContain(whole.owner.email);
    const file = await downloaded(exportId);
    expect(file?.headers?.["content-disposition"]).toMatch(/"site-\d{4}-\d\d-\d\d\.zip"$/);
    expect((await latest()).bytes).toBe(Buffer.from(file?.body ?? "", "base64").length);
    expect(filesOf(exportId)).toEqual([`${exportId}-site.zip`]);
    await expectSound();
  });

  it("continues after a kill at any call to the table", async () => {
    const exportId = await begun("csv");
    expect(await killedUntilReady(exportId)).toBeGreaterThan(10);
    expect(await sheetsOf(exportId)).toEqual(sheets);
  });

  it("continues after a kill right behind each call to the folder of the files", async () => {
    for (const name of ["begin", "put", "putPart", "complete", "remove"] as const)
      expect(await sheetsOf(await continuesBehind(name, "csv")), name).toEqual(sheets);
  });

  it("leaves nothing of a piece that was killed while it wrote the sheets", async () => {
    const exportId = await begun("csv");
    const { put } = shelf();
    const puts = vi.spyOn(shelf(), "put").mockImplementation(async (name, content) => {
      await put(name, content);
      if (name.includes("votes.csv")) throw new Error("killed");
    });
    await expect(written(exportId)).rejects.toThrow("killed");
    puts.mockRestore();
    await written(exportId);
    expect(await sheetsOf(exportId)).toEqual(sheets);
    later(HOUR_MS + 1);
    expect(await carryOut(exportId, () => false)).toBe("done");
    expect(filesOf(exportId)).toEqual([]);
  });

  it("fails if a piece of a sheet is gone, and leaves nothing", async () => {
    const exportId = await begun("csv");
    vi.spyOn(shelf(), "putPart").mockRejectedValueOnce(new Error("killed"));
    await expect(written(exportId)).rejects.toThrow("killed");
    const [piece = ""] = filesOf(exportId).filter((name) => name.includes("posts.csv"));
    rmSync(join(folder, piece));
    await written(exportId);
    expect((await latest()).state).toBe("failed");
    expect(filesOf(exportId)).toEqual([]);
  });
});

describe("The link to the file on one machine", () => {
  it("leads to the address that people use, where the API is", async () => {
    const linkWith = async (variables: Record<string, string | undefined>): Promise<string> => {
      newContainer({ API_URL: undefined, SITE_URL: undefined, ...variables });
      const { exportId } = await aSiteExport();
      return success(await askForLink(exportId), 200).url;
    };
    onTestFinished(() => newContainer({ API_URL: undefined, SITE_URL: undefined }));
    const files = "/api/v1/exports/files/";
    expect(await linkWith({ SITE_URL: "https://feedback.example.com/board" })).toContain(
      `https://feedback.example.com/board${files}`,
    );
    expect(await linkWith({ API_URL: "https://api.example.com/api/v1" })).toContain(`https://api.example.com${files}`);
  });
});

describe("Who may export", () => {
  it("is the owner, in a young session, without an API key", async () => {
    const { exportId } = await aSiteExport();
    const params = { exportId };
    for (const role of ["moderator", "member", "suspended"] as const) {
      const { token } = await aUser(role);
      for (const name of ["exports-create", "exports-latest", "exports-file"])
        refusal(await invoke(name, { token, params }), "NOT_ENOUGH_PERMISSION");
    }
    const { text } = await aKey({ ...whole.owner, ...owner });
    for (const name of ["exports-create", "exports-latest", "exports-file"])
      refusal(await invoke(name, { token: text, params }), "KEY_NOT_ALLOWED");
    later(11 * 60 * 1000);
    refusal(await invoke("exports-create", owner), "SIGN_IN_AGAIN");
    refusal(await invoke("exports-file", { ...owner, params }), "SIGN_IN_AGAIN");
    expect((await latest()).state).toBe("ready");
  });

  it("begins one at a time, also of several calls in parallel", async () => {
    await aSiteExport({ readyAt: 1 });
    const replies = await Promise.all([1, 2, 3].map(() => invoke("exports-create", owner)));
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    refusal(await invoke("exports-create", owner), "EXPORT_RUNNING");
  });

  it("is bounded a day", async () => {
    newContainer({ RATE_LIMITS: "on" });
    const statuses: number[] = [];
    for (let n = 0; n <= EXPORTS_A_DAY; n++) {
      await aSiteExport({ readyAt: 1 });
      statuses.push((await invoke("exports-create", owner)).status);
    }
    newContainer({ RATE_LIMITS: "" });
    expect(statuses).toEqual([...Array.from({ length: EXPORTS_A_DAY }, () => 202), 429]);
  });

  it("loses none of its exports of the day by calls that are refused", async () => {
    onTestFinished(async () => {
      newContainer({ RATE_LIMITS: "" });
      vi.useRealTimers();
      owner = { token: await tokenOf(whole.owner.userId) };
    });
    newContainer({ RATE_LIMITS: "on" });
    // At noon: the count begins anew at midnight.
    later(2.5 * DAY_MS - (Date.now() % DAY_MS));
    const old = { token: await tokenOf(whole.owner.userId) };
    later(11 * 60 * 1000);
    owner = { token: await tokenOf(whole.owner.userId) };
    // An account may make ten small changes in ten seconds.
    const ask = (by: typeof owner) => {
      later(10_000);
      return invoke("exports-create", by);
    };
    await aSiteExport({ readyAt: 1 });
    for (let n = 0; n < EXPORTS_A_DAY; n++) refusal(await ask(old), "SIGN_IN_AGAIN");
    const together = await Promise.all([1, 2, 3].map(() => ask(owner)));
    expect(together.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    for (let n = 0; n < EXPORTS_A_DAY; n++) refusal(await ask(owner), "EXPORT_RUNNING");
    for (let n = 1; n < EXPORTS_A_DAY; n++) {
      await aSiteExport({ readyAt: 1 });
      success(await ask(owner), 202);
    }
    await aSiteExport({ readyAt: 1 });
    expect((await ask(owner)).status).toBe(429);
  });

  it("needs a place for the file", async () => {
    newContainer({ EXPORT_FOLDER: "" });
    await aSiteExport({ readyAt: 1 });
    const reply = await invoke("exports-create", owner);
    newContainer({ EXPORT_FOLDER: folder });
    refusal(reply, "EXPORT_NOT_SET_UP");
  });

  it("knows one export: another id, and one that is not whole, are not there", async () => {
    const { exportId } = await aSiteExport({ readyAt: undefined });
    refusal(await askForLink(exportId), "EXPORT_NOT_FOUND");
    await aSiteExport();
    refusal(await askForLink(exportId), "EXPORT_NOT_FOUND");
    refusal(await askForLink("no id"), "EXPORT_NOT_FOUND");
  });
});

describe("People who vote meanwhile", () => {
  it("stand in the file, or their votes have no voter", async () => {
    const exportId = await begun();
    expect(await carryOut(exportId, () => true)).toBe("more");
    for (let n = 0; n < 3; n++) {
      const person = await aUser();
      await aVote(whole.popular, person);
      await carryOut(exportId, () => true);
    }
    await written(exportId);
    const rows = (await textOf(exportId))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const accounts = rows.filter(({ kind }) => kind === "account").map(({ ref }) => ref);
    expect(new Set(accounts).size).toBe(accounts.length);
    const known = new Set(accounts);
    expect(rows.filter(({ voter }) => voter && !known.has(voter))).toEqual([]);
  });
});

describe("A post that changes at each reading", () => {
  it("is read again for as long as the piece may last, and then taken as it is", async () => {
    const { postId } = await aPost(await aUser());
    // It never has as many votes as it counts.
    const asRead = (await posts.findWithVoters(postId)) as posts.PostWithVoters;
    const found = { ...asRead, voters: { ...asRead.voters, count: 1 } };
    const readings = async (endsAt?: number): Promise<number> => {
      let pieces = 0;
      const work: Work = async (piece) => {
        pieces++;
        vi.setSystemTime(Date.now() + 1000);
        const result = await piece();
        return (result as { voters?: unknown } | undefined)?.voters ? (found as typeof result) : result;
      };
      expect((await wholePost(work, found, endsAt))?.post.postId).toBe(postId);
      return pieces;
    };
    vi.useFakeTimers({ toFake: ["Date"] });
    const withoutEnd = await readings();
    const within = await readings(Date.now() + 12_000);
    const late = await readings(Date.now());
    expect(late).toBe(2);
    expect(within).toBeGreaterThan(2 * late);
    expect(within).toBeLessThanOrEqual(12);
    expect(withoutEnd).toBeGreaterThan(30);
  });
});

describe("Posts that are merged meanwhile", () => {
  it("stand in the file once, because it is written anew", async () => {
    const exportId = await begun();
    for (let pieces = 0; pieces < 4; pieces++) expect(await carryOut(exportId, () => true)).toBe("more");
    await aMergedPost(await aMember());
    await written(exportId);
    expect(await textOf(exportId)).toBe(await byOperator());
  });

  it("are waited for while their votes move", async () => {
    const { duplicate } = await aMergedPost(await aMember(), { waits: true });
    const exportId = await begun();
    await written(exportId);
    expect((await latest()).state).toBe("running");
    await moveAll(duplicate.postId);
    await written(exportId);
    expect((await latest()).state).toBe("ready");
    expect(await textOf(exportId)).toBe(await byOperator());
  });
});

describe("A large site", () => {
  async function writtenInLongPieces(exportId: string): Promise<void> {
    for (let outcome: unknown = "more"; outcome === "more"; ) outcome = await carryOut(exportId, () => false);
  }

  it("is written in several parts", async () => {
    const author = await aUser();
    // No archive can make it much shorter.
    const body = () => randomBytes(14_000).toString("base64");
    await addPosts(Array.from({ length: 400 }, () => postOf(author, { contentMarkdown: body() })));
    const exportId = await begun();
    const parts = vi.spyOn(shelf(), "putPart");
    await writtenInLongPieces(exportId);
    expect(parts.mock.calls.map(([, number]) => number)).toEqual([1, 2]);
    expect(parts.mock.calls[0]?.[2].length).toBeGreaterThanOrEqual(5 * 1024 * 1024);
    expect(await textOf(exportId)).toBe(await byOperator());
    parts.mockClear();
    const archiveId = await begun("csv");
    await writtenInLongPieces(archiveId);
    expect(parts.mock.calls.map(([, number]) => number)).toEqual([1, 2]);
    expect(parts.mock.calls[0]?.[2].length).toBeGreaterThanOrEqual(5 * 1024 * 1024);
    expect(await sheetsOf(archiveId)).toEqual(await sheetsByOperator());
  });
});
