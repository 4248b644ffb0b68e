import { AsyncLocalStorage } from "node:async_hooks";
import { vi } from "vitest";
import { type Definition, grantsOf, usesSigningSecret } from "../../../lib/http/definition.ts";
import { actionsOf, type TableAccess, type Verb } from "../../../lib/table/access.ts";
import { documentClient } from "../../../lib/table/client.ts";
import { type Family, familyOf } from "../../../lib/table/families.ts";
import { type Item, Rounds, readUnitsOf, sizesNow, writeUnitsOf } from "./meter.ts";

// Sees every call that the SDK client makes: counts it, measures it, and plays IAM.

/** The effect of one item of a call on a family; the actions are IAM's. */
export type Touch = { action: string; family: Family; pk: string; sk?: string };

export type StoreCall = {
  operation: string;
  touches: Touch[];
  inTransaction: boolean;
  isStrong: boolean;
  /** Set while work is measured: the step of this call, counted from one. */
  step: number;
  readUnits: number;
  writeUnits: number;
  /** Set while work is measured: the units that the engine reports. */
  reported: number;
};

type Actor = Definition | { name: string; table: TableAccess };

type Recording = { calls: StoreCall[]; rounds: Rounds | undefined; actor: Actor | undefined; denied?: AccessDenied };

const recordings = new AsyncLocalStorage<Recording>();

const measuring = new AsyncLocalStorage<true>();

/** Runs work whose recordings tell steps and write units; it is slower. */
export function measured<T>(work: () => Promise<T>): Promise<T> {
  return measuring.run(true, work);
}

/** Thrown in place of a call that the definition does not allow. */
class AccessDenied extends Error {
  override readonly name = "AccessDeniedException";
}

/**
 * Runs work and returns its calls. Calls beyond an actor's definition fail as in the cloud, and then the whole run
 * fails with the missing rights, whatever the work did about the failed call.
 */
export async function recordCalls<T>(
  work: () => Promise<T>,
  actor?: Actor,
): Promise<{ result: T; calls: StoreCall[] }> {
  const recording: Recording = { calls: [], rounds: measuring.getStore() && new Rounds(), actor };
  const result = await recordings.run(recording, work);
  if (recording.denied) throw recording.denied;
  return { result, calls: recording.calls };
}

export function writesIn({ calls }: { calls: StoreCall[] }): StoreCall[] {
  return calls.filter(({ operation }) => !/^(Get|BatchGet|Query|Scan)/.test(operation));
}

type Marshalled = Record<string, { S?: string }>;
type Input = {
  Key?: Marshalled;
  Item?: Marshalled;
  ConsistentRead?: boolean;
  ExpressionAttributeValues?: Marshalled;
  RequestItems?: Record<string, { Keys: Marshalled[]; ConsistentRead?: boolean }>;
  TransactItems?: Record<string, { Key?: Marshalled; Item?: Marshalled }>[];
};

function touch(action: string, key: Marshalled = {}): Touch {
  const pk = String(key.pk?.S);
  return { action, pk, sk: String(key.sk?.S), family: familyOf(pk) as Family };
}

const PART_ACTIONS: Record<string, string> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
};

function touchesOf(operation: string, input: Input): Touch[] {
  if (operation === "Query") {
    const pk = String(input.ExpressionAttributeValues?.[":pk"]?.S);
    return [{ action: operation, pk, family: familyOf(pk) as Family }];
  }
  if (operation === "BatchGetItem") {
    return Object.values(input.RequestItems ?? {}).flatMap(({ Keys }) => Keys.map((key) => touch(operation, key)));
  }
  if (operation === "TransactWriteItems") {
    return (input.TransactItems ?? []).flatMap((part) =>
      Object.entries(part).map(([verb, { Key, Item }]) => touch(PART_ACTIONS[verb] ?? verb, Key ?? Item)),
    );
  }
  return [touch(operation, input.Key ?? input.Item)];
}

const READS = new Set(["GetItem", "Query", "BatchGetItem"]);

function deny(message: string): never {
  const denied = new AccessDenied(message);
  Object.assign(recordings.getStore() ?? {}, { denied });
  throw denied;
}

/** The verb of an IAM action, in a transaction or alone. */
export function verbOf(action: string, inTransaction: boolean): Verb | undefined {
  const verbs = (Object.keys(actionsOf) as Verb[]).filter((verb) =>
    (actionsOf[verb] as readonly string[]).includes(action),
  );
  return verbs.find((verb) => verb.endsWith("Alone") !== inTransaction) ?? verbs[0];
}

function refuseBeyond(actor: Actor, { touches, inTransaction }: StoreCall): void {
  const grants = "access" in actor ? grantsOf(actor) : actor.table;
  for (const { action, family } of touches) {
    const verb = verbOf(action, inTransaction);
    if (verb && grants[family]?.includes(verb)) continue;
    deny(`the definition of ${actor.name} does not grant ${family}: ${verb ?? action}`);
  }
}

export const keyUsers = new Set<string>();

function useKey(): void {
  const actor = recordings.getStore()?.actor;
  if (!actor) return;
  if (!("access" in actor && usesSigningSecret(actor))) {
    deny(`the definition of ${actor.name} neither issues tokens nor looks at them`);
  }
  keyUsers.add(actor.name);
}

/** Sees every use of the signing key: tokens are signed and verified with WebCrypto, and nothing else is. */
export function watchKeyUse(): void {
  for (const use of ["sign", "verify"] as const) {
    const plain = crypto.subtle[use].bind(crypto.subtle) as (...given: unknown[]) => Promise<never>;
    vi.spyOn(crypto.subtle, use).mockImplementation(async (...given: unknown[]) => {
      useKey();
      return plain(...given);
    });
  }
}

type Output = { Item?: Item; Items?: Item[]; Responses?: Record<string, Item[]>; ConsumedCapacity?: unknown };

function callOf(operation: string, input: Input): StoreCall {
  const strong = Object.values(input.RequestItems ?? {}).every(({ ConsistentRead }) => ConsistentRead);
  return {
    operation,
    touches: touchesOf(operation, input),
    inTransaction: operation === "TransactWriteItems",
    isStrong: !READS.has(operation) || (operation === "BatchGetItem" ? strong : input.ConsistentRead === true),
    step: 0,
    readUnits: 0,
    writeUnits: 0,
    reported: 0,
  };
}

function reportedBy({ ConsumedCapacity }: Output): number {
  return [ConsumedCapacity]
    .flat()
    .reduce((sum: number, each) => sum + ((each as { CapacityUnits?: number })?.CapacityUnits ?? 0), 0);
}

/** Sends a call in its round, and measures its items before and after. */
async function measure<O extends { output: unknown }>(
  call: StoreCall,
  rounds: Rounds,
  send: () => Promise<O>,
): Promise<O> {
  call.step = rounds.begin();
  try {
    const keys = READS.has(call.operation) ? [] : call.touches.map(({ pk, sk = "" }) => ({ pk, sk }));
    // The reads of sizes belong to no recording.
    const sizes = () => recordings.exit(() => sizesNow(keys));
    const before = await sizes();
    const result = await send();
    call.writeUnits = keys.length > 0 ? writeUnitsOf(before, await sizes(), call.inTransaction) : 0;
    call.reported = reportedBy(result.output as Output);
    return result;
  } finally {
    await rounds.end();
  }
}

export function observe(): void {
  documentClient().middlewareStack.add(
    (next) => (args) => {
      if (recordings.getStore()?.rounds) Object.assign(args.input, { ReturnConsumedCapacity: "TOTAL" });
      return next(args);
    },
    { step: "serialize", priority: "high", name: "askForUnits", override: true },
  );
  documentClient().middlewareStack.add(
    (next, context) => async (args) => {
      const recording = recordings.getStore();
      if (!recording) return next(args);
      const { calls, actor, rounds } = recording;
      const input = args.input as Input;
      const call = callOf(String(context.commandName).replace(/Command$/, ""), input);
      calls.push(call);
      if (actor) refuseBeyond(actor, call);
      const result = await (rounds ? measure(call, rounds, () => next(args)) : next(args));
      const units = readUnitsOf(call.operation, call.touches.length, result.output as Output);
      call.readUnits = call.isStrong ? units : units / 2;
      return result;
    },
    { step: "serialize", priority: "low", name: "observeCalls", override: true },
  );
}

function describe({ operation, touches }: StoreCall): string {
  const families = [...new Set(touches.map(({ family }) => family))];
  if (operation === "BatchGetItem") return `BatchGetItem ${touches.length} ${families.join(" ")}`;
  if (operation !== "TransactWriteItems") return `${operation} ${families.join(" ")}`;
  const parts = touches.map(({ action, family }) => `${action.replace("Item", "")} ${family}`);
  return `TransactWriteItems (${parts.join(", ")})`;
}

function stepsOf(calls: StoreCall[]): number {
  return Math.max(0, ...calls.map(({ step }) => step));
}

/** The calls as one line: `|` between parallel calls, `;` between one step and the next. */
export function planOf(calls: StoreCall[]): string {
  return Array.from({ length: stepsOf(calls) }, (_, at) =>
    calls
      .filter(({ step }) => step === at + 1)
      .map(describe)
      .sort()
      .join(" | "),
  ).join(" ; ");
}

export type Cost = { steps: number; calls: number; readUnits: number; writeUnits: number };

export function costOf(calls: StoreCall[]): Cost {
  return {
    steps: stepsOf(calls),
    calls: calls.length,
    readUnits: calls.reduce((sum, call) => sum + call.readUnits, 0),
    writeUnits: calls.reduce((sum, call) => sum + call.writeUnits, 0),
  };
}

/** Plans by name, written as `name: plan`, a line each; an indented line continues the one before. */
export function plansIn(text: string): Record<string, string> {
  const lines = text
    .trim()
    .replace(/\n {4,}/g, " ")
    .split("\n");
  return Object.fromEntries(lines.map((line) => line.trim().split(": ") as [string, string]));
}
