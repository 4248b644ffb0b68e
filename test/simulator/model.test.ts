import { describe, expect, it } from "vitest";
import { Database, type Surroundings } from "./model/database.ts";
import { StoreError } from "./model/errors.ts";
import { begin, execute } from "./model/operations/index.ts";
import { TOKEN_MEMORY_MS } from "./model/operations/transactions.ts";
import type { Work } from "./model/operations/work.ts";

// What no local engine shows: steps of operations that come between each other, and the words of AWS.

const TableName = "table";
function key(sk: string, pk = "p") {
  return { pk: { S: pk }, sk: { S: sk } };
}

function databaseOf(surroundings?: Partial<Surroundings>): Database {
  return new Database([TableName], surroundings);
}

function put(sk: string, more: object = {}) {
  return { Put: { TableName, Item: { ...key(sk), ...more } } };
}
function count(sk: string, more: object = {}) {
  return {
    Update: {
      TableName,
      Key: key(sk),
      UpdateExpression: "ADD n :one",
      ExpressionAttributeValues: { ":one": { N: "1" } },
      ...more,
    },
  };
}
function transaction(...TransactItems: object[]) {
  return { TransactItems };
}

function errorOf(work: () => unknown): StoreError {
  try {
    work();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error("no error");
}

function get(database: Database, sk: string): unknown {
  return (execute(database, "GetItem", { TableName, Key: key(sk), ConsistentRead: true }) as { Item?: unknown }).Item;
}

/** Goes on to just before the next step of a name; the answer, where there is none. */
function upTo(work: Work, step: string): object | undefined {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (value === step) return undefined;
  }
}

function finish(work: Work): object {
  return upTo(work, "never") as object;
}

describe("a transaction step by step", () => {
  it("changes its items one by one, and who reads meanwhile sees each of them old or new", () => {
    const database = databaseOf();
    const work = begin(database, "TransactWriteItems", transaction(put("a"), put("b"), put("c")));
    upTo(work, "decide");
    expect(["a", "b", "c"].map((sk) => get(database, sk) !== undefined)).toEqual([false, false, false]);
    upTo(work, "change");
    upTo(work, "change");
    expect(["a", "b", "c"].map((sk) => get(database, sk) !== undefined)).toEqual([true, false, false]);
    const page = execute(database, "Query", {
      TableName,
      KeyConditionExpression: "pk = :p",
      ExpressionAttributeValues: { ":p": { S: "p" } },
    });
    expect(page).toMatchObject({ Count: 1 });
    finish(work);
    expect(["a", "b", "c"].map((sk) => get(database, sk) !== undefined)).toEqual([true, true, true]);
    expect(database.heldItems).toBe(0);
  });

  it("cancels another one that wants an item of it, be it only to check it", () => {
    const database = databaseOf();
    const first = begin(database, "TransactWriteItems", transaction(put("a"), put("b")));
    upTo(first, "decide");
    const check = { ConditionCheck: { TableName, Key: key("b"), ConditionExpression: "attribute_not_exists(pk)" } };
    const error = errorOf(() => execute(database, "TransactWriteItems", transaction(put("x"), check)));
    expect(error.type).toBe("TransactionCanceledException");
    expect(error.message).toBe(
      "Transaction cancelled, please refer cancellation reasons for specific reasons [None, TransactionConflict]",
    );
    expect(get(database, "x")).toBeUndefined();
    finish(first);
    expect(database.heldItems).toBe(0);
  });

  it("holds what it already has until it is let go, even where it is cancelled in the end", () => {
    const database = databaseOf();
    execute(database, "PutItem", put("b").Put);
    const absent = { ConditionExpression: "attribute_not_exists(pk)" };
    const doomed = begin(database, "TransactWriteItems", transaction(put("a"), count("b", absent)));
    upTo(doomed, "let go");
    expect(errorOf(() => execute(database, "PutItem", put("a").Put)).type).toBe("TransactionConflictException");
    expect(errorOf(() => finish(doomed)).body().CancellationReasons).toEqual([
      { Code: "None" },
      { Code: "ConditionalCheckFailed", Message: "The conditional request failed" },
    ]);
    execute(database, "PutItem", put("a").Put);
  });

  it("makes single writes fail, but no reads", () => {
    const database = databaseOf();
    const work = begin(database, "TransactWriteItems", transaction(put("a")));
    upTo(work, "decide");
    for (const [name, input] of [
      ["PutItem", put("a").Put],
      ["UpdateItem", count("a").Update],
      ["DeleteItem", { TableName, Key: key("a") }],
    ] as const) {
      const { type, status, message } = errorOf(() => execute(database, name, input));
      expect([type, status, message]).toEqual([
        "TransactionConflictException",
        400,
        "Transaction is ongoing for the item",
      ]);
    }
    expect(get(database, "a")).toBeUndefined();
    const Keys = [key("a")];
    expect(execute(database, "BatchGetItem", { RequestItems: { [TableName]: { Keys } } })).toMatchObject({
      Responses: { [TableName]: [] },
    });
    const reads = transaction({ Get: { TableName, Key: key("a") } });
    expect(errorOf(() => execute(database, "TransactGetItems", reads)).body().CancellationReasons).toMatchObject([
      { Code: "TransactionConflict" },
    ]);
  });

  it("is not read in halves by TransactGetItems", () => {
    const database = databaseOf();
    const reads = transaction({ Get: { TableName, Key: key("a") } }, { Get: { TableName, Key: key("b") } });
    const reading = begin(database, "TransactGetItems", reads);
    upTo(reading, "read");
    upTo(reading, "read");
    execute(database, "TransactWriteItems", transaction(put("a"), put("b")));
    expect(errorOf(() => finish(reading)).message).toContain("[TransactionConflict, None]");
    expect(execute(database, "TransactGetItems", reads)).toMatchObject({
      Responses: [{ Item: key("a") }, { Item: key("b") }],
    });
  });

  it("keeps a count exact among many that come between each other", () => {
    const database = databaseOf();
    const works = Array.from({ length: 40 }, (_, at) =>
      begin(database, "TransactWriteItems", transaction(put(`own ${at}`), count("sum"))),
    );
    let done = 0;
    for (let running = works; running.length > 0; ) {
      running = running.filter((work) => {
        try {
          if (!work.next().done) return true;
          done++;
        } catch {}
        return false;
      });
    }
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(40);
    expect(get(database, "sum")).toMatchObject({ n: { N: String(done) } });
    expect(database.heldItems).toBe(0);
  });
});

describe("client request tokens", () => {
  const once = { ...transaction(count("a")), ClientRequestToken: "token" };

  it("are in use while their transaction runs, and apply it once for ten minutes after", () => {
    let now = 0;
    const database = databaseOf({ now: () => now });
    const first = begin(database, "TransactWriteItems", once);
    upTo(first, "decide");
    expect(errorOf(() => execute(database, "TransactWriteItems", once)).type).toBe("TransactionInProgressException");
    finish(first);
    now += TOKEN_MEMORY_MS;
    execute(database, "TransactWriteItems", once);
    expect(get(database, "a")).toMatchObject({ n: { N: "1" } });
    const other = { ...transaction(count("b")), ClientRequestToken: "token" };
    expect(errorOf(() => execute(database, "TransactWriteItems", other)).type).toBe(
      "IdempotentParameterMismatchException",
    );
    now += 1;
    execute(database, "TransactWriteItems", once);
    expect(get(database, "a")).toMatchObject({ n: { N: "2" } });
  });

  it("are forgotten with a transaction that is cancelled", () => {
    const database = databaseOf();
    const refused = {
      ...transaction(count("a", { ConditionExpression: "attribute_exists(pk)" })),
      ClientRequestToken: "t",
    };
    expect(errorOf(() => execute(database, "TransactWriteItems", refused)).message).toContain(
      "[ConditionalCheckFailed]",
    );
    execute(database, "TransactWriteItems", { ...transaction(count("a")), ClientRequestToken: "t" });
  });
});

describe("a partition that is asked for too much", () => {
  const database = databaseOf({ charge: (_, partition) => !partition.endsWith("hot") });
  const hot = { TableName, Key: key("a", "hot") };

  it("throttles reads, single writes and parts of transactions", () => {
    expect(errorOf(() => execute(database, "GetItem", hot)).type).toBe("ThrottlingException");
    expect(errorOf(() => execute(database, "DeleteItem", hot)).type).toBe("ThrottlingException");
    expect(
      errorOf(() => execute(database, "TransactWriteItems", transaction(put("a"), { Delete: hot }))).message,
    ).toContain("[None, ThrottlingError]");
  });

  it("leaves keys of a batch over, and fails it where all would be", () => {
    const batch = (...Keys: object[]) => execute(database, "BatchGetItem", { RequestItems: { [TableName]: { Keys } } });
    expect(batch(key("a"), hot.Key)).toMatchObject({ UnprocessedKeys: { [TableName]: { Keys: [hot.Key] } } });
    expect(errorOf(() => batch(hot.Key)).type).toBe("ThrottlingException");
  });
});

describe("the words of AWS", () => {
  const database = databaseOf();
  execute(database, "PutItem", put("there", { n: { N: "1" } }).Put);
  const reserved = { TableName, Key: key("a"), ExpressionAttributeValues: { ":v": { N: "1" } } };

  it.each<[string, object, string, string]>([
    [
      "PutItem",
      { ...put("there").Put, ConditionExpression: "attribute_not_exists(pk)" },
      "ConditionalCheckFailedException",
      "The conditional request failed",
    ],
    ["GetItem", { TableName: "none", Key: key("a") }, "ResourceNotFoundException", "Requested resource not found"],
    [
      "GetItem",
      { TableName, Key: { pk: { S: "p" } } },
      "ValidationException",
      "The provided key element does not match the schema",
    ],
    [
      "UpdateItem",
      { ...reserved, UpdateExpression: "SET count = :v" },
      "ValidationException",
      "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: count",
    ],
    [
      "UpdateItem",
      { ...reserved, UpdateExpression: "SET a = :w" },
      "ValidationException",
      "Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :w",
    ],
    [
      "UpdateItem",
      { ...reserved, UpdateExpression: "REMOVE a" },
      "ValidationException",
      "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
    ],
    [
      "UpdateItem",
      { ...reserved, UpdateExpression: "SET m.a = :v" },
      "ValidationException",
      "The document path provided in the update expression is invalid for update",
    ],
    [
      "TransactWriteItems",
      transaction(put("a"), put("a")),
      "ValidationException",
      "Transaction request cannot include multiple operations on one item",
    ],
    [
      "PutItem",
      put("").Put,
      "ValidationException",
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk",
    ],
  ])("%s refuses %j", (name, input, type, message) => {
    const error = errorOf(() => execute(database, name, input as Record<string, unknown>));
    expect([error.type, error.message, error.status]).toEqual([type, message, 400]);
  });

  it("come with the item that was found, where the request asks for it", () => {
    const refused = put("there", {}).Put;
    const part = {
      Put: {
        ...refused,
        ConditionExpression: "attribute_not_exists(pk)",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      },
    };
    const there = { ...key("there"), n: { N: "1" } };
    expect(errorOf(() => execute(database, "PutItem", part.Put)).body().Item).toEqual(there);
    const { CancellationReasons } = errorOf(() => execute(database, "TransactWriteItems", transaction(part))).body();
    expect(CancellationReasons).toEqual([
      { Code: "ConditionalCheckFailed", Message: "The conditional request failed", Item: there },
    ]);
  });
});

describe("units", () => {
  const database = databaseOf();
  const capacity = (name: string, input: object): unknown =>
    (execute(database, name, { ...input, ReturnConsumedCapacity: "TOTAL" }) as { ConsumedCapacity: unknown })
      .ConsumedCapacity;

  it("are those of docs/data-model.md", () => {
    const large = { a: { S: "x".repeat(1500) } };
    expect(capacity("PutItem", put("a", large).Put)).toMatchObject({ CapacityUnits: 2 });
    expect(capacity("TransactWriteItems", transaction(put("a"), put("b")))).toMatchObject([{ CapacityUnits: 6 }]);
    expect(capacity("GetItem", { TableName, Key: key("none"), ConsistentRead: true })).toMatchObject({
      CapacityUnits: 1,
    });
    expect(capacity("GetItem", { TableName, Key: key("none") })).toMatchObject({ CapacityUnits: 0.5 });
    const query = { TableName, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: "p" } } };
    expect(capacity("Query", { ...query, ConsistentRead: true })).toMatchObject({ CapacityUnits: 1 });
  });

  it("end a page at 1 MB", () => {
    for (let at = 0; at < 8; at++) {
      execute(database, "PutItem", { TableName, Item: { ...key(String(at), "pages"), a: { S: "x".repeat(300_000) } } });
    }
    const query = { TableName, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: "pages" } } };
    const page = execute(database, "Query", query);
    expect(page).toMatchObject({ Count: 3, LastEvaluatedKey: key("2", "pages") });
  });
});
