import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { StoreUnavailable } from "../../../lib/data/client.ts";
import { check, type Finding } from "../../../lib/data/invariants.ts";
import * as votes from "../../../lib/data/votes.ts";
import * as voting from "../../../lib/data/voting.ts";
import { idAt, newId } from "../../../lib/values/ids.ts";
import { crowdOf } from "../../support/http/tally.ts";
import {
  type Attempt,
  conflicts,
  connectionReset,
  type Fault,
  holdFirst,
  isTransaction,
  withFaults,
} from "../../support/store/faults.ts";
import { expectSound } from "../../support/store/sound.ts";
import * as mutant from "../../support/store/two-write-votes.ts";
import { aMember, aPost, aStranger } from "../../support/world/fixtures.ts";
import { generated } from "../../support/world/generated.ts";
import type { Random } from "../../support/world/random.ts";

type Voter = ReturnType<typeof aStranger>;

const strangers = (count: number): Voter[] => Array.from({ length: count }, aStranger);

const aNewPost = async (): Promise<string> => (await aPost(await aMember())).postId;

const vote = async (postId: string, voter: Voter) => voting.add(postId, voter, await votes.summary(postId));

const unvote = async (postId: string, { userId }: Voter) =>
  voting.takeBack(postId, userId, await voting.standing(postId, userId));

/** A post on which some people voted, one after the other. */
const aPostWithVotes = async (voters: Voter[]): Promise<string> => {
  const postId = await aNewPost();
  for (const voter of voters) expect(await vote(postId, voter)).toHaveProperty("voted");
  return postId;
};

const firstOf = async (postId: string): Promise<string[]> =>
  (await votes.summary(postId))?.first.map(({ userId }) => userId) ?? [];

const countOf = async (postId: string): Promise<number | undefined> => (await votes.summary(postId))?.count;

const ids = (voters: Voter[]): string[] => voters.map(({ userId }) => userId);

/** Starts some work, stops it where it sends what matches, does something else, and lets it go on. */
const interleave = async <T>(
  work: () => Promise<T>,
  matches: (attempt: Attempt) => boolean,
  meanwhile: () => Promise<unknown>,
): Promise<T> => {
  const { decide, reached, release } = holdFirst(matches);
  return withFaults(decide, async () => {
    const running = work();
    await reached;
    await meanwhile();
    release();
    return running;
  });
};

const isVotesQuery = ({ operation }: Attempt): boolean => operation === "Query";

describe("the vote transactions", () => {
  afterEach(expectSound);

  generated(
    "agrees with a list of voters through 200 random votes and unvotes of 20 users",
    async ({ oneOf, below }) => {
      const [postId, users, model] = [await aNewPost(), strangers(20), [] as Voter[]];
      for (let step = 0; step < 200; step++) {
        const user = oneOf(users);
        const at = model.indexOf(user);
        // Swings between few and many votes, so that seats are often handed over.
        if (below(10) < (step % 100 < 50 ? 7 : 3)) {
          const outcome = await vote(postId, user);
          if (at < 0) expect(outcome).toHaveProperty("voted");
          else expect(outcome).toBe("already voted");
          if (at < 0) model.push(user);
        } else {
          expect(await unvote(postId, user)).toBe(at < 0 ? "had not voted" : "taken back");
          if (at >= 0) model.splice(at, 1);
        }
        expect(await countOf(postId)).toBe(model.length);
        expect(await firstOf(postId)).toEqual(ids(model).slice(0, votes.SEATS));
      }
      const { votes: all } = (await votes.votersOf(postId)) ?? { votes: [] };
      expect(all.map(({ userId }) => userId)).toEqual(ids(model));
    },
  );

  /** Each user's own calls come one after the other, those of all users at once, in whatever order the store sees them. */
  const crowd = async ({ below }: Random): Promise<void> => {
    const [postId, users] = [await aNewPost(), strangers(20)];
    const meet = conflicts(2, below);
    const scramble = async (attempt: Attempt) => {
      if (isTransaction(attempt)) await sleep(below(6));
      return meet(attempt);
    };
    const standing = new Set<string>();
    const actions = async (user: Voter): Promise<void> => {
      let hasVoted = false;
      for (let step = 0; step < 6; step++) {
        if (below(10) < 6) {
          const outcome = await vote(postId, user);
          expect(typeof outcome === "string" ? outcome : "voted").toBe(hasVoted ? "already voted" : "voted");
          hasVoted = true;
        } else {
          expect(await unvote(postId, user)).toBe(hasVoted ? "taken back" : "had not voted");
          hasVoted = false;
        }
      }
      if (hasVoted) standing.add(user.userId);
    };
    await withFaults(scramble, () => Promise.all(users.map(actions)));
    const voters = await votes.votersOf(postId);
    expect(new Set(voters?.votes.map(({ userId }) => userId))).toEqual(standing);
    expect(voters?.total).toBe(standing.size);
    await expectSound();
  };

  generated("ends where a plain set of voters ends when 20 users vote and unvote at once", async (seeded) => {
    for (let round = 0; round < 2; round++) await crowd(seeded);
  });

  const CROWD = crowdOf(256);

  generated(`takes ${CROWD} votes on one post, each met by up to three conflicts`, async ({ below }) => {
    const [postId, voters] = [await aNewPost(), strangers(CROWD)];
    const outcomes = await withFaults(conflicts(3, below), () => Promise.all(voters.map((each) => vote(postId, each))));
    expect(outcomes.filter((outcome) => typeof outcome !== "string")).toHaveLength(CROWD);
    expect(await countOf(postId)).toBe(CROWD);
  });

  generated("takes votes and unvotes of the same users at once in some order", async ({ below }) => {
    const [postId, users] = [await aNewPost(), strangers(10)];
    const gained = new Map<string, number>();
    const act = async (user: Voter, isVote: boolean): Promise<void> => {
      const outcome = await (isVote ? vote(postId, user) : unvote(postId, user));
      const gain = outcome === "taken back" ? -1 : typeof outcome === "string" ? 0 : 1;
      gained.set(user.userId, (gained.get(user.userId) ?? 0) + gain);
    };
    const calls = users.flatMap((user) => [0, 1, 2, 3, 4, 5].map((n) => () => act(user, n % 2 === 0)));
    await withFaults(conflicts(2, below), () => Promise.all(calls.map((call) => call())));
    for (const { userId } of users) {
      const hasVoted = (await votes.voteOf(userId, postId)) !== undefined;
      expect(gained.get(userId)).toBe(hasVoted ? 1 : 0);
    }
  });

  it("seats who commits first, whoever began first", async () => {
    const [slow, quick] = [aStranger(), aStranger()];
    const postId = await aNewPost();
    const outcome = await interleave(
      () => vote(postId, slow),
      isTransaction,
      () => vote(postId, quick),
    );
    expect(outcome).toHaveProperty("voted");
    expect(await firstOf(postId)).toEqual(ids([quick, slow]));
  });

  it("counts a vote that was planned with a seat once all seats are taken", async () => {
    const [early, slow] = [strangers(5), aStranger()];
    const quick = strangers(2);
    const postId = await aPostWithVotes(early);
    const meanwhile = async () => {
      for (const voter of quick) await vote(postId, voter);
    };
    await interleave(() => vote(postId, slow), isTransaction, meanwhile);
    expect(await firstOf(postId)).toEqual(ids([...early, ...quick]).slice(0, 6));
    expect(await countOf(postId)).toBe(8);
  });

  it("seats a vote that was planned without a seat once one is free", async () => {
    const [early, slow] = [strangers(6), aStranger()];
    const postId = await aPostWithVotes(early);
    await interleave(
      () => vote(postId, slow),
      isTransaction,
      () => unvote(postId, early[2] as Voter),
    );
    expect(await firstOf(postId)).toEqual([...ids(early).filter((_, n) => n !== 2), slow.userId]);
  });

  it("hands a seat to the earliest who then waits, where the one who waited first leaves", async () => {
    const voters = strangers(9);
    const postId = await aPostWithVotes(voters);
    await interleave(
      () => unvote(postId, voters[0] as Voter),
      isTransaction,
      () => unvote(postId, voters[6] as Voter),
    );
    expect(await firstOf(postId)).toEqual(ids([...voters.slice(1, 6), voters[7] as Voter]));
  });

  it("hands two seats to two who wait, where both were meant for the same", async () => {
    const voters = strangers(9);
    const postId = await aPostWithVotes(voters);
    await interleave(
      () => unvote(postId, voters[0] as Voter),
      isTransaction,
      () => unvote(postId, voters[1] as Voter),
    );
    expect(await firstOf(postId)).toEqual(ids(voters.slice(2, 8)));
  });

  it("frees a seat where nobody waits any more", async () => {
    const voters = strangers(7);
    const postId = await aPostWithVotes(voters);
    await interleave(
      () => unvote(postId, voters[0] as Voter),
      isTransaction,
      () => unvote(postId, voters[1] as Voter),
    );
    expect(await firstOf(postId)).toEqual(ids(voters.slice(2)));
  });

  it("misses no vote that comes between the reads of an unvote", async () => {
    const voters = strangers(7);
    const [late, later] = [aStranger(), aStranger()];
    const postId = await aPostWithVotes(voters);
    const meanwhile = async () => {
      await vote(postId, late);
      await unvote(postId, voters[6] as Voter);
      await vote(postId, later);
    };
    await interleave(() => unvote(postId, voters[0] as Voter), isVotesQuery, meanwhile);
    expect(await firstOf(postId)).toEqual(ids([...voters.slice(1, 6), late]));
    expect(await countOf(postId)).toBe(7);
  });

  it("passes over no vote that was begun before the successor's and commits before the hand-over", async () => {
    const voters = strangers(6);
    const [slow, quick] = [aStranger(), aStranger()];
    const postId = await aPostWithVotes(voters);
    // The slow vote has the smaller id; it commits after the unvote has read who waits.
    const slowVote = holdFirst(isTransaction);
    let running: Promise<unknown> | undefined;
    await withFaults(slowVote.decide, async () => {
      running = vote(postId, slow);
      await slowVote.reached;
      await vote(postId, quick);
    });
    const meanwhile = async () => {
      slowVote.release();
      await running;
    };
    await interleave(() => unvote(postId, voters[0] as Voter), isTransaction, meanwhile);
    expect(await firstOf(postId)).toEqual(ids([...voters.slice(1), slow]));
  });

  it("frees or counts down by what is there, when the same vote is taken back twice at once", async () => {
    const voters = strangers(8);
    const postId = await aPostWithVotes(voters);
    for (const voter of [voters[0], voters[7]] as Voter[]) {
      const again = () => unvote(postId, voter);
      expect(await interleave(again, isTransaction, again)).toBe("had not voted");
    }
    expect(await firstOf(postId)).toEqual(ids(voters.slice(1, 7)));
    expect(await countOf(postId)).toBe(6);
  });

  it("keeps the order of the first votes where a machine's clock is ahead", async () => {
    const voters = strangers(7);
    const postId = await aNewPost();
    const ahead = idAt(Date.now() + 3_600_000);
    for (const [n, voter] of voters.entries()) {
      const summary = await votes.summary(postId);
      // The third vote gets its id from a machine that is an hour ahead.
      expect(
        await voting.add(postId, voter, n === 2 && summary ? { ...summary, edge: ahead } : summary),
      ).toHaveProperty("voted");
    }
    expect(await firstOf(postId)).toEqual(ids(voters.slice(0, 6)));
    await unvote(postId, voters[3] as Voter);
    expect(await firstOf(postId)).toEqual(ids(voters.filter((_, n) => n !== 3)));
    expect(newId() < ahead).toBe(true);
  });
});

describe("votes under faults", () => {
  const postOf = ({ at }: Finding, postId: string): boolean => at.includes(postId);

  /** 100 votes of 100 users, ten at a time, of whose transactions one in ten fails for good; what the checker finds after it. */
  const underFaults = async (
    add: (...call: Parameters<typeof voting.add>) => Promise<unknown>,
    { below }: Random,
  ): Promise<Finding[]> => {
    const postId = await aNewPost();
    const fates = new Map<string | undefined, number>();
    const decide = (attempt: Attempt): Fault => {
      if (!isTransaction(attempt)) return "none";
      const fate = fates.get(attempt.clientRequestToken) ?? below(20);
      fates.set(attempt.clientRequestToken, fate);
      if (fate === 0) return connectionReset();
      return fate === 1 ? "lose the answer" : "none";
    };
    const queue = strangers(100);
    const client = async (): Promise<void> => {
      for (let voter = queue.pop(); voter; voter = queue.pop()) {
        // A vote that fails may be cast or not: its caller was told that nobody knows.
        await add(postId, voter, await votes.summary(postId)).catch((error) => {
          if (!(error instanceof StoreUnavailable)) throw error;
        });
      }
    };
    await withFaults(decide, () => Promise.all(Array.from({ length: 10 }, client)));
    return (await check()).filter((finding) => postOf(finding, postId));
  };

  generated("leave every post sound, whatever fails", async (dice) => {
    for (let round = 0; round < 3; round++) expect(await underFaults(voting.add, dice)).toEqual([]);
  });

  generated("are found out where they are cast in two writes", async (dice) => {
    const found = await underFaults(mutant.add, dice);
    expect(found.some(({ problem }) => /^counts \d+ votes and has \d+$/.test(problem))).toBe(true);
  });
});
