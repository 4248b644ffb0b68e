import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { accessOf } from "../../../lib/migrations/index.ts";
import { goBackBefore, migrate, status } from "../../../lib/migrations/migrate.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { setFields } from "../../../lib/table/changes.ts";
import { key } from "../../../lib/table/keys.ts";
import { create, put, remove } from "../../../lib/table/parts.ts";
import { range } from "../../../lib/table/ranges.ts";
import { transact } from "../../../lib/table/transactions.ts";
import * as votes from "../../../lib/votes/votes.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import * as faults from "../../support/store/faults.ts";
import { addPosts } from "../../support/world/bulk.ts";
import { fenceBehind, rightsIn, usesOf } from "../../support/world/exercises.ts";
import { aMember, aPost, postOf, strangersVote } from "../../support/world/fixtures.ts";
import { makeOld, useMigrations, withoutOld } from "../../support/world/migration.ts";
import { random } from "../../support/world/random.ts";

const DONE = { version: 5, items: 0 };

beforeEach(async () => {
  useMigrations(withoutOld);
  await freshTable();
  faults.injectFaults();
});
afterEach(async () => {
  useMigrations();
  await expectSound();
});

/** A table with posts whose voters items have their old form, and one whose does not. */
async function anOldTable(count: number): Promise<string[]> {
  const author = await aMember();
  const some = Array.from({ length: count }, () => postOf(author));
  await addPosts(some);
  await makeOld();
  await aPost(author);
  return some.map(({ postId }) => postId);
}

async function oldItems() {
  return (await scan()).filter((item) => "old" in item);
}

async function expectDone(): Promise<void> {
  expect(await status()).toEqual(DONE);
  expect(await oldItems()).toEqual([]);
  await expectSound();
}

describe("A migration", () => {
  it("continues where it was killed, at whichever call", async () => {
    for (let call = 1, isKilled = true; isKilled; call++) {
      await freshTable();
      await anOldTable(3);
      isKilled = await faults.cutAt(call, migrate);
      // The version, a page, three items, the new version.
      expect(isKilled || call > 6).toBe(true);
      await expectSound();
      await migrate();
      await expectDone();
    }
  });

  it("completes once when two runners carry it out side by side, through conflicts", async () => {
    await anOldTable(24);
    const { below } = random(7);
    await faults.withFaults(faults.conflicts(2, below), () => Promise.all([migrate(), migrate()]));
    await expectDone();
  });

  it("loses no vote between the read and the write of an item, which it reads again if it changed", async () => {
    const [postId = ""] = await anOldTable(1);
    await faults.overtaken(migrate, async () => {
      await strangersVote(postId, 1);
      await transact({ old: setFields(key.voters(postId), { old: 9 }) });
    });
    expect((await votes.summary(postId))?.count).toBe(1);
    await expectDone();
  });

  it("never restores an item that is deleted between its read and its write", async () => {
    const post = await aPost(await aMember());
    await makeOld();
    await faults.overtaken(migrate, () => posts.destroy(post));
    expect((await scan()).map(({ pk }) => pk)).not.toContain("POSTS");
  });

  it("uses exactly the rights of its definition, and the version of the table", async () => {
    await anOldTable(3);
    const migrated = (await recordCalls(() => migrate())).calls;
    const calls = [...migrated, ...(await fenceBehind(migrated, undefined))];
    expect([...usesOf(calls)].sort()).toEqual([...rightsIn(accessOf([withoutOld]))].sort());
  });

  it("changes items that older code wrote after it, when it is repeated", async () => {
    await anOldTable(3);
    await migrate();
    await makeOld();
    await migrate();
    expect(await oldItems()).not.toEqual([]);
    await goBackBefore(4);
    await migrate();
    await expectDone();
  });
});

describe("The version of a table", () => {
  it("stays absent in a new table while there are no migrations", async () => {
    useMigrations();
    const migrated = (await recordCalls(() => migrate())).calls;
    const calls = [...migrated, ...(await fenceBehind(migrated, undefined))];
    expect([...usesOf(calls)]).toEqual([...rightsIn(accessOf([]))]);
    expect(await scan()).toEqual([]);
  });

  it.each([3, 8])("stops three migrations if it is %i, and the table stays as it is", async (version) => {
    useMigrations(withoutOld, withoutOld, withoutOld);
    await anOldTable(2);
    await transact({ model: put(key.model(), { version, items: 0 }) });
    const before = await scan();
    await expect(migrate()).rejects.toThrow(
      `The table has version ${version} of the data model, and this code knows 4 to 7. Run the code that wrote`,
    );
    expect(await scan()).toEqual(before);
  });

  it("stops the migration if it does not parse", async () => {
    await transact({ model: create(key.model(), { version: "one" }) });
    await expect(migrate()).rejects.toThrow("version");
    await transact({ model: remove(key.model()) });
  });
});

describe("A runner", () => {
  it("stops when its time is up, and the next one continues behind its last item", async () => {
    await anOldTable(25);
    // With this one in front, a page ends between a post and its voters.
    const odd = { pk: range.posts().pk, sk: "0" };
    await transact({ odd: create(odd) });
    let asked = 0;
    // Asked before each item, and in the middle of a page the time is up.
    const first = await migrate({ isTimeUp: () => asked++ >= 27 });
    expect(first).toMatchObject({ version: 4, items: 27, after: expect.any(String) });
    const { calls } = await recordCalls(() => migrate());
    expect(calls.filter(({ operation }) => operation === "TransactWriteItems").length).toBeLessThan(20);
    await transact({ odd: remove(odd) });
    await expectDone();
  });

  it("changes nothing and keeps the version if another one has overtaken it", async () => {
    await anOldTable(25);
    const isSave = (attempt: faults.Attempt): boolean =>
      faults.isTransaction(attempt) && JSON.stringify(attempt.input).includes('"MODEL"');
    let asked = 0;
    const first = () => migrate({ isTimeUp: () => asked++ > 0, onProgress: () => expect.unreachable() });
    expect((await faults.overtaken(first, migrate, isSave)).slow).toEqual(DONE);
    await expectDone();
  });
});
