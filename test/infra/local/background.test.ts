import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { work as announce } from "../../../functions/background/announce.ts";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { startBackground } from "../../../infra/local/background.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { type BackgroundFunction, defineBackground, findWaiting } from "../../../lib/background.ts";
import { defineFollowUp } from "../../../lib/follow-up.ts";
import * as due from "../../../lib/table/due.ts";
import { freshTable } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { aMember, aPost } from "../../support/world/fixtures.ts";

beforeEach(freshTable);

/** Whether a post has its rows, by a call that is not recorded. */
async function isRanked(postId: string): Promise<boolean> {
  return (await scan()).some(({ pk }) => pk === `DERIVED#${postId}`);
}

describe("All posts", () => {
  /** How many posts are looked at between a start and a stop. */
  async function lookedAt(areAllNoted: boolean): Promise<number> {
    let posts = 0;
    const follow = defineFollowUp(
      { name: "derive", table: {} },
      async () => "done",
      async (some) => {
        posts += some.length;
        return [];
      },
    );
    const stop = startBackground({ functions: [defineBackground("keep", [follow])], areAllNoted });
    expect(await stop()).toBe(true);
    return posts;
  }

  it("are checked at the start, unless those that wait are noted", async () => {
    await aPost(await aMember());
    expect(await lookedAt(false)).toBe(1);
    expect(await lookedAt(true)).toBe(0);
  });
});

describe("An event", () => {
  const wait = { timeout: 20_000, interval: 200 };

  it.each([true, false])("is announced if its process was killed, and in this process (alone: %s)", async (isAlone) => {
    const author = await aMember();
    await aPost(author);
    const stop = startBackground({ isAlone });
    const isAnnounced = async () => (await findWaiting(announce)).ids.length === 0;
    await vi.waitUntil(isAnnounced, wait);
    await aPost(author);
    await vi.waitUntil(isAnnounced, wait);
    await stop();
  });
});

/** The background functions, and a promise that is kept once each begins its second look for due work. */
function noticingLooks() {
  const looks = backgroundFunctions.map(() => Promise.withResolvers<void>());
  const functions = backgroundFunctions.map((background, at) => {
    let count = 0;
    const look = (batch: Parameters<BackgroundFunction>[0]) => {
      if (!("Records" in batch) && ++count === 2) looks[at]?.resolve();
      return background(batch);
    };
    return Object.assign(look, background);
  });
  return { functions, secondLooks: Promise.all(looks.map(({ promise }) => promise)) };
}

describe("A table to which no other process writes", () => {
  it("is hardly asked while nothing is due", async () => {
    // One after the other: what one puts off would wake the other one.
    const callsOf = async (options: object, over: () => Promise<unknown>): Promise<number> => {
      await freshTable();
      const later = { dueAt: Date.now() + 900_000, tries: 0, since: Date.now(), reason: "continues later" };
      await due.putOff({ queue: "NOTICES", id: "+" }, later);
      const running = async () => {
        const stop = startBackground(options);
        await over();
        await stop();
      };
      return (await recordCalls(running)).calls.length;
    };
    const { functions, secondLooks } = noticingLooks();
    const begun = performance.now();
    // The second looks end in the two seconds.
    const shared = await callsOf({ functions }, () => secondLooks.then(() => sleep(2000)));
    const lasted = performance.now() - begun;
    const alone = await callsOf({ isAlone: true }, () => sleep(lasted));
    expect(shared - alone).toBeGreaterThan(5);
  });

  it("has a new post read once, and twice where another process may delete it meanwhile", async () => {
    const readsOf = async (isAlone: boolean): Promise<number> => {
      await freshTable();
      const author = await aMember();
      const rank = async () => {
        const stop = startBackground({ isAlone, areAllNoted: true });
        const { postId } = await aPost(author);
        await vi.waitUntil(() => isRanked(postId), { timeout: 20_000, interval: 200 });
        await stop();
      };
      const { calls } = await recordCalls(rank);
      return calls.filter(({ touches }) =>
        touches.some(({ action, family }) => /Get/.test(action) && family === "DERIVED"),
      ).length;
    };
    expect(await readsOf(true)).toBe(1);
    expect(await readsOf(false)).toBe(2);
  });
});
