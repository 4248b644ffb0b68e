import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import type { PostWithVoters } from "./posts/posts.ts";
import { allEnded } from "./runtime/all-ended.ts";
import * as log from "./runtime/log.ts";
import { mergeAccess, type TableAccess, withFence } from "./table/access.ts";
import type { Outcome } from "./table/due.ts";
import * as due from "./table/due.ts";
import { type Family, familyOf } from "./table/families.ts";
import { postIdIn } from "./table/keys.ts";
import { type Commit, sharedCommit } from "./table/shared-commit.ts";

/**
 * One kind of background work as data. Most kinds take each new item of one key family, and remove the item when the
 * work is done. A kind may take another family too, whose items stay: it takes a mark off them. A follow-up instead
 * takes every post that changed, or whose voters item changed, and updates its derived rows.
 */
export type WorkDefinition = {
  /** Unique; the name of its module in functions/background/. */
  name: string;
  /** The family whose items it takes; POSTS for a follow-up. */
  takes: Family;
  /** Another family whose new items it takes; `findMarked` finds them. */
  takesMarked?: Family;
  /** Its exact rights, by key family. */
  table: TableAccess;
  /** Calls the function `deliver`. */
  callsDeliver?: true;
  /** Writes exports: its function may use the bucket that holds them. */
  writesExports?: true;
  /** Sends mails: its function may use the mail service. */
  sendsMail?: true;
};

/**
 * With `votersOnly`, the batch of the stream names only the voters item of a post: it got a vote or a comment, and its
 * own fields stay. `commit` is shared by the batch, which saves transactions. `isAlone`, only on one machine: no other
 * batch of the function is under way, in any process.
 */
export type InBatch = { votersOnly: boolean; commit?: Commit; isAlone?: boolean | undefined };

/**
 * Works on the item with this sort key; must be safe to repeat. Stops soon after `isOver` returns true, and saves its
 * progress. `inBatch` is absent for an item that the stream does not hand over.
 */
export type CarryOut = (id: string, isOver: () => boolean, inBatch?: InBatch) => Promise<Outcome>;

export type Work = {
  definition: WorkDefinition;
  carryOut: CarryOut;
  /** Leaves an item for work that is done each hour. */
  eachHour?: () => Promise<void>;
  /** Finds the items with a mark. */
  findMarked?: () => Promise<due.Found>;
  /** What only a follow-up has (lib/follow-up.ts). */
  followUp?: {
    /** Returns the ids of those posts whose derived rows are stale. */
    staleAmong: (posts: PostWithVoters[]) => Promise<string[]>;
    /** Checks another 200 posts each hour. Returns the ids of those whose derived rows are stale. */
    findStale: (at: Date) => Promise<string[]>;
  };
};

/** Defines a kind of background work (docs/architecture.md#background-work). */
export function defineWork(
  definition: WorkDefinition,
  carryOut: CarryOut,
  more: Pick<Work, "eachHour" | "findMarked"> = {},
): Work {
  return { definition, carryOut, ...more };
}

/** The families whose new items works take. */
export function takenBy(works: readonly Work[]): Family[] {
  return works.flatMap(({ definition: { takes, takesMarked } }) => (takesMarked ? [takes, takesMarked] : [takes]));
}

/** Finds the items that wait for a kind of work. */
export async function findWaiting({ definition: { takes }, findMarked }: Work): Promise<due.Found> {
  const [ids, marked] = await Promise.all([due.waitingIds(takes), findMarked?.()]);
  return { ids: [...ids, ...(marked?.ids ?? [])], keepPlace: marked?.keepPlace };
}

/** Finds the items without a due entry: new ones, and those that the stream lost. */
export async function findNew(work: Work): Promise<due.Found> {
  const { ids, keepPlace } = await findWaiting(work);
  return { ids: await due.withoutEntry(work.definition.takes, ids), keepPlace };
}

/** What the stream sends; `isAlone` as in `InBatch`. */
export type Batch = DynamoDBStreamEvent & { isAlone?: boolean };

/** What EventBridge sends each minute; without a time, the call does not look for lost items. */
export type Minute = { time?: string };

/** A background function as data: which kinds of work it carries out; `table` becomes its IAM policy. */
export type BackgroundDefinition = { name: string; works: readonly Work[]; table: TableAccess };

export type BackgroundFunction = ((event: Batch | Minute) => Promise<DynamoDBBatchResponse>) & {
  definition: BackgroundDefinition;
};

/** Work has failed for more than ten minutes. The call fails, which an alarm watches. */
export class WorkIsLate extends Error {
  override readonly name = "WorkIsLate";
}

/**
 * Makes the handler of a background function. The table's stream hands it new items. Unfinished work gets an entry in
 * DUE, so that other items need not wait for it, and a call of a later minute repeats it.
 */
export function defineBackground(name: string, works: readonly Work[]): BackgroundFunction {
  const handler: (event: Batch | Minute) => Promise<DynamoDBBatchResponse> = (event) =>
    "Records" in event ? takeNewItems(works, event) : takeDueItems(works, event);
  const ownTable = mergeAccess([
    ...works.map(({ definition }) => definition.table),
    // Looking for lost items.
    ...works.map(({ definition: { takes } }) => ({ [takes]: ["query"] as const })),
    { DUE: ["query", "updateAlone", "deleteAlone"] },
  ]);
  const table = withFence(ownTable);
  return Object.assign(handler, { definition: { name, works, table } });
}

// How long an attempt may last, in milliseconds. Longer work continues in slices, and other items get their turn.
export const SLICE_MS = 3000;

function isOverAfter(milliseconds: number): () => boolean {
  const end = Date.now() + milliseconds;
  return () => Date.now() > end;
}

/** Takes a stream's batch, all in parallel. Hands an item back only if the store rejects even its entry in DUE. */
async function takeNewItems(works: readonly Work[], { Records, isAlone }: Batch): Promise<DynamoDBBatchResponse> {
  const isOver = isOverAfter(SLICE_MS);
  const named = new Set(Records.map(sortKeyOf));
  const commit = sharedCommit(isOver);
  const failures = works.map(async (work) => {
    // An item that several records name is worked on once.
    const records = new Map<string, string>();
    for (const record of Records) {
      const id = idFor(work, record);
      if (id !== undefined && !records.has(id)) records.set(id, record.dynamodb?.SequenceNumber ?? "");
    }
    const taken = [...records].map(async ([id, sequence]) => {
      const isTaken = await take(work, id, isOver, { votersOnly: !named.has(id), commit, isAlone });
      return isTaken ? [] : [sequence];
    });
    return (await Promise.all(taken)).flat();
  });
  const failed = (await Promise.all(failures)).flat();
  return { batchItemFailures: [...new Set(failed)].map((itemIdentifier) => ({ itemIdentifier })) };
}

/** The item that a record of the stream gives a kind of work: a new item, or for a follow-up the post that changed. */
function idFor({ definition: { takes, takesMarked }, followUp }: Work, record: DynamoDBRecord): string | undefined {
  const { eventName, dynamodb } = record;
  const family = familyOf(dynamodb?.Keys?.pk?.S ?? "");
  if (family !== takes && family !== takesMarked) return undefined;
  if (!followUp) return eventName === "INSERT" ? sortKeyOf(record) : undefined;
  // The sweeper carries out the follow-up of a deleted post.
  return eventName === "REMOVE" ? undefined : postIdIn(sortKeyOf(record));
}

function sortKeyOf({ dynamodb }: DynamoDBRecord): string {
  return dynamodb?.Keys?.sk?.S ?? "";
}

/** Works on an item, or puts it off. False if the store fails to do even that. */
async function take(work: Work, id: string, isOver: () => boolean, inBatch: InBatch): Promise<boolean> {
  try {
    const outcome = await attempt(work, id, 1, isOver, inBatch);
    if (outcome !== "done") await due.putOff({ queue: work.definition.takes, id }, outcome);
    return true;
  } catch (error) {
    log.error("background work could not be put off", { endpoint: work.definition.name, error });
    return false;
  }
}

/** Works on an item. Returns when and why to continue; "done" if the work is finished. */
async function attempt(
  { definition: { name, takes }, carryOut }: Work,
  id: string,
  tries: number,
  isOver: () => boolean,
  inBatch?: InBatch,
): Promise<"done" | due.Pause> {
  const now = Date.now();
  try {
    const outcome = await carryOut(id, isOver, inBatch);
    if (outcome === "done") return "done";
    const dueAt = outcome === "more" ? Date.now() : outcome.notBefore;
    return { dueAt, tries: 0, since: now, reason: outcome === "more" ? "continues in slices" : "continues later" };
  } catch (error) {
    log.error("background work failed", { endpoint: name, item: `${takes} | ${id}`, attempt: tries, error });
    const reason = String(error).split("\n", 1).join().slice(0, 200);
    return { dueAt: Date.now() + due.waitAfter(tries), tries, since: now, reason };
  }
}

// How long a call starts work on items, in milliseconds: the last item ends before the function's time limit.
const TURN_MS = 40_000;

// The number of entries that are worked on in parallel.
const AT_ONCE = 10;

/** Works on due items, the longest overdue first, until none is left or the time is over; may throw WorkIsLate. */
async function takeDueItems(works: readonly Work[], { time }: Minute): Promise<DynamoDBBatchResponse> {
  const isOver = isOverAfter(TURN_MS);
  const at = time ? new Date(time) : undefined;
  if (at?.getUTCMinutes() === 0) {
    await allEnded(works.map((work) => findLostItems(work, at)));
    await allEnded(works.flatMap(({ eachHour }) => eachHour?.() ?? []));
  }
  for (;;) {
    const entries = (await Promise.all(works.map(entriesOf))).flat();
    const now = Date.now();
    const ready = entries.filter(({ dueAt }) => dueAt <= now).sort((a, b) => a.dueAt - b.dueAt);
    if (ready.length === 0 || isOver()) return complainOfLate(entries, now);
    for (let at = 0; at < ready.length && !isOver(); at += AT_ONCE) {
      await allEnded(ready.slice(at, at + AT_ONCE).map(takeUp));
    }
  }
}

type Entry = due.Entry & { work: Work };

async function entriesOf(work: Work): Promise<Entry[]> {
  return (await due.entriesOf(work.definition.takes)).map((entry) => ({ ...entry, work }));
}

async function takeUp({ work, ...entry }: Entry): Promise<void> {
  const claimed = await due.claim(entry);
  if (!claimed) return;
  const outcome = await attempt(work, entry.id, claimed.tries, isOverAfter(SLICE_MS));
  if (outcome === "done") await due.remove(claimed);
  // `since` stays the time of the first failure in a row.
  else await due.putOff(entry, outcome.tries > 1 ? { ...outcome, since: entry.since } : outcome);
}

const LATE_MS = 10 * 60_000;

function complainOfLate(entries: Entry[], now: number): DynamoDBBatchResponse {
  const late = entries.filter(({ tries, since }) => tries > 0 && now - since > LATE_MS);
  if (late.length === 0) return { batchItemFailures: [] };
  const named = late.slice(0, 3).map(({ queue, id, reason }) => `${queue} ${id} (${reason})`);
  throw new WorkIsLate(`${late.length} items have failed for more than ten minutes, such as ${named.join(", ")}`);
}

/**
 * Makes due entries for items whose stream record may be lost. If the record does come, the item is done and deleted
 * before its entry is due.
 */
async function findLostItems(work: Work, at: Date): Promise<void> {
  const ofFollowUp = await work.followUp?.findStale(at);
  const { ids, keepPlace }: due.Found = ofFollowUp ? { ids: ofFollowUp } : await findNew(work);
  const now = Date.now();
  for (const id of ids) {
    const pause = { dueAt: now + LATE_MS, tries: 0, since: now, reason: "found waiting" };
    await due.putOffNew({ queue: work.definition.takes, id }, pause);
  }
  await keepPlace?.();
}
