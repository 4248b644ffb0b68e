import type { Key } from "./keys.ts";
import { adding, type Part, update } from "./parts.ts";
import { transact } from "./transactions.ts";

// DynamoDB's limit for a transaction.
const MOST_PARTS = 100;

type Outcome = { done: boolean } | "is over";

/** Writes all parts or none. Answers "is over" if it wrote nothing because the time was over. */
export type Commit = (parts: Record<string, Part>) => Promise<Outcome>;

type Plan = { parts: Part[]; answer: (outcome: Outcome | Promise<Outcome>) => void };

/**
 * Makes a function that commits plans. Those that arrive during a transaction share the next one, where all additions
 * to a count are one part. If a condition fails, each plan is committed alone.
 */
export function groupCommit(isOver: () => boolean): Commit {
  let waiting: Plan[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    // The plans that follow from one read arrive together.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const size = sizeOfGroup(waiting);
      const group = waiting.slice(0, size);
      waiting = waiting.slice(size);
      await commitGroup(group, isOver);
    }
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
  const keys = new Set<string>();
  for (const [at, { parts }] of plans.entries()) {
    const changesAgain = parts.some((part) => !isAddition(part) && keys.has(keyIn(part)));
    for (const part of parts) keys.add(keyIn(part));
    if (at > 0 && (changesAgain || keys.size > MOST_PARTS)) return at;
  }
  return plans.length;
}

function isAddition({ Update }: Part): boolean {
  return Update?.UpdateExpression?.startsWith("ADD ") === true && Update.ConditionExpression === undefined;
}

async function commitGroup(group: Plan[], isOver: () => boolean): Promise<void> {
  const outcome = isOver() ? ("is over" as const) : transact<string>({ ...merged(group) });
  const isRefused = await Promise.resolve(outcome).then(
    (ended) => ended !== "is over" && !ended.done,
    () => false,
  );
  if (isRefused && group.length > 1) for (const plan of group) await commitGroup([plan], isOver);
  else for (const { answer } of group) answer(outcome);
}

function merged(group: Plan[]): Part[] {
  const parts = new Map<string, Part>();
  for (const part of group.flatMap((plan) => plan.parts)) {
    const before = parts.get(keyIn(part));
    parts.set(keyIn(part), before ? sumOf(before, part) : part);
  }
  return [...parts.values()];
}

function keyIn({ Put, Update, Delete }: Part): string {
  const { pk, sk } = Put?.Item ?? (Update ?? Delete)?.Key ?? {};
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
