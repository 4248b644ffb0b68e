import { beforeEach, describe, expect, it } from "vitest";
import { work } from "../../../functions/background/derive.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { key } from "../../../lib/table/keys.ts";
import { remove, update } from "../../../lib/table/parts.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { freshTable } from "../../support/setup.ts";
import { aBoard, aMember, aPost } from "../../support/world/fixtures.ts";

beforeEach(freshTable);

describe("derive", () => {
  const derived = async (postId: string) =>
    (await scan()).filter(({ pk, sk }) => /^(DERIVED|WORDS|TOP|TRENDING)/.test(pk) && `${pk} ${sk}`.includes(postId));
  const run = (postId: string) => work.carryOut(postId, () => false);

  it("keeps the rows of a post that does not parse, and removes the rows of a post that is gone", async () => {
    const { boardId } = await aBoard();
    const { postId } = await aPost(await aMember(), { boardId, title: "Dark mode" });
    await run(postId);
    const rows = await derived(postId);
    expect(rows).not.toEqual([]);
    await transact({ post: update(key.post(postId), "SET title = :number", { values: { ":number": 7 } }) });
    await run(postId);
    expect(await derived(postId)).toEqual(rows);
    await transact({ post: remove(key.post(postId)), voters: remove(key.voters(postId)) });
    await run(postId);
    expect(await derived(postId)).toEqual([]);
  });
});
