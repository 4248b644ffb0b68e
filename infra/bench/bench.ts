// npm run bench: what a request costs in a bundled handler and over HTTP, as a ratio to one GetItem by the same client.
// docs/costs.md#the-functions.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { endpoints } from "../../functions/index.ts";
import { environment } from "../../lib/runtime/environment.ts";
import { bundleAll, entryFiles } from "../bundle/bundle.ts";
import { type DemoFile, demoFile } from "../local/demo/demo-file.ts";
import { loadDemo } from "../local/demo/load.ts";
import { startEngine } from "../local/engine/engine.ts";
import { setDefaults } from "../local/environment.ts";
import { EXAMPLES, exampleEvent } from "../local/events.ts";
import { ensureTable } from "../local/table.ts";
import { readCommandLine } from "../usage.ts";

/** A number of calls, of these requests in turn. `bundle` is the place among the caller's bundles. */
export type Ask = { requests: { bundle: number; event: Event }[]; calls: number };

type Event = Pick<APIGatewayProxyEventV2, "rawPath" | "requestContext" | "headers" | "body">;

const USAGE = "npm run bench [-- --against <dist/functions of another version>]";
const WARM_ROUNDS = 9;
const WARM_CALLS = 150;
const COLD_ROUNDS = 11;

/** Something to measure: the bundles of a version that it loads, and the requests that it sends to them. */
type Candidate = { name: string; files: string[]; requests: Ask["requests"] };

const folder = mkdtempSync(join(tmpdir(), "feedback-board-bench-"));

function eventFor(name: string, fields: object, token: string): Event {
  const endpoint = endpoints.find(({ definition }) => definition.name === name);
  if (!endpoint) throw new Error(`No endpoint ${name}`);
  const event = exampleEvent(endpoint.definition, { ...EXAMPLES, ...fields });
  // The lists have a caller, too.
  return { ...event, headers: { ...event.headers, authorization: `Bearer ${token}` } };
}

const KINDS = [["posts-list"], ["posts-by-slug"], ["votes-add", "votes-remove"]];

/** The kinds of requests, for the bundles in a folder. */
function candidatesIn(functions: string, label: string, { memberToken, boards, posts }: DemoFile): Candidate[] {
  const file = (name: string) => join(functions, name, "index.mjs");
  const post = posts.find(({ boardId }) => boardId === boards[0]?.boardId);
  return KINDS.map((names) => ({
    name: `${names.join(", ")}${label}`,
    files: names.map(file),
    requests: names.map((name, bundle) => ({ bundle, event: eventFor(name, post ?? {}, memberToken) })),
  }));
}

function start(module: string, files: string[] = []): ChildProcess {
  return fork(join(import.meta.dirname, module), files, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

/** The number that a process tells; a caller the milliseconds of processor time of its import first, then per call. */
async function told(caller: ChildProcess): Promise<number> {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(caller, "exit", { signal }).then(([code]) => Promise.reject(new Error(`a caller ended: ${code}`)));
  ended.catch(() => {});
  const [message] = await Promise.race([once(caller, "message", { signal }), ended]);
  answered.abort();
  return message;
}

function ask(caller: ChildProcess, question: Ask): Promise<number> {
  caller.send(question);
  return told(caller);
}

/** The processor time of the import and of the first request, in a process of its own. */
async function coldStart({ files, requests }: Candidate): Promise<number> {
  const caller = start("caller.ts", files);
  try {
    const importing = await told(caller);
    return importing + (await ask(caller, { requests, calls: requests.length })) * requests.length;
  } finally {
    caller.kill("SIGKILL");
  }
}

/** Measures the candidates in turn, round by round, so that other work on the machine slows all of them down. */
async function inTurn<T>(rounds: number, candidates: T[], measure: (candidate: T) => Promise<number>) {
  const results = candidates.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, candidate] of candidates.entries()) results[index]?.push(await measure(candidate));
  }
  // The medians; of two in the middle the upper one.
  return results.map((values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}

/** A process that stays: `measure` is the processor time of a call in it. */
type Warm = { name: string; process: ChildProcess; measure(calls: number): Promise<number> };

async function warmHandler({ name, files, requests }: Candidate): Promise<Warm> {
  const caller = start("caller.ts", files);
  await told(caller);
  return { name, process: caller, measure: (calls) => ask(caller, { requests, calls }) };
}

/** The same requests over a connection that is kept. */
async function warmServer({ name, requests }: Candidate, headers: Record<string, string>): Promise<Warm> {
  const server = start("server.ts");
  const port = await told(server);
  const agent = new Agent({ keepAlive: true });
  const usage = (): Promise<number> => {
    server.send("");
    return told(server);
  };
  const measure = async (calls: number): Promise<number> => {
    const before = await usage();
    for (let index = 0; index < calls; index++) {
      const { event } = requests[index % requests.length] as Ask["requests"][number];
      await sendOver({ port, agent }, { ...event, headers: { ...event.headers, ...headers } });
    }
    return ((await usage()) - before) / calls;
  };
  return { name, process: server, measure };
}

/** Sends the request of an event, and reads the answer to its end. */
function sendOver(to: { port: number; agent: Agent }, { rawPath, requestContext, headers, body }: Event) {
  return new Promise<void>((done, fail) => {
    const length = { "content-length": Buffer.byteLength(body ?? "") };
    const { method } = requestContext.http;
    const options = { ...to, host: "127.0.0.1", path: rawPath, method, headers: { ...headers, ...length } };
    const sent = httpRequest(options, (answer) => {
      const { statusCode = 500 } = answer;
      answer.resume().on("error", fail);
      answer.on("end", () => (statusCode < 400 ? done() : fail(new Error(`${statusCode} for ${rawPath}`))));
    });
    sent.on("error", fail).end(body);
  });
}

async function warmCalls(warm: Warm[]): Promise<number[]> {
  for (const { measure } of warm) await measure(WARM_CALLS);
  return inTurn(WARM_ROUNDS, warm, ({ measure }) => measure(WARM_CALLS));
}

function print(candidates: { name: string }[], cold: number[], warm: number[]): void {
  const ratio = (values: number[], index: number): number =>
    Number(((values[index] ?? 0) / (values[0] ?? 1)).toFixed(2));
  console.log(`Processor time in milliseconds, and as a ratio to one GetItem; Node ${process.versions.node}`);
  console.table(
    candidates.map(({ name }, index) => ({
      what: name,
      "import and first request": cold[index]?.toFixed(1) ?? "",
      "ratio ": index in cold ? ratio(cold, index) : "",
      "a later request": warm[index]?.toFixed(2),
      ratio: ratio(warm, index),
    })),
  );
}

const { options } = readCommandLine(USAGE, { options: ["--against"] });
const OVER_HTTP = { "": {}, ", compressed": { "accept-encoding": "gzip" } };
const processes: Warm[] = [];
const engine = await startEngine();
try {
  setDefaults(undefined);
  process.env.DYNAMODB_ENDPOINT = engine.endpoint;
  await ensureTable(engine.endpoint, environment().TABLE_NAME);
  await loadDemo();
  const demo = await demoFile("");
  const sample = Object.entries(entryFiles()).filter(([name]) => /^(posts-list|posts-by-slug|votes-)/.test(name));
  await bundleAll(folder, { ...Object.fromEntries(sample), "get-item": "infra/bench/get-item.ts" });
  const base = {
    name: "one GetItem",
    files: [join(folder, "get-item/index.mjs")],
    requests: [{ bundle: 0, event: eventFor("posts-list", {}, "") }],
  };
  const others = options["--against"] ? candidatesIn(resolve(options["--against"]), ", the other version", demo) : [];
  const ours = candidatesIn(folder, "", demo);
  const candidates = [base, ...ours, ...others];
  const cold = await inTurn(COLD_ROUNDS, candidates, coldStart);
  for (const candidate of candidates) processes.push(await warmHandler(candidate));
  for (const [label, headers] of Object.entries(OVER_HTTP)) {
    for (const { name, ...rest } of ours) {
      processes.push(await warmServer({ name: `${name}, over HTTP${label}`, ...rest }, headers));
    }
  }
  print(processes, cold, await warmCalls(processes));
} finally {
  for (const { process: each } of processes) each.kill("SIGKILL");
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
}
