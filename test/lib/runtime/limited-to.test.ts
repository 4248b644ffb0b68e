import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { limitedTo } from "../../../lib/runtime/limited-to.ts";

describe("limitedTo", () => {
  it("runs as many calls in parallel as the limit says, and the others in their order", async () => {
    const inTurn = limitedTo(3);
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    const work = Array.from({ length: 20 }, (_, n) =>
      inTurn(async () => {
        begun.push(n);
        most = Math.max(most, ++running);
        await sleep(n % 4);
        running--;
        return n;
      }),
    );
    expect(await Promise.all(work)).toEqual(begun);
    expect(begun).toEqual([...begun].sort((a, b) => a - b));
    expect([most, running]).toEqual([3, 0]);
  });

  it("starts the next call after one that failed", async () => {
    const inTurn = limitedTo(1);
    const failed = inTurn(() => Promise.reject(new Error("no")));
    const next = inTurn(async () => "yes");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
    expect(await inTurn(async () => "again")).toBe("again");
  });
});
