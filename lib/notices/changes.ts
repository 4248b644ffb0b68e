import * as z from "zod/mini";
import type { EventRecord } from "../events/events.ts";
import { setFields, stillHas } from "../table/changes.ts";
import { key, mark } from "../table/keys.ts";
import { create, type Part } from "../table/parts.ts";
import { getOrThrow } from "../table/reads.ts";
import { postAndReader } from "./job-ids.ts";

// The changes of the status and the response of a post have one job. It waits for a minute, then it mails the state of
// that moment. So nobody gets a mail about a mistake that was put right within the minute. Each reader has one place in
// one job, so no older mail comes after a newer one.
//
// After that minute a job has a round: a letter to each reader, place by place. Then:
// - all have been told: the job goes;
// - a further change came: `earlierRounds` keeps who knows what, and the job waits for a minute again;
// - the mails of a day are used up, or the attempt's time is over: the round continues later, after its place;
// - one reader had too many mails today: the reader gets a job alone, for tomorrow.
//
// Example: readers at the places b, d and f; the status was "open" (`from`). Round 1 mails "planned" to b. Then
// the team sets "started": `earlierRounds` has "planned" up to b. A minute later round 2 mails "started" to b, who
// knows "planned", and to d and f, who know "open". If "open" had been set again, d and f would get nothing.

/** How long changes are collected before mails leave, in milliseconds. */
export const COLLECTING_MS = 60_000;

/** The state of a post in a mail: the letter of its status, and the time of its response. */
const State = z.object({ status: z.optional(z.string()), response: z.optional(z.number()) });
export type State = z.infer<typeof State>;

/** A round that ended: the state in its mails, and the place of the last reader who got one. */
const Round = z.extend(State, { upTo: z.string() });

const StoredChanges = z.object({
  sk: z.string(),
  /** The oldest change and the status before it, the newest change and who made it. */
  first: z.string(),
  from: z.optional(z.string()),
  last: z.string(),
  by: z.string(),
  /** Whether one of them gave a response. */
  responded: z._default(z.boolean(), false),
  /** When mails leave, in milliseconds since 1970. */
  at: z.number(),
  /** Of the present round: the last reader who got a mail, the state in it, and the newest change at its start. */
  place: z._default(z.string(), ""),
  roundState: z.optional(State),
  lastAtStart: z.optional(z.string()),
  /** Rounds that a further change ended; the latest last. */
  earlierRounds: z._default(z.array(Round), []),
});

/** The job of a post, or of one reader of it, `only`, who has to wait. */
export const ChangesItem = z.pipe(
  StoredChanges,
  z.transform(({ sk, ...job }) => ({ ...job, ...postAndReader(sk) })),
);
export type Changes = z.output<typeof ChangesItem>;

/** Reads the job that mails what changed on a post. */
export function findChanges(jobId: string): Promise<Changes | undefined> {
  return getOrThrow(key.notice(jobId), ChangesItem);
}

/** Whether a job is one of changes, by its id. */
export function isOfChanges(jobId: string): boolean {
  return jobId.startsWith(mark.changesJob);
}

/** The part that adds a change to the job of its post. Its condition fails if the job has changed meanwhile. */
export async function changePart({ eventId, postId = "", from, by, changed = [] }: EventRecord): Promise<Part> {
  const job = key.changes(postId);
  const responded = changed.includes("response");
  const stored = await findChanges(job.sk);
  if (!stored) {
    const at = Date.now() + COLLECTING_MS;
    return create(job, { first: eventId, from, last: eventId, by, responded, at });
  }
  const { first, last } = stored;
  const fields = {
    ...(eventId < first && { first: eventId, from }),
    ...(eventId >= last && { last: eventId, by }),
    responded: responded || stored.responded,
  };
  return setFields(job, fields, stillHas({ first, last }));
}

/** The state that a reader at this place got last, or that was set without mails since; undefined before any round. */
function knownAt(place: string, { earlierRounds }: Changes): State | undefined {
  return earlierRounds.findLast(({ upTo }) => place <= upTo);
}

/** What is new to a reader at this place. */
export function changesAt(place: string, job: Changes, now: State): { status: boolean; response: boolean } {
  const known = knownAt(place, job);
  const isNewResponse = known ? now.response !== known.response : job.responded;
  return {
    status: now.status !== (known ? known.status : job.from),
    response: now.response !== undefined && isNewResponse,
  };
}

/** The fields of a job for one reader, whose mail leaves later. */
export function laterFor(place: string, job: Changes, at: number): Partial<Changes> {
  const { first, last, by } = job;
  const known = knownAt(place, job);
  return { first, last, by, at, from: known ? known.status : job.from, responded: job.responded };
}

/** Rounds that a job remembers: one more needs another change while mails leave. */
const KEPT_ROUNDS = 20;

function withRound({ earlierRounds, place, roundState = {} }: Changes): Changes["earlierRounds"] {
  return place === "" ? earlierRounds : [...earlierRounds, { ...roundState, upTo: place }].slice(-KEPT_ROUNDS);
}

/** What an attempt at a job finds: that nobody was told yet, that nothing is new, or what is. */
function foundBy({ roundState, lastAtStart, last }: Changes, now: State) {
  if (!roundState) return "nobody told";
  if (roundState.status === now.status && roundState.response === now.response) return "nothing new";
  // A change without mails leaves no event for the job.
  return lastAtStart === last ? "change without mails" : "further change";
}

/** The fields with which a job continues, as the post is now. */
export function continued(job: Changes, now: State): Partial<Changes> {
  switch (foundBy(job, now)) {
    case "nobody told":
      return { roundState: now, lastAtStart: job.last };
    case "nothing new":
      return {};
    case "change without mails":
      // The readers from this place on get the new state.
      return { roundState: now, earlierRounds: withRound(job) };
    case "further change":
      return {
        earlierRounds: withRound(job),
        place: "",
        roundState: undefined,
        lastAtStart: undefined,
        at: Date.now() + COLLECTING_MS,
      };
  }
}
