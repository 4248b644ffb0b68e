import { describe, expect, it } from "vitest";
import { key } from "../../lib/table/keys.ts";
import { StoredHistory } from "./world/stored.ts";

// What the simulation takes for true of posts that are merged.

const POST = "01a028ca-fbdb-7589-8076-de4acd3e4464";
const OTHER = "01a028cb-3d6e-7216-bc97-96309b1c164a";
const HOUR = 3_600_000;

type Write = { key: { pk: string; sk: string }; item?: Record<string, string> };

/** A history of transactions, an hour apart; `mid` is the middle between two of them, by the number of the first. */
function historyOf(...transactions: Write[][]) {
  const history = new StoredHistory();
  for (const [number, writes] of transactions.entries()) {
    for (const [nth, { key, item }] of writes.entries()) {
      const after = item && Object.fromEntries(Object.entries(item).map(([name, text]) => [name, { S: text }]));
      const change = { key: { partition: key.pk, sort: key.sk }, before: undefined, after };
      history.note({ ...change, by: "request", transaction: number + 1 }, number * HOUR + nth);
    }
  }
  return { history, mid: (number: number) => (number + 0.5) * HOUR };
}

const there = (postId: string): Write => ({ key: key.post(postId), item: {} });
const gone = (postId: string): Write => ({ key: key.post(postId) });
const merged: Write = { key: key.merged(POST), item: { into: OTHER } };
const unmerged: Write = { key: key.merged(POST) };

const BOTH = [there(POST), there(OTHER)];

describe("the number of comments", () => {
  it("counts one that is decided and not yet there as possible", () => {
    const { history, mid } = historyOf(BOTH);
    const { pk: partition, sk: sort } = key.comment(POST, "01a27c7e-7205-76ef-b1bd-92c551a6354a");
    const change = { key: { partition, sort }, before: undefined, after: {}, by: "request" } as const;
    history.foresee(change);
    expect(history.commentsOf(POST, mid(0), mid(0))).toEqual({ least: 0, most: 1 });
    history.note({ ...change, transaction: 2 }, HOUR);
    expect(history.commentsOf(POST, mid(1), mid(1))).toEqual({ least: 1, most: 1 });
  });
});

describe("where a post continues", () => {
  it("is somewhere while it is merged, in whichever order the items change", () => {
    for (const writes of [
      [gone(POST), merged],
      [merged, gone(POST)],
    ]) {
      const { history, mid } = historyOf(BOTH, writes);
      expect(history.endsOf(POST, mid(0), mid(1))).toEqual({ ends: new Set([POST, OTHER]), mayBeNone: false });
      expect(history.endsOf(POST, mid(1), mid(1))).toEqual({ ends: new Set([OTHER]), mayBeNone: false });
    }
  });

  it("may be nowhere once it is deleted after its merge was undone", () => {
    const { history, mid } = historyOf(BOTH, [gone(POST), merged], [there(POST), unmerged], [gone(POST)]);
    expect(history.endsOf(POST, mid(1), mid(2)).mayBeNone).toBe(false);
    expect(history.endsOf(POST, mid(1), mid(3)).mayBeNone).toBe(true);
    expect(history.endsOf(POST, mid(3), mid(3))).toEqual({ ends: new Set(), mayBeNone: true });
  });

  it("may be nowhere once the other post is deleted", () => {
    const { history, mid } = historyOf(BOTH, [gone(POST), merged], [gone(OTHER)]);
    expect(history.endsOf(POST, mid(1), mid(1)).mayBeNone).toBe(false);
    expect(history.endsOf(POST, mid(1), mid(2))).toEqual({ ends: new Set([OTHER]), mayBeNone: true });
  });
});
