import { gist } from "./compare.ts";
import type { Command, Reply } from "./engines.ts";

/** Something that an engine does otherwise than AWS does, as far as AWS documents it; the model follows AWS. */
export type Deviation = {
  engine: "dynoxide" | "dynamodb-local";
  /** What the engine does, and what AWS does. */
  what: string;
  /** Whether a difference between the model's reply and the engine's is this one. */
  explains: (command: Command, model: Reply, engine: Reply) => boolean;
  /** Commands of which the last one shows it. */
  example: Command[];
};

const TableName = "table";
const Key = { pk: { S: "example" }, sk: { S: "example" } };

function put(item: object): Command {
  return { operation: "PutItem", input: { TableName, Item: { ...Key, ...item } } };
}

function update(UpdateExpression: string, values: object, more: object = {}): Command {
  return {
    operation: "UpdateItem",
    input: { TableName, Key, UpdateExpression, ExpressionAttributeValues: values, ...more },
  };
}

const get: Command = { operation: "GetItem", input: { TableName, Key, ConsistentRead: true } };

function inTransaction({ input }: Command): Command {
  return {
    operation: "TransactWriteItems",
    input: { TransactItems: [{ Update: input }] },
  };
}

function says({ body }: Reply, words: string): boolean {
  return String(body.message ?? body.Message).includes(words);
}

function typeOf({ body }: Reply): string | undefined {
  return String(body.__type).split("#").at(-1);
}

function isRefused(reply: Reply): boolean {
  return reply.status === 400 && typeOf(reply) === "ValidationException";
}

const BAD_PATH = "The document path provided in the update expression is invalid for update";

function reasonsIn({ body }: Reply): { Code: string; Message?: string; message?: string }[] {
  return (body.CancellationReasons ?? []) as [];
}

export const deviations: Deviation[] = [
  {
    engine: "dynoxide",
    what: "takes a starting key outside of the range that is asked for; AWS refuses it",
    explains: (_, model, engine) => says(model, "The provided starting key does not match") && engine.status === 200,
    example: [
      {
        operation: "Query",
        input: {
          TableName,
          KeyConditionExpression: "pk = :p AND sk > :s",
          ExpressionAttributeValues: { ":p": { S: "p" }, ":s": { S: "m" } },
          ExclusiveStartKey: { pk: { S: "p" }, sk: { S: "a" } },
        },
      },
    ],
  },
  {
    engine: "dynamodb-local",
    what: "refuses a starting key that is the far edge of the range, though it gives such keys out; AWS takes them",
    explains: ({ operation }, model, engine) =>
      operation === "Query" && model.status === 200 && says(engine, "The provided starting key does not match"),
    example: [
      {
        operation: "Query",
        input: {
          TableName,
          KeyConditionExpression: "pk = :p AND sk BETWEEN :a AND :b",
          ExpressionAttributeValues: { ":p": { S: "p" }, ":a": { S: "a" }, ":b": { S: "b" } },
          ExclusiveStartKey: { pk: { S: "p" }, sk: { S: "b" } },
        },
      },
    ],
  },
  {
    engine: "dynamodb-local",
    what: "names no last key where the limit is met at the far edge of the range; AWS names it wherever the limit is met",
    explains: ({ operation, input }, model, engine) =>
      operation === "Query" &&
      model.body.ScannedCount === input.Limit &&
      "LastEvaluatedKey" in model.body &&
      !("LastEvaluatedKey" in engine.body),
    example: [
      put({}),
      {
        operation: "Query",
        input: {
          TableName,
          KeyConditionExpression: "pk = :p AND sk <= :s",
          ExpressionAttributeValues: { ":p": Key.pk, ":s": Key.sk },
          Limit: 1,
        },
      },
    ],
  },
  {
    engine: "dynoxide",
    what: "passes over the removal of something within a map or list that is not there; AWS calls the path invalid",
    explains: ({ input, operation }, model, engine) =>
      /REMOVE|DELETE/.test(JSON.stringify(input)) &&
      (operation === "TransactWriteItems"
        ? reasonsIn(model).some(({ Message }) => Message === BAD_PATH)
        : says(model, BAD_PATH) && engine.status === 200),
    example: [put({}), { operation: "UpdateItem", input: { TableName, Key, UpdateExpression: "REMOVE m.a" } }],
  },
  {
    engine: "dynoxide",
    what: "takes what it updates for a list here and for a map there; AWS calls the paths conflicting",
    explains: (_, model) => says(model, "Two document paths conflict"),
    example: [put({ l: { L: [] } }), update("SET l[0] = :v REMOVE l.a", { ":v": { N: "1" } })],
  },
  {
    engine: "dynoxide",
    what: "fills a list up with NULL where a place beyond its end is set; AWS appends",
    explains: ({ input }, model, engine) => /\[\d+\] =/.test(JSON.stringify(input)) && model.status === engine.status,
    example: [put({ l: { L: [] } }), update("SET l[3] = :v", { ":v": { N: "1" } }, { ReturnValues: "ALL_NEW" })],
  },
  {
    engine: "dynoxide",
    what: "removes places of a list one after the other, so that one removal moves the next; AWS counts places as they were",
    explains: ({ input }, model, engine) =>
      /REMOVE .*\[\d+\]/.test(JSON.stringify(input)) && model.status === engine.status,
    example: [
      put({ l: { L: [{ N: "0" }, { N: "1" }, { N: "2" }] } }),
      {
        operation: "UpdateItem",
        input: { TableName, Key, UpdateExpression: "REMOVE l[0], l[1]", ReturnValues: "ALL_NEW" },
      },
    ],
  },
  {
    engine: "dynoxide",
    what: "takes comparisons that can never hold (no order, bounds the wrong way round, one operand twice) for untrue; AWS refuses the expression",
    explains: (_, model, engine) =>
      /Incorrect operand type for operator or function; operator or function: ([<>]=?|BETWEEN|begins_with|size)|BETWEEN operator requires|must be distinct/.test(
        String(model.body.message),
      ) && !isRefused(engine),
    example: [
      put({}),
      update("SET s = :v", { ":v": { S: "" }, ":w": { BOOL: true } }, { ConditionExpression: "n < :w" }),
    ],
  },
  {
    engine: "dynoxide",
    what: "answers ALL_OLD of an update that makes an item with its key; AWS answers with nothing",
    explains: ({ input }, model, engine) =>
      input.ReturnValues === "ALL_OLD" &&
      model.status === 200 &&
      !("Attributes" in model.body) &&
      "Attributes" in engine.body,
    example: [
      { operation: "DeleteItem", input: { TableName, Key } },
      update("SET s = :v", { ":v": { S: "" } }, { ReturnValues: "ALL_OLD" }),
    ],
  },
  {
    engine: "dynoxide",
    what: "cancels a transaction for an expression that can never be right, or carries it out; AWS refuses the request",
    explains: ({ operation }, model, engine) =>
      operation === "TransactWriteItems" && isRefused(model) && !isRefused(engine),
    example: [inTransaction(update("SET s = :v, s = :v", { ":v": { S: "" } }))],
  },
  {
    engine: "dynamodb-local",
    what: "refuses a transaction whose change does not suit an item; AWS cancels it, with the reason ValidationError",
    explains: (_, model, engine) =>
      reasonsIn(model).some(({ Code }) => Code === "ValidationError") && isRefused(engine),
    example: [put({ s: { S: "" } }), inTransaction(update("ADD s :v", { ":v": { N: "1" } }))],
  },
  {
    engine: "dynamodb-local",
    what: "keeps numbers within maps and lists as they were written; AWS keeps what they mean",
    explains: (command, model, engine) =>
      model.status === engine.status && gist(command, model, "meant") === gist(command, engine, "meant"),
    example: [put({ l: { L: [{ N: "1.50" }] } }), get],
  },
  {
    engine: "dynamodb-local",
    what: "answers UPDATED_NEW and UPDATED_OLD with whole attributes; AWS answers with the parts that were updated",
    explains: ({ input }, model, engine) =>
      /^UPDATED/.test(String(input.ReturnValues)) && model.status === 200 && engine.status === 200,
    example: [
      put({ m: { M: { a: { N: "1" } } } }),
      update("SET m.b = :v", { ":v": { N: "2" } }, { ReturnValues: "UPDATED_NEW" }),
    ],
  },
];
