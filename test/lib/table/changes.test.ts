import { beforeEach, describe, expect, it } from "vitest";
import { differing, setFields, stillHas } from "../../../lib/table/changes.ts";
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

describe("What differs", () => {
  it("is each field with another value, as deep as values go, and each that is to be removed", () => {
    expect(differing<Stored>(stored, { name: "Ada", size: 1, tags: ["a"] })).toEqual({});
    expect(differing<Stored>(stored, { name: "Eve", tags: ["a", "b"], index: 0 })).toEqual({
      name: "Eve",
      tags: ["a", "b"],
      index: 0,
    });
    expect(differing<Stored>(stored, { status: undefined })).toEqual({ status: undefined });
    expect(differing<Stored>({ name: "Ada", size: 1 }, { status: undefined })).toEqual({});
  });
});

describe("A part that sets fields", () => {
  beforeEach(async () => {
    await freshTable();
    await transact({ item: create(item, stored) });
  });

  it("sets and removes, whatever the names of the fields are", async () => {
    const changed = await transact({ item: setFields(item, { name: "Eve", index: 3, status: undefined }) });
    expect(changed.done).toBe(true);
    expect(await read()).toEqual({ name: "Eve", size: 1, tags: ["a"], index: 3 });
    await transact({ item: setFields(item, { tags: undefined, index: undefined }) });
    expect(await read()).toEqual({ name: "Eve", size: 1 });
  });

  it("creates no item", async () => {
    const changed = await transact({ item: setFields(key.user("nobody"), { name: "Eve" }) });
    expect(changed).toEqual({ done: false, failed: { item: "no item" } });
  });

  it("holds only if other fields, and the same ones, are as they were read", async () => {
    const asRead = stillHas({ name: "Ada", status: "open", index: undefined });
    expect((await transact({ item: setFields(item, { name: "Eve", size: 2 }, asRead) })).done).toBe(true);
    for (const fields of [{ name: "Ada" }, { status: undefined }, { index: 0 }]) {
      const late = await transact({ item: setFields(item, { size: 3 }, stillHas(fields)) });
      expect([fields, late.done]).toEqual([fields, false]);
    }
    expect(await read()).toMatchObject({ name: "Eve", size: 2 });
  });
});
