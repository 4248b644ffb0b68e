import { setTimeout as sleep } from "node:timers/promises";
import { StoreUnavailable } from "./client.ts";
import type { Part } from "./parts.ts";
import { transact } from "./transactions.ts";

// DynamoDB's limit for a transaction.
const MOST_PARTS = 100;

type Committed = { done: boolean } | "is over";

/** Writes all parts, each of another item, or none. Answers "is over" if it wrote nothing because the time was over. */
export type Commit = (parts: Record<string, Part>) => Promise<Committed>;

/** A plan that waits: its parts by their keys, and how its caller gets the outcome. */
type Waiting = { parts: Map<string, Part>; answer: (outcome: Committed) => void; fail: (error: unknown) => void };

/**
 * Makes a function that commits plans. Those that arrive during a transaction share the next one, unless they write or
 * check the same item. If a condition fails, only its plan is refused; if the store is unavailable, the group is.
 */
export function sharedCommit(isOver: () => boolean): Commit {
  const waiting: Waiting[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    // Plans that follow from one read arrive in the same turn of the event loop: all of them are waited for.
    await sleep(0);
    while (waiting.length > 0) await commitGroup(waiting.splice(0, sizeOfGroup(waiting)), isOver);
    isRunning = false;
  };
  return (parts) =>
    new Promise((answer, fail) => {
      waiting.push({ parts: new Map(Object.values(parts).map((part) => [keyIn(part), part])), answer, fail });
      if (!isRunning) void run();
    });
}

function keyIn({ Put, Update, Delete, ConditionCheck }: Part): string {
  const { pk, sk } = Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key ?? {};
  return `${pk} ${sk}`;
}

/** How many of the first plans one transaction can commit; at least one. */
function sizeOfGroup(plans: Waiting[]): number {
  const taken = new Set<string>();
  for (const [at, { parts }] of plans.entries()) {
    const clashes = [...parts.keys()].some((key) => taken.has(key));
    if (at > 0 && (clashes || taken.size + parts.size > MOST_PARTS)) return at;
    for (const key of parts.keys()) taken.add(key);
  }
  return plans.length;
}

/** Commits plans together; if conditions fail, without the plans that they belong to. */
async function commitGroup(group: Waiting[], isOver: () => boolean): Promise<void> {
  let left = group;
  while (left.length > 0) {
    if (isOver()) {
      for (const { answer } of left) answer("is over");
      return;
    }
    left = await commitOnce(left);
  }
}

/** Tries to commit plans together, and answers those that are decided. Returns the others, which go again. */
async function commitOnce(group: Waiting[]): Promise<Waiting[]> {
  try {
    // The parts are named by their keys, so `failed` says which plans are refused. The others are not written either.
    const outcome = await transact(Object.fromEntries(group.flatMap(({ parts }) => [...parts])));
    const isDecided = ({ parts }: Waiting) => outcome.done || [...parts.keys()].some((key) => key in outcome.failed);
    for (const { answer } of group.filter(isDecided)) answer(outcome);
    return group.filter((plan) => !isDecided(plan));
  } catch (error) {
    if (error instanceof StoreUnavailable || group.length === 1) {
      for (const { fail } of group) fail(error);
      return [];
    }
    // DynamoDB rejects a group because of one plan. Alone, the others do not fail with it, and each is decided.
    for (const plan of group) await commitOnce([plan]);
    return [];
  }
}
