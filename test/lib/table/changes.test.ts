import { beforeEach, describe, expect, it } from "vitest";
import { differences, setFields, stillHas } from "../../../lib/table/changes.ts";
import { key } from "../../../lib/table/keys.ts";
import { create } from "../../../lib/table/parts.ts";
import { get } from "../../../lib/table/reads.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { freshTable } from "../../support/setup.ts";
import { anything } from "../../support/store/items.ts";

// `name`, `status`, `size` and `index` are reserved words of DynamoDB.
type Stored = { name: string; status?: string | undefined; size: number; tags?: string[] | undefined; index?: number };

const stored: Stored = { name: "Ada", status: "open", size: 1, tags: ["a"] };
const item = key.site();

async function read() {
  const { pk: _, sk: __, ...fields } = (await get(item, anything)) ?? {};
  return fields;
}

describe("differences", () => {
  it("finds each field with another value, at any depth, and each field to remove", () => {
    expect(differences<Stored>(stored, { name: "Ada", size: 1, tags: ["a"] })).toEqual({});
    expect(differences<Stored>(stored, { name: "Eve", tags: ["a", "b"], index: 0 })).toEqual({
      name: "Eve",
      tags: ["a", "b"],
      index: 0,
    });
    expect(differences<Stored>(stored, { status: undefined })).toEqual({ status: undefined });
    expect(differences<Stored>({ name: "Ada", size: 1 }, { status: undefined })).toEqual({});
  });
});

describe("setFields", () => {
  beforeEach(async () => {
    await freshTable();
    await transact({ item: create(item, stored) });
  });

  it("sets and removes fields, even with reserved names", async () => {
    const changed = await transact({ item: setFields(item, { name: "Eve", index: 3, status: undefined }) });
    expect(changed.done).toBe(true);
    expect(await read()).toEqual({ name: "Eve", size: 1, tags: ["a"], index: 3 });
    await transact({ item: setFields(item, { tags: undefined, index: undefined }) });
    expect(await read()).toEqual({ name: "Eve", size: 1 });
  });

  it("never creates an item", async () => {
    const changed = await transact({ item: setFields(key.user("nobody"), { name: "Eve" }) });
    expect(changed).toEqual({ done: false, failed: { item: "no item" } });
  });

  it("sets fields only if the same ones and others still have the values that were read", async () => {
    const isUnchanged = stillHas({ name: "Ada", status: "open", index: undefined });
    expect((await transact({ item: setFields(item, { name: "Eve", size: 2 }, isUnchanged) })).done).toBe(true);
    for (const fields of [{ name: "Ada" }, { status: undefined }, { index: 0 }]) {
      const late = await transact({ item: setFields(item, { size: 3 }, stillHas(fields)) });
      expect([fields, late.done]).toEqual([fields, false]);
    }
    expect(await read()).toMatchObject({ name: "Eve", size: 2 });
  });
});
