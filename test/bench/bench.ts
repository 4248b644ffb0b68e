// npm run bench: the processor time of a call of each endpoint, with the background work behind it, of all processes of
// npm start, as a ratio to one GetItem. docs/costs.md#measured.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { setDefaults } from "../../infra/local/environment.ts";
import { readCommandLine } from "../../infra/usage.ts";
import { environment } from "../../lib/runtime/environment.ts";
import { documentClient } from "../../lib/table/client.ts";
import { costRows, writeRatios } from "../support/world/ordinary.ts";
import { processorTime, startTree, type Tree } from "./tree.ts";

const { flags, options } = readCommandLine("npm run bench [-- [--against <commit>] [--write]]", {
  flags: ["--write"],
  options: ["--against"],
});

const CALLS = 30;
const WARM_UP = 10;
const STARTS = 7;
const TOLERANCE = 1.2;
const END = Date.now() + (options["--against"] || flags.has("--write") ? 400_000 : 165_000);

const folder = mkdtempSync(join(tmpdir(), "feedback-board-bench-"));
Object.assign(process.env, { PORT: "0", MAIL_LOG_FILE: join(folder, "mail.jsonl"), DYNAMODB_ENDPOINT: "" });
setDefaults(undefined);

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

// An account has 20 keys at most, and every list reads all boards and roadmaps.
const FEW = /^(keys|boards|roadmaps)-/;

// What reads can be asked again. A site has few webhooks and statuses, so their examples remove the ones before.
function oneByOne(name: string, writes: number): boolean {
  return writes === 0 || /^(webhooks|statuses)-/.test(name);
}

/** The processor time of calls that leave no background work behind. */
async function callOneByOne(tree: Tree, name: string, writes: number): Promise<number> {
  tree.enter();
  const times = [];
  let request = await tree.request(name);
  for (let call = -WARM_UP; call < CALLS; call++) {
    if (writes > 0) request = await tree.request(name);
    const taken = tree.watch();
    await tree.send(name, request);
    if (call >= 0) times.push(taken());
  }
  return median(times);
}

/** The processor time of calls that are prepared before the first of them, with the background work behind them. */
async function callTogether(trees: Tree[], name: string, behind: number): Promise<number[]> {
  const calls = FEW.test(name) ? 8 : CALLS;
  const prepared = [];
  for (const tree of trees) {
    tree.enter();
    const requests = [];
    for (let call = 0; call < calls; call++) requests.push(await tree.request(name));
    await tree.keepUp();
    prepared.push({ tree, requests });
  }
  const times: { taken: () => number; before: number }[] = [];
  for (const { tree, requests } of prepared) {
    await tree.quiet(0);
    const taken = tree.watch();
    for (const request of requests) await tree.send(name, request);
    times.push({ taken, before: taken() });
  }
  if (behind === 0) return times.map(({ before }) => before / calls);
  const settled = trees.map(async (tree, at) => {
    await tree.quiet(1100);
    return (times[at]?.taken() ?? 0) / calls;
  });
  return Promise.all(settled);
}

async function measure(trees: Tree[], name: string, [, , writes = 0, behind = 0]: number[]): Promise<number[]> {
  if (!oneByOne(name, writes)) return callTogether(trees, name, behind);
  const times = [];
  for (const tree of trees) times.push(await callOneByOne(tree, name, writes));
  return times;
}

/** The processor time of a function's import and first request, in processes of its own: the medians. */
async function measureStart(trees: Tree[], roots: string[], name: string): Promise<number[]> {
  const starts = [];
  for (const [at, tree] of trees.entries()) {
    tree.enter();
    const { bundleAll, entryFiles } = await import(join(roots[at] as string, "infra/bundle/bundle.ts"));
    const out = join(folder, String(at));
    await bundleAll(out, { [name]: entryFiles()[name] });
    const words = [join(import.meta.dirname, "start.mjs"), join(out, name, "index.mjs")];
    starts.push({ tree, words, times: [] as number[] });
  }
  for (let round = 0; round < STARTS; round++) {
    for (const { tree, words, times } of starts) {
      tree.enter();
      const event = JSON.stringify(tree.event(name, await tree.request(name)));
      const printed = execFileSync(process.execPath, [...words, event], { encoding: "utf8" });
      times.push(Number(printed.split("\n").at(-1)));
    }
  }
  return starts.map(({ times }) => median(times));
}

const items: number[] = [];

/** Measures some GetItems of an item that does not exist: processor time of this process and of the engine. */
async function readItems(tree: Tree): Promise<void> {
  tree.enter();
  const time = () => processorTime([tree.enginePid, process.pid]);
  const Key = { pk: "BENCH", sk: "BENCH" };
  const before = time();
  for (let call = 0; call < CALLS; call++) {
    const command = new GetCommand({ TableName: environment().TABLE_NAME, Key, ConsistentRead: true });
    await documentClient().send(command);
  }
  items.push((time() - before) / CALLS);
}

// The latest ones, because other work on the machine slows both down.
const ratioOf = (time: number): number => Number((time / median(items.slice(-9))).toPrecision(2));

function addWorktree(commit: string): string {
  const other = join(folder, "other");
  execFileSync("git", ["worktree", "add", "--quiet", "--detach", other, commit]);
  symlinkSync(resolve("node_modules"), join(other, "node_modules"));
  return other;
}

const roots = [resolve("."), ...(options["--against"] ? [addWorktree(options["--against"])] : [])];
const trees: Tree[] = [];
try {
  for (const root of roots) trees.push(await startTree(root));
  for (const tree of trees) await tree.prepare();
  await Promise.all(trees.map(({ rest }) => rest()));
  const [ours] = trees as [Tree];
  for (let round = 0; round < WARM_UP; round++) {
    await readItems(ours);
    for (const tree of trees) await callOneByOne(tree, "posts-list", 0);
  }
  items.length = 0;
  const rows = [...costRows()].filter(([, { ratio }]) => ratio > 0);
  // Reads first, then writes; boards fill what all lists read, and each event is delivered to a webhook.
  const place = (name: string, writes = 0) =>
    name.startsWith("webhooks-") ? 3 : !writes ? 0 : /^(boards|roadmaps)-/.test(name) ? 2 : 1;
  const order = rows.toSorted(([a, one], [b, other]) => place(a, one.units[2]) - place(b, other.units[2]));
  const ratios = new Map<string, number>();
  const slow: string[] = [];
  for (const [name, { units, ratio: documented }] of order) {
    if (Date.now() > END) break;
    const [endpoint = "", start] = name.split(":");
    const having = trees.filter(({ has }) => has(endpoint));
    const measured = async () => {
      for (let round = 0; round < 3; round++) await readItems(ours);
      return start ? measureStart(having, roots, endpoint) : measure(having, endpoint, units);
    };
    let [time = 0, other] = await measured();
    const isSlow = () => ratioOf(time) > documented * TOLERANCE;
    // A busy machine can slow one down.
    for (let again = 0; again < 2 && isSlow() && !flags.has("--write"); again++) [time = 0, other] = await measured();
    ratios.set(name, ratioOf(time));
    if (isSlow()) slow.push(name);
    const against = other ? `, the other tree ${ratioOf(other)}: ${(time / other).toFixed(2)}x` : "";
    console.log(`${name}: ${ratioOf(time)}, in docs/costs.md ${documented}${against}`);
  }
  console.log(`One GetItem took ${median(items).toFixed(2)} ms of processor time.`);
  const missing = order.filter(([name]) => !ratios.has(name));
  if (missing.length > 0) console.error(`Not measured in time: ${missing.map(([name]) => name).join(", ")}`);
  if (flags.has("--write")) writeRatios(ratios);
  else if (slow.length > 0) console.error(`More than a fifth above docs/costs.md: ${slow.join(", ")}`);
  if (missing.length > 0 || (slow.length > 0 && !flags.has("--write"))) process.exitCode = 1;
} finally {
  for (const tree of trees) tree.stop();
  if (roots[1]) execFileSync("git", ["worktree", "remove", "--force", roots[1]]);
  rmSync(folder, { recursive: true, force: true });
}
