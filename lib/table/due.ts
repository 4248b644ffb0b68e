import * as z from "zod/mini";
import { setAlone } from "./changes.ts";
import type { Family } from "./families.ts";
import { idIn, key } from "./keys.ts";
import type { Condition } from "./parts.ts";
import { range } from "./ranges.ts";
import { getRange } from "./reads.ts";
import { removeAlone, type Update } from "./single-writes.ts";

// An unfinished job of the background functions has a due entry with the time of the next attempt.

export type Job = { queue: Family; id: string };

/** How an attempt ended: `more` asks for another attempt now, `notBefore` for one at that time (ms since 1970). */
export type Outcome = "done" | "more" | { notBefore: number };

/** When the next attempt is, and why; `tries` failures in a row began at `since`. Times are in ms since 1970. */
export type Pause = { dueAt: number; tries: number; since: number; reason: string };

export type Entry = Job & Pause;

export const DueItem = z.object({ dueAt: z.number(), tries: z.number(), since: z.number(), reason: z.string() });

/** Jobs that wait. Once each is done or has an entry, `keepPlace` notes where the next search begins. */
export type Found = { ids: string[]; keepPlace?: (() => Promise<unknown>) | undefined };

const Stored = z.extend(DueItem, { sk: z.string() });

const FIRST_WAIT_MS = 15_000;
const LONGEST_WAIT_MS = 60 * 60_000;

/** How long to wait after a number of failed attempts, in milliseconds. */
export function waitAfter(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
}

/** The due entries of a family, the due ones and the later ones. */
export async function entriesOf(queue: Family): Promise<Entry[]> {
  return (await getRange(range.due(queue), Stored)).map(({ sk, ...pause }) => ({ ...pause, queue, id: idIn(sk) }));
}

/** The ids of all jobs of a family, in key order, also of those that do not parse. */
export async function waitingIds(family: Family): Promise<string[]> {
  return (await getRange(range.waiting(family), z.object({ sk: z.string() }))).map(({ sk }) => sk);
}

/** The ids without an entry. */
export async function withoutEntry(queue: Family, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const known = new Set((await entriesOf(queue)).map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

/** Writes the due entry of a job, which replaces another one. */
export function putOff(
  { queue, id }: Job,
  { dueAt, tries, since, reason }: Pause,
  condition: Partial<Condition> = {},
): Promise<Update> {
  return setAlone(key.due(queue, id), { dueAt, tries, since, reason }, condition);
}

/** Writes the due entry of a job unless it has one. */
export function putOffNew(job: Job, pause: Pause): Promise<Update> {
  return putOff(job, pause, { if: "attribute_not_exists(pk)" });
}

/** The time limit of a background function: an attempt ends before the next one begins. */
export const ATTEMPT_MS = 60_000;

/** Claims an entry for one attempt, which counts as a failure until it ends; undefined if another call was first. */
export async function claim({ queue, id, ...pause }: Entry): Promise<Entry | undefined> {
  const now = Date.now();
  const tries = pause.tries + 1;
  // A row of failures begins with its first attempt.
  const since = pause.tries > 0 ? pause.since : now;
  const claimed = {
    ...pause,
    tries,
    since,
    dueAt: now + Math.max(waitAfter(tries), ATTEMPT_MS),
    reason: "was cut off",
  };
  const outcome = await putOff({ queue, id }, claimed, { if: "dueAt = :read", values: { ":read": pause.dueAt } });
  return outcome.done ? { queue, id, ...claimed } : undefined;
}

/** Removes the claimed entry of a finished job. An entry written since then stays: it asks for another attempt. */
export function remove({ queue, id, dueAt }: Entry): Promise<void> {
  return removeAlone(key.due(queue, id), { if: "dueAt = :claimed", values: { ":claimed": dueAt } });
}

/** Makes a job due now, as if it had not failed. */
export function retry(job: Job, now = Date.now()): Promise<Update> {
  return putOff(job, { dueAt: now, tries: 0, since: now, reason: "retried by hand" });
}
