import { beforeEach, describe, expect, it } from "vitest";
import { work as announce } from "../../../functions/background/announce.ts";
import { run } from "../../../infra/operator/background.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import { findWaiting } from "../../../lib/background.ts";
import * as due from "../../../lib/table/due.ts";
import { operateHere } from "../../support/process/operate.ts";
import { freshTable } from "../../support/setup.ts";
import { aMember, aPost } from "../../support/world/fixtures.ts";

function background(...words: string[]) {
  return operateHere(run, words);
}

beforeEach(freshTable);

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

describe("npm run operate -- background", () => {
  it("lists the waiting jobs with failures, next attempt and reason", async () => {
    const { fresh, failed } = await twoMails();
    const { code, output } = await background("list");
    expect(output.trim().split("\n")).toEqual([
      `OUTBOX ${failed.id}  failed 7 times since ${timeOf(failed.since)}, next attempt ${timeOf(failed.dueAt)}: Error: no`,
      `OUTBOX ${fresh}  new, waits for the stream`,
      expect.stringMatching(/^2 jobs wait in the table test-\S+ at http:\S+$/),
    ]);
    expect(code).toBe(0);
  });

  it("lists an event to announce, also one that has an entry, and that no search reads again", async () => {
    const author = await aMember();
    const failed = await aPost(author, { at: Date.now() - 60_000 });
    const fresh = await aPost(author);
    await due.putOff({ queue: "NEWS", id: failed.postId }, { dueAt: 0, tries: 0, since: 0, reason: "found waiting" });
    await (await findWaiting(announce)).keepPlace?.();
    const { output } = await background("list");
    const lines = [
      `NEWS ${fresh.postId}  new, waits for the stream`,
      `NEWS ${failed.postId}  next attempt 1970-01-01T00:00:00.000Z: found waiting`,
    ];
    expect(output.split("\n")).toEqual(expect.arrayContaining(lines));
  });

  it("makes one job due, or all of them", async () => {
    const { fresh, failed } = await twoMails();
    const dueIds = async () =>
      (await due.entriesOf("OUTBOX")).filter((each) => each.dueAt <= Date.now()).map(({ id }) => id);
    expect(await background("retry", "OUTBOX", failed.id)).toMatchObject({ code: 0 });
    expect(await dueIds()).toEqual([failed.id]);
    const { output } = await background("retry");
    const said = /^2 jobs of the table \S+ at \S+ are due: the background functions take them up within a minute$/m;
    expect(output).toMatch(said);
    expect(await dueIds()).toEqual([failed.id, fresh]);
  });

  it("names a job that does not wait, and writes nothing", async () => {
    const { code, complaints } = await background("retry", "OUTBOX", "gone");
    expect(complaints).toMatch(/^No job OUTBOX gone waits in the table \S+ at \S+\n$/);
    expect(code).toBe(1);
    expect(await due.entriesOf("OUTBOX")).toEqual([]);
  });

  it.each([[[]], [["list", "OUTBOX"]], [["retry", "OUTBOX"]], [["drop"]]])("refuses the words %j", async (words) => {
    const { code, complaints } = await background(...words);
    expect(complaints).toMatch(/^Usage: npm run operate -- background list \| retry/);
    expect(code).toBe(1);
  });
});
