import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { key } from "../../../lib/table/keys.ts";
import { put, remove } from "../../../lib/table/parts.ts";
import { range } from "../../../lib/table/ranges.ts";
import { getMany, getRange } from "../../../lib/table/reads.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { freshTable, newContainer } from "../../support/setup.ts";
import { startBadStore, turnTo } from "../../support/store/bad-store.ts";
import { random } from "../../support/world/random.ts";

const Item = z.object({ sk: z.string(), text: z.string(), deep: z.object({ list: z.array(z.number()) }) });

const ids = Array.from({ length: 12 }, (_, n) => `item ${n}`);

function write(id: string, text: string, number = 0): Promise<unknown> {
  return transact({ item: put(key.post(id), { text: text.padEnd(150), deep: { list: [number] } }) });
}

const reads = {
  Query: () => getRange(range.posts({}), Item),
  BatchGet: () => getMany(ids.map(key.post), Item),
};

describe.each(Object.entries(reads))("A repeated %s", (_, read) => {
  beforeEach(async () => {
    newContainer();
    await freshTable();
    for (const id of ids) await write(id, "first");
  });

  async function readTwice() {
    await read();
    return read();
  }

  it("returns the items of the one before while all are equal", async () => {
    const items = await readTwice();
    const again = await read();
    expect(again).toHaveLength(ids.length);
    for (const [at, item] of again.entries()) expect(item).toBe(items[at]);
  });

  it("shows every change", async () => {
    const { below } = random(7);
    const stored = new Map(ids.map((id) => [id, { text: "first", number: 0 }]));
    for (let n = 0; n < 60; n++) {
      const id = ids[below(ids.length)] as string;
      if (stored.has(id) && below(3) === 0) {
        await transact({ item: remove(key.post(id)) });
        stored.delete(id);
      } else {
        stored.set(id, { text: `text ${below(3)}`, number: below(3) });
        await write(id, stored.get(id)?.text as string, stored.get(id)?.number);
      }
      for (let again = 0; again < below(4); again++) await read();
      const found = (await read()).map(({ sk, text, deep }) => [sk, { text: text.trim(), number: deep.list[0] }]);
      expect(new Map(found as [string, { text: string; number: number }][])).toEqual(stored);
    }
  });

  it("gives items that nobody can change for others", async () => {
    const [item] = await readTwice();
    expect(() => Object.assign(item as object, { text: "other" })).toThrow(TypeError);
    expect(() => item?.deep.list.push(1)).toThrow(TypeError);
  });

  it("reads again after an answer that was cut in half", async () => {
    await readTwice();
    const engine = process.env.DYNAMODB_ENDPOINT as string;
    const store = await startBadStore(engine);
    turnTo(store.endpoint);
    await readTwice();
    store.moods = ["garbles the answer", "well"];
    expect(await read()).toHaveLength(ids.length);
    turnTo(engine);
    store.stop();
  });
});
