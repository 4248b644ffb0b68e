import { afterEach, describe, expect, it } from "vitest";
import { check } from "../../../infra/operator/check-table/check.ts";
import type { Finding } from "../../../infra/operator/check-table/stored.ts";
import { StoreUnavailable } from "../../../lib/table/client.ts";
import { SEATS } from "../../../lib/votes/seats.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { crowdOf } from "../../support/http/invoke.ts";
import { expectSound } from "../../support/setup.ts";
import * as faults from "../../support/store/faults.ts";
import { eachOf } from "../../support/world/bulk.ts";
import { aMember, aPost, aStranger, aVote } from "../../support/world/fixtures.ts";
import { generated } from "../../support/world/generated.ts";
import type { Random } from "../../support/world/random.ts";

type Voter = ReturnType<typeof aStranger>;

// Calls under way together: a busy machine still answers each of them within the client's time limit.
const AT_ONCE = 32;

function strangers(count: number): Voter[] {
  return Array.from({ length: count }, aStranger);
}

async function aNewPost(): Promise<string> {
  return (await aPost(await aMember())).postId;
}

async function vote(postId: string, voter: Voter & { at?: number }) {
  return voting.cast(postId, voter, { voters: await votes.summary(postId) });
}

async function unvote(postId: string, { userId }: Voter) {
  return voting.takeBack(postId, userId, await voting.ownVote(postId, userId));
}

async function aPostWithVotes(voters: Voter[]): Promise<string> {
  const postId = await aNewPost();
  for (const voter of voters) await aVote(postId, voter);
  return postId;
}

async function firstOf(postId: string): Promise<string[]> {
  return (await votes.summary(postId))?.first.map(({ userId }) => userId) ?? [];
}

async function countOf(postId: string): Promise<number | undefined> {
  return (await votes.summary(postId))?.count;
}

function ids(voters: Voter[]): string[] {
  return voters.map(({ userId }) => userId);
}

function isVotesQuery({ operation }: faults.Attempt): boolean {
  return operation === "Query";
}

function takesVoteBack(attempt: faults.Attempt): boolean {
  return (
    faults.isTransaction(attempt) && (attempt.input.TransactItems as { Delete?: object }[]).some((part) => part.Delete)
  );
}

afterEach(expectSound);

describe("Votes and unvotes, one after the other", () => {
  generated("agree with a list of voters through random steps of 20 users", async ({ oneOf, below, times }) => {
    const postId = await aNewPost();
    const users = strangers(20);
    const model: Voter[] = [];
    for (let step = 0; step < times(400); step++) {
      const user = oneOf(users);
      const position = model.indexOf(user);
      // Swings between few and many votes, so that seats are often handed over.
      if (below(10) < (step % 100 < 50 ? 7 : 3)) {
        const outcome = await vote(postId, user);
        if (position < 0) expect(outcome).toHaveProperty("voted");
        else expect(outcome).toBe("already voted");
        if (position < 0) model.push(user);
      } else {
        expect(await unvote(postId, user)).toBe(position < 0 ? "had not voted" : "taken back");
        if (position >= 0) model.splice(position, 1);
      }
      expect(await countOf(postId)).toBe(model.length);
      // Nobody else is at work, so each seat went to the first vote without one: these are the earliest.
      expect(await firstOf(postId)).toEqual(ids(model).slice(0, SEATS));
    }
    const { votes: all } = (await votes.votersOf(postId)) ?? { votes: [] };
    expect(all.map(({ userId }) => userId)).toEqual(ids(model));
  });

  it("put a vote with an id of an hour ahead last, and hand it a seat in its turn", async () => {
    const voters = strangers(8);
    const ahead = voters[2] as Voter;
    const others = voters.filter((voter) => voter !== ahead);
    const postId = await aNewPost();
    for (const voter of voters) {
      if (voter !== ahead) await aVote(postId, voter);
      else await vote(postId, { ...voter, at: Date.now() + 3_600_000 });
    }
    expect(await firstOf(postId)).toEqual(ids([...others.slice(0, 5), ahead]));
    await unvote(postId, others[1] as Voter);
    expect(await firstOf(postId)).toEqual(ids([others[0], ...others.slice(2, 6), ahead] as Voter[]));
    await unvote(postId, ahead);
    expect(await firstOf(postId)).toEqual(ids([others[0], ...others.slice(2, 7)] as Voter[]));
  });
});

describe("Votes in parallel", () => {
  const CROWD = crowdOf(128);

  generated(`succeed for ${CROWD} votes on one post, each met by up to three conflicts`, async ({ below }) => {
    const postId = await aNewPost();
    const voters = strangers(CROWD);
    await faults.withFaults(faults.conflicts(3, below), () =>
      eachOf(voters, async (voter) => expect(await vote(postId, voter)).toHaveProperty("voted"), AT_ONCE),
    );
    expect(await countOf(postId)).toBe(CROWD);
  });
});

describe("A vote that is overtaken", () => {
  it.each([
    ["fills the second seat if another vote commits first", 0, 1, [], ["slow", 0]],
    ["counts without a seat if all seats are taken in between", 5, 2, [], [0, 1, 2, 3, 4, 5]],
    ["fills a seat that becomes free in between", 6, 0, [2], [0, 1, 3, 4, 5, "slow"]],
  ])("%s", async (_, early, quick, leaving, seated) => {
    const voters = strangers(early + quick);
    const slow = aStranger();
    const postId = await aPostWithVotes(voters.slice(0, early));
    const meanwhile = async () => {
      for (const voter of voters.slice(early)) await vote(postId, voter);
      for (const n of leaving) await unvote(postId, voters[n] as Voter);
    };
    const { slow: outcome } = await faults.overtaken(() => vote(postId, slow), meanwhile);
    expect(outcome).toHaveProperty("voted");
    const expected = seated.map((n) => (n === "slow" ? slow : voters[n as number])?.userId);
    expect(await firstOf(postId)).toEqual(expected);
    expect(await countOf(postId)).toBe(early + quick - leaving.length + 1);
  });
});

describe("A seat whose holder takes the vote back", () => {
  it.each([
    ["goes to the next vote if the successor leaves in between", 9, 0, 6, [1, 2, 3, 4, 5, 7]],
    ["goes to the next vote if the successor gets another seat", 9, 0, 1, [2, 3, 4, 5, 6, 7]],
    ["becomes free if no vote without a seat is left", 7, 0, 1, [2, 3, 4, 5, 6]],
    ["becomes free if the holder got it in between", 7, 6, 0, [1, 2, 3, 4, 5]],
  ])("%s", async (_, count, slow, fast, seated) => {
    const voters = strangers(count);
    const postId = await aPostWithVotes(voters);
    await faults.overtaken(
      () => unvote(postId, voters[slow] as Voter),
      () => unvote(postId, voters[fast] as Voter),
    );
    expect(await firstOf(postId)).toEqual(seated.map((n) => voters[n]?.userId));
  });

  it("goes to a vote that is cast in between where all votes had seats", async () => {
    const voters = strangers(6);
    const late = aStranger();
    const postId = await aPostWithVotes(voters);
    await faults.overtaken(
      () => unvote(postId, voters[0] as Voter),
      () => vote(postId, late),
    );
    expect(await firstOf(postId)).toEqual(ids([...voters.slice(1), late]));
  });

  it("goes to a vote that was cast between the two reads, if the one before it left", async () => {
    const voters = strangers(7);
    const late = aStranger();
    const later = aStranger();
    const postId = await aPostWithVotes(voters);
    const meanwhile = async () => {
      await vote(postId, late);
      await unvote(postId, voters[6] as Voter);
      await vote(postId, later);
    };
    await faults.overtaken(() => unvote(postId, voters[0] as Voter), meanwhile, isVotesQuery);
    expect(await firstOf(postId)).toEqual(ids([...voters.slice(1, 6), late]));
    expect(await countOf(postId)).toBe(7);
  });

  it("changes hands without a second plan while others vote before each attempt to commit", async () => {
    const voters = strangers(16);
    const postId = await aPostWithVotes(voters);
    const plans = new Map<string | undefined, number>();
    const decide = async (attempt: faults.Attempt): Promise<faults.Fault> => {
      if (!takesVoteBack(attempt)) return "none";
      await aVote(postId, aStranger());
      const times = plans.get(attempt.clientRequestToken) ?? 0;
      plans.set(attempt.clientRequestToken, times + 1);
      return times < 2 ? faults.transactionConflict() : "none";
    };
    for (const voter of voters.slice(0, 6)) {
      expect(await faults.withFaults(decide, () => unvote(postId, voter))).toBe("taken back");
    }
    expect([...plans.values()]).toEqual([3, 3, 3, 3, 3, 3]);
    expect(await firstOf(postId)).toEqual(ids(voters.slice(6, 12)));
    expect(await countOf(postId)).toBe(28);
  });
});

describe("A vote without a seat", () => {
  it("counts down once if it is taken back twice in parallel", async () => {
    const postId = await aPostWithVotes(strangers(7));
    const voter = aStranger();
    await vote(postId, voter);
    const takeBack = () => unvote(postId, voter);
    expect(await faults.overtaken(takeBack, takeBack)).toEqual({ slow: "had not voted", fast: "taken back" });
    expect(await countOf(postId)).toBe(7);
  });
});

describe("Votes under faults", () => {
  /** What the checker finds after 100 votes, ten at a time, of whose transactions one in ten fails for good. */
  const underFaults = async ({ below }: Random): Promise<Finding[]> => {
    const postId = await aNewPost();
    const fates = new Map<string | undefined, number>();
    const decide = (attempt: faults.Attempt): faults.Fault => {
      if (!faults.isTransaction(attempt)) return "none";
      const fate = fates.get(attempt.clientRequestToken) ?? below(20);
      fates.set(attempt.clientRequestToken, fate);
      if (fate === 0) return faults.connectionReset();
      return fate === 1 ? "lose the answer" : "none";
    };
    const voteOf = async (voter: Voter): Promise<void> => {
      // A vote that fails may be cast or not: its caller received a 503.
      await vote(postId, voter).catch((error) => {
        if (!(error instanceof StoreUnavailable)) throw error;
      });
    };
    await faults.withFaults(decide, () => eachOf(strangers(100), voteOf, 10));
    return (await check()).filter(({ at }) => at.includes(postId));
  };

  generated("leave every post sound", async (dice) => {
    for (let round = 0; round < dice.times(4); round++) expect(await underFaults(dice)).toEqual([]);
  });
});
