import { describe, expect, it } from "vitest";
import { Database } from "./model/database.ts";
import { StoreError } from "./model/errors.ts";
import { begin, execute } from "./model/operations/index.ts";
import type { Work } from "./model/operations/work.ts";
import { TOKEN_MEMORY_MS } from "./model/operations/writes.ts";
import { count, key, put, query, TableName } from "./requests.ts";

// Steps of operations that overlap, which no local engine shows. differential.model.test.ts compares everything else.

function putPart(sk: string) {
  return { Put: put(sk) };
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

/** Stops an operation before its next step of a name. Without such a step it runs to its end and returns the answer. */
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

describe("a transaction", () => {
  it("cancels another transaction that changes or checks one of its items", () => {
    const database = new Database();
    const first = begin(database, "TransactWriteItems", transaction(putPart("a"), putPart("b")));
    upTo(first, "decide");
    const check = { ConditionCheck: { TableName, Key: key("b"), ConditionExpression: "attribute_not_exists(pk)" } };
    const error = errorOf(() => execute(database, "TransactWriteItems", transaction(putPart("x"), check)));
    expect(error.type).toBe("TransactionCanceledException");
    expect(error.message).toBe(
      "Transaction cancelled, please refer cancellation reasons for specific reasons [None, TransactionConflict]",
    );
    expect(get(database, "x")).toBeUndefined();
    finish(first);
    expect(database.heldItems).toBe(0);
  });

  it("holds its items until it lets them go, even where it is cancelled", () => {
    const database = new Database();
    execute(database, "PutItem", put("b"));
    const absent = { ConditionExpression: "attribute_not_exists(pk)" };
    const doomed = begin(database, "TransactWriteItems", transaction(putPart("a"), count("b", absent)));
    upTo(doomed, "let go");
    expect(errorOf(() => execute(database, "PutItem", put("a"))).type).toBe("TransactionConflictException");
    expect(errorOf(() => finish(doomed)).body().CancellationReasons).toEqual([
      { Code: "None" },
      { Code: "ConditionalCheckFailed", Message: "The conditional request failed" },
    ]);
    execute(database, "PutItem", put("a"));
  });

  it("fails single writes to its items", () => {
    const database = new Database();
    const work = begin(database, "TransactWriteItems", transaction(putPart("a")));
    upTo(work, "decide");
    for (const [name, input] of [
      ["PutItem", put("a")],
      ["UpdateItem", count("a").Update],
      ["DeleteItem", { TableName, Key: key("a") }],
    ] as const) {
      const { type, status, message } = errorOf(() => execute(database, name, input));
      expect(type).toBe("TransactionConflictException");
      expect(status).toBe(400);
      expect(message).toBe("Transaction is ongoing for the item");
    }
  });
});

describe("a decided transaction", () => {
  it("tells of all its changes before the first of them, and of none of its checks", () => {
    const told: string[] = [];
    const database = new Database({
      onDecision: (changes) => told.push(`decided ${changes.map(({ key }) => key.sort).sort()}`),
      onChange: ({ key }) => told.push(`changed ${key.sort}`),
    });
    const check = { ConditionCheck: { TableName, Key: key("c"), ConditionExpression: "attribute_not_exists(pk)" } };
    const removal = { Delete: { TableName, Key: key("d") } };
    const parts = transaction(putPart("a"), check, removal, putPart("b"));
    finish(begin(database, "TransactWriteItems", parts));
    expect(told).toEqual(["decided a,b", "changed a", "changed b"]);
  });
});

describe("a client request token", () => {
  const once = { ...transaction(count("a")), ClientRequestToken: "token" };

  it("refuses a second request while its transaction runs, and applies it once in the ten minutes after", () => {
    let now = 0;
    const database = new Database({ now: () => now });
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
});

describe("a partition without units", () => {
  const database = new Database({ charge: (_, partition) => !partition.endsWith("hot") });
  const hot = { TableName, Key: key("a", "hot") };

  it("throttles reads, single writes and parts of transactions", () => {
    expect(errorOf(() => execute(database, "GetItem", hot)).type).toBe("ThrottlingException");
    expect(errorOf(() => execute(database, "DeleteItem", hot)).type).toBe("ThrottlingException");
    expect(
      errorOf(() => execute(database, "TransactWriteItems", transaction(putPart("a"), { Delete: hot }))).message,
    ).toContain("[None, ThrottlingError]");
  });

  it("leaves keys of a batch over, and fails a batch of which it would leave all", () => {
    const batch = (...Keys: object[]) => execute(database, "BatchGetItem", { RequestItems: { [TableName]: { Keys } } });
    expect(batch(key("a"), hot.Key)).toMatchObject({ UnprocessedKeys: { [TableName]: { Keys: [hot.Key] } } });
    expect(errorOf(() => batch(hot.Key)).type).toBe("ThrottlingException");
  });
});

describe("the model", () => {
  const database = new Database();

  it.each<[string, object]>([
    ["Scan", { TableName }],
    ["GetItem", { TableName, Key: key("a"), ProjectionExpression: "n" }],
    ["Query", { TableName, KeyConditionExpression: "begins_with(sk, :p)" }],
    ["UpdateItem", { TableName, Key: key("a"), UpdateExpression: "SET a = a + :v" }],
    ["PutItem", put("a", { a: { NS: ["1"] } })],
  ])("stops the run at a %s that it does not know: %j", (name, input) => {
    expect(() => execute(database, name, input as Record<string, unknown>)).toThrow(/the model/);
  });

  it("charges the units that DynamoDB charges", () => {
    let charged = 0;
    const charging = new Database({
      charge: (_, __, units) => {
        charged += units;
        return true;
      },
    });
    const unitsOf = (name: string, input: object): number => {
      charged = 0;
      execute(charging, name, input as Record<string, unknown>);
      return charged;
    };
    expect(unitsOf("PutItem", put("a", { a: { S: "x".repeat(1500) } }))).toBe(2);
    expect(unitsOf("TransactWriteItems", transaction(putPart("a"), putPart("b")))).toBe(6);
    expect(unitsOf("GetItem", { TableName, Key: key("none"), ConsistentRead: true })).toBe(1);
    expect(unitsOf("GetItem", { TableName, Key: key("none") })).toBe(0.5);
  });

  it("cuts a page at 1 MB", () => {
    for (let at = 0; at < 8; at++) {
      execute(database, "PutItem", { TableName, Item: { ...key(String(at), "pages"), a: { S: "x".repeat(300_000) } } });
    }
    expect(execute(database, "Query", query("pages"))).toMatchObject({ Count: 3, LastEvaluatedKey: key("2", "pages") });
  });
});
