import { setTimeout as sleep } from "node:timers/promises";
import { StoreUnavailable } from "./client.ts";
import type { Key } from "./keys.ts";
import { adding, type Part, update } from "./parts.ts";
import { transact } from "./transactions.ts";

// DynamoDB's limit for a transaction.
const MOST_PARTS = 100;

type Outcome = { done: boolean } | "is over";

/** Writes all parts or none. Answers "is over" if it wrote nothing because the time was over. */
export type Commit = (parts: Record<string, Part>) => Promise<Outcome>;

type Plan = { parts: Part[]; answer: (outcome: Promise<Outcome>) => void };

/**
 * Makes a function that commits plans. Those that arrive during a transaction share the next one, where all additions
 * to a count are one part. If a condition fails, only its plan is refused; if the store is unavailable, the group is.
 */
export function sharedCommit(isOver: () => boolean): Commit {
  const waiting: Plan[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    // The plans that follow from one read arrive together.
    await sleep(0);
    while (waiting.length > 0) await commitGroup(waiting.splice(0, sizeOfGroup(waiting)), isOver);
    isRunning = false;
  };
  return (parts) =>
    new Promise((answer) => {
      waiting.push({ parts: Object.values(parts), answer });
      if (!isRunning) void run();
    });
}

/** How many of the first plans one transaction can commit; at least one. */
function sizeOfGroup(plans: Plan[]): number {
  /** The keys of the items that are changed, with whether that only adds to numbers. */
  const changed = new Map<string, boolean>();
  for (const [at, { parts }] of plans.entries()) {
    const clashes = parts.some((part) => changed.has(keyIn(part)) && !(isAddition(part) && changed.get(keyIn(part))));
    for (const part of parts) changed.set(keyIn(part), isAddition(part));
    if (at > 0 && (clashes || changed.size > MOST_PARTS)) return at;
  }
  return plans.length;
}

function isAddition({ Update }: Part): boolean {
  return Update?.UpdateExpression?.startsWith("ADD #n0 ") === true && Update.ConditionExpression === undefined;
}

/** Commits plans together; if conditions fail, without the plans that they belong to. */
async function commitGroup(group: Plan[], isOver: () => boolean): Promise<void> {
  const commit = async () => (isOver() ? "is over" : transact(merged(group)));
  const outcome = commit();
  const ended = await outcome.catch((error: unknown) => error as Error);
  if (ended instanceof Error && !(ended instanceof StoreUnavailable) && group.length > 1) {
    // One of them is broken.
    for (const plan of group) await commitGroup([plan], isOver);
    return;
  }
  const failed = typeof ended === "object" && "failed" in ended ? ended.failed : {};
  const refused = group.filter(({ parts }) => parts.some((part) => keyIn(part) in failed));
  const answered = refused.length > 0 ? refused : group;
  for (const { answer } of answered) answer(outcome);
  const others = group.filter((plan) => !answered.includes(plan));
  if (others.length > 0) await commitGroup(others, isOver);
}

/** The parts of plans by their keys, with all additions to an item as one part. */
function merged(group: Plan[]): Record<string, Part> {
  const parts: Record<string, Part> = {};
  for (const part of group.flatMap((plan) => plan.parts)) {
    const before = parts[keyIn(part)];
    parts[keyIn(part)] = before ? sumOf(before, part) : part;
  }
  return parts;
}

function keyIn({ Put, Update, Delete, ConditionCheck }: Part): string {
  const { pk, sk } = Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key ?? {};
  return `${pk} ${sk}`;
}

/** The part that adds to an item what two parts add to it. */
function sumOf(...parts: [Part, Part]): Part {
  const changes = new Map<string, number>();
  for (const { Update } of parts) {
    const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = Update ?? {};
    for (const [at, name] of Object.entries(names)) {
      changes.set(name, (changes.get(name) ?? 0) + values[at.replace("#", ":")]);
    }
  }
  const { expression, ...counted } = adding([...changes]);
  return update(parts[0].Update?.Key as Key, expression, counted);
}
