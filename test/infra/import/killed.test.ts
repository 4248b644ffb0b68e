import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request as send } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openInput } from "../../../infra/import/formats/input.ts";
import { write } from "../../../infra/import/import.ts";
import { Problems } from "../../../infra/import/problems.ts";
import { csv } from "../../../infra/import/sources/csv.ts";
import { undo } from "../../../infra/import/undo.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as site from "../../../lib/accounts/site.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import { allEntries } from "../../../lib/moving/journal.ts";
import { workshop } from "../../../lib/moving/work.ts";
import { newId } from "../../../lib/values/ids.ts";
import { listen } from "../../support/http/listen.ts";
import { runNode, theEngine } from "../../support/process/operate.ts";
import { projectFolder, spawnServer } from "../../support/process/server-process.ts";
import { expectRanked, expectSound, freshTable } from "../../support/setup.ts";
import { diesAt } from "../../support/store/faults.ts";
import { portalOf, writeDump } from "../../support/world/dumps.ts";

const folder = mkdtempSync(join(tmpdir(), "dumps-"));
afterAll(() => rmSync(folder, { recursive: true }));

const dump = writeDump(folder, "csv", portalOf());
const problemsFile = join(folder, "problems.csv");

beforeEach(async () => {
  await freshTable();
  const owner = newAccount("olive@example.com", "Olive", "owner");
  await site.setUp("Feedback", owner, "no password", site.firstBoard(newId()));
});

async function run(): Promise<string[]> {
  const problems = new Problems(problemsFile);
  const order = { source: "csv", importId: "csv", read: csv, input: await openInput(dump, problems.report) };
  return write(order, problems, workshop(Number.POSITIVE_INFINITY));
}

/** The keys of a whole import; names of accounts and colors are drawn anew each time. */
async function keysOfImport(): Promise<string[]> {
  const items = await scan();
  return items
    .filter(({ pk }) => /^(POSTS|VOTES#|ACTIVITY#|NOTES#|WORDS#)/.test(pk))
    .map(({ pk, sk }) => `${pk} ${sk}`);
}

/** The address of the engine behind a server, which asks before each call whether to keep it without an answer. */
async function engineBehind(isKept: () => Promise<boolean>): Promise<string> {
  const { hostname, port } = new URL(theEngine().DYNAMODB_ENDPOINT);
  const server = createServer(async (request, response) => {
    if (await isKept()) return;
    const { method, url: path, headers } = request;
    const forwarded = send({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

describe("An import that is killed", () => {
  it("continues, wherever it was, and so does its undo", async () => {
    let kills = 0;
    while (await diesAt(20 + (kills % 7), kills % 2 === 0 ? "die" : new Error("killed"), run)) {
      kills++;
      await expectSound();
    }
    expect(kills).toBeGreaterThan(3);
    await expectSound();
    await expectRanked();
    const keys = await keysOfImport();
    expect(keys.filter((key) => /^POSTS \S+#VOTERS$/.test(key))).toHaveLength(12);
    expect(keys.filter((key) => key.startsWith("VOTES#"))).toHaveLength(60);
    expect((await run())[1]).toMatch(/^Wrote 0 accounts, 0 posts, 0 votes, 0 comments and notes/);

    let undone = 0;
    const takeBack = () => undo("csv", workshop(Number.POSITIVE_INFINITY));
    while (await diesAt(40 + (undone % 7), undone % 2 === 0 ? "die" : new Error("killed"), takeBack)) undone++;
    expect(undone).toBeGreaterThan(1);
    await expectSound();
    expect(await keysOfImport()).toEqual([]);
    expect(await allEntries("csv", "p")).toEqual([]);
  });

  it("continues after kill -9 of its process", async () => {
    const words = ["infra/operator/operate.ts", "import", "csv", dump, "--write", "--problems", problemsFile];
    const posts = async () => (await allEntries("csv", "p")).length;
    // Of the calls after the second post none arrives, however late the kill is.
    const DYNAMODB_ENDPOINT = await engineBehind(async () => {
      if ((await posts()) < 2) return false;
      killed.process.kill("SIGKILL");
      return true;
    });
    const env = { ...theEngine(), DYNAMODB_ENDPOINT };
    const killed = spawnServer({ command: [process.execPath, ...words], env, cwd: projectFolder });
    expect(await killed.ended).toBe("SIGKILL");
    expect(await posts()).toBeLessThan(12);
    await expectSound();
    const { code, output } = await runNode(words, { env: theEngine() });
    expect(output).toMatch(/^Wrote \d+ accounts, \d+ posts, \d+ votes/m);
    expect(code).toBe(0);
    expect(await posts()).toBe(12);
    await expectSound();
    await expectRanked();
  });
});
