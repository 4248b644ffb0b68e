import * as z from "zod/mini";
import type { EventRecord } from "../events/events.ts";
import { setFields, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create, type Part } from "../table/parts.ts";
import { getOrThrow } from "../table/reads.ts";

// The changes of the status and the response of a post have one job, which waits for a minute and then says what holds.
// So a mistake that was put right within the minute is told to nobody, and no older mail comes after a newer one: each
// reader has one place in one job.

/** How long changes are collected before readers are told, in milliseconds. */
export const COLLECTING_MS = 60_000;

/** What readers were told of a post: the letter of its status, and the time of its response. */
const State = z.object({ status: z.optional(z.string()), response: z.optional(z.number()) });
export type State = z.infer<typeof State>;

/** Readers up to a place, and what they were told. */
const Told = z.extend(State, { upTo: z.string() });

const StoredChanges = z.object({
  sk: z.string(),
  /** The oldest change and the status before it, the newest change and who made it. */
  first: z.string(),
  from: z.optional(z.string()),
  last: z.string(),
  by: z.string(),
  /** Whether one of them gave a response. */
  responded: z._default(z.boolean(), false),
  /** When readers are told, in milliseconds since 1970. */
  at: z.number(),
  /** The last reader who was told, and what. */
  place: z._default(z.string(), ""),
  said: z.optional(State),
  /** The newest change when the first reader was told. */
  since: z.optional(z.string()),
  /** What readers know from earlier rounds, which a further change ended; the latest round last. */
  told: z._default(z.array(Told), []),
});

/** The job of a post, or of one reader of it, `only`, who has to wait. */
export const ChangesItem = z.pipe(
  StoredChanges,
  z.transform(({ sk, ...job }) => {
    const [postId = "", only] = sk.slice(1).split("#");
    return { ...job, postId, only };
  }),
);
export type Changes = z.output<typeof ChangesItem>;

/** The job that tells what changed on a post. */
export function findChanges(jobId: string): Promise<Changes | undefined> {
  return getOrThrow(key.notice(jobId), ChangesItem);
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

/** What a reader at this place knows; undefined if no round has reached the place. */
function knownAt(place: string, { told }: Changes): State | undefined {
  return told.findLast(({ upTo }) => place <= upTo);
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

/** The fields of a job for one reader, who is told later. */
export function laterFor(place: string, job: Changes, at: number): Partial<Changes> {
  const { first, last, by } = job;
  const known = knownAt(place, job);
  return { first, last, by, at, from: known ? known.status : job.from, responded: job.responded };
}

/** Rounds that a job remembers: one more needs another change while readers are told. */
const KEPT_ROUNDS = 20;

function withRound({ told, place, said = {} }: Changes): Changes["told"] {
  return place === "" ? told : [...told, { ...said, upTo: place }].slice(-KEPT_ROUNDS);
}

/**
 * The fields with which a job continues, as the post is now: it begins, stays at its place, or begins again in a minute
 * after a further change. A change without mails does not begin it again.
 */
export function continued(job: Changes, now: State): Partial<Changes> {
  const { said, since, last } = job;
  if (!said) return { said: now, since: last };
  if (said.status === now.status && said.response === now.response) return {};
  const told = withRound(job);
  if (since === last) return { said: now, told };
  return { told, place: "", said: undefined, since: undefined, at: Date.now() + COLLECTING_MS };
}
