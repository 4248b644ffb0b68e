import { beforeEach, describe, expect, it } from "vitest";
import * as outbox from "../../../lib/accounts/outbox.ts";
import { settings } from "../../../lib/runtime/settings.ts";
import * as due from "../../../lib/table/due.ts";
import { spawnServer } from "../../support/process/server-process.ts";
import { freshTable } from "../../support/setup.ts";

// `npm run background` as a process of its own.

async function background(...words: string[]): Promise<{ code: number | string; output: string; error: string }> {
  const command = [process.execPath, "infra/operator/background.ts"];
  const env = { DYNAMODB_ENDPOINT: settings().dynamoEndpoint ?? "", TABLE_NAME: settings().tableName };
  const { ended, output, complaints } = spawnServer({ command, env, options: words });
  return { code: await ended, output: output(), error: complaints() };
}

beforeEach(freshTable);

/** Two mails that wait, one of which has failed. */
async function twoMails(): Promise<{ fresh: string; failed: due.Entry }> {
  for (const to of ["ada@example.com", "grace@example.com"]) await outbox.add({ to, template: "verify" });
  const [id = "", fresh = ""] = await due.waitingIds("OUTBOX");
  const since = Date.now() - 3_600_000;
  const failed = { queue: "OUTBOX", id, dueAt: since + 7_200_000, tries: 7, since, reason: "Error: no" } as const;
  await due.putOff(failed, failed);
  return { fresh, failed };
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

describe("npm run background", () => {
  it("-- list shows what waits, since when, until when and why", async () => {
    const { fresh, failed } = await twoMails();
    const { code, output } = await background("list");
    expect(output.trim().split("\n")).toEqual([
      `OUTBOX ${failed.id}  failed 7 times since ${timeOf(failed.since)}, next attempt ${timeOf(failed.dueAt)}: Error: no`,
      `OUTBOX ${fresh}  new, waits for the stream`,
      expect.stringMatching(/^2 items wait in the table test-\S+ at http:\S+$/),
    ]);
    expect(code).toBe(0);
  });

  it("-- retry makes one item due at once, or all", async () => {
    const { fresh, failed } = await twoMails();
    const dueIds = async () =>
      (await due.entriesOf("OUTBOX")).filter((each) => each.dueAt <= Date.now()).map(({ id }) => id);
    expect(await background("retry", "OUTBOX", failed.id)).toMatchObject({ code: 0 });
    expect(await dueIds()).toEqual([failed.id]);
    const { output } = await background("retry");
    expect(output).toMatch(/^2 items of the table \S+ at \S+ are due; the next call of their function/);
    expect(await dueIds()).toEqual([failed.id, fresh]);
  });

  it("says which item does not wait, and writes nothing", async () => {
    const { code, error } = await background("retry", "OUTBOX", "gone");
    expect([code, error]).toEqual([1, expect.stringMatching(/^No item OUTBOX gone waits in the table \S+ at \S+\n$/)]);
    expect(await due.entriesOf("OUTBOX")).toEqual([]);
  });

  it.each([[[]], [["list", "OUTBOX"]], [["retry", "OUTBOX"]], [["drop"]]])("refuses %j", async (words) => {
    const { code, error } = await background(...words);
    expect([code, error]).toEqual([1, expect.stringMatching(/^Usage: npm run background -- list \| retry/)]);
  });
});
