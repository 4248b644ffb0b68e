import { afterEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as renames from "../../../lib/cleanup/renames.ts";
import { sweep } from "../../../lib/cleanup/sweeps.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as due from "../../../lib/table/due.ts";
import { cool, heat, inShards, LOOK_MS, look } from "../../../lib/votes/hot-posts.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import {
  type Attempt,
  conflicts,
  holdFirst,
  isTransaction,
  transactionConflict,
  withFaults,
} from "../../support/store/faults.ts";
import { expectSound } from "../../support/store/sound.ts";
import { eachOf } from "../../support/world/bulk.ts";
import { aMember, aPost, aStranger } from "../../support/world/fixtures.ts";
import { generated } from "../../support/world/generated.ts";

type Voter = ReturnType<typeof aStranger>;

function strangers(count: number): Voter[] {
  return Array.from({ length: count }, aStranger);
}

const AT_ONCE = 16;

async function summaryOf(postId: string): Promise<votes.Voters> {
  const voters = await votes.summary(postId);
  if (!voters) throw new Error("the post is gone");
  return voters;
}

/** A post that is hot, with its post item and its first voters. */
async function aHotPost(early = strangers(6)) {
  const post = await aPost(await aMember());
  await voting.castAll(post.postId, early);
  await heat(await summaryOf(post.postId));
  return { post, postId: post.postId, early };
}

async function vote(postId: string, voter: Voter) {
  return voting.cast(postId, voter, await votes.summary(postId), undefined, inShards);
}

async function unvote(postId: string, { userId }: Voter) {
  return voting.takeBack(postId, userId, await voting.ownVote(postId, userId), inShards);
}

async function totalOf(postId: string): Promise<number | undefined> {
  const [voters] = await votes.withTotals([await summaryOf(postId)]);
  return voters?.count;
}

async function seatsOf(postId: string): Promise<string[]> {
  return (await summaryOf(postId)).first.map(({ userId }) => userId);
}

function ids(voters: Voter[]): string[] {
  return voters.map(({ userId }) => userId);
}

/** Starts some work, stops it where it sends its transaction, does something else, and lets it go on. */
async function overtaken<T>(work: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  const { decide, reached, release } = holdFirst(isTransaction);
  return withFaults(decide, async () => {
    const running = work();
    await reached;
    await meanwhile();
    release();
    return running;
  });
}

afterEach(expectSound);

describe("A post becomes hot", () => {
  it("if a vote meets conflicts on its voters item while others vote, and stays as it is below that", async () => {
    const early = strangers(6);
    const { postId } = await aPost(await aMember());
    await voting.castAll(postId, early);
    const voteMeeting = async (conflicts: number, others: number) => {
      const asRead = await summaryOf(postId);
      await voting.castAll(postId, strangers(others));
      let met = 0;
      const decide = (attempt: Attempt) =>
        isTransaction(attempt) && met++ < conflicts ? transactionConflict() : ("none" as const);
      return withFaults(decide, () => voting.cast(postId, aStranger(), asRead, undefined, inShards));
    };
    await voteMeeting(2, 2);
    expect((await summaryOf(postId)).hot).toBeUndefined();
    await voteMeeting(3, 1);
    expect((await summaryOf(postId)).hot).toBeUndefined();
    await voteMeeting(3, 2);
    expect(await summaryOf(postId)).toMatchObject({ hot: true, epoch: 1 });
    expect(await totalOf(postId)).toBe(14);
  });

  it("not while it has free seats", async () => {
    const { postId } = await aHotPost(strangers(5));
    expect((await summaryOf(postId)).hot).toBeUndefined();
  });

  it("once, if two make it hot at once", async () => {
    const { postId } = await aHotPost();
    const voters = await summaryOf(postId);
    await cool(voters);
    const calm = await summaryOf(postId);
    await Promise.all([heat(calm), heat(calm), heat(calm)]);
    expect(await summaryOf(postId)).toMatchObject({ hot: true, epoch: 2 });
  });

  it("while ordinary votes and unvotes are on their way, which are counted too", async () => {
    const early = strangers(8);
    const { postId } = await aPost(await aMember());
    await voting.castAll(postId, early);
    const hot = async () => heat(await summaryOf(postId));
    await overtaken(() => vote(postId, aStranger()), hot);
    await cool(await summaryOf(postId));
    await overtaken(() => unvote(postId, early[7] as Voter), hot);
    await cool(await summaryOf(postId));
    await overtaken(() => unvote(postId, early[0] as Voter), hot);
    expect(await totalOf(postId)).toBe(7);
    expect(await seatsOf(postId)).toEqual(ids(early.slice(1, 7)));
  });
});

describe("Votes on a hot post", () => {
  it("leave the voters item alone, and are counted, listed and found", async () => {
    const { postId, early } = await aHotPost();
    const before = await summaryOf(postId);
    const more = strangers(30);
    for (const voter of more) expect(await vote(postId, voter)).toHaveProperty("voted");
    expect(await summaryOf(postId)).toEqual(before);
    expect(await votes.votersOf(postId)).toMatchObject({ total: 36 });
    expect((await votes.votersOf(postId))?.votes.map(({ userId }) => userId)).toEqual(ids([...early, ...more]));
    expect(await vote(postId, more[3] as Voter)).toBe("already voted");
    for (const voter of more.slice(10)) expect(await unvote(postId, voter)).toBe("taken back");
    expect(await unvote(postId, more[20] as Voter)).toBe("had not voted");
    expect(await totalOf(postId)).toBe(16);
  });

  it("come in the order they were cast, page after page, also beside those of before and after", async () => {
    const all = strangers(150);
    const { postId } = await aHotPost(all.slice(0, 20));
    await eachOf(all.slice(20, 130), (voter) => vote(postId, voter), AT_ONCE);
    await cool(await summaryOf(postId));
    await eachOf(all.slice(130), (voter) => vote(postId, voter), AT_ONCE);
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const voters = await summaryOf(postId);
      const page = await votes.pageOf(voters, await votes.votesAfter(postId, after, 7), after, 7);
      expect(page.total).toBe(150);
      found.push(...page.votes.map(({ voteId }) => voteId));
      after = page.votes.at(-1)?.voteId;
      if (!page.more) break;
    }
    expect(found).toEqual([...found].sort());
    expect(found).toHaveLength(150);
    const shown = await votes.votersOf(postId);
    expect(shown?.total).toBe(150);
    expect(shown?.votes.map(({ voteId }) => voteId)).toEqual(found.slice(0, 100));
  });

  generated("and unvotes of a crowd end where a set of voters ends, each call met by conflicts", async ({ below }) => {
    const { postId, early } = await aHotPost();
    const voted = new Set(ids(early));
    const act = async (voter: Voter): Promise<void> => {
      for (let step = 0; step < 5; step++) {
        const adds = below(10) < 6;
        const outcome = await (adds ? vote(postId, voter) : unvote(postId, voter));
        const has = voted.has(voter.userId);
        expect(typeof outcome === "string" ? outcome : "voted").toBe(
          adds ? (has ? "already voted" : "voted") : has ? "taken back" : "had not voted",
        );
        if (adds) voted.add(voter.userId);
        else voted.delete(voter.userId);
        if (below(40) === 0) await cool(await summaryOf(postId));
        if (below(20) === 0) await heat(await summaryOf(postId));
      }
    };
    await withFaults(conflicts(2, below), () => eachOf([...early, ...strangers(24)], act, AT_ONCE));
    expect(await totalOf(postId)).toBe(voted.size);
  });
});

describe("A seat on a hot post", () => {
  it("goes to the earliest vote without one when its holder leaves", async () => {
    const { postId, early } = await aHotPost();
    const more = strangers(4);
    for (const voter of more) await vote(postId, voter);
    expect(await unvote(postId, early[2] as Voter)).toBe("taken back");
    expect(await unvote(postId, early[0] as Voter)).toBe("taken back");
    expect(await seatsOf(postId)).toEqual(ids([1, 3, 4, 5].map((n) => early[n] as Voter).concat(more.slice(0, 2))));
    expect(await totalOf(postId)).toBe(8);
  });

  it("is not left behind by a voter who leaves while getting it", async () => {
    const { postId, early } = await aHotPost();
    const more = strangers(3);
    for (const voter of more) await vote(postId, voter);
    const outcome = await overtaken(
      () => unvote(postId, more[0] as Voter),
      () => unvote(postId, early[0] as Voter),
    );
    expect(outcome).toBe("taken back");
    expect(await seatsOf(postId)).toEqual(ids([...early.slice(1), more[1] as Voter]));
  });

  it("does not go to a voter who leaves meanwhile", async () => {
    const { postId, early } = await aHotPost();
    const more = strangers(3);
    for (const voter of more) await vote(postId, voter);
    await overtaken(
      () => unvote(postId, early[0] as Voter),
      () => unvote(postId, more[0] as Voter),
    );
    expect(await seatsOf(postId)).toEqual(ids([...early.slice(1), more[1] as Voter]));
  });

  it("becomes free if no vote is without one: the post is hot no longer", async () => {
    const { postId, early } = await aHotPost();
    const late = aStranger();
    await vote(postId, late);
    await unvote(postId, late);
    expect(await unvote(postId, early[0] as Voter)).toBe("taken back");
    expect((await summaryOf(postId)).hot).toBeUndefined();
    expect(await totalOf(postId)).toBe(5);
  });
});

describe("A post that is hot no longer", () => {
  it("counts all votes in its voters item, and no late vote in a shard", async () => {
    const { postId } = await aHotPost();
    for (const voter of strangers(10)) await vote(postId, voter);
    await overtaken(
      () => vote(postId, aStranger()),
      async () => cool(await summaryOf(postId)),
    );
    const { hot, count } = await summaryOf(postId);
    expect([hot, count]).toEqual([undefined, 17]);
  });

  it("shows the same number to who read its voters item before", async () => {
    const { postId } = await aHotPost();
    for (const voter of strangers(10)) await vote(postId, voter);
    const before = await summaryOf(postId);
    await cool(before);
    expect((await votes.withTotals([before]))[0]?.count).toBe(16);
  });

  it("is one after two looks between which few voted, not before", async () => {
    const { postId } = await aHotPost();
    const start = Date.now();
    expect(await look(postId, start)).toHaveProperty("notBefore");
    const looks = [start + LOOK_MS + 1000, start + 2 * LOOK_MS + 1000, start + 3 * LOOK_MS + 1000] as const;
    expect(await look(postId, looks[0])).toEqual({ notBefore: looks[0] + LOOK_MS });
    await eachOf(strangers(70), (voter) => vote(postId, voter), AT_ONCE);
    expect(await look(postId, looks[1])).toEqual({ notBefore: looks[1] + LOOK_MS });
    await vote(postId, aStranger());
    expect(await look(postId, looks[2])).toBe("done");
    const { count, hot, seen } = await summaryOf(postId);
    expect([count, hot, seen]).toEqual([77, undefined, undefined]);
    expect(await due.waitingIds("HOT")).not.toContain(postId);
  });
});

describe("A hot post that is deleted", () => {
  it("takes no vote, and leaves nothing behind but closed counters", async () => {
    const { post, postId } = await aHotPost();
    const voters = strangers(40);
    await eachOf(voters, (voter) => vote(postId, voter), AT_ONCE);
    expect(await posts.destroy(post)).toBe("deleted");
    expect(await vote(postId, aStranger())).toBe("no such post");
    expect(await unvote(postId, voters[0] as Voter)).toBe("no such post");
    expect(await sweep(postId)).toBe("done");
    expect(await look(postId, Date.now() + 2 * LOOK_MS)).toBe("done");
    const left = (await scan()).filter(({ pk, sk }) => `${pk} ${sk}`.includes(postId));
    expect(left.every(({ closed }) => closed === true)).toBe(true);
    expect(left).toHaveLength(32);
  });

  it("takes the vote with it that was on its way", async () => {
    const { post, postId } = await aHotPost();
    const late = aStranger();
    // Nobody sees this vote: the answer to it is that there is no such post.
    await overtaken(
      () => vote(postId, late),
      () => posts.destroy(post),
    );
    expect(await votes.votersOf(postId)).toBeUndefined();
    await sweep(postId);
    expect(await votes.voteOf(late.userId, postId)).toBeUndefined();
  });

  it("refuses the vote that comes after the sweep", async () => {
    const { post, postId } = await aHotPost();
    const late = aStranger();
    const outcome = await overtaken(
      () => vote(postId, late),
      async () => {
        await posts.destroy(post);
        await sweep(postId);
      },
    );
    expect(outcome).toBe("no such post");
    expect(await votes.voteOf(late.userId, postId)).toBeUndefined();
  });
});

it("a renamed voter is shown under the new name on a hot post, with a seat and without", async () => {
  const [ada, grace] = [await aMember("Ada"), await aMember("Grace")];
  const { postId, early } = await aHotPost([...strangers(5), ada as unknown as Voter]);
  await vote(postId, grace as unknown as Voter);
  await vote(postId, aStranger());
  await unvote(postId, early[0] as Voter);
  await users.rename(ada, "Augusta");
  await users.rename(grace, "Brewster");
  for (const jobId of await due.waitingIds("RENAMES")) await renames.carryOut(jobId);
  const names = (await votes.votersOf(postId))?.votes.map(({ name }) => name);
  expect(names).toContain("Augusta");
  expect(names).toContain("Brewster");
  expect((await summaryOf(postId)).first.map(({ name }) => name)).toContain("Brewster");
});
