import type { DynamoDBRecord } from "aws-lambda";
import { beforeAll, describe, expect, it } from "vitest";
import type { Outcome } from "./caller.ts";
import type { FaultKind } from "./faults/faults.ts";
import { drawnFaults, type FaultPlan } from "./faults/plan.ts";
import type { Change } from "./model/database.ts";
import { count, key, put, query, TableName } from "./requests.ts";
import { Container } from "./scheduler/container.ts";
import { forOperation } from "./scheduler/operation.ts";
import { bundleProgram, type Program } from "./scheduler/program.ts";
import { Scheduler } from "./scheduler/scheduler.ts";
import { expiryOf } from "./service/expiry.ts";
import { StoreService } from "./service/service.ts";
import { EventSourceMapping, type MappingOptions, Stream } from "./service/stream.ts";

// A container with the real SDK sends requests to the store.

const environment = { AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };

let program: Program;
beforeAll(async () => {
  program = await bundleProgram(`${import.meta.dirname}/caller.ts`);
});

function world({ faults, onChange }: { faults?: FaultPlan; onChange?: (change: Change) => void } = {}) {
  const scheduler = new Scheduler({ seed: 1 });
  const stream = new Stream(scheduler);
  const service: StoreService = new StoreService({
    scheduler,
    ...(faults && { faults }),
    kill: () => container.kill(),
    onChange: (change) => {
      stream.add(change);
      onChange?.(change);
    },
  });
  const container = new Container({ name: "c", scheduler, network: service, environment });
  const caller = container.start<typeof import("./caller.ts")>(program);
  const send = (id: string, name: string, input: object): Promise<Outcome> =>
    forOperation({ id, random: scheduler.random.fork(id), requests: 0 }, () => caller.send(name, input));
  const answer = async (...request: Parameters<typeof send>): Promise<Record<string, unknown>> => {
    const outcome = await scheduler.complete(send(...request));
    return "answer" in outcome ? outcome.answer : {};
  };
  return { scheduler, service, stream, send, answer };
}

describe("time", () => {
  it("stands still for real work, whose results come in the order of the requests", async () => {
    const scheduler = new Scheduler({ seed: 1 });
    const seen: number[] = [];
    const waits = [40, 1, 20].map((milliseconds) => {
      const work = new Promise<number>((done) => setTimeout(() => done(milliseconds), milliseconds));
      return scheduler.external(work).then((value) => seen.push(value));
    });
    await scheduler.complete(Promise.all(waits));
    expect(seen).toEqual([40, 1, 20]);
  });

  it("passes as in AWS: a read takes about 3 ms, a transaction 10 to 20 ms", async () => {
    const { scheduler, answer } = world();
    const median = async (name: string, input: (at: number) => object): Promise<number> => {
      const times: number[] = [];
      for (let at = 0; at < 200; at++) {
        const before = scheduler.now;
        await answer(`${name} ${at}`, name, input(at));
        times.push(scheduler.now - before);
      }
      return times.sort((a, b) => a - b)[100] as number;
    };
    const read = await median("GetItem", () => ({ TableName, Key: key("a") }));
    const write = await median("PutItem", (at) => put(String(at)));
    const transaction = await median("TransactWriteItems", (at) => ({
      TransactItems: ["a", "b", "c"].map((part) => count(`${at} ${part}`)),
    }));
    expect(read).toBeGreaterThan(1);
    expect(read).toBeLessThan(write);
    expect(transaction).toBeGreaterThan(10);
    expect(transaction).toBeLessThan(20);
  });
});

describe("a transaction", () => {
  it("shows its items one by one to every kind of read until it is answered, and a new item stays new", async () => {
    const { scheduler, send } = world();
    const seen = new Set<string>();
    const lengthOf = (outcome: Outcome, of: (answer: Record<string, unknown>) => unknown): number =>
      "answer" in outcome ? (of(outcome.answer) as unknown[]).length : -1;
    const watch = async (pk: string): Promise<void> => {
      const keys = ["a", "b"].map((sk) => key(sk, pk));
      const batch = { RequestItems: { [TableName]: { Keys: keys } } };
      let before = "00";
      for (let look = 0; look < 12; look++) {
        const id = `${pk} ${look}`;
        const [queried, batched, ...got] = await Promise.all([
          send(`${id} query`, "Query", query(pk)),
          send(`${id} batch`, "BatchGetItem", batch),
          ...keys.map((Key) => send(`${id} ${Key.sk.S}`, "GetItem", { TableName, Key })),
        ]);
        const now = got.map((each) => ("answer" in each && each.answer.Item ? "1" : "0")).join("");
        expect(now >= before && !(before === "01" && now === "10")).toBe(true);
        before = now;
        seen.add(now);
        seen.add(`query ${lengthOf(queried, ({ Items }) => Items)}`);
        seen.add(`batch ${lengthOf(batched, ({ Responses }) => (Responses as { table: [] }).table)}`);
      }
      expect(before).toBe("11");
    };
    for (let round = 0; round < 60; round++) {
      const pk = `round ${round}`;
      const TransactItems = ["a", "b"].map((sk) => ({ Put: { TableName, Item: key(sk, pk) } }));
      const written = send(`${pk} write`, "TransactWriteItems", { TransactItems });
      await scheduler.complete(Promise.all([written, watch(pk)]));
    }
    const counts = [0, 1, 2].flatMap((count) => [`query ${count}`, `batch ${count}`]);
    expect(seen).toEqual(new Set(["00", "01", "10", "11", ...counts]));
  });
});

describe("a partition", () => {
  it("throttles beyond its throughput, and recovers with time", async () => {
    const { scheduler, send } = world();
    const throttledOf = async (times: number): Promise<number> => {
      const outcomes = await scheduler.complete(
        Promise.all(
          Array.from({ length: times }, (_, at) => send(`${scheduler.now} ${at}`, "PutItem", put(String(at)))),
        ),
      );
      return outcomes.filter((each) => "failed" in each && each.failed === "ThrottlingException").length;
    };
    const throttled = await throttledOf(1500);
    expect(throttled).toBeGreaterThan(450);
    expect(throttled).toBeLessThan(510);
    await scheduler.runUntil(scheduler.now + 1000);
    expect(await throttledOf(900)).toBe(0);
  });
});

describe("faults", () => {
  const once = { TransactItems: [count("a")], ClientRequestToken: "token" };

  it.each<[FaultKind, string, string | undefined]>([
    ["refuse", "Error", undefined],
    ["reset-before", "TimeoutError", undefined],
    ["reset-after", "TimeoutError", "1"],
    ["500-before", "InternalServerError", undefined],
    ["500-after", "InternalServerError", "1"],
    ["unavailable", "SyntaxError", undefined],
    ["throttle", "ThrottlingException", undefined],
    ["in-progress", "TransactionInProgressException", undefined],
    ["conflict", "TransactionCanceledException", undefined],
    ["cut-answer", "Error", "1"],
    ["stalled-answer", "AbortError", "1"],
    ["garbled-answer", "SyntaxError", "1"],
    ["slow", "an answer", "1"],
    ["late", "TimeoutError", "1"],
    ["late-answer", "an answer", "1"],
    ["stall", "TimeoutError", "1"],
    ["lost", "TimeoutError", undefined],
    ["lost-answer", "TimeoutError", "1"],
    ["kill-before", "nothing", undefined],
    ["kill-after", "nothing", "1"],
  ])("%s: the sender sees %s, and the count is %s", async (kind, seen, n) => {
    const faults = drawnFaults([[/./, { [kind]: 100 }]]);
    const { scheduler, service, send } = world({ faults });
    let outcome = "nothing";
    void send("one", "TransactWriteItems", once).then((seen) => {
      outcome = "failed" in seen ? seen.failed : "an answer";
    });
    await scheduler.runUntil(scheduler.now + 60_000);
    const counted = service.database.table.get({ partition: "p", sort: "a" })?.item.n;
    expect(outcome).toEqual(seen);
    expect(counted).toEqual(n && { N: n });
    expect(faults.met.map((fault) => fault.kind)).toEqual([kind]);
  });

  it("leave keys of a batch over, and end pages early", async () => {
    const { answer } = world({ faults: drawnFaults([[/./, { unprocessed: 100, "short-page": 100 }]]) });
    const names = Array.from({ length: 20 }, (_, at) => String(at + 10));
    for (const name of names) await answer(`put ${name}`, "PutItem", put(name));
    const Keys = names.map((name) => key(name));
    const { Responses, UnprocessedKeys } = (await answer("batch", "BatchGetItem", {
      RequestItems: { [TableName]: { Keys } },
    })) as { Responses: { table: object[] }; UnprocessedKeys: { table: { Keys: object[] } } };
    expect(UnprocessedKeys.table.Keys.length).toBeGreaterThan(0);
    expect(Responses.table.length + UnprocessedKeys.table.Keys.length).toBe(20);
    const { Items, LastEvaluatedKey } = await answer("page", "Query", query("p"));
    expect((Items as object[]).at(-1)).toEqual(LastEvaluatedKey);
  });
});

describe("a stream", () => {
  /** Records and writes have the same numbers, from 1 on. */
  const numberOf = ({ dynamodb }: DynamoDBRecord): number => Number(dynamodb?.SequenceNumber);
  const nameOf = ({ dynamodb }: DynamoDBRecord): string => `${dynamodb?.Keys?.pk?.S} ${dynamodb?.Keys?.sk?.S}`;

  /** What a function that reads a stream has finished, an hour after 200 writes, the last of which changes nothing. */
  const afterWrites = async (reader: Partial<MappingOptions> & { fails?: (record: DynamoDBRecord) => boolean }) => {
    const { fails = () => false, ...more } = reader;
    const { scheduler, stream, answer } = world();
    const finished: DynamoDBRecord[] = [];
    new EventSourceMapping({
      scheduler,
      stream,
      name: "reader",
      filter: () => true,
      batchSize: 10,
      retryAttempts: 60,
      invoke: async ({ Records }) => {
        const failed = Records.findIndex(fails);
        if (failed >= 0 && numberOf(Records[failed] as DynamoDBRecord) % 2 === 0)
          throw new Error("the function failed");
        finished.push(...(failed < 0 ? Records : Records.slice(0, failed)));
        const itemIdentifier = Records[failed]?.dynamodb?.SequenceNumber ?? "";
        return { batchItemFailures: failed < 0 ? [] : [{ itemIdentifier }] };
      },
      ...more,
    });
    const random = scheduler.random.fork("writes");
    for (let at = 1; at < 200; at++) {
      const Item = { ...key(`i${random.below(3)}`, `p${random.below(6)}`), v: { N: String(at) } };
      await answer(`write ${at}`, "PutItem", { TableName, Item });
    }
    for (const time of ["first", "second"])
      await answer(`same ${time}`, "PutItem", { TableName, Item: key("same", "p1") });
    await scheduler.runUntil(scheduler.now + 3_600_000);
    return finished;
  };

  it("delivers each change once, and the changes of an item in order, where the function does not fail", async () => {
    const finished = await afterWrites({});
    expect(finished.map(numberOf).sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
    const ofItems = [...Map.groupBy(finished, nameOf).values()];
    expect(ofItems).toHaveLength(19);
    for (const changes of ofItems) {
      expect(changes.map(({ eventName }) => eventName)).toEqual(["INSERT", ...changes.slice(1).map(() => "MODIFY")]);
      expect(changes.map(numberOf)).toEqual(changes.map(numberOf).sort((a, b) => a - b));
    }
  });

  it("hands over records again until they are finished, and finished ones at the rate that it was given", async () => {
    const { random } = new Scheduler({ seed: 9 });
    const finished = await afterWrites({ fails: () => random.chance(0.2), repeats: 0.5 });
    expect(new Set(finished.map(numberOf)).size).toBe(200);
    expect(finished.length).toBeGreaterThan(220);
  });

  it("gives a record up after its attempts, and delivers the others that the filter takes", async () => {
    const finished = await afterWrites({
      fails: (record) => numberOf(record) === 20,
      retryAttempts: 5,
      filter: (record) => numberOf(record) <= 60,
    });
    expect(new Set(finished.map(numberOf)).size).toBe(59);
  });
});

describe("time to live", () => {
  it("deletes items after their expiry, keeps renewed ones, and marks the change as its own", async () => {
    const changes: Change[] = [];
    const { scheduler, service, answer } = world({
      onChange: (change) => {
        changes.push(change);
        expire(change);
      },
    });
    const expire = expiryOf(scheduler, () => service.database, "expiresAt");
    const start = scheduler.now;
    const inSeconds = (seconds: number) => ({ expiresAt: { N: String(Math.floor(start / 1000) + seconds) } });
    for (let at = 0; at < 20; at++) await answer(`put ${at}`, "PutItem", put(String(at), inSeconds(3600)));
    await answer("renewed", "PutItem", put("0", inSeconds(30 * 86_400)));
    await answer("kept", "PutItem", put("kept"));
    await scheduler.runUntil(start + 3_600_000);
    expect(changes.every(({ after }) => after)).toBe(true);
    await scheduler.runUntil(start + 4 * 86_400_000);
    const gone = changes.filter(({ after }) => !after);
    expect(gone.map(({ by }) => by)).toEqual(Array(19).fill("expiry"));
    for (const sort of ["0", "kept"]) expect(service.database.table.get({ partition: "p", sort })).toBeDefined();
  });
});
