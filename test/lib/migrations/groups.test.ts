import { beforeEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as users from "../../../lib/accounts/users.ts";
import { accessOf, FIRST_VERSION, migrationFrom } from "../../../lib/migrations/index.ts";
import { goBackBefore, migrate } from "../../../lib/migrations/migrate.ts";
import { remove } from "../../../lib/table/parts.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { cutAt, isTransaction, overtaken } from "../../support/store/faults.ts";
import { transactRaw } from "../../support/store/raw-calls.ts";
import { rightsIn, usesOf } from "../../support/world/exercises.ts";
import { aMember, aUser } from "../../support/world/fixtures.ts";

const NUMBER = FIRST_VERSION + 3;

/** Takes the rows of the groups away, as a table of the version before has none. */
async function makeOld(): Promise<void> {
  const rows = (await scan()).filter(({ pk, sk }) => pk === "PEOPLE" && sk.startsWith(" "));
  await transactRaw(rows.map(({ pk, sk }) => remove({ pk, sk })));
  await goBackBefore(NUMBER);
}

describe("The migration to lists of the team and of suspended accounts", () => {
  beforeEach(async () => {
    await freshTable();
    for (const role of ["owner", "moderator", "suspended"] as const) await aUser(role);
    await aMember();
    await migrate();
  });

  it("restores every row, with exactly its rights", async () => {
    const before = await scan();
    await makeOld();
    expect(await users.idsAfter(undefined, "asc", 9, "team")).toEqual([]);
    const { calls } = await recordCalls(() => migrate());
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

  it("lists nobody by a role that is being changed", async () => {
    const moderator = await aUser("moderator");
    await makeOld();
    const suspend = () => users.changeRole({ ...moderator, keyIds: [] }, "suspended");
    await overtaken(migrate, suspend, isTransaction);
    await migrate();
    expect(await users.idsAfter(undefined, "asc", 9, "team")).not.toContain(moderator.userId);
    expect(await users.idsAfter(undefined, "asc", 9, "suspended")).toContain(moderator.userId);
    await expectSound();
  });
});
