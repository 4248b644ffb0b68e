import { beforeEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as people from "../../../lib/accounts/people.ts";
import * as users from "../../../lib/accounts/users.ts";
import { accessOf, FIRST_VERSION, migrationFrom } from "../../../lib/migrations/index.ts";
import { goBackBefore, migrate, type Progress } from "../../../lib/migrations/migrate.ts";
import { remove } from "../../../lib/table/parts.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { cutAt, isTransaction, overtaken } from "../../support/store/faults.ts";
import { transactRaw } from "../../support/store/raw-calls.ts";
import { rightsIn, usesOf } from "../../support/world/exercises.ts";
import { aMember } from "../../support/world/fixtures.ts";

const NUMBER = FIRST_VERSION + 1;

/** Takes the rows of all people away, as a table of the version before has none. */
async function makeOld(): Promise<void> {
  const rows = (await scan()).filter(({ pk }) => pk === "PEOPLE");
  await transactRaw(rows.map(({ pk, sk }) => remove({ pk, sk })));
  await goBackBefore(NUMBER);
}

describe("The migration to rows of people", () => {
  beforeEach(async () => {
    await freshTable();
    for (const name of ["Ada Lovelace", "Grace Hopper", "愛"]) await aMember(name);
    await migrate();
  });

  it("restores every row, with exactly its rights", async () => {
    const before = await scan();
    await makeOld();
    expect(await people.idsOf("lovelace")).toEqual([]);
    let isDone = false;
    const onProgress = (progress: Progress) => {
      isDone = progress.isDone;
    };
    // Later migrations have rights of their own.
    const { calls } = await recordCalls(() => migrate({ onProgress, isTimeUp: () => isDone }));
    await migrate();
    expect(await scan()).toEqual(before);
    const migration = migrationFrom(NUMBER);
    const rights = [...rightsIn(accessOf(migration ? [migration] : []))];
    expect([...usesOf(calls)].filter((use) => !use.startsWith("MODEL")).sort()).toEqual(
      rights.filter((right) => !right.startsWith("MODEL") && !right.startsWith("FENCE")).sort(),
    );
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

  it("finds nobody by a name that is being changed", async () => {
    const ada = await aMember("Ada Byron");
    await makeOld();
    const rename = () => users.changeProfile(ada, { name: "Ada King" });
    await overtaken(migrate, rename, isTransaction);
    await migrate();
    expect(await people.idsOf("byron")).toEqual([]);
    expect(await people.idsOf("king")).toEqual([ada.userId]);
    await expectSound();
  });
});
