import { beforeEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { FIRST_VERSION } from "../../../lib/migrations/index.ts";
import { migrate } from "../../../lib/migrations/migrate.ts";
import * as subscriptions from "../../../lib/posts/subscriptions.ts";
import { prefix } from "../../../lib/table/keys.ts";
import { put } from "../../../lib/table/parts.ts";
import { newId } from "../../../lib/values/ids.ts";
import { freshTable } from "../../support/setup.ts";
import { transactRaw } from "../../support/store/raw-calls.ts";
import { aMember, aPost } from "../../support/world/fixtures.ts";
import { expectOwnRights, expectToContinue, goBackWithout } from "../../support/world/migrating.ts";

const NUMBER = FIRST_VERSION + 2;

/** Takes what leads to choices away, as a table of the version before has none. */
function makeOld(): Promise<void> {
  return goBackWithout(({ sk }) => sk.startsWith(prefix.follow), NUMBER);
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
    await expectOwnRights(NUMBER);
    expect(await scan()).toEqual(before);
  });

  it("continues where it was killed, at whichever call", async () => {
    await expectToContinue(makeOld);
  });
});
