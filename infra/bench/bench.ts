// npm run bench: what a request costs in a bundled handler, as a ratio to one GetItem by the same client. docs/performance.md.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { contract } from "../../functions/index.ts";
import { settings } from "../../lib/runtime/settings.ts";
import { bundleAll, entryFiles } from "../bundle/bundle.ts";
import { type DemoFile, demoFile } from "../local/demo/demo-file.ts";
import { loadDemo } from "../local/demo/load.ts";
import { startEngine } from "../local/engine/engine.ts";
import { EXAMPLES, exampleEvent } from "../local/events.ts";
import { setDefaults } from "../local/settings.ts";
import { ensureTable } from "../local/table.ts";
import { readCommandLine } from "../usage.ts";
import { median } from "./median.ts";

/** What a caller is asked to do: so many calls, of these requests in turn. `bundle` is the place among the caller's bundles. */
export type Ask = { requests: { bundle: number; event: object }[]; calls: number };

const USAGE = "npm run bench [-- --against <dist/functions of another version>]";
const WARM_ROUNDS = 9;
const WARM_CALLS = 150;
const COLD_ROUNDS = 11;

/** Something to measure: the bundles of a version that it loads, and the requests that it sends to them. */
type Candidate = { name: string; files: string[]; requests: Ask["requests"] };

const folder = mkdtempSync(join(tmpdir(), "feedback-board-bench-"));

const eventFor = (name: string, fields: object, token: string): object => {
  const endpoint = contract.find(({ definition }) => definition.name === name);
  if (!endpoint) throw new Error(`No endpoint ${name}`);
  const event = exampleEvent(endpoint.definition, { ...EXAMPLES, ...fields });
  // The lists have a caller, too.
  return { ...event, headers: { ...event.headers, authorization: `Bearer ${token}` } };
};

/** The kinds of requests, for the bundles in a folder. */
const candidatesIn = (functions: string, label: string, { memberToken, boards, posts }: DemoFile): Candidate[] => {
  const file = (name: string) => join(functions, name, "index.mjs");
  const post = posts.find(({ boardId }) => boardId === boards[0]?.boardId);
  const kinds = [["posts-list"], ["posts-by-slug"], ["votes-add", "votes-remove"]];
  return kinds.map((names) => ({
    name: `${names.join(", ")}${label}`,
    files: names.map(file),
    requests: names.map((name, bundle) => ({ bundle, event: eventFor(name, post ?? {}, memberToken) })),
  }));
};

const startCaller = (files: string[]): ChildProcess =>
  fork(join(import.meta.dirname, "caller.ts"), files, { stdio: ["ignore", "ignore", "inherit", "ipc"] });

/** The milliseconds of processor time that a caller tells: of its import first, then per call. */
const told = async (caller: ChildProcess): Promise<number> => {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(caller, "exit", { signal }).then(([code]) => Promise.reject(new Error(`a caller ended: ${code}`)));
  ended.catch(() => {});
  const [message] = await Promise.race([once(caller, "message", { signal }), ended]);
  answered.abort();
  return message;
};

const ask = (caller: ChildProcess, question: Ask): Promise<number> => {
  caller.send(question);
  return told(caller);
};

/** The processor time of the import and of the first request, in a process of its own. */
const coldStart = async ({ files, requests }: Candidate): Promise<number> => {
  const caller = startCaller(files);
  try {
    const importing = await told(caller);
    return importing + (await ask(caller, { requests, calls: requests.length })) * requests.length;
  } finally {
    caller.kill("SIGKILL");
  }
};

/** Measures the candidates in turn, round by round, so that other work on the machine slows all of them down. */
const inTurn = async <T>(rounds: number, candidates: T[], measure: (candidate: T) => Promise<number>) => {
  const results = candidates.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, candidate] of candidates.entries()) results[index]?.push(await measure(candidate));
  }
  return results.map(median);
};

const warmCalls = async (candidates: Candidate[]): Promise<number[]> => {
  const callers = candidates.map((candidate) => ({ ...candidate, caller: startCaller(candidate.files) }));
  try {
    for (const { caller, requests } of callers) {
      await told(caller);
      await ask(caller, { requests, calls: WARM_CALLS });
    }
    return await inTurn(WARM_ROUNDS, callers, ({ caller, requests }) => ask(caller, { requests, calls: WARM_CALLS }));
  } finally {
    for (const { caller } of callers) caller.kill("SIGKILL");
  }
};

const print = (candidates: Candidate[], cold: number[], warm: number[]): void => {
  const ratio = (values: number[], index: number): number =>
    Number(((values[index] ?? 0) / (values[0] ?? 1)).toFixed(2));
  console.log(`Processor time in milliseconds, and as a ratio to one GetItem; Node ${process.versions.node}`);
  console.table(
    candidates.map(({ name }, index) => ({
      what: name,
      "import and first request": cold[index]?.toFixed(1),
      "ratio ": ratio(cold, index),
      "a later request": warm[index]?.toFixed(2),
      ratio: ratio(warm, index),
    })),
  );
};

const { options } = readCommandLine(USAGE, { options: ["--against"] });
const engine = await startEngine();
try {
  setDefaults(undefined);
  process.env.DYNAMODB_ENDPOINT = engine.endpoint;
  await ensureTable(engine.endpoint, settings().tableName);
  await loadDemo();
  const demo = await demoFile("");
  const sample = Object.entries(entryFiles()).filter(([name]) => /^(posts-list|posts-by-slug|votes-)/.test(name));
  await bundleAll(folder, { ...Object.fromEntries(sample), "get-item": "infra/bench/get-item.ts" });
  const base = {
    name: "one GetItem",
    files: [join(folder, "get-item/index.mjs")],
    requests: [{ bundle: 0, event: {} }],
  };
  const others = options["--against"] ? candidatesIn(resolve(options["--against"]), ", the other version", demo) : [];
  const candidates = [base, ...candidatesIn(folder, "", demo), ...others];
  const cold = await inTurn(COLD_ROUNDS, candidates, coldStart);
  print(candidates, cold, await warmCalls(candidates));
} finally {
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
}
