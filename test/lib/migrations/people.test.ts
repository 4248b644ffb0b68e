import { beforeEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as people from "../../../lib/accounts/people.ts";
import * as users from "../../../lib/accounts/users.ts";
import { FIRST_VERSION } from "../../../lib/migrations/index.ts";
import { migrate } from "../../../lib/migrations/migrate.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { isTransaction, overtaken } from "../../support/store/faults.ts";
import { aMember } from "../../support/world/fixtures.ts";
import { expectOwnRights, expectToContinue, goBackWithout } from "../../support/world/migrating.ts";

const NUMBER = FIRST_VERSION + 1;

/** Takes the rows of all people away, as a table of the version before has none. */
function makeOld(): Promise<void> {
  return goBackWithout(({ pk }) => pk === "PEOPLE", NUMBER);
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
    await expectOwnRights(NUMBER);
    expect(await scan()).toEqual(before);
  });

  it("continues where it was killed, at whichever call", async () => {
    await expectToContinue(makeOld);
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
