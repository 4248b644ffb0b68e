import { beforeEach, describe, expect, it, vi } from "vitest";
import { work as count } from "../../../functions/background/count.ts";
import { work as erase } from "../../../functions/background/erase.ts";
import { handler as keep } from "../../../functions/background/keep.ts";
import { work as sweep } from "../../../functions/background/sweep.ts";
import type * as users from "../../../lib/accounts/users.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import * as counting from "../../../lib/figures/counting.ts";
import { type DayFigures, daysIn, readLists, readMonths } from "../../../lib/figures/figures.ts";
import { countLists } from "../../../lib/figures/lists.ts";
import { deleteComment } from "../../../lib/posts/comment-changes.ts";
import * as comments from "../../../lib/posts/comments.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as due from "../../../lib/table/due.ts";
import { forgetLastId, idAt } from "../../../lib/values/ids.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { carryOutAll, invoke, success } from "../../support/http/invoke.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { cutAt, overtaken, withFaults } from "../../support/store/faults.ts";
import { aWorld, type World } from "../../support/world/examples.ts";
import { aComment, aMember, aPost, aStranger } from "../../support/world/fixtures.ts";
import { mergeInto, takeOut } from "../../support/world/merges.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
// In the morning of the third of February.
const NOW = Date.UTC(2026, 1, 3, 10, 30);

let world: World;
beforeEach(async () => {
  await freshTable();
  forgetLastId();
  vi.setSystemTime(NOW - 4 * DAY);
  world = await aWorld();
  vi.setSystemTime(NOW);
});

async function vote(postId: string, at: number, voter: users.Person = aStranger()): Promise<void> {
  await voting.cast(postId, { ...voter, at }, { voters: await votes.summary(postId) });
  await derive(postId);
}

/** What is counted on each of the last five days, as posts, votes, comments, accounts. */
async function counted(): Promise<string[]> {
  const months = await readMonths("2026-01", "2026-02");
  return daysIn(months, "2026-01-30", "2026-02-03").map(
    ({ day, ...numbers }: DayFigures) => `${day.slice(5)}: ${Object.values(numbers).join(" ")}`,
  );
}

/** Things of three days in two months, some of which are gone again. */
async function someDays(): Promise<posts.PostRecord> {
  const { author, member } = world;
  const old = await aPost(author, { at: NOW - 4 * DAY });
  const gone = await aPost(author, { at: NOW - DAY });
  const young = await aPost(author);
  await vote(old.postId, NOW - 3 * DAY);
  for (const { postId } of [old, gone, young]) await vote(postId, NOW - DAY);
  await vote(young.postId, NOW, member);
  await vote(young.postId, NOW);
  await voting.takeBack(young.postId, member.userId, await voting.ownVote(young.postId, member.userId));
  await aComment(old.postId, author, { commentId: idAt(NOW - 4 * DAY) });
  await aComment(gone.postId, author);
  await aComment(young.postId, author, { isInternal: true });
  const withdrawn = await aComment(young.postId, author);
  await aComment(young.postId, author);
  await deleteComment(withdrawn, () => comments.find(withdrawn));
  await posts.destroy(gone);
  await carryOutAll(sweep);
  await aMember();
  return old;
}

// The accounts of the world, without the one that came later.
const OF_WORLD = 5;

const SOME_DAYS = [`01-30: 1 0 1 ${OF_WORLD}`, "01-31: 0 1 0 0", "02-01: 0 0 0 0", "02-02: 0 2 0 0", "02-03: 1 1 1 1"];

describe("The figures", () => {
  it("count what was made on each day and is there: posts, votes, public comments, accounts", async () => {
    await someDays();
    await counting.begin();
    expect(await counting.carryOut(() => false)).toBe("done");
    expect(await counted()).toEqual(SOME_DAYS);
    await expectSound();
  });

  it("come out the same in slices, however short they are", async () => {
    await someDays();
    await counting.begin();
    let slices = 0;
    for (let turn = 0; (await counting.carryOut(() => turn++ > 0)) === "more"; turn = 0) slices++;
    expect(slices).toBeGreaterThan(0);
    expect(await counted()).toEqual(SOME_DAYS);
  });

  it("come out the same if the process is killed at any call", async () => {
    await someDays();
    for (let call = 1; ; call++) {
      // Anew, so that each run counts all months and makes all calls.
      vi.setSystemTime(NOW + call);
      await counting.beginAnew();
      const isCut = await cutAt(call, () => counting.carryOut(() => false));
      if (!isCut) break;
    }
    await carryOutAll(count);
    expect(await counted()).toEqual(SOME_DAYS);
    expect(await due.waitingIds("COUNTING")).toEqual([]);
  });

  it("stay as they are two hours after a day, unless all is counted anew", async () => {
    const old = await someDays();
    await counting.begin();
    await counting.carryOut(() => false);
    // A vote with the time of yesterday, as an import makes it.
    await vote(old.postId, NOW - DAY);
    await vote(old.postId, NOW);
    vi.setSystemTime(NOW + HOUR);
    await counting.begin();
    await counting.carryOut(() => false);
    expect((await counted()).slice(3)).toEqual(["02-02: 0 2 0 0", "02-03: 1 2 1 1"]);
    // Events are forgotten after thirty days; what is known of comments stays.
    vi.setSystemTime(NOW + 40 * DAY);
    await counting.beginAnew();
    await counting.carryOut(() => false);
    expect(await counted()).toEqual([...SOME_DAYS.slice(0, 3), "02-02: 0 3 0 0", "02-03: 1 2 1 1"]);
  });

  it("have what an import brings while they are counted, in what was seen before it too", async () => {
    const { author } = world;
    // One more than are looked at together.
    const all = await Promise.all(Array.from({ length: 21 }, () => aPost(author, { at: NOW - 4 * DAY })));
    for (const { postId } of all) await vote(postId, NOW - 3 * DAY);
    const first = all.map(({ postId }) => postId).sort()[0] as string;
    await counting.begin();
    expect(await counting.carryOut(() => true)).toBe("more");
    let turn = 0;
    expect(await counting.carryOut(() => turn++ > 0)).toBe("more");
    await vote(first, NOW - 3 * DAY);
    vi.setSystemTime(NOW + 1000);
    await counting.beginAnew();
    vi.setSystemTime(NOW + 2000);
    await carryOutAll(count);
    expect((await counted())[1]).toBe("01-31: 0 22 0 0");
  });

  it("have what an import brings while a count waits before it writes", async () => {
    const { postId } = await aPost(world.author, { at: NOW - 4 * DAY });
    await counting.begin();
    const end = async () => {
      await vote(postId, NOW - 3 * DAY);
      vi.setSystemTime(NOW + 1000);
      await counting.beginAnew();
    };
    await overtaken(
      () => counting.carryOut(() => false),
      end,
      ({ operation }) => operation === "UpdateItem",
    );
    expect(await due.waitingIds("COUNTING")).toEqual(["FIGURES"]);
    vi.setSystemTime(NOW + 2000);
    await carryOutAll(count);
    expect((await counted())[1]).toBe("01-31: 0 1 0 0");
    expect(await due.waitingIds("COUNTING")).toEqual([]);
  });

  it("read the events of the last thirty days only, however old the site is", async () => {
    await aPost(world.author, { at: NOW - 400 * DAY });
    await counting.begin();
    let reads = 0;
    const count = ({ input }: { input: Record<string, unknown> }) => {
      if (JSON.stringify(input).includes('"EVENTS')) reads++;
      return "none" as const;
    };
    await withFaults(count, () => counting.carryOut(() => false));
    // Of the days that events may tell of, in this month and the last one.
    expect(reads).toBe(2);
  });

  it("include the last evening, which is counted after midnight", async () => {
    const { postId } = await aPost(world.author);
    vi.setSystemTime(NOW + 13 * HOUR);
    await counting.begin();
    await counting.carryOut(() => false);
    vi.setSystemTime(NOW + 13.4 * HOUR);
    await vote(postId, Date.now());
    vi.setSystemTime(NOW + 14 * HOUR);
    await counting.begin();
    await counting.carryOut(() => false);
    expect((await counted()).at(-1)).toBe("02-03: 1 1 0 0");
  });

  it("are counted on the hour", async () => {
    await aPost(world.author);
    await keep({ time: "2026-02-03T10:59:00Z" });
    expect(await due.waitingIds("COUNTING")).toEqual([]);
    await keep({ time: "2026-02-03T11:00:00Z" });
    expect(await due.waitingIds("COUNTING")).toEqual(["FIGURES"]);
    expect(await carryOutAll(count)).toBe(true);
    expect((await counted()).at(-1)).toBe("02-03: 1 0 0 0");
  });

  it("say nothing of comments of more than thirty days ago", async () => {
    await aPost(world.author, { at: NOW - 60 * DAY });
    await counting.begin();
    await counting.carryOut(() => false);
    const days = daysIn(await readMonths("2025-12", "2026-01"), "2025-12-05", "2026-01-10");
    expect(days.at(0)).toMatchObject({ day: "2025-12-05", posts: 1, votes: 0, comments: null });
    expect(days.find(({ day }) => day === "2026-01-05")).toMatchObject({ comments: 0 });
    expect(days.find(({ day }) => day === "2026-01-04")).toMatchObject({ comments: null });
  });

  it("count a vote once while its post is merged into another one", async () => {
    const { author, member } = world;
    const duplicate = await aPost(author);
    const target = await aPost(author);
    await vote(duplicate.postId, NOW - DAY, member);
    await mergeInto(duplicate, target.postId);
    await derive(target.postId);
    await counting.begin();
    await counting.carryOut(() => false);
    expect((await counted()).slice(3)).toEqual(["02-02: 0 1 0 0", "02-03: 1 0 0 0"]);
  });

  it("count no comments of posts that were deleted with the post that they were merged into", async () => {
    const { author } = world;
    const [target, duplicate, takenOut] = await Promise.all([aPost(author), aPost(author), aPost(author)]);
    for (const post of [duplicate, takenOut]) {
      await aComment(post.postId, author);
      await mergeInto(post, target.postId);
    }
    await takeOut(takenOut);
    await posts.destroy((await posts.find(target.postId)) as posts.PostRecord);
    await carryOutAll(sweep);
    await counting.begin();
    await counting.carryOut(() => false);
    expect((await counted()).at(-1)).toBe("02-03: 1 0 1 0");
  });

  it("are counted where clocks differ so that a merge has a later event than its end", async () => {
    const { author } = world;
    const [one, other, gone] = await Promise.all([aPost(author), aPost(author), aPost(author)]);
    for (const { postId } of [one, other, gone]) await aComment(postId, author);
    await mergeInto(one, other.postId);
    // The clock of another container is behind.
    vi.setSystemTime(NOW - 5000);
    forgetLastId();
    await takeOut(one);
    vi.setSystemTime(NOW + 5000);
    await mergeInto(other, one.postId);
    await posts.destroy(gone);
    await counting.begin();
    await counting.carryOut(() => false);
    expect((await counted()).at(-1)).toBe("02-03: 1 0 2 0");
  });
});

describe("The list of the authors of most posts", () => {
  // The tokens of four days ago have ended.
  beforeEach(async () => {
    await freshTable();
    world = await aWorld();
  });

  /** Deletes an account, while a count that has read the name waits before it writes. */
  async function eraseDuringACount({ userId }: users.Person): Promise<void> {
    const eraseNow = async () => {
      const { token } = world.owner;
      success(await invoke("users-delete", { token, params: { userId }, body: {} }), 202);
      expect(await carryOutAll(erase)).toBe(true);
    };
    await overtaken(
      () => countLists(NOW),
      eraseNow,
      ({ operation }) => operation === "UpdateItem",
    );
  }

  it("has no erased account, even if a count is under way", async () => {
    const reader = await aMember();
    await aPost(reader);
    await counting.begin();
    await counting.carryOut(() => false);
    expect((await readLists())?.askers).toMatchObject([{ userId: reader.userId, posts: 1 }]);
    await eraseDuringACount(reader);
    expect((await readLists())?.askers).toEqual([]);
    await countLists(NOW);
    expect((await readLists())?.askers).toEqual([]);
    await expectSound();
  });

  it("has no account that is erased before anything was counted", async () => {
    const reader = await aMember();
    await aPost(reader);
    await eraseDuringACount(reader);
    expect((await readLists())?.askers).toEqual([]);
  });
});
