import { beforeEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { accessOf, FIRST_VERSION, migrationFrom } from "../../../lib/migrations/index.ts";
import { goBackBefore, migrate, type Progress } from "../../../lib/migrations/migrate.ts";
import * as subscriptions from "../../../lib/posts/subscriptions.ts";
import { prefix } from "../../../lib/table/keys.ts";
import { put, remove } from "../../../lib/table/parts.ts";
import { newId } from "../../../lib/values/ids.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { cutAt } from "../../support/store/faults.ts";
import { transactRaw } from "../../support/store/raw-calls.ts";
import { rightsIn, usesOf } from "../../support/world/exercises.ts";
import { aMember, aPost } from "../../support/world/fixtures.ts";

const NUMBER = FIRST_VERSION + 2;

/** Takes what leads to choices away, as a table of the version before has none. */
async function makeOld(): Promise<void> {
  const entries = (await scan()).filter(({ sk }) => sk.startsWith(prefix.follow));
  await transactRaw(entries.map(({ pk, sk }) => remove({ pk, sk })));
  await goBackBefore(NUMBER);
}

describe("The migration to items that lead to what people follow", () => {
  beforeEach(async () => {
    await freshTable();
    const ada = await aMember("Ada");
    const grace = await aMember("Grace");
    const post = await aPost(ada);
    const other = await aPost(ada);
    await subscriptions.choose(grace.userId, post.postId, true);
    await subscriptions.choose(ada.userId, post.postId, false);
    await subscriptions.choose(grace.userId, other.postId, true);
    await migrate();
  });

  it("restores every item, takes the choice of an erased account away, with exactly its rights", async () => {
    const before = await scan();
    const [{ pk } = { pk: "" }] = before.filter(({ pk }) => pk.startsWith("SUBSCRIPTIONS#"));
    const ofErased = { pk, sk: newId() };
    await makeOld();
    await transactRaw([put(ofErased, { on: true })]);
    let isDone = false;
    const onProgress = (progress: Progress) => {
      isDone = progress.isDone;
    };
    // Later migrations have rights of their own.
    const { calls } = await recordCalls(() => migrate({ onProgress, isTimeUp: () => isDone }));
    await migrate();
    expect(await scan()).toEqual(before);
    const migration = migrationFrom(NUMBER);
    const isOwn = (right: string) => !right.startsWith("MODEL") && !right.startsWith("FENCE");
    const rights = [...rightsIn(accessOf(migration ? [migration] : []))].filter(isOwn);
    expect([...usesOf(calls)].filter(isOwn).sort()).toEqual(rights.sort());
  });

  it("continues where it was killed, at whichever call", async () => {
    for (let call = 1, isKilled = true; isKilled; call++) {
      await makeOld();
      isKilled = await cutAt(call, migrate, () => "lose the answer");
      expect(isKilled || call > 5).toBe(true);
      await migrate();
      await expectSound();
    }
  });
});
