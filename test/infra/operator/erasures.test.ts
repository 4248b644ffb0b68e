import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as accounts from "../../../lib/accounts/erasures.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as erasures from "../../../lib/cleanup/erasures.ts";
import { put } from "../../../lib/table/parts.ts";
import { SETTLE_MS } from "../../../lib/table/settling.ts";
import { operate, theEngine } from "../../support/process/operate.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { transactRaw } from "../../support/store/raw-calls.ts";
import { aMember, aPost, aUser, aVote, type Person } from "../../support/world/fixtures.ts";
import { tracesOf } from "../../support/world/traces.ts";

describe("npm run operate -- erasures", () => {
  let ada: Person;
  let listed: string;

  beforeAll(async () => {
    await freshTable();
    ada = await aMember("Ada");
    await aVote((await aPost(ada)).postId, ada);
  });

  it("lists who was erased, and erases them again in a table as it was before", async () => {
    const backup = await scan();
    await accounts.erase(ada.userId, await users.findWithKeys(ada.userId), { by: ada.userId, votes: "withdraw" });
    const list = await operate(["erasures"], theEngine());
    expect(list.code).toBe(0);
    listed = list.output.split("\n").find((line) => line.startsWith("{")) ?? "";
    expect(JSON.parse(listed)).toMatchObject({ userId: ada.userId, votes: "withdraw" });

    await freshTable();
    await transactRaw(backup.map(({ pk, sk, ...item }) => put({ pk, sk }, item)));
    const again = await operate(["erasures", "--again", aFile(`\n> feedback-board\n\n${listed}\r\n\n`)], theEngine());
    expect(again.output).toMatch(/^Erased 1 of 1 accounts again in the table /m);
    expect(again.code).toBe(0);
    await erasures.carryOut(ada.userId, Date.now() + SETTLE_MS + 1);
    expect(await tracesOf([{ ...ada, texts: [ada.email, ada.username] }])).toEqual([]);
    await expectSound();
  });

  it("takes ids alone, passes over who is not there, and leaves the owner", async () => {
    const owner = await aUser("owner");
    const gone = await operate(["erasures", "--again", aFile(`${ada.userId}\n${owner.userId}\n`)], theEngine());
    expect(gone.output).toMatch(/^Erased 0 of 2 accounts again/m);
    expect(gone.output).toContain(`${owner.userId} is the owner in this table`);
    expect(gone.code).toBe(1);
    expect(await users.find(owner.userId)).toBeDefined();
  });

  it("changes nothing if a line lists no account", async () => {
    const member = await aMember();
    const { code, output } = await operate(["erasures", "--again", aFile(`${member.userId}\nAda\n`)], theEngine());
    expect(output).toContain("Line 2 lists no account: Ada");
    expect(code).toBe(1);
    expect(await users.find(member.userId)).toBeDefined();
  });
});

function aFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "erasures-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "erased.jsonl");
  writeFileSync(path, text);
  return path;
}
