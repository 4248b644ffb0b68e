import { afterEach, expect, it, vi } from "vitest";
import { transact } from "../../../lib/table/transactions.ts";
import { HALF_LIFE_MS } from "../../../lib/values/heat.ts";
import { idAt, newId } from "../../../lib/values/ids.ts";
import { closeParts, countInShard } from "../../../lib/votes/shards.ts";
import { counting } from "../../../lib/votes/weights.ts";

const EPOCH_MS = 90 * HALF_LIFE_MS;
const BORDER = 33 * EPOCH_MS;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it.each([
  ["before", BORDER + 1000, BORDER - 1000],
  ["behind", BORDER - 1000, BORDER + 1000],
])("a counter is not closed over a vote from just %s the border of two epochs", async (_, now, votedAt) => {
  vi.useFakeTimers({ toFake: ["Date"], now });
  // All that is counted goes to one counter.
  vi.spyOn(Math, "random").mockReturnValue(0);
  const postId = newId();
  const count = (at: number, sign: 1 | -1) =>
    transact({ counter: countInShard(postId, 1, 0, counting([idAt(at)], sign)) });
  await count(BORDER - 3.5 * EPOCH_MS, 1);
  const { parts } = await closeParts(postId, 1);
  // A vote comes and another one goes: the number is as it was.
  await count(votedAt, 1);
  await count(BORDER - 2.5 * EPOCH_MS, -1);
  expect((await transact(parts)).done).toBe(false);
  const { sum, parts: again } = await closeParts(postId, 1);
  expect(sum).toBe(1);
  expect((await transact(again)).done).toBe(true);
});
