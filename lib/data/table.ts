import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import type * as z from "zod";
import { Unavailable } from "../runtime/errors.ts";
import * as log from "../runtime/log.ts";
import { settings } from "../runtime/settings.ts";
import { countCall, countConflict, onStoreClock, storeBudgetLeft } from "../runtime/store-budget.ts";
import { type Key, loggedKey, type Range } from "./keys.ts";

/** The store throttles, fails or does not answer within the request's budget: answered as a 503. */
export class StoreUnavailable extends Unavailable {
  override readonly name = "StoreUnavailable";
}

let documents: DynamoDBDocumentClient | undefined;

/** The one document client of this process, made on first use. Time limits: docs/reliability.md#facts-that-shape-the-code. */
export const documentClient = (): DynamoDBDocumentClient => {
  documents ??= DynamoDBDocumentClient.from(makeClient(), { marshallOptions: { removeUndefinedValues: true } });
  return documents;
};

/** Drops the client, so that the next use makes one from the settings as they are then (local server and tests). */
export const forgetClient = (): void => {
  documents?.destroy();
  documents = undefined;
};

const makeClient = (): DynamoDBClient => {
  const { region, dynamoEndpoint } = settings();
  return new DynamoDBClient({
    region,
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 1000,
      requestTimeout: 2000,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: 256 },
      httpsAgent: { keepAlive: true, maxSockets: 256 },
    },
    // A local engine accepts any key pair; the real table is reached with the function's own role.
    ...(dynamoEndpoint
      ? { endpoint: dynamoEndpoint, credentials: { accessKeyId: "local", secretAccessKey: "local" } }
      : {}),
  });
};

/** How often a batch or a transaction that the store put off is sent again before we give up. */
const MAX_RESENDS = 10;

/**
 * Waits with full jitter before the next attempt: up to 20 ms after the first, doubling, at most 640 ms. The wait counts against
 * the budget of the request, and ends with it.
 */
export const backOff = (attempt: number): Promise<void> =>
  onStoreClock(() => sleep(Math.min(Math.random() * 20 * 2 ** Math.min(attempt, 5), Math.max(storeBudgetLeft(), 0))));

const PUT_OFF = new Set([
  "ThrottlingException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "TransactionInProgressException",
  // A write outside of a transaction met one.
  "TransactionConflictException",
  "InternalServerError",
  "ServiceUnavailable",
]);

type SdkError = Error & { $metadata?: { httpStatusCode?: number }; code?: string };

const isOutage = ({ name, code, $metadata: { httpStatusCode: status } = {} }: SdkError): boolean =>
  PUT_OFF.has(name) ||
  name === "TimeoutError" ||
  name === "AbortError" ||
  // The network's own errors carry a code, the store's do not: refused, reset, unreachable, cut in the middle of an answer.
  code !== undefined ||
  // Throttled or failed on the way; or an answer that says well done and cannot be read.
  (status !== undefined && (status >= 500 || status === 429 || status < 300));

/** Sends one command within the budget of the request; an outage leaves as StoreUnavailable. */
const send = <T>(call: (client: DynamoDBDocumentClient, abortSignal: AbortSignal) => Promise<T>): Promise<T> =>
  onStoreClock(async () => {
    const left = storeBudgetLeft();
    if (left <= 0) throw new StoreUnavailable("the request has used up its store budget");
    countCall();
    try {
      return await call(documentClient(), AbortSignal.timeout(Math.ceil(left)));
    } catch (error) {
      if (isOutage(error as SdkError)) throw new StoreUnavailable((error as SdkError).name, { cause: error });
      throw error;
    }
  });

type Attributes = Record<string, unknown>;

/** Parses one stored item; one that does not parse is logged with its key and left out. */
const parse = <S extends z.ZodType>(item: Attributes, schema: S): z.output<S> | undefined => {
  const parsed = schema.safeParse(item);
  if (parsed.success) return parsed.data;
  log.error("a stored item does not parse", { key: loggedKey(item), error: parsed.error });
  return undefined;
};

/** Reads one item, strongly consistent; undefined when there is none. */
export const get = async <S extends z.ZodType>(key: Key, schema: S): Promise<z.output<S> | undefined> => {
  const { Item } = await send((client, abortSignal) =>
    client.send(new GetCommand({ TableName: settings().tableName, Key: key, ConsistentRead: true }), { abortSignal }),
  );
  return Item && parse(Item, schema);
};

// A BatchGet takes no more keys.
const BATCH = 100;

/** Reads items by their keys, strongly consistent, in no order; what is not there is left out. More than 100 take calls side by side. */
export const getMany = async <S extends z.ZodType>(keys: Key[], schema: S): Promise<z.output<S>[]> => {
  const batches = Array.from({ length: Math.ceil(keys.length / BATCH) }, (_, at) =>
    getBatch(keys.slice(at * BATCH, (at + 1) * BATCH), schema),
  );
  return (await Promise.all(batches)).flat();
};

const getBatch = async <S extends z.ZodType>(keys: Key[], schema: S): Promise<z.output<S>[]> => {
  const { tableName } = settings();
  const found: z.output<S>[] = [];
  let wanted: Key[] | undefined = keys;
  for (let attempt = 0; wanted?.length; attempt++) {
    if (attempt > MAX_RESENDS) throw new StoreUnavailable("a batch was put off too often");
    if (attempt > 0) await backOff(attempt);
    const Keys: Key[] = wanted;
    const { Responses, UnprocessedKeys } = await send((client, abortSignal) =>
      client.send(new BatchGetCommand({ RequestItems: { [tableName]: { Keys, ConsistentRead: true } } }), {
        abortSignal,
      }),
    );
    for (const item of Responses?.[tableName] ?? []) {
      const parsed = parse(item, schema);
      if (parsed !== undefined) found.push(parsed);
    }
    wanted = UnprocessedKeys?.[tableName]?.Keys as Key[] | undefined;
  }
  return found;
};

/** How to walk a range: from its end or its start, and how many items a call. */
export type Walk = { descending?: boolean; pageSize?: number };

/** One page of a range; `next` says where the store stopped before the end of the range. */
type Page<T> = { items: T[]; next: Attributes | undefined };

const queryPage = async <S extends z.ZodType>(
  { pk, from, to }: Range,
  schema: S,
  { descending = false, pageSize }: Walk,
  ExclusiveStartKey?: Attributes,
): Promise<Page<z.output<S>>> => {
  const { Items = [], LastEvaluatedKey } = await send((client, abortSignal) =>
    client.send(
      new QueryCommand({
        TableName: settings().tableName,
        KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
        ExpressionAttributeValues: { ":pk": pk, ":from": from, ":to": to },
        ConsistentRead: true,
        ScanIndexForward: !descending,
        Limit: pageSize,
        ExclusiveStartKey,
      }),
      { abortSignal },
    ),
  );
  const items = Items.map((item) => parse(item, schema)).filter((item) => item !== undefined);
  return { items, next: LastEvaluatedKey };
};

/** Walks a range page by page, strongly consistent, reading the next page only when it is asked for. */
export const pagesOf = async function* <S extends z.ZodType>(
  range: Range,
  schema: S,
  walk: Walk = {},
): AsyncGenerator<z.output<S>[], void, undefined> {
  let next: Attributes | undefined;
  do {
    const page = await queryPage(range, schema, walk, next);
    yield page.items;
    next = page.next;
  } while (next);
};

/** Reads a whole range in key order, strongly consistent. */
export const getRange = async <S extends z.ZodType>(range: Range, schema: S): Promise<z.output<S>[]> => {
  const items: z.output<S>[] = [];
  for await (const page of pagesOf(range, schema)) items.push(...page);
  return items;
};

/**
 * Reads the first items of a range, strongly consistent; `more` says that there may be further ones. One call does, unless the
 * store stops early or an item does not parse.
 */
export const getFirst = async <S extends z.ZodType>(
  range: Range,
  schema: S,
  count: number,
): Promise<{ items: z.output<S>[]; more: boolean }> => {
  const items: z.output<S>[] = [];
  let next: Attributes | undefined;
  do {
    const page = await queryPage(range, schema, { pageSize: count - items.length }, next);
    items.push(...page.items);
    next = page.next;
  } while (next && items.length < count);
  return { items, more: next !== undefined };
};

/** A condition of a part: an expression whose names and values are placeholders only. */
export type Condition = { if: string; names?: Record<string, string>; values?: Attributes };

/** One part of a transaction. */
export type Part = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

const placeholders = (condition: Partial<Condition>): Attributes => ({
  ...(condition.if ? { ConditionExpression: condition.if } : {}),
  ...(condition.names ? { ExpressionAttributeNames: condition.names } : {}),
  ...(condition.values ? { ExpressionAttributeValues: condition.values } : {}),
  ReturnValuesOnConditionCheckFailure: "ALL_OLD",
});

const target = (key: Key) => ({ TableName: settings().tableName, Key: key });

/** Part: writes a whole item; the keys go in last, so that no attribute can displace them. */
export const put = (key: Key, item: Attributes, condition: Partial<Condition> = {}): Part => ({
  Put: { TableName: settings().tableName, Item: { ...item, ...key }, ...placeholders(condition) },
});

/** Part: writes a whole item where none is. */
export const create = (key: Key, item: Attributes = {}): Part => put(key, item, { if: "attribute_not_exists(pk)" });

/** Part: changes an item by an update expression. */
export const update = (key: Key, expression: string, condition: Partial<Condition>): Part => ({
  Update: { ...target(key), UpdateExpression: expression, ...placeholders(condition) },
});

/** Part: deletes an item. */
export const remove = (key: Key, condition: Partial<Condition> = {}): Part => ({
  Delete: { ...target(key), ...placeholders(condition) },
});

/** Part: changes nothing, but the transaction fails unless the condition holds. */
export const check = (key: Key, condition: Condition): Part => ({
  ConditionCheck: { ...target(key), ConditionExpression: condition.if, ...placeholders(condition) },
});

/** What became of a transaction: done, or not, with the names of the parts whose condition failed and the items found there. */
export type Outcome<Name extends string> =
  | { done: true }
  | { done: false; failed: Partial<Record<Name, Attributes | "no item">> };

type Reason = { Code?: string; Item?: Attributes };

const reasonsOf = (error: unknown): Reason[] | undefined =>
  error instanceof Error && error.name === "TransactionCanceledException"
    ? ((error as { CancellationReasons?: Reason[] }).CancellationReasons ?? [])
    : undefined;

/**
 * Writes all parts or none. What the store put off (conflict, throttling, in progress) is sent again under the same token, so
 * that it is applied once even where an answer was lost. A part that is `undefined` or `false` is left out.
 */
export const transact = async <Name extends string>(
  plan: Record<Name, Part | undefined | false>,
): Promise<Outcome<Name>> => {
  const entries = Object.entries(plan).filter((entry): entry is [Name, Part] => Boolean(entry[1]));
  const parts = entries.map(([, part]) => part);
  const ClientRequestToken = randomUUID();
  for (let attempt = 0; ; attempt++) {
    const reasons = await sendTransaction(parts, ClientRequestToken);
    if (reasons === "done") return { done: true };
    if (reasons !== "put off") {
      const failed: Partial<Record<Name, Attributes | "no item">> = {};
      for (const [index, [name]] of entries.entries()) {
        const reason = reasons[index];
        if (reason?.Code === "ConditionalCheckFailed") failed[name] = reason.Item ?? "no item";
      }
      return { done: false, failed };
    }
    if (attempt >= MAX_RESENDS) throw new StoreUnavailable("a transaction was put off too often");
    countConflict();
    await backOff(attempt);
  }
};

const sendTransaction = async (parts: Part[], ClientRequestToken: string): Promise<"done" | "put off" | Reason[]> => {
  try {
    await send((client, abortSignal) =>
      client.send(new TransactWriteCommand({ TransactItems: parts, ClientRequestToken }), { abortSignal }),
    );
    return "done";
  } catch (error) {
    const reasons = reasonsOf(error);
    if (reasons?.some((reason) => reason.Code === "ConditionalCheckFailed")) return reasons;
    // No condition failed, so it was cancelled for what passes: a conflict, throttling, a transaction in progress.
    const passing = reasons?.every((reason) => PASSING.has(reason.Code ?? "None"));
    if (passing || (error instanceof StoreUnavailable && isPutOff(error))) return "put off";
    throw error;
  }
};

const PASSING = new Set(["None", "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);

const isPutOff = (error: StoreUnavailable): boolean =>
  error.cause instanceof Error && error.cause.name === "TransactionInProgressException";

/** How many items a sweep takes at once: more would crowd out requests, or meet the limit of one partition. */
export const SWEPT_AT_ONCE = 25;

/** Deletes one item outside of a transaction: for background functions on what they sweep, never for a request. */
export const removeAlone = async (key: Key): Promise<void> => {
  await send((client, abortSignal) => client.send(new DeleteCommand(target(key)), { abortSignal }));
};

/** Changes one item outside of a transaction, for the windows of the rate limits alone; false where the condition does not hold. */
export const updateAlone = async (key: Key, expression: string, condition: Condition): Promise<boolean> => {
  const { ReturnValuesOnConditionCheckFailure: _, ...input } = placeholders(condition);
  try {
    await send((client, abortSignal) =>
      client.send(new UpdateCommand({ ...target(key), UpdateExpression: expression, ...input }), { abortSignal }),
    );
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === "ConditionalCheckFailedException") return false;
    throw error;
  }
};
