import { familyOf } from "../../../lib/table/families.ts";
import { idIn, key, prefix } from "../../../lib/table/keys.ts";
import { UUID } from "../../../lib/values/ids.ts";
import type { Change } from "../../simulator/model/database.ts";
import type { Table } from "../../simulator/model/table.ts";
import { type Item, plainItem } from "../../simulator/model/values.ts";

function differ(before: Item, after: Item, ...names: string[]): boolean {
  return names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** The event of a change of a post, a public comment or an account; undefined if it has none. */
function nameOf({ key: { partition, sort }, before, after }: Change): string | undefined {
  const family = familyOf(partition);
  const kind = { POSTS: "post", ACTIVITY: "comment", USER: "user" }[family];
  if (!kind || !(UUID.test(sort) || sort === "USER")) return undefined;
  if (!before || !after) return `${kind}.${after ? "created" : "deleted"}`;
  if (kind === "comment") return differ(before, after, "editedAt") ? "comment.updated" : undefined;
  if (kind === "user" || !differ(before, after, "updatedAt")) return undefined;
  return differ(before, after, "status", "response") ? "post.status_changed" : "post.updated";
}

/** By a merge a post goes, and by its undoing it is there again. */
const WHAT_HAPPENS: Record<string, string> = { "post.merged": "post.deleted", "post.unmerged": "post.created" };

/** The ids in the event of a change. */
function idsOf(name: string, partition: string, sort: string): string[] {
  if (name.startsWith("user.")) return [partition.slice(5)];
  return name.startsWith("post.") ? [sort] : [partition, sort];
}

/** An announced event, or one to announce, and the time of its commit. */
type Told = { text: string; at: number };

// The items of a transaction are committed one after the other.
const A_COMMIT_MS = 1000;

/** Compares all changes with the events that are committed with them: each has exactly one. */
export class EventLog {
  /** All events, by the order of their ids, which is the order of GET /events. */
  readonly ids: string[] = [];
  /** The events that a polling client got, and where it continues. */
  readonly polled: string[] = [];
  cursor: string | undefined;
  readonly #changes: (Told & { transaction: number | undefined })[] = [];
  /** The transactions by which a merge carried comments from post to post: nobody is told of these. */
  readonly #moves = new Set<number | undefined>();
  /** The posts that were away for some time, because they were merged. */
  readonly #merged = new Set<string>();
  readonly #events: Told[] = [];
  readonly #stored = new Map<string, Record<string, unknown> & { at: number }>();
  /** Each post with each of its boards, and the boards that were hidden, at some time. */
  readonly #places = new Set<string>();
  readonly #hidden = new Set<string>();
  readonly #table: () => Table;

  constructor(table: () => Table) {
    this.#table = table;
  }

  note(change: Change, at: number): void {
    const { partition, sort } = change.key;
    if (change.by === "expiry") return;
    if (familyOf(partition) === "MERGED" && sort.startsWith(prefix.comment)) this.#moves.add(change.transaction);
    if (familyOf(partition) === "MERGED" && sort === "POST") this.#merged.add(idIn(partition));
    const item = plainItem(change.after ?? {});
    if (item.display === false) this.#hidden.add(sort.slice("BOARD#".length));
    if (partition === "POSTS") this.#places.add(`${sort} ${item.boardId}`);
    if (partition === "EVENTS") {
      const { type, postId, commentId, userId } = item;
      this.#stored.set(sort, { ...item, at: this.#stored.get(sort)?.at ?? at });
      // An erasure takes who did it out of an event, and its announcement the mark.
      if (change.before) return;
      this.ids.push(sort);
      // It comes with the event of the post that is there then.
      if (type === "post.approved") return;
      const ids = [postId, commentId, userId].filter((id) => id !== undefined);
      this.#events.push({ at, text: [WHAT_HAPPENS[String(type)] ?? type, ...ids].join(" ") });
      return;
    }
    const name = nameOf(change);
    if (name === undefined) return;
    const ids = idsOf(name, partition, sort);
    const isSwept = name === "comment.deleted" && !this.#exists(partition.slice(partition.indexOf("#") + 1));
    if (isSwept) return;
    const text = [name, ...ids.map((id) => id.slice(id.indexOf("#") + 1))].join(" ");
    this.#changes.push({ at, text, transaction: change.transaction });
  }

  readonly committedAt = (id: string, type: string): number | undefined => {
    const event = this.#stored.get(id);
    return event?.type === type ? event.at : undefined;
  };

  /** How many events of some types there are. */
  countOf(types: readonly string[]): number {
    return [...this.#stored.values()].filter(({ type }) => types.includes(String(type))).length;
  }

  /**
   * The events after the n-th that outsiders may see: none of a hidden board, none of a comment on a post that is
   * deleted, or that was merged for some time.
   */
  publicAfter(n: number): string[] {
    return this.ids.slice(n).filter((id) => {
      const { boardId, postId, into, commentId } = this.#stored.get(id) as Record<string, unknown>;
      const isOn = (each: string): boolean =>
        this.#places.has(`${postId} ${each}`) || this.#places.has(`${into} ${each}`);
      const isHidden = [...this.#hidden].some((each) => each === boardId || isOn(each));
      return !isHidden && (commentId === undefined || this.#lasts(String(postId)));
    });
  }

  #lasts(postId: string): boolean {
    return this.#exists(postId) && !this.#merged.has(postId);
  }

  #exists(postId: string): boolean {
    const { pk: partition, sk: sort } = key.post(postId);
    return this.#table().get({ partition, sort }) !== undefined;
  }

  /** Changes without an event, and events without a change. */
  get unmatched(): Told[] {
    const left = [...this.#events];
    const changes = this.#changes.filter(
      ({ transaction }) => transaction === undefined || !this.#moves.has(transaction),
    );
    const untold = changes.filter(({ text, at }) => {
      const index = left.findIndex((event) => event.text === text && Math.abs(event.at - at) < A_COMMIT_MS);
      if (index >= 0) left.splice(index, 1);
      return index < 0;
    });
    return [...untold, ...left];
  }
}
