import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { allOf, type TableAccess } from "./data/access.ts";
import * as due from "./data/due.ts";
import { type Family, familyOf } from "./data/keys.ts";
import * as log from "./runtime/log.ts";

/** One kind of background work as data: it takes each new item of one key family, and removes the item when the work is done. */
export type WorkDefinition = {
  /** Unique; the name of its module in functions/background/. */
  name: string;
  /** The family whose items it takes. */
  takes: Family;
  /** What it does to which key families, exactly. */
  table: TableAccess;
  /** Sends mails: its function may use the mail service. */
  sendsMail?: true;
};

/** How far an attempt came: `more` is left to do at once, or it goes on not before a time (in milliseconds since 1970). */
export type Outcome = "done" | "more" | { notBefore: number };

/** Work on the item with a sort key. Must be safe to repeat. Ends soon after `isOver` says so, with what it did so far kept. */
type CarryOut = (id: string, isOver: () => boolean) => Promise<Outcome>;

/** One kind of background work. */
export type Work = { definition: WorkDefinition; carryOut: CarryOut };

/** Makes a kind of background work. */
export const defineWork = (definition: WorkDefinition, carryOut: CarryOut): Work => ({ definition, carryOut });

/** What EventBridge sends each minute; without a time, nobody looks for lost items. */
export type Minute = { time?: string };

/** A background function as data: which kinds of work it carries out; `table` becomes its IAM policy. */
export type BackgroundDefinition = { name: string; works: readonly Work[]; table: TableAccess };

/** The Lambda handler of a background function, with its definition. */
export type BackgroundFunction = ((event: DynamoDBStreamEvent | Minute) => Promise<DynamoDBBatchResponse>) & {
  definition: BackgroundDefinition;
};

/** Work has failed for more than ten minutes. The call fails, which an alarm watches. */
export class WorkIsLate extends Error {
  override readonly name = "WorkIsLate";
}

/**
 * Makes the handler of a background function. The table's stream hands it new items. What cannot be finished at once gets an entry
 * in DUE, so that it keeps nothing waiting, and is taken up again by the call of a later minute.
 */
export const defineBackground = (name: string, works: readonly Work[]): BackgroundFunction => {
  const handler: (event: DynamoDBStreamEvent | Minute) => Promise<DynamoDBBatchResponse> = (event) =>
    "Records" in event ? takeNewItems(works, event) : takeDueItems(works, event);
  return Object.assign(handler, { definition: { name, works, table: accessOf(works) } });
};

const accessOf = (works: readonly Work[]): TableAccess =>
  allOf([
    ...works.map(({ definition }) => definition.table),
    // Looking for lost items.
    ...works.map(({ definition: { takes } }) => ({ [takes]: ["query"] as const })),
    { DUE: ["query", "updateAlone", "deleteAlone"] },
  ]);

// How long an attempt may last, in milliseconds. Longer work goes on in slices, so that other items get their turn in between.
const SLICE_MS = 3000;

const isOverAfter = (milliseconds: number): (() => boolean) => {
  const end = Date.now() + milliseconds;
  return () => Date.now() > end;
};

/** Takes the new items of a stream's batch, side by side. Only what cannot even be put off is handed back to the stream. */
const takeNewItems = async (
  works: readonly Work[],
  { Records }: DynamoDBStreamEvent,
): Promise<DynamoDBBatchResponse> => {
  const isOver = isOverAfter(SLICE_MS);
  const failures = Records.map(async ({ eventName, dynamodb }) => {
    const { pk: { S: pk = "" } = {}, sk: { S: id = "" } = {} } = dynamodb?.Keys ?? {};
    const work = works.find(({ definition }) => eventName === "INSERT" && definition.takes === familyOf(pk));
    if (!work) return [];
    try {
      const outcome = await attempt(work, id, 1, isOver);
      if (outcome !== "done") await due.putOff({ family: work.definition.takes, id }, outcome);
      return [];
    } catch (error) {
      log.error("background work could not be put off", { endpoint: work.definition.name, error });
      return [{ itemIdentifier: dynamodb?.SequenceNumber ?? "" }];
    }
  });
  return { batchItemFailures: (await Promise.all(failures)).flat() };
};

/** Works on an item. Returns when to go on, and why then; "done" if it is finished. */
const attempt = async (
  { definition: { name, takes }, carryOut }: Work,
  id: string,
  tries: number,
  isOver: () => boolean,
): Promise<"done" | due.Pause> => {
  const now = Date.now();
  try {
    const outcome = await carryOut(id, isOver);
    if (outcome === "done") return "done";
    const dueAt = outcome === "more" ? Date.now() : outcome.notBefore;
    return { dueAt, tries: 0, since: now, reason: outcome === "more" ? "goes on in slices" : "goes on later" };
  } catch (error) {
    log.error("background work failed", { endpoint: name, item: `${takes} | ${id}`, attempt: tries, error });
    return { dueAt: Date.now() + due.waitAfter(tries), tries, since: now, reason: inShort(error) };
  }
};

const inShort = (error: unknown): string => {
  const [line = ""] = String(error).split("\n");
  return line.slice(0, 200);
};

// How long a call takes items up, in milliseconds: the last one ends before the function's time limit.
const TURN_MS = 40_000;

// Entries that are worked on side by side.
const AT_ONCE = 10;

/** Waits for all, then throws what failed first: Lambda stops a process that has answered in the middle of what still runs. */
const allEnded = async (works: Promise<unknown>[]): Promise<void> => {
  for (const end of await Promise.allSettled(works)) if (end.status === "rejected") throw end.reason;
};

/** Takes up what is due, the longest overdue first, until nothing is or the time is over. Throws WorkIsLate if something is. */
const takeDueItems = async (works: readonly Work[], { time }: Minute): Promise<DynamoDBBatchResponse> => {
  const isOver = isOverAfter(TURN_MS);
  if (time && new Date(time).getUTCMinutes() === 0) await allEnded(works.map(findLostItems));
  for (;;) {
    const entries = (await Promise.all(works.map(entriesOf))).flat();
    const now = Date.now();
    const ready = entries.filter(({ dueAt }) => dueAt <= now).sort((a, b) => a.dueAt - b.dueAt);
    if (ready.length === 0 || isOver()) return complainOfLate(entries, now);
    for (let at = 0; at < ready.length && !isOver(); at += AT_ONCE) {
      await allEnded(ready.slice(at, at + AT_ONCE).map(takeUp));
    }
  }
};

type Entry = due.Entry & { work: Work };

const entriesOf = async (work: Work): Promise<Entry[]> =>
  (await due.entriesOf(work.definition.takes)).map((entry) => ({ ...entry, work }));

/** Makes the next attempt at an item that was put off, unless another call does. */
const takeUp = async ({ work, ...entry }: Entry): Promise<void> => {
  if (!(await due.claim(entry))) return;
  const outcome = await attempt(work, entry.id, entry.tries + 1, isOverAfter(SLICE_MS));
  if (outcome === "done") await due.remove(entry);
  // A row of failures began with the first of them.
  else await due.putOff(entry, outcome.tries > 1 ? { ...outcome, since: entry.since } : outcome);
};

const LATE_MS = 10 * 60_000;

const complainOfLate = (entries: Entry[], now: number): DynamoDBBatchResponse => {
  const late = entries.filter(({ tries, since }) => tries > 0 && now - since > LATE_MS);
  if (late.length === 0) return { batchItemFailures: [] };
  const named = late.slice(0, 3).map(({ family, id, reason }) => `${family} ${id} (${reason})`);
  throw new WorkIsLate(`${late.length} items have failed for more than ten minutes, such as ${named.join(", ")}`);
};

/** Puts items off whose record the stream may have lost. One that is only on its way is gone by then. */
const findLostItems = async ({ definition: { takes } }: Work): Promise<void> => {
  const ids = await due.withoutEntry(takes);
  const now = Date.now();
  for (const id of ids) {
    await due.putOffNew({ family: takes, id }, { dueAt: now + LATE_MS, tries: 0, since: now, reason: "found waiting" });
  }
};
