import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { startBackground } from "../../../infra/local/background.ts";
import { defineBackground } from "../../../lib/background.ts";
import { defineFollowUp } from "../../../lib/follow-up.ts";
import * as due from "../../../lib/table/due.ts";
import { freshTable } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { aMember, aPost } from "../../support/world/fixtures.ts";

beforeEach(freshTable);

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

describe("A table to which no other process writes", () => {
  it("is hardly asked while nothing is due", async () => {
    const later = { dueAt: Date.now() + 900_000, tries: 0, since: Date.now(), reason: "continues later" };
    await due.putOff({ queue: "NOTICES", id: "+" }, later);
    const callsOf = async (isAlone: boolean): Promise<number> => {
      const running = async () => {
        const stop = startBackground({ functions: backgroundFunctions, isAlone });
        // Longer than the pause between two looks for due work.
        await sleep(7000);
        await stop();
      };
      return (await recordCalls(running)).calls.length;
    };
    const [alone = 0, shared = 0] = await Promise.all([callsOf(true), callsOf(false)]);
    expect(shared - alone).toBeGreaterThan(5);
  });
});
