import { familyOf } from "../../../lib/table/families.ts";
import { idIn, prefix } from "../../../lib/table/keys.ts";
import { UUID } from "../../../lib/values/ids.ts";
import type { Change } from "../../simulator/model/database.ts";
import { plainItem } from "../../simulator/model/values.ts";
import type { StoredHistory } from "./stored.ts";

// The votes and comments of all posts as people mean them, followed through the transactions of a run: a vote belongs
// to the post on which it was cast, a comment to the post on which it was written. A merge changes nothing of that. So
// at rest each person has a vote on a post exactly if one belongs to it or to a post that continues in it, and each
// comment is where its post continues. And each vote that was cast or taken back has a call behind it.
//
// It assumes that a call takes effect before its answer, at most a second later; that one without an answer is over
// after 12 seconds; and that an account that takes a vote back keeps none of the votes that counted with it, also none
// on its way back to a post that was taken out of a merge; one that it cast there anew stays. Of an erased account
// whose votes stay, each vote counts that no merge had joined with another one before: nothing tells that one person
// cast them.

type Item = Record<string, unknown>;

type Stored = { family: string; partition: string; sort: string; before: Item | undefined; after: Item | undefined };

/** A transaction, or a single write. */
type Transaction = { at: number; changes: Stored[] };

export type Verb = "vote" | "take back";

/** A vote that is to be cast or taken back. */
export type Voting = { userId: string; postId: string; verb: Verb };

/** A call that may do so. */
type VoteCall = Voting & { from: number; until: number; hasVoted: boolean };

// The items of a transaction are committed one after the other.
const A_COMMIT_MS = 1000;

// A write without an answer is over by then.
const LATEST_MS = 12_000;

const FAMILIES = new Set(["USER", "VOTES", "MERGED", "MERGES", "POSTS", "ACTIVITY", "NOTES"]);
const COMMENTS = new Set(["ACTIVITY", "NOTES"]);
const MERGED = "POST";

export class Ledger {
  readonly #history: StoredHistory;
  #waiting: Transaction[] = [];
  readonly #open = new Map<number, Transaction>();
  readonly #calls = new Set<VoteCall>();
  /** For which posts each account has voted. */
  readonly #own = new Map<string, Set<string>>();
  /** The votes that the table has on each post, with the accounts that they show. */
  readonly #stored = new Map<string, Map<string, string>>();
  /** Who cast each vote. */
  readonly #voterOf = new Map<string, string>();
  /** Where each duplicate continues. */
  readonly #into = new Map<string, string>();
  readonly #mergedAt = new Map<string, number>();
  /** The posts that get their votes back, and from where. */
  readonly #regaining = new Map<string, string>();
  readonly #dead = new Set<string>();
  /** What has moved of each duplicate, by the vote that the other post has since then. */
  readonly #moved = new Map<string, Set<string>>();
  readonly #erased = new Set<string>();
  readonly #leaving = new Set<string>();
  /** The post on which each comment was written, and the one on which the table has it. */
  readonly #homes = new Map<string, string>();
  readonly #places = new Map<string, string>();
  readonly #findings: string[] = [];

  constructor(history: StoredHistory) {
    this.#history = history;
  }

  note({ key: { partition, sort }, before, after, by, transaction }: Change, at: number): void {
    const family = familyOf(partition);
    if (by !== "request" || !FAMILIES.has(family)) return;
    const change = { family, partition, sort, before: before && plainItem(before), after: after && plainItem(after) };
    const known = transaction === undefined ? undefined : this.#open.get(transaction);
    if (known) {
      known.changes.push(change);
      return;
    }
    const begun = { at, changes: [change] };
    this.#waiting.push(begun);
    if (transaction !== undefined) this.#open.set(transaction, begun);
  }

  /** Makes a call that casts or takes back a vote. */
  async during<A extends { status: number }>(voting: Voting, now: () => number, send: () => Promise<A>): Promise<A> {
    const call: VoteCall = { ...voting, from: now(), until: Infinity, hasVoted: false };
    this.#calls.add(call);
    const answer = await send();
    call.until = now() + (answer.status === 0 ? LATEST_MS : A_COMMIT_MS);
    const { status } = answer;
    // With a 404 the post may have gone after the vote.
    if (status >= 300 && status !== 404) this.#calls.delete(call);
    call.hasVoted = voting.verb === "vote" && status >= 200 && status < 300;
    return answer;
  }

  /** From now on votes of an account may be taken back without a call: it is about to be erased. */
  leaves(userId: string): void {
    this.#leaving.add(userId);
  }

  /** Follows the transactions since the last time, while no call is under way. Returns what contradicts them. */
  findings(): string[] {
    const transactions = this.#waiting;
    this.#open.clear();
    this.#waiting = [];
    for (const each of transactions) this.#follow(each);
    const unheard = [...this.#calls].filter(({ hasVoted }) => hasVoted);
    for (const { userId, postId } of unheard) this.#findings.push(`a vote of ${userId} on ${postId} was only answered`);
    this.#calls.clear();
    return [...this.#findings, ...this.#misplacedVotes(), ...this.#misplacedComments()];
  }

  #follow({ at, changes }: Transaction): void {
    const of = (family: string, suits: (change: Stored) => boolean = () => true) =>
      changes.filter((change) => change.family === family && suits(change));
    const isVote = ({ sort }: Stored): boolean => sort.startsWith(prefix.vote);
    const merges = of("MERGED", ({ sort }) => sort === MERGED);
    for (const { sort, after } of of("POSTS", ({ sort }) => UUID.test(sort))) {
      if (!after && merges.length === 0) this.#dead.add(sort);
    }
    for (const { partition, before, after } of merges) {
      if (after) {
        this.#into.set(idIn(partition), String(after.into));
        this.#mergedAt.set(idIn(partition), before ? (this.#mergedAt.get(idIn(partition)) ?? at) : at);
      }
      // A sweep removes what was merged into a deleted post.
      else if (this.#endOf(idIn(partition)) !== undefined) this.#into.delete(idIn(partition));
    }
    this.#followVotes(at, { users: of("USER", isVote), votes: of("VOTES"), moved: of("MERGED", isVote) });
    this.#followComments(changes);
    for (const { sort, after } of of("MERGES")) {
      if (after?.back) this.#regaining.set(sort, String(after.into));
      else this.#regaining.delete(sort);
    }
  }

  #followVotes(at: number, { users, votes, moved }: Record<"users" | "votes" | "moved", Stored[]>): void {
    for (const { sort, after } of votes) {
      if (after && !this.#voterOf.has(sort)) this.#voterOf.set(sort, String(after.userId));
    }
    const cast = users.filter(({ before, after }) => !before && after);
    const gone = users.filter(({ before, after }) => before && !after);
    this.#keepStored(users);
    if (moved.length === 0) this.#followRequest(at, cast, gone);
    for (const { partition, sort, before, after } of moved) {
      const postId = idIn(partition);
      const known = this.#moved.get(postId) ?? new Set();
      this.#moved.set(postId, known);
      if (after) known.add(idIn(sort));
      else {
        known.delete(idIn(sort));
        const lost = String(before?.was ?? idIn(sort));
        // It is kept under the vote that its voter cast anew.
        const isKept = moved.some((each) => each.partition === partition && !each.before && each.after?.was === lost);
        if (!isKept) this.#endReturn(at, postId, lost);
      }
    }
  }

  /** A vote was cast or taken back, or lost its name. */
  #followRequest(at: number, cast: Stored[], gone: Stored[]): void {
    if (cast.some(isNameless)) {
      this.#erased.add(idIn(gone[0]?.partition ?? ""));
      return;
    }
    for (const each of cast) this.#cast(at, each);
    if (gone.length > 0) this.#takeBack(at, gone);
  }

  #keepStored(users: Stored[]): void {
    for (const { sort, before } of users) {
      if (before) this.#stored.get(idIn(sort))?.delete(String(before.voteId));
    }
    for (const { partition, sort, after } of users) {
      if (!after) continue;
      const stored = this.#stored.get(idIn(sort)) ?? new Map();
      this.#stored.set(idIn(sort), stored.set(String(after.voteId), idIn(partition)));
    }
  }

  #cast(at: number, { partition, sort }: Stored): void {
    const userId = idIn(partition);
    this.#own.set(userId, (this.#own.get(userId) ?? new Set()).add(idIn(sort)));
    this.#expectCall(at, { userId, verb: "vote" }, [idIn(sort)]);
  }

  #takeBack(at: number, gone: Stored[]): void {
    const [first] = gone as [Stored, ...Stored[]];
    const userId = this.#voterOf.get(String(first.before?.voteId)) ?? idIn(first.partition);
    const postIds = gone.map(({ sort }) => idIn(sort));
    // A sweep takes the votes of what is deleted.
    if (postIds.some((postId) => this.#endOf(postId) === undefined)) return;
    const left = this.#leftOn(userId, postIds);
    for (const { sort, before } of gone) {
      this.#forget(userId, idIn(sort), left);
      for (const [postId, from] of this.#regaining) {
        const isOnItsWay = from === idIn(sort) && this.#moved.get(postId)?.has(String(before?.voteId));
        if (!isOnItsWay) continue;
        this.#forget(userId, postId);
        if (this.#hasVoteOn(postId, userId)) this.#own.get(userId)?.add(postId);
      }
    }
    const call = this.#expectCall(at, { userId, verb: "take back" }, postIds);
    for (const postId of left) {
      const isEarlier = !call || call.from <= (this.#mergedAt.get(postId) ?? 0) + A_COMMIT_MS;
      if (!isEarlier) this.#findings.push(`a vote of ${userId} on ${postId} was not taken back with the other one`);
    }
  }

  /**
   * The duplicates on which the table still has a vote of an account that took back the one on another post: right if
   * it called before the merge.
   */
  #leftOn(userId: string, postIds: readonly string[]): string[] {
    const isBehind = (postId: string): boolean =>
      postIds.some((each) => each !== postId && this.#leadsTo(postId, each)) && !postIds.includes(postId);
    return [...this.#stored.keys()].filter((postId) => isBehind(postId) && this.#hasVoteOn(postId, userId));
  }

  #hasVoteOn(postId: string, userId: string): boolean {
    return [...(this.#stored.get(postId)?.values() ?? [])].includes(userId);
  }

  /** A vote that had moved is back, or was taken back before, or goes with one of the posts. */
  #endReturn(at: number, postId: string, voteId: string): void {
    const userId = this.#voterOf.get(voteId) ?? "";
    const isBack = this.#stored.get(postId)?.has(voteId);
    const hasAnew = this.#hasVoteOn(postId, userId);
    const isLost = this.#dead.has(this.#regaining.get(postId) ?? "");
    if (isBack || (hasAnew && !isLost) || this.#endOf(postId) === undefined) return;
    const own = this.#own.get(userId);
    const had = own?.has(postId);
    this.#forget(userId, postId);
    // A lost vote takes those along that had come with it, but not one that was cast anew.
    if (hasAnew) own?.add(postId);
    else if (had && !isLost) this.#expectCall(at, { userId, verb: "take back" }, [postId]);
  }

  /** An account has no vote any more on a post and on what was merged into it. */
  #forget(userId: string, postId: string, except: readonly string[] = []): void {
    const own = this.#own.get(userId) ?? new Set();
    const isMeant = (each: string): boolean =>
      this.#leadsTo(each, postId) && !except.some((other) => this.#leadsTo(each, other));
    for (const each of [...own]) if (isMeant(each)) own.delete(each);
  }

  #leadsTo(from: string, to: string): boolean {
    for (let id: string | undefined = from; id !== undefined; id = this.#into.get(id)) if (id === to) return true;
    return false;
  }

  /** Where a post continues; undefined if that is deleted. */
  #endOf(postId: string): string | undefined {
    let end = postId;
    for (let next: string | undefined = postId; next !== undefined; next = this.#into.get(end)) end = next;
    return this.#dead.has(end) ? undefined : end;
  }

  /** A change of a vote on some posts has a call behind it, which named one of them, or one that has to do with it. */
  #expectCall(at: number, { userId, verb }: Omit<Voting, "postId">, postIds: readonly string[]): VoteCall | undefined {
    if (this.#leaving.has(userId) && verb === "take back") return undefined;
    const isOfThis = (call: VoteCall): boolean => {
      if (call.userId !== userId || call.verb !== verb) return false;
      const named = this.#placesOf(call.postId, call);
      // A vote on a duplicate that waits is taken back with those on the other post.
      return postIds.some((postId) => [...this.#placesOf(postId, call)].some((place) => named.has(place)));
    };
    const fitting = [...this.#calls].filter(
      (call) => isOfThis(call) && call.from <= at + A_COMMIT_MS && at <= call.until + A_COMMIT_MS,
    );
    // One whose answer tells of it, before one that may have done it.
    const [call] = fitting.sort((a, b) => Number(b.hasVoted) - Number(a.hasVoted) || a.until - b.until);
    if (call) this.#calls.delete(call);
    if (!call) this.#findings.push(`at ${at} nobody asked to ${verb} for ${userId} on ${postIds.join()}`);
    return call;
  }

  /** A post, and where it continued at some moment of a call. */
  #placesOf(postId: string, { from, until }: VoteCall): Set<string> {
    return new Set([postId, ...this.#history.endsOf(postId, from, until).ends]);
  }

  #followComments(changes: Stored[]): void {
    const comments = changes.filter(({ family, sort }) => COMMENTS.has(family) && UUID.test(sort));
    const added = comments.filter(({ before, after }) => !before && after);
    const gone = comments.filter(({ before, after }) => before && !after);
    const moved = changes.filter(({ family, sort }) => family === "MERGED" && sort.startsWith(prefix.comment));
    const isMove = moved.length > 0;
    for (const { partition, sort } of gone) {
      const isElsewhere = added.some((each) => each.sort === sort);
      const isSwept = this.#endOf(idIn(partition)) === undefined;
      this.#places.delete(sort);
      if (!isMove && !isElsewhere && !isSwept) this.#homes.delete(sort);
    }
    for (const { partition, sort } of added) {
      this.#places.set(sort, idIn(partition));
      const isNew = !isMove && !gone.some((each) => each.sort === sort);
      if (isNew) this.#homes.set(sort, idIn(partition));
    }
    for (const { partition, sort, after } of moved) {
      const isLost = this.#dead.has(this.#regaining.get(idIn(partition)) ?? "");
      // Until the sweep comes, it lies on the post that is gone.
      const isBack = this.#places.get(idIn(sort)) === idIn(partition);
      if (!after && isLost && !isBack) this.#homes.delete(idIn(sort));
    }
  }

  #misplacedVotes(): string[] {
    // By the post: how many votes of each account count there.
    const expected = new Map<string, Map<string, number>>();
    for (const [userId, postIds] of this.#own) {
      for (const postId of postIds) {
        const end = this.#endOf(postId);
        if (end === undefined) continue;
        const votes = expected.get(end) ?? new Map<string, number>();
        expected.set(end, votes.set(userId, (votes.get(userId) ?? 0) + 1));
      }
    }
    const postIds = new Set([...expected.keys(), ...this.#stored.keys()]);
    return [...postIds].flatMap((postId) => this.#misplacedOn(postId, expected.get(postId) ?? new Map()));
  }

  #misplacedOn(postId: string, expected: ReadonlyMap<string, number>): string[] {
    const end = this.#endOf(postId);
    // What a deleted post leaves is the sweep's.
    if (end === undefined) return [];
    const stored = [...(this.#stored.get(postId) ?? [])];
    if (end !== postId) return stored.length > 0 ? [`votes are left on the duplicate ${postId}`] : [];
    const nameless = stored.filter(([voteId, userId]) => voteId === userId).length;
    const named = new Set(stored.flatMap(([voteId, userId]) => (voteId === userId ? [] : [userId])));
    const expectedNamed = [...expected.keys()].filter((userId) => !this.#erased.has(userId));
    const expectedNameless = [...expected].flatMap(([userId, votes]) => (this.#erased.has(userId) ? [votes] : []));
    // Nothing tells which votes without a name are of one person.
    const isRight = nameless >= expectedNameless.length && nameless <= sum(expectedNameless);
    return [
      ...expectedNamed.filter((userId) => !named.has(userId)).map((userId) => `${postId} lacks the vote of ${userId}`),
      ...[...named].filter((userId) => !expected.has(userId)).map((userId) => `${userId} has not voted on ${postId}`),
      ...(isRight ? [] : [`${postId} has ${nameless} votes without a name`]),
    ];
  }

  #misplacedComments(): string[] {
    const lost = [...this.#homes].filter(([id, home]) => {
      const end = this.#endOf(home);
      return end !== undefined && this.#places.get(id) !== end;
    });
    const strays = [...this.#places].filter(([id, place]) => this.#endOf(place) !== undefined && !this.#homes.has(id));
    return [
      ...lost.map(([id, home]) => `the comment ${id} of ${home} is on ${this.#places.get(id) ?? "no post"}`),
      ...strays.map(([id, place]) => `the comment ${id} on ${place} was deleted, or never written`),
    ];
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Whether a vote has its own id in place of the voter's, as after an erasure. */
function isNameless({ partition, after }: Stored): boolean {
  return idIn(partition) === after?.voteId;
}
