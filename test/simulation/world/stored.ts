import { familyOf } from "../../../lib/table/families.ts";
import { idIn, key, VOTERS_SUFFIX } from "../../../lib/table/keys.ts";
import { UUID } from "../../../lib/values/ids.ts";
import type { Change } from "../../simulator/model/database.ts";
import { plainItem } from "../../simulator/model/values.ts";

// What the table held at each time, of what merges carry from post to post: posts, votes, comments and choices to
// follow. Where posts take part in merges, answers are compared with this; that it is right itself, and that each
// change of it has a cause, is checked by ledger.ts.

type Item = Record<string, unknown>;

/** From a time on, and until the next such entry, an item was so; undefined while it was not there. */
type Entry = { at: number; item: Item | undefined };

// The items of a transaction are committed one after the other, and a reader may see some old and some new.
const A_COMMIT_MS = 1000;

type Key = { pk: string; sk: string };

/** The least and the greatest number of a span. */
type Bounds = { least: number; most: number };

function isOfInterest(partition: string, sort: string): boolean {
  const family = familyOf(partition);
  if (family === "USER") return sort.startsWith("VOTE#");
  if (family === "MERGED") return sort === "POST";
  if (family === "VOTES") return true;
  return ["POSTS", "ACTIVITY", "NOTES", "SUBSCRIPTIONS", "MERGES"].includes(family) && UUID.test(sort);
}

/** Where a post is from one transaction to the next: among the posts, in another one, or nowhere. */
type Standing = { at: number; by: number | undefined; isThere: boolean; into: string | undefined };

const NOWHERE: Standing = { at: Number.NEGATIVE_INFINITY, by: undefined, isThere: false, into: undefined };

type Ends = { ends: Set<string>; mayBeNone: boolean };

export class StoredHistory {
  readonly #entries = new Map<string, Entry[]>();
  /** What decided transactions are about to make of items. */
  readonly #coming = new Map<string, Item | undefined>();
  /** The sort keys that each partition had at some time. */
  readonly #sorts = new Map<string, Set<string>>();
  /** Who has had a vote on each post at some time. */
  readonly #voters = new Map<string, Set<string>>();
  readonly #standings = new Map<string, Standing[]>();
  /** The posts whose voters item was gone at some time, and since when. */
  readonly #withoutVoters = new Map<string, number>();

  note({ key: { partition, sort }, after, transaction }: Change, at: number): void {
    if (sort.endsWith(VOTERS_SUFFIX) && !after) this.#withoutVoters.set(sort.slice(0, -VOTERS_SUFFIX.length), at);
    if (!isOfInterest(partition, sort)) return;
    const id = `${partition}|${sort}`;
    this.#coming.delete(id);
    const entries = this.#entriesOf(id);
    const item = after && plainItem(after);
    entries.push({ at, item });
    this.#entries.set(id, entries);
    this.#remember(partition, sort);
    const family = familyOf(partition);
    if (family === "POSTS") this.#stand(sort, { at, by: transaction, isThere: after !== undefined });
    if (family === "MERGED")
      this.#stand(idIn(partition), { at, by: transaction, into: item?.into as string | undefined });
  }

  /** Learns of a change that is decided: an answer may come after others of its transaction, and before this one. */
  foresee({ key: { partition, sort }, after }: Change): void {
    if (!isOfInterest(partition, sort)) return;
    this.#coming.set(`${partition}|${sort}`, after && plainItem(after));
    this.#remember(partition, sort);
  }

  #remember(partition: string, sort: string): void {
    this.#sorts.set(partition, (this.#sorts.get(partition) ?? new Set()).add(sort));
    if (familyOf(partition) !== "USER") return;
    const postId = idIn(sort);
    const voters = this.#voters.get(postId) ?? new Set();
    this.#voters.set(postId, voters.add(idIn(partition)));
  }

  /** A merge changes two items one by one; in between a post counts as it stood before both. */
  #stand(postId: string, change: Partial<Standing> & Pick<Standing, "at" | "by">): void {
    const standings = this.#standings.get(postId) ?? [NOWHERE];
    this.#standings.set(postId, standings);
    const last = standings.at(-1) as Standing;
    const { isThere, into } = { ...last, ...change };
    if (isThere === last.isThere && into === last.into) return;
    const isSameTransaction = change.by !== undefined && change.by === last.by;
    if (isSameTransaction) standings.pop();
    standings.push({ isThere, into, by: change.by, at: isSameTransaction ? last.at : change.at });
  }

  /** How a post stood at the moments of a span. */
  #standingsOf(postId: string, from: number, to: number): Standing[] {
    const standings = this.#standings.get(postId) ?? [NOWHERE];
    return standings.filter(
      ({ at }, n) => at <= to + A_COMMIT_MS && (standings[n + 1]?.at ?? Infinity) >= from - A_COMMIT_MS,
    );
  }

  /** What an item was since when; before the first change of it, it was not there. */
  #entriesOf(id: string): Entry[] {
    return this.#entries.get(id) ?? [{ at: Number.NEGATIVE_INFINITY, item: undefined }];
  }

  /** What an item was at the moments of a span; undefined for those at which it was not there. */
  between({ pk, sk }: Key, from: number, to: number): (Item | undefined)[] {
    const id = `${pk}|${sk}`;
    const coming = this.#coming.has(id) ? [this.#coming.get(id)] : [];
    const entries = this.#entriesOf(id);
    const spans = entries.map(({ at, item }, n) => ({ from: at, to: entries[n + 1]?.at ?? Infinity, item }));
    const were = spans.filter((span) => span.from <= to + A_COMMIT_MS && span.to >= from - A_COMMIT_MS);
    return [...were.map(({ item }) => item), ...coming];
  }

  /** Whether an item was there: at some moment of a span, and at each. */
  has(itemKey: Key, from: number, to: number): { maybe: boolean; always: boolean } {
    const items = this.between(itemKey, from, to);
    return { maybe: items.some((item) => item !== undefined), always: items.every((item) => item !== undefined) };
  }

  /** Whether the voters item of a post has gone lately: a merge takes it a moment before the post, or after it. */
  mayLackVoters(postId: string, from: number): boolean {
    return (this.#withoutVoters.get(postId) ?? Number.NEGATIVE_INFINITY) >= from - A_COMMIT_MS;
  }

  /** Whether a post was pinned at the moments of a span; false while it was merged or not there. */
  pinnedStates(postId: string, from: number, to: number): boolean[] {
    return this.between(key.post(postId), from, to).map((item) => item?.isPinned === true);
  }

  /** How many votes a post had: the least and the greatest number of a span. */
  votesOf(postId: string, from: number, to: number): Bounds {
    const userIds = [...(this.#voters.get(postId) ?? [])];
    return this.#count(
      userIds.map((userId) => key.userVote(userId, postId)),
      from,
      to,
    );
  }

  /** Whether a vote on a post was an account's: a reader may see it before the account's own item leads to it. */
  mayBeVoteOf(userId: string, postId: string, voteId: string, from: number, to: number): boolean {
    return this.between(key.vote(postId, voteId), from, to).some((item) => item?.userId === userId);
  }

  /** How many public comments a post had. */
  commentsOf(postId: string, from: number, to: number): Bounds {
    const { pk } = key.comment(postId, "");
    return this.#count(
      [...(this.#sorts.get(pk) ?? [])].map((sk) => ({ pk, sk })),
      from,
      to,
    );
  }

  /** The sort keys of a partition that were there the whole time. */
  lasting(pk: string, from: number, to: number): string[] {
    return [...(this.#sorts.get(pk) ?? [])].filter((sk) => this.has({ pk, sk }, from, to).always);
  }

  #count(keys: readonly Key[], from: number, to: number): Bounds {
    const all = keys.map((each) => this.has(each, from, to));
    return { least: all.filter(({ always }) => always).length, most: all.filter(({ maybe }) => maybe).length };
  }

  /** Whether votes may have been on the way to or from a post at some moment. */
  mayMove(postId: string, from: number, to: number): boolean {
    const { pk } = key.merge("");
    return [...(this.#sorts.get(pk) ?? [])].some((sk) =>
      this.between({ pk, sk }, from, to).some((job) => job && (sk === postId || job.into === postId)),
    );
  }

  /** The posts that were merged into a post: at some moment of a span, and at each. */
  mergedInto(postId: string, from: number, to: number): { maybe: Set<string>; always: Set<string> } {
    const found = { maybe: new Set<string>(), always: new Set<string>() };
    for (const partition of this.#sorts.keys()) {
      if (familyOf(partition) !== "MERGED") continue;
      const intos = this.between({ pk: partition, sk: "POST" }, from, to).map((item) => item?.into);
      if (intos.includes(postId)) found.maybe.add(idIn(partition));
      if (intos.every((into) => into === postId)) found.always.add(idIn(partition));
    }
    return found;
  }

  /** The posts in which a post continued at some moment of a span; `mayBeNone` if at some moment there was none. */
  endsOf(postId: string, from: number, to: number, passed: ReadonlySet<string> = new Set()): Ends {
    // In a long span, two posts may be merged into each other, one after the other.
    const onWay = new Set([...passed, postId]);
    const ends = new Set<string>();
    let mayBeNone = false;
    for (const { isThere, into } of this.#standingsOf(postId, from, to)) {
      if (isThere) ends.add(postId);
      if (!isThere && into === undefined) mayBeNone = true;
      if (into === undefined || onWay.has(into)) continue;
      const further = this.endsOf(into, from, to, onWay);
      for (const end of further.ends) ends.add(end);
      if (!isThere) mayBeNone ||= further.mayBeNone;
    }
    return { ends, mayBeNone };
  }
}
