import { describe, expect, it } from "vitest";
import { defineBackground, pauseBeforeRetry } from "../../lib/background.ts";

describe("A background function", () => {
  const SECOND = 1000;
  const now = Date.UTC(2026, 0, 1);

  it.each([
    [1, 0.5],
    [10, 5],
    [60, 30],
    [119, 59.5],
    [121, 60],
    [86_400, 60],
  ])("pauses before the retry of a failed item that is %i s old for %d s", (age, pause) => {
    expect(pauseBeforeRetry(now / SECOND - age, now)).toBe(pause * SECOND);
  });

  it("does not pause for an item without an age or with a clock ahead of ours", () => {
    expect(pauseBeforeRetry(Number.POSITIVE_INFINITY, now)).toBe(0);
    expect(pauseBeforeRetry(now / SECOND + 5, now)).toBe(0);
  });

  it("accepts the hand-made event of docs/operations.md: event name, keys, sequence number", async () => {
    const done: string[] = [];
    const handler = defineBackground({ name: "test", takes: "OUTBOX", table: {} }, async (sk) => {
      if (sk === "bad") throw new Error("no");
      done.push(sk);
    });
    const Records = ["good", "bad", "better"].map((sk) => ({
      eventName: "INSERT" as const,
      dynamodb: { Keys: { pk: { S: "OUTBOX" }, sk: { S: sk } }, SequenceNumber: sk },
    }));
    expect(await handler({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: "bad" }] });
    expect(done).toEqual(["good", "better"]);
  });
});
