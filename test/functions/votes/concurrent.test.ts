import { afterEach, beforeAll, describe, expect, it } from "vitest";
import * as votes from "../../../lib/votes/votes.ts";
import { atOnce, success, tally, unavailable } from "../../support/http/invoke.ts";
import { withStoreClock } from "../../support/patience.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import * as faults from "../../support/store/faults.ts";
import { aMember, aPost, aVote, type Person } from "../../support/world/fixtures.ts";

const VOTERS = 64;
let voters: Person[];

beforeAll(async () => {
  voters = await atOnce(VOTERS, () => aMember());
});

afterEach(expectSound);

function voter(n: number): Person {
  return voters[n] as Person;
}

async function countOf({ postId }: { postId: string }): Promise<number | undefined> {
  return (await votes.summary(postId))?.count;
}

describe("POST /votes and DELETE /votes, in parallel", () => {
  it("casts one vote if a user sends 64", async () => {
    for (let round = 0; round < 2; round++) {
      const post = await aPost(voter(0));
      const replies = await atOnce(64, () => portal.vote(post, voter(round)));
      expect(tally(replies)).toEqual({ 201: 1, "409 VOTE_EXISTS": 63 });
      expect(await countOf(post)).toBe(1);
    }
  });

  it("removes one vote if a user sends 64 unvotes", async () => {
    const post = await aPost(voter(0));
    for (let n = 0; n < 8; n++) await aVote(post.postId, voter(n));
    expect(tally(await atOnce(64, () => portal.unvote(post, voter(3))))).toEqual({ 200: 64 });
    expect(await countOf(post)).toBe(7);
  });
});

describe("POST /votes while the store fails", () => {
  it("casts one vote, by the same token, if the transaction is throttled or still in progress", async () => {
    for (const fault of [faults.throttled, faults.inProgress]) {
      const post = await aPost(voter(0));
      const tokens: (string | undefined)[] = [];
      const decide = (attempt: faults.Attempt): faults.Fault =>
        faults.isTransaction(attempt) && tokens.push(attempt.clientRequestToken) === 1 ? fault() : "none";
      success(await faults.withFaults(decide, () => portal.vote(post, voter(1))), 201);
      expect(await countOf(post)).toBe(1);
      expect(tokens.length).toBe(2);
      expect(new Set(tokens).size).toBe(1);
    }
  });

  it.each([
    ["three attempts if the store keeps throttling", faults.throttled, 0, 3],
    ["five seconds of store work if a transaction stays in progress", faults.inProgress, 1000, 5],
    ["five seconds of store work if a transaction stays in conflict", faults.transactionConflict, 1000, 5],
  ])("answers 503, with no vote cast, after %s", async (_, fault, duration, most) => {
    const post = await aPost(voter(0));
    let attempts = 0;
    const reply = await withStoreClock((pass) => {
      const decide = (attempt: faults.Attempt): faults.Fault => {
        if (!faults.isTransaction(attempt)) return "none";
        attempts++;
        pass(duration);
        return fault();
      };
      return faults.withFaults(decide, () => portal.vote(post, voter(1)));
    });
    unavailable(reply);
    expect(attempts).toBe(most);
    expect(await countOf(post)).toBe(0);
  });
});
