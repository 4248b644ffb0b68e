import { AsyncLocalStorage } from "node:async_hooks";
import { type TableAccess, verbOf } from "../../lib/data/access.ts";
import { type Family, familyOf } from "../../lib/data/keys.ts";
import { documentClient } from "../../lib/data/table.ts";
import { type Access, usesSigningSecret } from "../../lib/endpoint.ts";
import { onKeyUse } from "../../lib/signing-keys.ts";
import { sizeOf } from "./sizes.ts";

// Sees every call that the SDK client makes: counts it, measures it, and plays IAM.

/** What one item of a call does to which family; the actions are IAM's. */
export type Touch = { action: string; family: Family; pk: string; sk?: string };

/** One call to DynamoDB. */
export type StoreCall = {
  operation: string;
  touches: Touch[];
  inTransaction: boolean;
  isStrong: boolean;
  /** How many calls of the same recording, one after another, ended before this one began, plus one. */
  step: number;
  readUnits: number;
  writeUnits: number;
};

/** The function at work: its name and what it may touch. */
export type Actor = { name: string; table: TableAccess; access?: Access; issuesTokens?: true };

type Recording = { calls: StoreCall[]; ended: number; actor: Actor | undefined };

const recordings = new AsyncLocalStorage<Recording>();

/** Thrown in place of a call that the definition does not allow. */
export class AccessDenied extends Error {
  override readonly name = "AccessDeniedException";
}

/** Runs some work and tells which calls it made; those of an actor beyond its definition fail as they would in the cloud. */
export const recordCalls = async <T>(
  work: () => Promise<T>,
  actor?: Actor,
): Promise<{ result: T; calls: StoreCall[] }> => {
  const recording: Recording = { calls: [], ended: 0, actor };
  const result = await recordings.run(recording, work);
  for (const listener of listeners) listener(recording.calls);
  return { result, calls: recording.calls };
};

const listeners: ((calls: StoreCall[]) => void)[] = [];

/** Hears of the calls of every recording of this file. */
export const onCalls = (listener: (calls: StoreCall[]) => void): void => {
  listeners.push(listener);
};

type Attribute = Record<string, unknown>;
type Item = Record<string, Attribute>;
type Input = {
  Key?: Item;
  Item?: Item;
  ConsistentRead?: boolean;
  ExpressionAttributeValues?: Record<string, { S?: string }>;
  RequestItems?: Record<string, { Keys: Item[]; ConsistentRead?: boolean }>;
  TransactItems?: Record<string, { Key?: Item; Item?: Item }>[];
};

const touch = (action: string, key: Item = {}): Touch => {
  const pk = String(key.pk?.S);
  return { action, pk, sk: String(key.sk?.S), family: familyOf(pk) as Family };
};

const PART_ACTIONS: Record<string, string> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
};

const touchesOf = (operation: string, input: Input): Touch[] => {
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
};

const READS = new Set(["GetItem", "Query", "BatchGetItem"]);

const refuseBeyond = ({ name, table }: Actor, { touches, inTransaction }: StoreCall): void => {
  for (const { action, family } of touches) {
    const verb = verbOf(action, inTransaction);
    if (verb && table[family]?.includes(verb)) continue;
    throw new AccessDenied(`the definition of ${name} does not say ${family}: ${verb ?? action}`);
  }
};

type Output = { Item?: Item; Items?: Item[]; Responses?: Record<string, Item[]> };

const readUnitsOf = (operation: string, touches: Touch[], output: Output): number => {
  const units = (bytes: number) => Math.max(1, Math.ceil(bytes / 4096));
  if (operation === "GetItem") return units(output.Item ? sizeOf(output.Item) : 0);
  if (operation === "Query") return units((output.Items ?? []).reduce((sum, item) => sum + sizeOf(item), 0));
  if (operation !== "BatchGetItem") return 0;
  const found = Object.values(output.Responses ?? {}).flat();
  return found.reduce((sum, item) => sum + units(sizeOf(item)), 0) + (touches.length - found.length);
};

// An update counts as one unit of 1 KB, which is what its items are held to (data-model.md); a put by its size. Transactions pay twice.
const writeUnitsOf = (operation: string, input: Input): number => {
  const units = (item?: Item) => Math.max(1, Math.ceil((item ? sizeOf(item) : 0) / 1024));
  if (operation === "DeleteItem" || operation === "PutItem" || operation === "UpdateItem") return units(input.Item);
  if (operation !== "TransactWriteItems") return 0;
  return (input.TransactItems ?? []).reduce((sum, part) => sum + 2 * units(Object.values(part)[0]?.Item), 0);
};

// A background function has neither access nor tokens.
const refuseKeys = (): void => {
  const actor = recordings.getStore()?.actor;
  if (actor && !usesSigningSecret({ access: "public", ...actor })) {
    throw new AccessDenied(`the definition of ${actor.name} does not say issuesTokens`);
  }
};

/** Puts the observer into the client at hand. */
export const observe = (): void => {
  onKeyUse(refuseKeys);
  documentClient().middlewareStack.add(
    (next, context) => async (args) => {
      const recording = recordings.getStore();
      if (!recording) return next(args);
      const operation = String(context.commandName).replace(/Command$/, "");
      const input = args.input as Input;
      const strong = Object.values(input.RequestItems ?? {}).every(({ ConsistentRead }) => ConsistentRead);
      const call: StoreCall = {
        operation,
        touches: touchesOf(operation, input),
        inTransaction: operation === "TransactWriteItems",
        isStrong: !READS.has(operation) || (operation === "BatchGetItem" ? strong : input.ConsistentRead === true),
        step: recording.ended + 1,
        readUnits: 0,
        writeUnits: writeUnitsOf(operation, input),
      };
      recording.calls.push(call);
      if (recording.actor) refuseBeyond(recording.actor, call);
      try {
        const result = await next(args);
        call.readUnits = readUnitsOf(operation, call.touches, result.output as Output);
        return result;
      } finally {
        recording.ended = Math.max(recording.ended, call.step);
      }
    },
    { step: "serialize", priority: "low", name: "observeCalls", override: true },
  );
};
