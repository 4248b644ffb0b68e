import { afterEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import type { Person } from "../../../lib/accounts/users.ts";
import * as statuses from "../../../lib/catalogue/statuses.ts";
import * as merges from "../../../lib/cleanup/merges.ts";
import { lastOfChain } from "../../../lib/posts/merged-posts.ts";
import { merge, unmerge } from "../../../lib/posts/merging.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { expectSound } from "../../support/setup.ts";
import { cutAt } from "../../support/store/faults.ts";
import { aMember, aPost, aStranger, aVote } from "../../support/world/fixtures.ts";
import { generated } from "../../support/world/generated.ts";

afterEach(expectSound);

const BY = "00000000-0000-7000-8000-000000000001";

function strangers(count: number): Person[] {
  return Array.from({ length: count }, aStranger);
}

async function aPostWith(voters: Person[]): Promise<string> {
  const { postId } = await aPost(await aMember());
  for (const voter of voters) await aVote(postId, voter);
  return postId;
}

async function vote(postId: string, voter: Person) {
  return voting.cast(postId, voter, { voters: await votes.summary(postId) });
}

async function unvote(postId: string, { userId }: Person) {
  return voting.takeBack(postId, userId, await voting.ownVote(postId, userId));
}

/** Who has voted on a post, as its votes say; its count is the same. */
async function votersOf(postId: string): Promise<string[]> {
  const [voters, all] = await Promise.all([votes.summary(postId), votes.readVotes(postId, 1000)]);
  expect(voters?.count).toBe(all.votes.length);
  return all.votes.map(({ userId }) => userId).sort();
}

function ids(voters: Person[]): string[] {
  return voters.map(({ userId }) => userId).sort();
}

async function mergeAndMove(postId: string, into: string) {
  expect(await merge(postId, into, BY)).toBe("merging");
  expect(await merges.carryOut(postId)).toBe("done");
}

async function unmergeAndMove(postId: string) {
  expect(await unmerge(postId, BY, statuses.read)).toHaveProperty("postId", postId);
  expect(await merges.carryOut(postId)).toBe("done");
}

describe("A merge", () => {
  it("gives each person one vote, and its undoing each post what is still its own", async () => {
    const onBoth = strangers(3);
    const onD = strangers(9);
    const onT = strangers(5);
    const d = await aPostWith([...onBoth, ...onD]);
    const t = await aPostWith([...onT, ...onBoth]);
    await mergeAndMove(d, t);
    expect(await votersOf(t)).toEqual(ids([...onBoth, ...onD, ...onT]));
    expect(await posts.find(d)).toBeUndefined();
    await expectSound();
    await unvote(t, onD[0] as Person);
    await unvote(t, onBoth[0] as Person);
    await unmergeAndMove(d);
    expect(await votersOf(d)).toEqual(ids([...onBoth.slice(1), ...onD.slice(1)]));
    expect(await votersOf(t)).toEqual(ids([...onT, ...onBoth.slice(1)]));
  });

  it("keeps the vote of a person who voted on two duplicates for the one that stays", async () => {
    const [twice, thrice, once] = strangers(3) as [Person, Person, Person];
    const t = await aPostWith([once]);
    const a = await aPostWith([twice, thrice]);
    const b = await aPostWith([twice, thrice]);
    const c = await aPostWith([thrice]);
    const before = await Promise.all([a, b, c].map((postId) => votes.readVotes(postId, 10)));
    for (const d of [a, b, c]) await mergeAndMove(d, t);
    await unmergeAndMove(a);
    expect(await votersOf(t)).toEqual(ids([once, twice, thrice]));
    await expectSound();
    await unmergeAndMove(b);
    expect(await votersOf(t)).toEqual(ids([once, thrice]));
    await unmergeAndMove(c);
    expect(await votersOf(t)).toEqual(ids([once]));
    expect(await Promise.all([a, b, c].map((postId) => votes.readVotes(postId, 10)))).toEqual(before);
  });

  it("keeps no vote that was taken back on the post, for any duplicate", async () => {
    const [voter] = strangers(1) as [Person];
    const t = await aPostWith([]);
    const a = await aPostWith([voter]);
    const b = await aPostWith([voter]);
    for (const d of [a, b]) await mergeAndMove(d, t);
    await unmergeAndMove(a);
    await unvote(t, voter);
    await unmergeAndMove(b);
    expect(await Promise.all([t, a, b].map(votersOf))).toEqual([[], ids([voter]), []]);
  });

  it("keeps the vote of a duplicate whose voter takes back another one that is on its way back", async () => {
    const [voter] = strangers(1) as [Person];
    const t = await aPostWith([]);
    const a = await aPostWith([voter]);
    const b = await aPostWith([voter]);
    const before = await votes.readVotes(b, 10);
    for (const d of [a, b]) await mergeAndMove(d, t);
    await unmerge(a, BY, statuses.read);
    expect(await unvote(a, voter)).toBe("taken back");
    expect(await votersOf(t)).toEqual(ids([voter]));
    expect(await merges.carryOut(a)).toBe("done");
    await expectSound();
    await unmergeAndMove(b);
    expect(await Promise.all([t, a].map(votersOf))).toEqual([[], []]);
    expect(await votes.readVotes(b, 10)).toEqual(before);
  });

  it("keeps the vote of a duplicate whose voter votes anew while its post comes back itself", async () => {
    const [once, twice, thrice] = strangers(3) as [Person, Person, Person];
    const x = await aPostWith([]);
    const t = await aPostWith([twice]);
    const a = await aPostWith([twice, thrice]);
    const b = await aPostWith([thrice]);
    await voting.cast(a, { ...once, by: BY }, { voters: await votes.summary(a) });
    const before = await Promise.all([a, b].map((postId) => votes.readVotes(postId, 10)));
    for (const d of [a, b]) await mergeAndMove(d, t);
    await mergeAndMove(t, x);
    await unmerge(t, BY, statuses.read);
    for (const voter of [once, twice, thrice]) expect(await vote(t, voter)).toHaveProperty("voted");
    expect(await merges.carryOut(t)).toBe("done");
    await expectSound();
    for (const d of [a, b]) await unmergeAndMove(d);
    expect(await Promise.all([a, b].map((postId) => votes.readVotes(postId, 10)))).toEqual(before);
    expect(await votersOf(t)).toEqual(ids([once, twice, thrice]));
    expect(await votersOf(x)).toEqual([]);
  });

  it("keeps the votes of all duplicates, more than fit into a transaction, whose voter votes anew", async () => {
    const [voter] = strangers(1) as [Person];
    const x = await aPostWith([]);
    const t = await aPostWith([]);
    const duplicates: string[] = [];
    for (let n = 0; n < 45; n++) duplicates.push(await aPostWith([voter]));
    for (const d of duplicates) await mergeAndMove(d, t);
    await mergeAndMove(t, x);
    await unmerge(t, BY, statuses.read);
    await vote(t, voter);
    expect(await merges.carryOut(t)).toBe("done");
    for (const d of duplicates) await unmergeAndMove(d);
    const all = [t, ...duplicates];
    expect(await Promise.all(all.map(votersOf))).toEqual(all.map(() => [voter.userId]));
  });

  it("keeps the time of each vote", async () => {
    const voters = strangers(4);
    const d = await aPostWith(voters);
    const before = (await votes.readVotes(d, 10)).votes;
    const t = await aPostWith([]);
    await mergeAndMove(d, t);
    expect((await votes.readVotes(t, 10)).votes).toEqual(before);
    await unmergeAndMove(d);
    expect((await votes.readVotes(d, 10)).votes).toEqual(before);
  });

  it("moves nothing twice, at whichever call its job is cut off", async () => {
    for (let call = 1, isCut = true; isCut; call++) {
      const onBoth = strangers(1);
      const onD = strangers(3);
      const d = await aPostWith([...onBoth, ...onD]);
      const t = await aPostWith(onBoth);
      await merge(d, t, BY);
      isCut = await cutAt(call, () => merges.carryOut(d));
      await expectSound();
      expect(await merges.carryOut(d)).toBe("done");
      expect(await votersOf(t)).toEqual(ids([...onBoth, ...onD]));
      await unmerge(d, BY, statuses.read);
      await cutAt(call, () => merges.carryOut(d));
      await expectSound();
      expect(await merges.carryOut(d)).toBe("done");
      expect(await votersOf(d)).toEqual(ids([...onBoth, ...onD]));
      expect(await votersOf(t)).toEqual(ids(onBoth));
    }
  });
});

describe("A vote that is taken back while votes move", () => {
  it.each([0, 7])("is not missed because it left between the two halves of a read, beside %d others", async (count) => {
    const [voter] = strangers(1) as [Person];
    const d = await aPostWith([...strangers(count), voter]);
    const t = await aPostWith([]);
    // The voters as they were before the merge, the vote as it was after it.
    const { voters } = await voting.ownVote(d, voter.userId);
    await mergeAndMove(d, t);
    expect(await voting.takeBack(d, voter.userId, { voters, voteId: undefined })).toBe("no such post");
    await unmergeAndMove(d);
    expect(await voting.takeBack(d, voter.userId, { voters, voteId: undefined })).toBe("taken back");
    expect(await votersOf(d)).not.toContain(voter.userId);
  });

  it("does not come back", async () => {
    const [first, second] = strangers(2) as [Person, Person];
    const d = await aPostWith([first, second]);
    const t = await aPostWith([second]);
    await merge(d, t, BY);
    expect(await unvote(t, first)).toBe("taken back");
    expect(await unvote(t, second)).toBe("taken back");
    expect(await unvote(t, second)).toBe("had not voted");
    await merges.carryOut(d);
    expect(await votersOf(t)).toEqual([]);
  });

  it("is left alone if its post was taken out of the merge meanwhile", async () => {
    const [voter] = strangers(1) as [Person];
    const d = await aPostWith([]);
    const t = await aPostWith([]);
    await merge(d, t, BY);
    const asRead = await voting.ownVote(t, voter.userId);
    await merges.carryOut(d);
    await unmergeAndMove(d);
    await vote(d, voter);
    expect(await voting.takeBack(t, voter.userId, asRead)).toBe("had not voted");
    expect(await votersOf(d)).toEqual([voter.userId]);
  });

  it("does not come back when the merge is undone", async () => {
    const [first, second] = strangers(2) as [Person, Person];
    const d = await aPostWith([first, second]);
    const t = await aPostWith([second]);
    await mergeAndMove(d, t);
    await unmerge(d, BY, statuses.read);
    expect(await unvote(d, first)).toBe("taken back");
    expect(await unvote(d, second)).toBe("taken back");
    await expectSound();
    await merges.carryOut(d);
    expect(await votersOf(d)).toEqual([]);
    expect(await votersOf(t)).toEqual([second.userId]);
  });
});

/** What a duplicate keeps of a vote, as `MovedVoteItem` has it. */
type Kept = { userId: string; was?: string; inherits?: boolean };

/** What the votes of some posts should be, at every moment. */
class Model {
  /** Of each live post, who voted, with the vote. */
  readonly votes = new Map<string, Map<string, string>>();
  /** Of each duplicate, where its votes go, those that are not moved yet, and those that are. */
  readonly merged = new Map<string, { into: string; moved: Map<string, Kept> }>();
  readonly waiting = new Map<string, Map<string, string>>();
  /** Of each post that was taken out of its merge, from where its votes return, and those that have not returned. */
  readonly returning = new Map<string, { from: string; moved: Map<string, Kept> }>();

  lastOf(postId: string): string {
    const into = this.merged.get(postId)?.into;
    return into === undefined ? postId : this.lastOf(into);
  }

  isBusy(postId: string): boolean {
    const others = [...this.waiting.keys()].some((d) => this.merged.get(d)?.into === postId);
    const back = [...this.returning].some(([to, { from }]) => to === postId || from === postId);
    return others || back;
  }

  /** Learns which votes a job has moved: those that are not waiting any more. */
  hasMoved(d: string, left: Set<string>, isEnded: boolean): void {
    const into = this.votes.get(this.merged.get(d)?.into ?? "") as Map<string, string>;
    const waiting = this.waiting.get(d) as Map<string, string>;
    for (const [userId, voteId] of waiting) {
      if (left.has(voteId)) continue;
      const other = into.get(userId);
      if (other === undefined) into.set(userId, voteId);
      this.merged.get(d)?.moved.set(other ?? voteId, { userId, ...(other !== undefined && { was: voteId }) });
      waiting.delete(userId);
    }
    if (isEnded) this.waiting.delete(d);
  }

  hasReturned(d: string, left: Set<string>, isEnded: boolean): void {
    const { from, moved } = this.returning.get(d) as {
      from: string;
      moved: Map<string, Kept>;
    };
    const there = this.votes.get(from) as Map<string, string>;
    const here = this.votes.get(d) as Map<string, string>;
    for (const [voteId, { userId, was, inherits = false }] of moved) {
      if (left.has(voteId)) continue;
      moved.delete(voteId);
      if (there.get(userId) !== voteId) continue;
      const hasCome = was === undefined || inherits;
      const heir = hasCome && this.heirOf(voteId, from);
      if (heir) heir.inherits = true;
      else if (hasCome) there.delete(userId);
      const anew = here.get(userId);
      if (anew === undefined) here.set(userId, was ?? voteId);
      else this.keepAnew(d, was ?? voteId, anew);
    }
    if (isEnded) this.returning.delete(d);
  }

  /** What another duplicate keeps of a vote on the post, whose voter had voted on that one too. */
  heirOf(voteId: string, postId: string): Kept | undefined {
    const ofOthers = [...this.merged.values()].filter(({ into }) => into === postId);
    return ofOthers.map(({ moved }) => moved.get(voteId)).find((kept) => kept?.was !== undefined);
  }

  /** What the duplicates of a post keep of a vote that is replaced by a new one. */
  keepAnew(postId: string, earlier: string, anew: string): void {
    for (const { into, moved } of this.merged.values()) {
      const kept = into === postId && moved.get(earlier);
      if (!kept) continue;
      moved.delete(earlier);
      moved.set(anew, { userId: kept.userId, was: kept.was ?? earlier });
    }
  }

  takeBack(postId: string, userId: string): boolean {
    const ways = [this.votes.get(postId)?.delete(userId)];
    for (const [d, waiting] of this.waiting) if (this.merged.get(d)?.into === postId) ways.push(waiting.delete(userId));
    const back = this.returning.get(postId);
    for (const [voteId, each] of back?.moved ?? []) {
      const there = this.votes.get(back?.from ?? "");
      if (each.userId !== userId || there?.get(userId) !== voteId) continue;
      back?.moved.delete(voteId);
      if (each.was === undefined || each.inherits) there.delete(userId);
      ways.push(true);
    }
    return ways.includes(true);
  }
}

describe("Votes, merges and their undoing, with jobs that die", () => {
  generated("agree with a model through random steps on five posts", async ({ oneOf, below, times }) => {
    const users = strangers(14);
    const postIds: string[] = [];
    const model = new Model();
    for (let n = 0; n < 5; n++) {
      const postId = await aPostWith([]);
      postIds.push(postId);
      model.votes.set(postId, new Map());
    }
    const reach = async (postId: string) => (await lastOfChain(postId))?.post.postId ?? "";
    const steps: Record<string, () => Promise<void>> = {
      vote: async () => {
        const user = oneOf(users);
        const at = oneOf(postIds);
        const postId = model.lastOf(at);
        expect(await reach(at)).toBe(postId);
        const outcome = await vote(postId, user);
        const hasVoted = model.votes.get(postId)?.has(user.userId);
        if (typeof outcome === "object") model.votes.get(postId)?.set(user.userId, outcome.voted.voteId);
        expect(outcome === "already voted").toBe(hasVoted);
      },
      unvote: async () => {
        const user = oneOf(users);
        const at = oneOf(postIds);
        const postId = model.lastOf(at);
        const had = model.takeBack(postId, user.userId);
        expect(await unvote(postId, user)).toBe(had ? "taken back" : "had not voted");
      },
      merge: async () => {
        const d = oneOf(postIds);
        const t = oneOf(postIds);
        const outcome = await merge(d, t, BY);
        if (d === t) expect(outcome).toHaveProperty("conflict", "same_post");
        else if (model.merged.has(d)) {
          const isSame = model.merged.get(d)?.into === t;
          expect(outcome).toEqual(isSame ? "merging" : { conflict: "merged_already" });
        } else if (model.isBusy(d)) expect(outcome).toHaveProperty("conflict", "being_moved");
        else if (model.merged.has(t)) expect(outcome).toEqual({ conflict: "merged_itself", last: model.lastOf(t) });
        else if (model.isBusy(t)) expect(outcome).toHaveProperty("conflict", "being_moved");
        else {
          expect(outcome).toBe("merging");
          model.merged.set(d, { into: t, moved: new Map() });
          model.waiting.set(d, model.votes.get(d) as Map<string, string>);
          model.votes.delete(d);
        }
      },
      unmerge: async () => {
        const d = oneOf(postIds);
        const merged = model.merged.get(d);
        const outcome = await unmerge(d, BY, statuses.read);
        if (!merged) expect(outcome).toBe("not merged");
        else if (model.waiting.has(d)) expect(outcome).toEqual({ conflict: "being_moved" });
        else if (model.merged.has(merged.into))
          expect(outcome).toEqual({ conflict: "merged_itself", last: model.lastOf(merged.into) });
        else if (model.isBusy(merged.into)) expect(outcome).toEqual({ conflict: "being_moved" });
        else {
          expect(outcome).toHaveProperty("postId", d);
          model.merged.delete(d);
          model.returning.set(d, { from: merged.into, moved: merged.moved });
          model.votes.set(d, new Map());
        }
      },
      move: async () => {
        const jobs = [...model.waiting.keys(), ...model.returning.keys()];
        if (jobs.length === 0) return;
        const d = oneOf(jobs);
        const isBack = model.returning.has(d);
        const isCut = await cutAt(1 + below(14), () => merges.carryOut(d));
        const isEnded = !isCut;
        const kept = (await scan()).filter(({ pk }) => pk === (isBack ? `MERGED#${d}` : `VOTES#${d}`));
        const left = new Set(kept.map(({ sk }) => sk.replace("VOTE#", "")));
        if (isBack) model.hasReturned(d, left, isEnded);
        else model.hasMoved(d, left, isEnded);
      },
    };
    const weighted = ["vote", "vote", "vote", "vote", "vote", "unvote", "unvote", "merge", "unmerge", "move"];
    for (let step = 0; step < times(2400); step++) {
      await steps[oneOf(weighted)]?.();
      if (step % 6 !== 0) continue;
      for (const [postId, voted] of model.votes) {
        expect(await votersOf(postId)).toEqual([...voted.keys()].sort());
      }
      if (step % 24 === 0) await expectSound();
    }
  });
});
