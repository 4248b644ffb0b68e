import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import { Container } from "./scheduler/container.ts";
import { forOperation } from "./scheduler/operation.ts";
import { bundleProgram, type Program } from "./scheduler/program.ts";
import { Random } from "./scheduler/random.ts";
import { Scheduler } from "./scheduler/scheduler.ts";
import { Timers } from "./scheduler/timers.ts";
import type { Connection, Network, WireRequest } from "./scheduler/wire.ts";

type Restless = typeof import("./restless.ts");

let program: Program;

beforeAll(async () => {
  program = await bundleProgram(`${import.meta.dirname}/restless.ts`);
});

const environment = { AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };

const found = {
  status: 200,
  headers: { "content-type": "application/x-amz-json-1.0" },
  body: JSON.stringify({ Item: { name: { S: "found" } } }),
};

/** A network that treats every request alike and records it. */
function networkOf(receive: (connection: Connection) => void) {
  const requests: WireRequest[] = [];
  const network: Network = {
    receive: (request, connection) => {
      requests.push(request);
      receive(connection);
    },
  };
  return { network, requests };
}

function alone(receive: (connection: Connection, scheduler: Scheduler) => void) {
  const scheduler = new Scheduler({ seed: 1 });
  const { network, requests } = networkOf((connection) => receive(connection, scheduler));
  const container = new Container({ name: "alone", scheduler, network, environment });
  const { read } = container.start<Restless>(program);
  return { scheduler, container, read, requests };
}

describe("the scheduler", () => {
  it("runs tasks in the order of their times, and tasks of one moment in the order they were made", async () => {
    const scheduler = new Scheduler({ seed: 1, start: 0 });
    const seen: string[] = [];
    const random = new Random(7);
    for (let task = 0; task < 500; task++) {
      const time = random.below(50);
      scheduler.at(time, () => seen.push(`${String(time).padStart(2, "0")} ${String(task).padStart(3, "0")}`));
    }
    const gone = scheduler.at(3, () => seen.push("never"));
    scheduler.cancel(gone);
    await scheduler.runUntil(60);
    expect(seen).toEqual([...seen].sort());
    expect(seen).toHaveLength(500);
    expect(scheduler.now).toBe(60);
  });

  it("throws when nothing is left to do and the promise is still open", async () => {
    const scheduler = new Scheduler({ seed: 1 });
    await expect(scheduler.complete(new Promise(() => {}))).rejects.toThrow("stands still");
  });

  it("hands over the results of real work in the order of the requests", async () => {
    const scheduler = new Scheduler({ seed: 1 });
    const seen: number[] = [];
    const waits = [40, 1, 20].map((milliseconds) => {
      const work = new Promise<number>((done) => setTimeout(() => done(milliseconds), milliseconds));
      return scheduler.external(work).then((value) => seen.push(value));
    });
    await scheduler.complete(Promise.all(waits));
    expect(seen).toEqual([40, 1, 20]);
  });
});

describe("a container", () => {
  it("holds a clock of its own with an error of its own, and three days pass in one call", async () => {
    const scheduler = new Scheduler({ seed: 1, start: Date.UTC(2026, 0, 31, 23, 59, 59) });
    const { network } = networkOf(({ answer }) => answer(found));
    const tellers = [-3000, 0, 3000].map((clockError, index) => {
      const container = new Container({ name: `c${index}`, scheduler, network, environment, clockError });
      const lines: string[] = [];
      return { lines, over: container.start<Restless>(program).live(1, (line) => lines.push(line)) };
    });
    await scheduler.runUntil(scheduler.now + 3 * 86_400_000);
    await Promise.all(tellers.map(({ over }) => over));
    const clocks = tellers.map(({ lines }) => lines[0]?.slice(0, 24));
    expect(clocks).toEqual(["2026-01-31T23:59:56.000Z", "2026-01-31T23:59:59.000Z", "2026-02-01T00:00:02.000Z"]);
    expect(new Date(scheduler.now).toISOString()).toBe("2026-02-03T23:59:59.000Z");
  });

  it("draws random numbers from the operation that it works for", async () => {
    const scheduler = new Scheduler({ seed: 1 });
    const { network } = networkOf(({ answer }) => answer(found));
    const container = new Container({ name: "c", scheduler, network, environment });
    const { live } = container.start<Restless>(program);
    const first = async (id: string): Promise<string | undefined> => {
      const lines: string[] = [];
      const operation = { id, random: scheduler.random.fork(id), requests: 0 };
      await scheduler.complete(forOperation(operation, () => live(1, (line) => lines.push(line))));
      expect(operation.requests).toBe(1);
      return lines[0]?.slice(25);
    };
    const [a, b, again] = [await first("a"), await first("b"), await first("a")];
    expect(again).toBe(a);
    expect(b).not.toBe(a);
  });

  it("stops when it is killed, and the request that it sent still arrives", async () => {
    const { scheduler, container, read, requests } = alone(({ answer }) => {
      container.kill();
      scheduler.after(3, () => answer(found));
    });
    let isAnswered = false;
    void read("1").finally(() => {
      isAnswered = true;
    });
    await scheduler.runUntil(scheduler.now + 60_000);
    expect(requests).toHaveLength(1);
    expect(isAnswered).toBe(false);
  });
});

describe("a time limit", () => {
  it("reaches its listeners after a garbage collection", async () => {
    const scheduler = new Scheduler({ seed: 1 });
    let isTold = false;
    new Timers(scheduler).abortAfter(5).addEventListener("abort", () => {
      isTold = true;
    });
    await new Promise((done) => setImmediate(done));
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
    await scheduler.runUntil(scheduler.now + 10);
    expect(isTold).toBe(true);
  });
});

describe("the SDK in a container", () => {
  it("keeps its connections and signs its requests", async () => {
    const { scheduler, read, requests } = alone(({ answer }) => answer(found));
    expect(await scheduler.complete(read("1"))).toBe("found after 8 ms");
    expect(await scheduler.complete(read("2"))).toBe("found after 0 ms");
    const { host, method, body, headers } = requests[1] as WireRequest;
    expect([host, method]).toEqual(["dynamodb.eu-west-1.amazonaws.com", "POST"]);
    expect(headers["x-amz-target"]).toBe("DynamoDB_20120810.GetItem");
    expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=id\/20260105/);
    const Key = { pk: { S: "p" }, sk: { S: "2" } };
    expect(JSON.parse(body)).toEqual({ TableName: "table", Key, ConsistentRead: true });
  });

  const answers =
    (status: number, type: string) =>
    ({ answer }: Connection): void =>
      answer({ ...found, status, body: JSON.stringify({ __type: `x#${type}` }) });

  it.each<[string, (connection: Connection, scheduler: Scheduler) => void, RegExp, number]>([
    ["no answer: its own limits, then the limit of the call", () => {}, /^AbortError after 5000/, 3],
    ["a reset: three attempts", ({ fail }) => fail("ECONNRESET"), /^TimeoutError after \d{1,3} ms/, 3],
    ["a refusal", ({ fail }) => fail("ECONNREFUSED"), /^Error after/, 3],
    ["a 500: three attempts", answers(500, "InternalServerError"), /^InternalServerError after/, 3],
    ["throttling", answers(400, "ThrottlingException"), /^ThrottlingException after/, 3],
    ["bad input: one attempt", answers(400, "ValidationException"), /^ValidationException after/, 1],
    ["an answer cut short by a reset", ({ cut }) => cut(found, 9, "reset"), /^Error after/, 3],
    ["an answer that stops in the middle", ({ cut }) => cut(found, 9, "silence"), /^AbortError after 5000/, 1],
    ["an answer that cannot be parsed", ({ answer }) => answer({ ...found, body: "<html>" }), /^SyntaxError after/, 1],
  ])("handles %s", async (_, receive, outcome, attempts) => {
    const { scheduler, read, requests } = alone(receive);
    expect(await scheduler.complete(read("1"))).toMatch(outcome);
    expect(requests).toHaveLength(attempts);
  });
});
