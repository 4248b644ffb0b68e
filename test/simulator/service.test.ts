import type { DynamoDBRecord } from "aws-lambda";
import { describe, expect, it } from "vitest";
import type { FaultKind } from "./faults/faults.ts";
import { drawnFaults, replayedFaults } from "./faults/plan.ts";
import type { Change } from "./model/database.ts";
import { count, key, put, query, TableName } from "./requests.ts";
import { Scheduler } from "./scheduler/scheduler.ts";
import { bareClient, type Outcome } from "./service/client.ts";
import { Expiry } from "./service/expiry.ts";
import { type ServiceOptions, StoreService } from "./service/service.ts";
import { EventSourceMapping, type MappingOptions, Stream } from "./service/stream.ts";

function world(options: Partial<ServiceOptions> = {}) {
  const scheduler = new Scheduler({ seed: 1 });
  const service = new StoreService({ scheduler, ...options });
  const send = bareClient(scheduler, service);
  const all = (requests: Promise<Outcome>[]): Promise<Outcome[]> => scheduler.complete(Promise.all(requests));
  return { scheduler, service, send, all };
}

function statusOf(outcome: Outcome): unknown {
  return "status" in outcome ? outcome.status : outcome.failed;
}

function typeOf(outcome: Outcome): string | undefined {
  return "body" in outcome ? String(outcome.body.__type).split("#").at(-1) : undefined;
}

describe("time", () => {
  it("passes as in AWS: a read takes about 3 ms, a transaction 10 to 20 ms", async () => {
    const { scheduler, send } = world();
    const median = async (name: string, input: (at: number) => object): Promise<number> => {
      const times: number[] = [];
      for (let at = 0; at < 200; at++) {
        const before = scheduler.now;
        const { at: after } = await scheduler.complete(send(`${name} ${at}`, name, input(at)));
        times.push(after - before);
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
    const watch = async (pk: string): Promise<void> => {
      const keys = ["a", "b"].map((sk) => key(sk, pk));
      const batch = { RequestItems: { [TableName]: { Keys: keys } } };
      let before = "00";
      for (let look = 0; look < 12; look++) {
        const id = `${pk} ${look}`;
        const reads = keys.map((Key) => send(`${id} ${Key.sk.S}`, "GetItem", { TableName, Key }));
        const [queried, batched] = [
          send(`${id} query`, "Query", query(pk)),
          send(`${id} batch`, "BatchGetItem", batch),
        ];
        const now = (await Promise.all(reads)).map((each) => ("body" in each && each.body.Item ? "1" : "0")).join("");
        expect(now >= before && !(before === "01" && now === "10")).toBe(true);
        before = now;
        const [{ Count }, { Responses }] = (await Promise.all([queried, batched])).map(
          (each) => (each as { body: { Count?: number; Responses?: { table: object[] } } }).body,
        ) as [{ Count: number }, { Responses: { table: object[] } }];
        for (const what of [now, `query ${Count}`, `batch ${Responses.table.length}`]) seen.add(what);
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
    const { scheduler, send, all } = world();
    const write = (at: number, pk: string) =>
      send(`${scheduler.now} ${pk} ${at}`, "PutItem", { TableName, Item: key(String(at), pk) });
    const tooMany = await all(Array.from({ length: 1500 }, (_, at) => write(at, "hot")));
    const throttledOnes = tooMany.filter((each) => typeOf(each) === "ThrottlingException").length;
    expect(throttledOnes).toBeGreaterThan(450);
    expect(throttledOnes).toBeLessThan(510);
    await scheduler.runUntil(scheduler.now + 1000);
    const again = await all(Array.from({ length: 900 }, (_, at) => write(at, "hot")));
    expect(again.every((each) => statusOf(each) === 200)).toBe(true);
  });
});

describe("faults", () => {
  const once = { TransactItems: [count("a")], ClientRequestToken: "token" };
  const nOf = ({ service }: ReturnType<typeof world>): string | undefined => {
    const n = service.database.table.get({ partition: "p", sort: "a" })?.item.n;
    return n && "N" in n ? n.N : undefined;
  };

  it.each<[FaultKind, unknown, string | undefined]>([
    ["refuse", "ECONNREFUSED", undefined],
    ["reset-before", "ECONNRESET", undefined],
    ["reset-after", "ECONNRESET", "1"],
    ["500-before", 500, undefined],
    ["500-after", 500, "1"],
    ["unavailable", "not JSON", undefined],
    ["throttle", 400, undefined],
    ["in-progress", 400, undefined],
    ["conflict", 400, undefined],
    ["cut-answer", "reset after 1 bytes", "1"],
    ["stalled-answer", "silence after 1 bytes", "1"],
    ["garbled-answer", "not JSON", "1"],
    ["slow", 200, "1"],
    ["late", 200, "1"],
    ["late-answer", 200, "1"],
    ["stall", 200, "1"],
    ["lost", "nothing", undefined],
    ["lost-answer", "nothing", "1"],
    ["kill-before", "nothing", undefined],
    ["kill-after", 200, "1"],
  ])("%s: the sender sees %s, and the count is %s", async (kind, seen, n) => {
    const killed: string[] = [];
    const faults = drawnFaults([[/./, { [kind]: 100 }]]);
    const self = world({ faults, kill: (name) => killed.push(name) });
    let outcome: unknown = "nothing";
    void self.send("one", "TransactWriteItems", once).then((answer) => {
      outcome = statusOf(answer);
    });
    await self.scheduler.runUntil(self.scheduler.now + 60_000);
    expect([outcome, nOf(self)]).toEqual([seen, n]);
    expect(faults.met.map((fault) => fault.kind)).toEqual([kind]);
    expect(killed).toEqual(kind.startsWith("kill") ? ["bare"] : []);
  });

  it("leave keys of a batch over and end pages early, and further requests get the rest", async () => {
    const { scheduler, send, all } = world({ faults: drawnFaults([[/./, { unprocessed: 100, "short-page": 100 }]]) });
    const names = Array.from({ length: 20 }, (_, at) => String(at + 10));
    await all(names.map((name) => send(`put ${name}`, "PutItem", put(name))));
    const bodyOf = async (...request: Parameters<typeof send>): Promise<Record<string, unknown>> => {
      const outcome = await scheduler.complete(send(...request));
      return "body" in outcome && outcome.status === 200 ? outcome.body : {};
    };
    let Keys: object[] = names.map((name) => key(name));
    let found = 0;
    for (let round = 0; Keys.length > 0; round++) {
      const input = { RequestItems: { [TableName]: { Keys } } };
      const { Responses, UnprocessedKeys } = await bodyOf(`batch ${round}`, "BatchGetItem", input);
      if (!Responses) continue;
      found += (Responses as { table: object[] }).table.length;
      Keys = (UnprocessedKeys as { table?: { Keys: object[] } }).table?.Keys ?? [];
      expect(round).toBeLessThan(50);
    }
    expect(found).toBe(20);
    const pages: number[] = [];
    for (let ExclusiveStartKey: unknown; pages.length === 0 || ExclusiveStartKey; ) {
      const body = await bodyOf(`page ${pages.length}`, "Query", { ...query("p"), ExclusiveStartKey });
      pages.push(body.Count as number);
      ExclusiveStartKey = body.LastEvaluatedKey;
    }
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.reduce((sum, each) => sum + each, 0)).toBe(20);
  });

  it("deliver a request after a later one, when its sender has given it up", async () => {
    const faults = replayedFaults([{ request: "first#0", kind: "late", milliseconds: 2000 }]);
    const { scheduler, send, service } = world({ faults });
    void send("first", "PutItem", put("a", { v: { S: "old" } }));
    await scheduler.runUntil(scheduler.now + 100);
    await scheduler.complete(send("second", "PutItem", put("a", { v: { S: "new" } })));
    await scheduler.runUntil(scheduler.now + 5000);
    expect(service.database.table.get({ partition: "p", sort: "a" })?.item.v).toEqual({ S: "old" });
  });
});

describe("a stream", () => {
  type Reader = Partial<MappingOptions> & {
    crashes?: (records: DynamoDBRecord[]) => boolean;
    fails?: (record: DynamoDBRecord) => boolean;
  };

  /** What a function that reads a stream has finished, some time after some writes. */
  const afterWrites = async (times: number, milliseconds: number, reader: Reader = {}) => {
    const { crashes = () => false, fails = () => false, ...more } = reader;
    const scheduler = new Scheduler({ seed: 3 });
    const stream = new Stream(scheduler);
    const service = new StoreService({ scheduler, onChange: stream.add });
    const finished: DynamoDBRecord[] = [];
    new EventSourceMapping({
      scheduler,
      stream,
      name: "reader",
      filter: () => true,
      batchSize: 10,
      retryAttempts: 60,
      invoke: async ({ Records }) => {
        if (crashes(Records)) throw new Error("the function failed");
        const failed = Records.findIndex(fails);
        finished.push(...(failed < 0 ? Records : Records.slice(0, failed)));
        const itemIdentifier = Records[failed]?.dynamodb?.SequenceNumber ?? "";
        return { batchItemFailures: failed < 0 ? [] : [{ itemIdentifier }] };
      },
      ...more,
    });
    const send = bareClient(scheduler, service);
    const random = scheduler.random.fork("writes");
    for (let at = 0; at < times; at++) {
      const Item = { ...key(`i${random.below(3)}`, `p${random.below(6)}`), v: { N: String(at) } };
      await scheduler.complete(send(`write ${at}`, "PutItem", { TableName, Item }));
    }
    for (let at = 0; at < 5; at++)
      await scheduler.complete(send(`same ${at}`, "PutItem", { TableName, Item: key("same", "p1") }));
    await scheduler.runUntil(scheduler.now + milliseconds);
    return { stream, finished, numbers: finished.map(numberOf), different: new Set(finished.map(numberOf)).size };
  };

  /** Records and writes have the same numbers, from 1 on; the last one is of five equal writes. */
  const numberOf = ({ dynamodb }: DynamoDBRecord): number => Number(dynamodb?.SequenceNumber);
  const nameOf = ({ dynamodb }: DynamoDBRecord): string => `${dynamodb?.Keys?.pk?.S} ${dynamodb?.Keys?.sk?.S}`;

  it("tells each change once, and the changes of an item in order", async () => {
    const { finished, different } = await afterWrites(300, 60_000);
    expect([finished.length, different]).toEqual([301, 301]);
    const ofItems = [...Map.groupBy(finished, nameOf).values()];
    expect(ofItems).toHaveLength(19);
    for (const changes of ofItems) {
      expect(changes.map(({ eventName }) => eventName)).toEqual(["INSERT", ...changes.slice(1).map(() => "MODIFY")]);
      expect(changes.map(numberOf)).toEqual(changes.map(numberOf).sort((a, b) => a - b));
    }
  });

  it("hands over records again from the first unfinished one, in order", async () => {
    const { random } = new Scheduler({ seed: 9 });
    const fails = () => random.chance(0.2);
    const { stream, numbers, different } = await afterWrites(200, 3_600_000, { crashes: fails, fails });
    expect(different).toBe(201);
    for (const shard of stream.shards) {
      const own = new Set(shard.map(({ sequence }) => sequence));
      const order = numbers.filter((each) => own.has(each));
      expect(order).toEqual([...order].sort((a, b) => a - b));
    }
  });

  it("repeats finished batches at the rate that it was given", async () => {
    const { finished, different } = await afterWrites(100, 60_000, { repeats: 0.5 });
    expect(different).toBe(101);
    expect(finished.length).toBeGreaterThan(120);
  });

  it("gives a record up after its attempts, and delivers the others", async () => {
    const crashes = (batch: DynamoDBRecord[]) => batch.some((record) => numberOf(record) === 20);
    expect((await afterWrites(60, 600_000, { crashes, retryAttempts: 5 })).different).toBe(60);
  });

  it("skips records that the filter rejects and writes that change nothing", async () => {
    const filter = ({ eventName, dynamodb }: DynamoDBRecord) =>
      eventName === "INSERT" && dynamodb?.Keys?.pk?.S === "p1";
    const { finished } = await afterWrites(100, 60_000, { filter });
    expect(finished.map(nameOf).sort()).toEqual(["p1 i0", "p1 i1", "p1 i2", "p1 same"]);
  });
});

describe("time to live", () => {
  it("deletes items after their expiry, keeps renewed ones, and marks the change as its own", async () => {
    const scheduler = new Scheduler({ seed: 4 });
    const changes: Change[] = [];
    const expiry = new Expiry({ scheduler, database: () => service.database, attribute: "expiresAt" });
    const service = new StoreService({
      scheduler,
      onChange: (change) => {
        changes.push(change);
        expiry.note(change);
      },
    });
    const send = bareClient(scheduler, service);
    const inSeconds = (seconds: number) => ({ expiresAt: { N: String(Math.floor(scheduler.now / 1000) + seconds) } });
    const start = scheduler.now;
    for (let at = 0; at < 20; at++)
      await scheduler.complete(send(`put ${at}`, "PutItem", put(String(at), inSeconds(3600))));
    await scheduler.complete(send("renewed", "PutItem", put("0", inSeconds(30 * 86_400))));
    await scheduler.complete(send("kept", "PutItem", put("kept")));
    await scheduler.runUntil(start + 3_600_000);
    expect(changes.every(({ after }) => after)).toBe(true);
    await scheduler.runUntil(start + 4 * 86_400_000);
    const gone = changes.filter(({ after }) => !after);
    expect(gone).toHaveLength(19);
    expect(new Set(gone.map(({ by }) => by))).toEqual(new Set(["expiry"]));
    for (const sort of ["0", "kept"]) expect(service.database.table.get({ partition: "p", sort })).toBeDefined();
  });
});
