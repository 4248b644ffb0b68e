import { readdirSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { type Key, key } from "../../../lib/table/keys.ts";
import { update } from "../../../lib/table/parts.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { newId } from "../../../lib/values/ids.ts";
import { aDeployedTable, operate, theEngine } from "../../support/process/operate.ts";
import { aFolder, call, enginesOn, signUp, startServer } from "../../support/process/server-process.ts";
import { freshTable } from "../../support/setup.ts";
import { aMember, aPost, aVote } from "../../support/world/fixtures.ts";

function checkTable(env: Record<string, string>) {
  return operate(["check-table"], env);
}

async function setCount(Key: Key, count: number): Promise<void> {
  await transact({
    item: update(Key, "SET #count = :count", { names: { "#count": "count" }, values: { ":count": count } }),
  });
}

beforeEach(freshTable);

describe("npm run operate -- check-table at DYNAMODB_ENDPOINT", () => {
  it("prints each problem with its item and exits with 1", async () => {
    const member = await aMember();
    const { postId } = await aPost(member);
    await aVote(postId, member);
    await setCount(key.voters(postId), 7);
    await setCount({ pk: "POSTS", sk: "nonsense" }, 1);
    const { code, output } = await checkTable(theEngine());
    expect(output).toContain(`\nPOSTS | ${postId}#VOTERS: counts 7 votes and has 1\n`);
    expect(output).toContain("\nPOSTS | nonsense: is of no kind that the data model knows\n");
    expect(output).toContain("\nProblems: 2\n");
    expect(code).toBe(1);
  });

  it.each([
    ["http://127.0.0.1:1", "Nothing answers at DYNAMODB_ENDPOINT http://127.0.0.1:1"],
    ["localhost:8000", "DYNAMODB_ENDPOINT is not a URL: localhost:8000"],
  ])("fails in one line if that is %s", async (DYNAMODB_ENDPOINT, complaint) => {
    expect(await checkTable({ DYNAMODB_ENDPOINT })).toMatchObject({ code: 1, complaints: `${complaint}\n` });
  });

  it("names a table that does not exist", async () => {
    const { code, complaints } = await checkTable({ ...theEngine(), TABLE_NAME: `none-${newId()}` });
    expect(complaints).toMatch(/^There is no table none-\S+ at http:\S+\n$/);
    expect(code).toBe(1);
  });
});

describe("npm run operate -- check-table with TABLE_NAME alone", () => {
  it("reads a deployed table with the credentials of the environment", async () => {
    await aPost(await aMember());
    const { code, output } = await checkTable(aDeployedTable());
    expect(output).toMatch(/^Checked \d+ items of the table \S+ in eu-west-1\nNo problems\n$/);
    expect(code).toBe(0);
  });
});

describe("npm run operate -- check-table on a data folder", () => {
  it("checks the folder of a stopped server and leaves no engine", async () => {
    const folder = aFolder();
    const { baseUrl, stop } = await startServer({ env: { DATA_DIR: folder } });
    const token = await signUp(baseUrl, "ada@example.com");
    const { body } = await call(baseUrl, "POST", "/posts", { token, body: { title: "Dark mode" } });
    await call(baseUrl, "POST", "/votes", { token, body: { postId: body.post.postId } });
    const beside = await checkTable({ DATA_DIR: folder });
    expect(beside.code).toBe(1);
    expect(beside.complaints).toEqual(expect.stringContaining("Another server works on "));
    await stop();
    const { code, output } = await checkTable({ DATA_DIR: folder });
    expect(output).toContain(`items of the table feedback-board of ${folder}\nNo problems\n`);
    expect(code).toBe(0);
    expect(enginesOn(folder)).toEqual([]);
  });

  it("refuses another folder, and writes nothing into it", async () => {
    const folder = aFolder();
    const { code, complaints } = await checkTable({ DATA_DIR: folder });
    expect(code).toBe(1);
    expect(complaints).toBe(`${folder} is not a data folder of npm start\n`);
    expect(readdirSync(folder)).toEqual([]);
  });
});
