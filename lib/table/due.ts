import * as z from "zod/mini";
import { type Family, idIn, key, type Queue, range } from "./keys.ts";
import { getRange } from "./reads.ts";
import { removeAlone, updateAlone } from "./single-writes.ts";

// Background work that could not be finished at once has an entry here, beside its item: when to go on, and why then.

/** What background work is to take: an item by its family and its sort key, or a post by its id. */
export type Job = { queue: Queue; id: string };

/**
 * When work on an item goes on, and why then. `tries` counts the failures in a row, `since` is the time of the first of them;
 * times are in milliseconds since 1970.
 */
export type Pause = { dueAt: number; tries: number; since: number; reason: string };

/** An item with its pause. */
export type Entry = Job & Pause;

/** Parses a stored entry. */
export const DueItem = z.object({ dueAt: z.number(), tries: z.number(), since: z.number(), reason: z.string() });

const Stored = z.extend(DueItem, { sk: z.string() });

const FIRST_WAIT_MS = 15_000;
const LONGEST_WAIT_MS = 60 * 60_000;

/** The wait after so many failures in a row, in milliseconds: 15 seconds, doubling, at most an hour. */
export function waitAfter(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
}

/** The entries of a queue. */
export async function entriesOf(queue: Queue): Promise<Entry[]> {
  return (await getRange(range.due(queue), Stored)).map(({ sk, ...pause }) => ({ ...pause, queue, id: idIn(sk) }));
}

const ItemId = z.pipe(
  z.object({ sk: z.string() }),
  z.transform(({ sk }) => sk),
);

/** The ids of all items of a family that wait, in key order, those included that do not parse. */
export function waitingIds(family: Family): Promise<string[]> {
  return getRange(range.waiting(family), ItemId);
}

/** The ids of the items that wait and have no entry: new ones, and those that the stream lost. */
export async function withoutEntry(family: Family): Promise<string[]> {
  const ids = await waitingIds(family);
  if (ids.length === 0) return [];
  const known = new Set((await entriesOf(family)).map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

function write({ queue, id }: Job, pause: Pause, condition: { if?: string; values?: object } = {}) {
  return updateAlone(key.due(queue, id), "SET dueAt = :dueAt, tries = :tries, since = :since, reason = :reason", {
    ...condition,
    values: {
      ...condition.values,
      ":dueAt": pause.dueAt,
      ":tries": pause.tries,
      ":since": pause.since,
      ":reason": pause.reason,
    },
  });
}

/** Writes the entry of an item, over one that it may have. */
export async function putOff(item: Job, pause: Pause): Promise<void> {
  await write(item, pause);
}

/** Writes the entry of an item that has none. */
export async function putOffNew(item: Job, pause: Pause): Promise<void> {
  await write(item, pause, { if: "attribute_not_exists(pk)" });
}

// Longer than the time limit of a background function: an attempt has ended before the next one begins.
const CLAIM_MS = 60_000;

/** Takes an entry for one attempt, which counts as a failure until it has ended. Undefined if another call has taken it. */
export async function claim({ queue, id, ...pause }: Entry, now = Date.now()): Promise<Entry | undefined> {
  const tries = pause.tries + 1;
  // A row of failures begins with its first attempt.
  const since = pause.tries > 0 ? pause.since : now;
  const claimed = { ...pause, tries, since, dueAt: now + Math.max(waitAfter(tries), CLAIM_MS), reason: "was cut off" };
  const outcome = await write({ queue, id }, claimed, { if: "dueAt = :asRead", values: { ":asRead": pause.dueAt } });
  return outcome.done ? { queue, id, ...claimed } : undefined;
}

/** Removes the entry of an item that is done, as it was claimed. One that was written meanwhile stays: it asks for another attempt. */
export function remove({ queue, id, dueAt }: Entry): Promise<void> {
  return removeAlone(key.due(queue, id), { if: "dueAt = :claimed", values: { ":claimed": dueAt } });
}

/** Makes an item due at once, whether or not it has an entry. */
export function retry(item: Job, now = Date.now()): Promise<void> {
  return putOff(item, { dueAt: now, tries: 0, since: now, reason: "retried by hand" });
}
