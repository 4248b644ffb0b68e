import { preferencesOf } from "../../../lib/accounts/preferences.ts";
import type { UserRecord } from "../../../lib/accounts/users.ts";
import { listOf, type StatusList } from "../../../lib/catalogue/statuses.ts";
import { familyOf } from "../../../lib/table/families.ts";
import { idIn, key } from "../../../lib/table/keys.ts";
import { UUID } from "../../../lib/values/ids.ts";
import { letterOf, type StatusLetter } from "../../../lib/values/statuses.ts";
import type { Change } from "../../simulator/model/database.ts";
import type { Table } from "../../simulator/model/table.ts";
import { plainItem } from "../../simulator/model/values.ts";
import { ATTEMPT_MS, between, type Since, spans } from "./spans.ts";

// The letters with news of posts, compared with all changes of the table: nobody is mailed about what did not happen,
// nobody gets an older status after a newer one, and those who asked for a status get it.

/** A letter as it was printed. */
type Letter = {
  at: number;
  to: string;
  userId: string;
  postId: string;
  subject: string;
  commentId: string | undefined;
};

type StatusEvent = { at: number; id: string; postId: string; by: string; isQuiet: boolean; from: StatusLetter };

type Stored = Record<string, unknown>;

const LETTER = /^mail to (?<to>[^:]+): (?<subject>.*)$/m;
const LINK = /unsubscribe\?token=(?<userId>[\da-f-]{36})\.(?<postId>[\da-f-]{36})\./;
const COMMENT = /\/posts\/\S+#(?<commentId>[\da-f-]{36})/;

const OF_COMMENTS = /^(?:A comment|A reply|More comments) on /;
const OF_RESPONSES = /^A response to /;
const OF_MERGES = /^Merged: /;

// The items of a transaction are committed one after the other.
const A_COMMIT_MS = 1000;

export class NewsLetters {
  readonly #table: () => Table;
  readonly #letters: Letter[] = [];
  readonly #statuses = new Map<string, Since<StatusLetter>[]>();
  readonly #names: Since<Map<StatusLetter, string>>[] = [{ at: 0, value: namesIn(listOf(undefined)) }];
  /** The boards that each post was on at some time. */
  readonly #boards = new Map<string, Set<string>>();
  readonly #comments = new Set<string>();
  readonly #events: StatusEvent[] = [];
  /** The boards that were hidden at some time. */
  readonly #hidden = new Set<string>();
  /** When each post was last away, because it was merged. */
  readonly #awayUntil = new Map<string, number>();
  /** When each item changed last. */
  readonly #changedAt = new Map<string, number>();

  constructor(table: () => Table) {
    this.#table = table;
  }

  get count(): number {
    return this.#letters.length;
  }

  note({ key: { partition, sort }, before, after }: Change, at: number): void {
    this.#changedAt.set(`${partition}|${sort}`, at);
    if (familyOf(partition) === "MERGED" && sort === "POST")
      this.#awayUntil.set(idIn(partition), after ? Infinity : at);
    if (!after) return;
    const item: Stored = plainItem(after);
    const family = familyOf(partition);
    if (family === "POSTS" && UUID.test(sort)) this.#notePost(sort, item, at);
    if (family === "ACTIVITY" && UUID.test(sort)) this.#comments.add(sort);
    if (partition === "CATALOGUE" && item.display === false) this.#hidden.add(idIn(sort));
    if (partition === "CATALOGUE" && sort === key.statuses().sk) {
      this.#names.push({ at, value: namesIn(item as unknown as StatusList) });
    }
    if (family !== "EVENTS" || before || item.type !== "post.status_changed") return;
    const { postId, by, quiet } = item;
    const from = letterOf(item.from as StatusLetter);
    this.#events.push({ at, id: sort, postId: String(postId), by: String(by), isQuiet: quiet === true, from });
  }

  #notePost(postId: string, { status, boardId }: Stored, at: number): void {
    if (boardId !== undefined) this.#boards.set(postId, (this.#boards.get(postId) ?? new Set()).add(String(boardId)));
    const value = letterOf(status as StatusLetter);
    const history = this.#statuses.get(postId) ?? [];
    if (history.at(-1)?.value !== value) history.push({ at, value });
    this.#statuses.set(postId, history);
  }

  hear(line: string, at: number): void {
    const { to, subject } = LETTER.exec(line)?.groups ?? {};
    const { userId, postId } = LINK.exec(line)?.groups ?? {};
    if (!to || !subject || !userId || !postId) return;
    this.#letters.push({ at, to, userId, postId, subject, commentId: COMMENT.exec(line)?.groups?.commentId });
  }

  /** Letters about a comment that was not there, or a status that the post did not have. */
  get untrue(): Letter[] {
    return this.#letters.filter((letter) => {
      if (OF_COMMENTS.test(letter.subject)) {
        return letter.commentId !== undefined && !this.#comments.has(letter.commentId);
      }
      return isOfStatus(letter) && this.#momentsOf(letter).length === 0;
    });
  }

  /** Letters whose status the post had only before the one in an earlier letter to the same reader. */
  get outOfOrder(): Letter[] {
    const reached = new Map<string, number>();
    return this.#letters.filter((letter) => {
      if (!isOfStatus(letter)) return false;
      const reader = `${letter.userId} ${letter.postId}`;
      const since = reached.get(reader) ?? 0;
      const moment = this.#momentsOf(letter).find(({ to }) => to >= since);
      if (moment) reached.set(reader, Math.max(since, moment.from));
      return !moment;
    });
  }

  /** The spans of the attempt in which the post had the status of a letter. */
  #momentsOf({ at, postId, subject }: Letter): { from: number; to: number }[] {
    const begun = at - ATTEMPT_MS;
    const named = between(this.#names, begun, at).flatMap((names) =>
      [...names].flatMap(([letter, name]) => (isNamed({ subject }, name) ? [letter] : [])),
    );
    return spans(this.#statuses.get(postId) ?? [])
      .filter(({ from, to, value }) => named.includes(value) && from <= at && to >= begun)
      .map(({ from, to }) => ({ from: Math.max(from, begun), to: Math.min(to, at) }));
  }

  /** Readers who asked for the status of a post and do not have its last one, though nothing exempts them. */
  missed(now: number): string[] {
    const postIds = new Set(this.#events.map(({ postId }) => postId));
    return [...postIds].flatMap((postId) => this.#missedOn(postId, now));
  }

  #missedOn(postId: string, now: number): string[] {
    const events = this.#events.filter((event) => event.postId === postId);
    // By their ids, as for every client. Clocks differ, so two events of a moment may be committed the other way round.
    const last = events.reduce((newest, each) => (each.id > newest.id ? each : newest)) as StatusEvent;
    if (!this.#isShown(postId, events) || last.at > now - ATTEMPT_MS) return [];
    // Mails about a post that is merged meanwhile may be dropped.
    if ((this.#awayUntil.get(postId) ?? 0) > last.at) return [];
    const readers = this.#readersOf(postId, last).filter((userId) => userId !== last.by);
    return readers
      .filter((userId) => !this.#hasLast(userId, postId, events))
      .map((userId) => `${userId} does not have the status of ${postId} after the event ${last.id}`);
  }

  /** Whether a post is there, was never on a board that was hidden at some time, and none of its changes was quiet. */
  #isShown(postId: string, events: StatusEvent[]): boolean {
    if (!this.#stored(key.post(postId)) || events.some(({ isQuiet }) => isQuiet)) return false;
    const boardIds = [...(this.#boards.get(postId) ?? [])];
    return !boardIds.some((boardId) => this.#hidden.has(boardId));
  }

  /** Whether a reader's last letter shows the last status of a post; true if the reader needs no letter. */
  #hasLast(userId: string, postId: string, events: StatusEvent[]): boolean {
    const letter = this.#letters.findLast(
      (each) => each.userId === userId && each.postId === postId && isOfStatus(each),
    );
    if (!this.#asksFor(userId, postId, letter?.at ?? events[0]?.at ?? 0)) return true;
    const status = this.#statuses.get(postId)?.at(-1)?.value as StatusLetter;
    // A change there and back within a minute is not mailed.
    if (!letter) return events.some(({ from }) => from === status);
    return between(this.#names, letter.at - ATTEMPT_MS, letter.at).some((names) => isNamed(letter, names.get(status)));
  }

  /** The author, and those who voted before an event; without those whose votes a merge has brought since. */
  #readersOf(postId: string, { id: eventId, at }: StatusEvent): string[] {
    const { author } = this.#stored(key.post(postId)) as { author: { userId: string } };
    const partition = key.vote(postId, "").pk;
    const votes = this.#table()
      .sortsOf(partition)
      .filter((voteId) => voteId < eventId && this.#isSettled({ pk: partition, sk: voteId }, at));
    const voters = votes.map((sk) => String(this.#stored({ pk: partition, sk })?.userId));
    return [...new Set([author.userId, ...voters])];
  }

  /** Whether an account surely gets statuses: confirmed, not suspended, by its choice, all unchanged since a time. */
  #asksFor(userId: string, postId: string, since: number): boolean {
    const user = key.user(userId);
    const subscription = key.subscription(postId, userId);
    const stored = this.#stored(user) as UserRecord | undefined;
    if (!stored || !this.#isSettled(user, since) || !this.#isSettled(subscription, since)) return false;
    const hasLeft = this.#stored(subscription)?.on === false;
    const mayBeMailed = stored.isVerified === true && stored.role !== "suspended";
    return mayBeMailed && !hasLeft && preferencesOf(stored).status;
  }

  #isSettled({ pk, sk }: { pk: string; sk: string }, since: number): boolean {
    return (this.#changedAt.get(`${pk}|${sk}`) ?? 0) < since - A_COMMIT_MS;
  }

  #stored({ pk, sk }: { pk: string; sk: string }): Stored | undefined {
    const found = this.#table().get({ partition: pk, sort: sk });
    return found && plainItem(found.item);
  }
}

function namesIn({ statuses }: StatusList): Map<StatusLetter, string> {
  return new Map(statuses.map(({ letter, name }) => [letterOf(letter), name]));
}

function isOfStatus({ subject }: Letter): boolean {
  return ![OF_COMMENTS, OF_RESPONSES, OF_MERGES].some((others) => others.test(subject));
}

function isNamed({ subject }: Pick<Letter, "subject">, name: string | undefined): boolean {
  return name !== undefined && subject.startsWith(`${name}: `);
}
