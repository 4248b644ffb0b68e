import { beforeEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as users from "../../../lib/accounts/users.ts";
import { FIRST_VERSION } from "../../../lib/migrations/index.ts";
import { migrate } from "../../../lib/migrations/migrate.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { isTransaction, overtaken } from "../../support/store/faults.ts";
import { aMember, aUser } from "../../support/world/fixtures.ts";
import { expectOwnRights, expectToContinue, goBackWithout } from "../../support/world/migrating.ts";

const NUMBER = FIRST_VERSION + 3;

/** Takes the rows of the groups away, as a table of the version before has none. */
function makeOld(): Promise<void> {
  return goBackWithout(({ pk, sk }) => pk === "PEOPLE" && sk.startsWith(" "), NUMBER);
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
    await expectOwnRights(NUMBER);
    expect(await scan()).toEqual(before);
  });

  it("continues where it was killed, at whichever call", async () => {
    await expectToContinue(makeOld);
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
