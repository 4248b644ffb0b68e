import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { migrations } from "../../../lib/migrations/index.ts";
import { migrate, type Progress, status } from "../../../lib/migrations/migrate.ts";
import type { Migration } from "../../../lib/migrations/migration.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { writeWords } from "../../../lib/search/word-rows.ts";
import { setFields, stillHas } from "../../../lib/table/changes.ts";
import { key, range } from "../../../lib/table/keys.ts";
import { create, remove } from "../../../lib/table/parts.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { transact } from "../../../lib/table/transactions.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { freshTable } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import {
  type Attempt,
  conflicts,
  holdFirst,
  injectFaults,
  isTransaction,
  withFaults,
} from "../../support/store/faults.ts";
import { anything } from "../../support/store/items.ts";
import { expectSound } from "../../support/store/sound.ts";
import { eachOf } from "../../support/world/bulk.ts";
import { aMember, aPost, aStranger, aVote } from "../../support/world/fixtures.ts";
import { addEdges, forgetVersion, forgetWeights, oldItems } from "../../support/world/old-items.ts";
import { random } from "../../support/world/random.ts";

const NEWEST = migrations.length;
const MODEL = { done: { version: NEWEST, items: 0 }, none: { version: 0, items: 0 } };

beforeEach(async () => {
  await freshTable();
  injectFaults();
});
afterEach(expectSound);

/** The items that a migration would still change. */
async function oldOf({ walks, within, change }: Migration): Promise<object[]> {
  const owners = await getRange(walks, anything);
  const ranges = within ? owners.map((owner) => within(owner as never)).filter((each) => each !== undefined) : [];
  const items = within ? (await Promise.all(ranges.map((each) => getRange(each, anything)))).flat() : owners;
  const changes = await Promise.all(items.map((item) => change(item as never)));
  return items.filter((_, at) => changes[at] !== undefined);
}

/** The names of the operations of some calls, without those that repeat. */
function operationsOf(calls: { operation: string }[]): string[] {
  return calls.map(({ operation }) => operation).filter((name, index, all) => name !== all[index - 1]);
}

class Killed extends Error {}

/** Runs migrations until the n-th call, at which the runner dies; whether it came so far. */
async function migrateUntilKilled(call: number, list?: readonly Migration[]): Promise<boolean> {
  let calls = 0;
  try {
    await withFaults(
      () => (++calls >= call ? new Killed() : "none"),
      () => migrate({ ...(list && { migrations: list }) }),
    );
    return false;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return true;
  }
}

describe("the list of migrations", () => {
  it("each has a module of its own, whose name begins with its number, and old items for these tests", () => {
    const files = readdirSync("lib/migrations").filter((name) => /^\d+-/.test(name));
    const numbers = Array.from({ length: NEWEST }, (_, index) => index + 1);
    expect(files.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b)).toEqual(numbers);
    expect(Object.keys(oldItems).map(Number), "test/support/world/old-items.ts").toEqual(numbers);
  });
});

describe("docs/changing-the-model.md", () => {
  it("shows migration 1 as it is", () => {
    const [, shown] = /```ts\n([\s\S]*?)```/.exec(readFileSync("docs/changing-the-model.md", "utf8")) ?? [];
    expect(readFileSync("lib/migrations/1-voters-without-edge.ts", "utf8")).toContain(shown);
  });
});

describe.each(migrations.map((migration, index) => ({ number: index + 1, title: migration.title, migration })))(
  "migration $number, $title",
  ({ number, migration }) => {
    const before = { version: number - 1, items: 0 };
    const list = migrations.slice(0, number);

    /** A table with old items, in the version before. */
    const anOldTable = async (count: number): Promise<void> => {
      await freshTable();
      await migrate({ migrations: list.slice(0, -1) });
      await oldItems[number]?.(count);
      expect(await status()).toEqual(before);
      expect(await oldOf(migration)).toHaveLength(count);
    };

    const expectDone = async (): Promise<void> => {
      expect(await status()).toEqual({ version: number, items: 0 });
      expect(await oldOf(migration)).toEqual([]);
      await expectSound();
    };

    it("gives every item its new form, page by page", async () => {
      await anOldTable(60);
      const told: Progress[] = [];
      await migrate({ migrations: list, onProgress: (progress) => told.push(progress) });
      await expectDone();
      expect(told.map(({ isDone }) => isDone)).toEqual([...told.slice(1).map(() => false), true]);
      expect(told.map(({ items }) => items)).toEqual(told.map(({ items }) => items).sort((a, b) => a - b));
    });

    it("killed at any call, goes on from there", async () => {
      for (let call = 1, isKilled = true; isKilled; call++) {
        await anOldTable(3);
        isKilled = await migrateUntilKilled(call, list);
        // The version, a page, three items, the new version.
        expect(isKilled || call > 6).toBe(true);
        await expectSound();
        await migrate({ migrations: list });
        await expectDone();
      }
    });

    it("loses the answer of any call without harm", async () => {
      for (let call = 1; call <= 6; call++) {
        await anOldTable(3);
        let calls = 0;
        await withFaults(
          () => (++calls === call ? "lose the answer" : "none"),
          () => migrate({ migrations: list }),
        );
        await expectDone();
      }
    });

    it("is carried out by two runners side by side, through conflicts", async () => {
      await anOldTable(24);
      const { below } = random(7);
      await withFaults(conflicts(2, below), () =>
        Promise.all([migrate({ migrations: list }), migrate({ migrations: list })]),
      );
      await expectDone();
    });
  },
);

/** Eight people who vote and take their votes back, until the work is done. */
async function withVoters(postIds: string[], work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  let changes = 0;
  const { oneOf } = random(11);
  const voter = async (person: ReturnType<typeof aStranger>): Promise<void> => {
    while (!isOver) {
      const postId = oneOf(postIds);
      const outcome = await voting.cast(postId, person, await votes.summary(postId));
      if (outcome === "already voted") {
        await voting.takeBack(postId, person.userId, await voting.ownVote(postId, person.userId));
      }
      changes++;
    }
  };
  const crowd = Promise.all(Array.from({ length: 8 }, () => voter(aStranger())));
  await work().finally(() => {
    isOver = true;
  });
  await crowd;
  return changes;
}

describe("migration 1 while people vote", () => {
  it("each vote counts, and nothing of the old form is left", async () => {
    await oldItems[1]?.(12);
    const items = await getRange(range.posts(), anything);
    const postIds = items.map(({ sk }) => String(sk)).filter((sk) => !sk.includes("#"));
    const { below } = random(5);
    let changes = 0;
    await withFaults(conflicts(2, below), async () => {
      changes = await withVoters(postIds, () => migrate());
    });
    expect(changes).toBeGreaterThan(100);
    expect((await scan()).filter((item) => "edge" in item || "cast" in item)).toEqual([]);
    expect(await status()).toEqual(MODEL.done);
  });

  it("an item that changes between its read and its write is read again", async () => {
    const { postId } = await aPost(await aMember());
    await aVote(postId, await aMember());
    await addEdges();
    const { decide, reached, release } = holdFirst(isTransaction);
    await withFaults(decide, async () => {
      const running = migrate();
      await reached;
      // Old code adds up `cast`.
      await transact({ old: setFields(key.voters(postId), { cast: 9 }) });
      release();
      await running;
    });
    expect((await scan()).filter((item) => "edge" in item || "cast" in item)).toEqual([]);
  });

  it("an item that is deleted between its read and its write does not come back", async () => {
    const post = await aPost(await aMember());
    await addEdges();
    const { decide, reached, release } = holdFirst(isTransaction);
    await withFaults(decide, async () => {
      const running = migrate();
      await reached;
      await posts.destroy(post);
      release();
      await running;
    });
    expect((await scan()).map(({ pk }) => pk)).not.toContain("POSTS");
  });
});

describe("migration 2 while people vote", () => {
  it("each weight is there in the end, of votes before it, meanwhile and after", async () => {
    await oldItems[2]?.(8);
    const items = await getRange(range.posts(), anything);
    const postIds = items.map(({ sk }) => String(sk)).filter((sk) => !sk.includes("#"));
    const { below } = random(6);
    let changes = 0;
    await withFaults(conflicts(2, below), async () => {
      changes = await withVoters(postIds, () => migrate());
    });
    expect(changes).toBeGreaterThan(100);
    expect(await status()).toEqual(MODEL.done);
  });

  it("a vote that came and went while the votes were read is not weighed", async () => {
    const { postId } = await aPost(await aMember());
    await forgetWeights();
    const passing = aStranger();
    const { decide, reached, release } = holdFirst(({ operation }) => operation === "TransactWriteItems");
    await voting.cast(postId, aStranger(), await votes.summary(postId));
    await withFaults(decide, async () => {
      const running = migrate();
      await reached;
      await voting.cast(postId, passing, await votes.summary(postId));
      release();
      await running;
    });
    await voting.takeBack(postId, passing.userId, await voting.ownVote(postId, passing.userId));
    expect(await status()).toEqual(MODEL.done);
  });

  it("leaves an item alone that does not count its votes, and does not stop there", async () => {
    const [wrong, right] = [await aPost(await aMember()), await aPost(await aMember())];
    await forgetWeights();
    await transact({ wrong: setFields(key.voters(wrong.postId), { count: 3 }) });
    await migrate();
    expect(await status()).toEqual(MODEL.done);
    expect((await votes.summary(wrong.postId))?.heat.size).toBe(0);
    expect((await votes.summary(right.postId))?.heat.size).toBe(1);
    await posts.destroy(wrong);
  });
});

describe("migration 3 while titles change", () => {
  it("writes the words of the title that there is at the end, and none of a post that is deleted", async () => {
    const author = await aMember();
    const [changed, deleted] = [await aPost(author, { title: "First" }), await aPost(author, { title: "Second" })];
    const { decide, reached, release } = holdFirst(
      ({ operation, input }) => operation === "TransactWriteItems" && JSON.stringify(input).includes("WORDS#"),
    );
    await withFaults(decide, async () => {
      const running = migrate();
      await reached;
      await posts.change(changed, () => ({ title: "Third" }));
      await posts.destroy(deleted);
      release();
      await running;
    });
    const rows = (await scan()).filter(({ pk }) => pk.startsWith("WORDS#"));
    expect(rows.map(({ sk }) => sk)).toEqual([`third#${changed.postId}`]);
    await posts.destroy(changed);
    await writeWords(changed.postId);
  });
});

describe("the version of a table", () => {
  it("a new table is at once at the newest version: nothing is changed", async () => {
    const told: Progress[] = [];
    expect(await migrate({ onProgress: (progress) => told.push(progress) })).toEqual(MODEL.done);
    expect(told.map(({ items }) => items)).toEqual(migrations.map(() => 0));
    expect(await scan()).toEqual([{ ...key.model(), ...MODEL.done }]);
  });

  it("when there is nothing to do, it takes one read", async () => {
    await migrate();
    const { calls } = await recordCalls(() => migrate());
    expect(calls.map(({ operation, readUnits }) => [operation, readUnits])).toEqual([["GetItem", 1]]);
  });

  it("a table that is newer than the code is refused, and stays as it is", async () => {
    const migration = { ...(migrations[0] as Migration), title: "of a later release" };
    await migrate({ migrations: [...migrations, migration] });
    await expect(migrate()).rejects.toThrow(
      `The table has version ${NEWEST + 1} of the data model, this code knows ${NEWEST}: use the newer code again`,
    );
    expect(await status()).toEqual({ version: NEWEST + 1, items: 0 });
  });

  it("a record that does not parse stops the migration instead of beginning it again", async () => {
    await transact({ model: create(key.model(), { version: "one" }) });
    await expect(migrate()).rejects.toThrow("version");
    await forgetVersion();
  });
});

describe("a runner", () => {
  it("stops when its time is up, and the next one goes on behind its last item", async () => {
    await oldItems[1]?.(25);
    // With this one in front, a page ends between a post and its voters.
    const odd = { pk: range.posts().pk, sk: "0" };
    await transact({ odd: create(odd) });
    let items = 0;
    const migrationOne = { migrations: migrations.slice(0, 1) };
    // Asked before each item, and in the middle of a page the time is up.
    const first = await migrate({ ...migrationOne, isTimeUp: () => items++ >= 27 });
    expect(first).toMatchObject({ version: 0, items: 27, after: expect.any(String) });
    const { calls } = await recordCalls(() => migrate(migrationOne));
    expect(calls.filter(({ operation }) => operation === "TransactWriteItems").length).toBeLessThan(20);
    expect(await status()).toEqual({ version: 1, items: 0 });
    expect(await oldOf(migrations[0] as Migration)).toEqual([]);
    await transact({ odd: remove(odd) });
  });

  it("that falls behind another one changes nothing and does not set the version back", async () => {
    await oldItems[1]?.(25);
    const savesProgress = ({ input }: Attempt): boolean => JSON.stringify(input).includes('"MODEL"');
    const isSave = (attempt: Attempt): boolean => isTransaction(attempt) && savesProgress(attempt);
    const { decide, reached, release } = holdFirst(isSave);
    await withFaults(decide, async () => {
      let asked = 0;
      const slow = migrate({ isTimeUp: () => asked++ > 0, onProgress: () => expect.unreachable() });
      await reached;
      await migrate();
      const { postId } = await aPost(await aMember());
      release();
      expect(await slow).toEqual(MODEL.done);
      expect(await votes.summary(postId)).toBeDefined();
    });
    expect(await status()).toEqual(MODEL.done);
  });

  /** A migration that walks through partitions of their own: it marks the votes of all posts. */
  const marked: Migration = {
    title: "mark votes",
    walks: range.posts(),
    within: ({ sk }) => (sk.includes("#") ? undefined : range.votes(sk)),
    table: { POSTS: ["query"], VOTES: ["query", "update"] },
    change: ({ pk, sk, mark }) =>
      mark === undefined ? { vote: setFields({ pk, sk }, { mark: 1 }, stillHas({ mark })) } : undefined,
  };

  it("walks through the items of every partition that belongs to an item", async () => {
    const author = await aMember();
    const strangers = Array.from({ length: 120 }, aStranger);
    const counts = [0, 120, 3];
    await eachOf(counts, async (count) => {
      const { postId } = await aPost(author);
      await voting.castAll(postId, strangers.slice(0, count));
    });
    const told: Progress[] = [];
    const run = () => migrate({ migrations: [marked], onProgress: (progress) => told.push(progress) });
    for (let call = 1; await migrateUntilKilled(call, [marked]); call += 20) await expectSound();
    await forgetVersion();
    const { calls } = await recordCalls(run);
    expect(operationsOf(calls)).toEqual(["GetItem", "Query", "TransactWriteItems"]);
    expect(told).toEqual([{ number: 1, title: "mark votes", items: 123, isDone: true }]);
    expect(await oldOf(marked)).toEqual([]);
    await forgetVersion();
  });

  it("whose time is up stops between two such partitions", async () => {
    const author = await aMember();
    for (let n = 0; n < 3; n++) await aVote((await aPost(author)).postId, aStranger());
    let asked = 0;
    const part = await migrate({ migrations: [marked], isTimeUp: () => asked++ >= 1 });
    expect(part).toMatchObject({ version: 0, items: 1 });
    expect(await oldOf(marked)).toHaveLength(2);
    expect(await migrate({ migrations: [marked] })).toEqual({ version: 1, items: 0 });
    expect(await oldOf(marked)).toEqual([]);
  });
});
