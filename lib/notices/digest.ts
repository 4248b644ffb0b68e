import * as z from "zod/mini";
import * as preferences from "../accounts/preferences.ts";
import { setFields, stillHas, stored } from "../table/changes.ts";
import { ATTEMPT_MS } from "../table/due.ts";
import { key } from "../table/keys.ts";
import { create, type Part } from "../table/parts.ts";
import { getOrThrow } from "../table/reads.ts";

// One job mails the team what came into its queue. It waits for an hour after the first thing, then it has a round: a
// letter to each reader, place by place. Later things are for the next round, an hour after this one, so nobody gets
// more than one letter in an hour. docs/data-model.md#the-digest
//
// Before a letter leaves, the job notes its reader (`writing`). If the attempt ends there, nobody knows whether the
// letter has left. Then the reader gets no other one in this round, but what it told is `owed` in the next one.

export const HOUR_MS = 60 * 60_000;

/** The most things of a round that the job names. If more came, its letters are about the first ones of the queue. */
export const MOST = 50;

/** The most things of earlier rounds that it names: of two rounds. */
const MOST_OWED = 2 * MOST;

/** What is owed to a reader of earlier rounds: the last ones of `before`, or a letter about the queue. */
const Owed = z.union([z.number(), z.literal("queue")]);

/** What came for a round, by its ids. */
const Came = z._default(z.array(z.string()), []);

export const DigestItem = z.object({
  /** What came for this round, the earliest first, and whether more did. */
  ids: Came,
  isMore: z.optional(z.literal(true)),
  /** When the letters leave, in milliseconds since 1970. */
  at: z.number(),
  /** What came for earlier rounds, and what of it is owed to readers whose letter may not have left. */
  before: Came,
  owed: z._default(z.record(z.string(), Owed), {}),
  /** Whether letters leave: later things are for the next round. */
  isLeaving: z.optional(z.literal(true)),
  later: Came,
  isMoreLater: z.optional(z.literal(true)),
  /** The last reader for whom a letter was begun, also while it is being sent. */
  place: z._default(z.string(), ""),
  writing: z.optional(z.string()),
  /** The readers to whom this round is owed. */
  missed: z._default(z.array(z.string()), []),
});
export type DigestJob = z.output<typeof DigestItem>;

/** Reads the job that mails the digest. */
export function findJob(): Promise<DigestJob | undefined> {
  return getOrThrow(key.digest(), DigestItem);
}

/** The part that adds something to the job; undefined if nobody chose the digest, or if the job has it already. */
export async function digestPart(id: string): Promise<Part | undefined> {
  const [job, readers] = await Promise.all([findJob(), preferences.digestReaders()]);
  if (readers.length === 0) return undefined;
  if (!job) return create(key.digest(), { ids: [id], at: Date.now() + HOUR_MS });
  const { at, isLeaving, ids, later } = job;
  const [name, more, before] = isLeaving
    ? (["later", "isMoreLater", later] as const)
    : (["ids", "isMore", ids] as const);
  if (before.includes(id)) return undefined;
  const isFull = before.length >= MOST;
  if (isFull && job[more]) return undefined;
  const change = isFull ? { [more]: true } : { [name]: [...before, id] };
  return setFields(key.digest(), change, stillHas({ at, isLeaving, [name]: stored(before) }));
}

/** What a letter to a reader is about: things of this round behind those owed from earlier ones, or the queue. */
export function contentFor(userId: string, { before, owed, ids, isMore }: DigestJob): string[] | "queue" {
  const { [userId]: count = 0 } = owed;
  if (isMore || count === "queue") return "queue";
  return behind(count > 0 ? before.slice(-count) : [], ids);
}

/** Ids behind those that came before, each once and at its last place: `owed` counts from the end. */
function behind(before: readonly string[], ids: readonly string[]): string[] {
  return [...before.filter((id) => !ids.includes(id)), ...ids];
}

/** Whether a letter of the round is about the queue. */
export function needsQueue({ isMore, owed }: DigestJob): boolean {
  return isMore === true || Object.values(owed).includes("queue");
}

/** Whether a reader needs another round: something came meanwhile, or this round is owed to a reader. */
export function needsAnother({ later, missed }: DigestJob): boolean {
  return later.length > 0 || missed.length > 0;
}

function owedAfter(userId: string, job: DigestJob): z.output<typeof Owed> {
  const content = contentFor(userId, job);
  return content === "queue" || content.length > MOST_OWED ? "queue" : content.length;
}

/** The job in its next round. */
export function nextRound(job: DigestJob, now = Date.now()) {
  const { ids, before, later, isMoreLater, missed } = job;
  const owed = Object.fromEntries(missed.map((userId) => [userId, owedAfter(userId, job)]));
  const counts = Object.values(owed).filter((each) => each !== "queue");
  const most = Math.max(0, ...counts);
  return {
    ids: stored(later),
    isMore: isMoreLater,
    // A letter that was begun in this round has left before the next one.
    at: now + HOUR_MS + (missed.length > 0 ? ATTEMPT_MS : 0),
    before: most > 0 ? behind(before, ids).slice(-most) : undefined,
    owed: missed.length > 0 ? owed : undefined,
    isLeaving: undefined,
    later: undefined,
    isMoreLater: undefined,
    place: undefined,
    writing: undefined,
    missed: undefined,
  };
}
