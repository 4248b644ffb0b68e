// npm run bench: the processor time of a call of each endpoint, with the background work behind it, of all processes of
// npm start, as a ratio to one GetItem. docs/costs.md#measured.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { setDefaults } from "../../infra/local/environment.ts";
import { readCommandLine } from "../../infra/usage.ts";
import { environment } from "../../lib/runtime/environment.ts";
import { documentClient } from "../../lib/table/client.ts";
import type { Request } from "../support/http/invoke.ts";
import { costRows, writeRatios } from "../support/world/ordinary.ts";
import { processorTime, startTree, type Tree } from "./tree.ts";

const { flags, options } = readCommandLine("npm run bench [-- [--against <commit>] [--write]]", {
  flags: ["--write"],
  options: ["--against"],
});

const SAMPLES = 30;
const STARTS = 7;
const TOLERANCE = 1.2;
const END = Date.now() + (options["--against"] || flags.has("--write") ? 400_000 : 165_000);

const folder = mkdtempSync(join(tmpdir(), "feedback-board-bench-"));
Object.assign(process.env, { PORT: "0", MAIL_LOG_FILE: join(folder, "mail.jsonl"), DYNAMODB_ENDPOINT: "" });
setDefaults(undefined);
// Letters for examples are sent in this process, which would print them.
console.info = () => {};

/** The lower quartile: other work on the machine slows some samples down, and so does being the first. */
function usual(samples: number[]): number {
  return samples.toSorted((a, b) => a - b)[samples.length >> 2] ?? 0;
}

/** Takes one sample of processor time, in milliseconds. */
type Sample = () => Promise<number>;

/** Calls of an endpoint on a tree, prepared before the first sample. */
async function prepare(tree: Tree, name: string, writes: number, behind: number, samples: number): Promise<Sample> {
  // An account has 20 keys at most, and every list reads all boards and roadmaps. Background work needs more calls,
  // because the time of an idle server is subtracted.
  const calls = behind === 0 ? 1 : /^(keys|boards|roadmaps)-/.test(name) ? 4 : 30;
  // A site has few webhooks and statuses, so their examples remove the ones before.
  const isAlone = /^(webhooks|statuses)-/.test(name);
  tree.enter();
  // What reads can be asked again.
  const one = await tree.request(name);
  const requests = Array<Request>(samples * calls).fill(one);
  if (writes > 0 && !isAlone) for (const at of requests.keys()) requests[at] = await tree.request(name);
  await tree.keepUp();
  if (writes > 0) await tree.atRest(() => 0);
  return async () => {
    tree.enter();
    const sent = isAlone ? [await tree.request(name)] : requests.splice(0, calls);
    const taken = tree.watch();
    for (const request of sent) await tree.send(name, request);
    if (behind === 0) return taken() / calls;
    // It begins within a second.
    await sleep(1000);
    return (await tree.atRest(taken)) / calls;
  };
}

/** The import of a function and its first request, in a process of its own. */
async function prepareStart(tree: Tree, root: string, name: string): Promise<Sample> {
  tree.enter();
  const { bundleAll, entryFiles } = await import(join(root, "infra/bundle/bundle.ts"));
  const out = mkdtempSync(join(folder, "start-"));
  await bundleAll(out, { [name]: entryFiles()[name] });
  const words = [join(import.meta.dirname, "start.mjs"), join(out, name, "index.mjs")];
  return async () => {
    tree.enter();
    const event = JSON.stringify(tree.event(name, await tree.request(name)));
    const printed = execFileSync(process.execPath, [...words, event], { encoding: "utf8" });
    return Number(printed.split("\n").at(-1));
  };
}

/** Some GetItems of an item that does not exist, in this process and the engine. */
async function readItems(tree: Tree): Promise<number> {
  tree.enter();
  const time = () => processorTime([tree.enginePid, process.pid]);
  const Key = { pk: "BENCH", sk: "BENCH" };
  const before = time();
  for (let call = 0; call < 5; call++) {
    const command = new GetCommand({ TableName: environment().TABLE_NAME, Key, ConsistentRead: true });
    await documentClient().send(command);
  }
  return (time() - before) / 5;
}

/** The ratio of a row to a GetItem on each tree; the samples of all take turns. */
async function measure(trees: Tree[], row: string, units: string[]): Promise<number[]> {
  const [, , writes = 0, behind = 0] = units.map(Number);
  const [name = "", start] = row.split(":");
  const isFew = writes > 0 && /^(keys|boards|roadmaps)-/.test(name);
  const samples = start ? STARTS : behind > 0 ? 3 : isFew ? 4 : SAMPLES;
  const rows: { sample: Sample; times: number[] }[] = [];
  for (const tree of trees) {
    const sample = await (start ? prepareStart(tree, tree.root, name) : prepare(tree, name, writes, behind, samples));
    rows.push({ sample, times: [] });
  }
  const items: number[] = [];
  for (let round = 0; round < samples; round++) {
    for (let group = 0; group < SAMPLES / samples; group++) items.push(await readItems(trees[0] as Tree));
    for (const { sample, times } of rows) times.push(await sample());
  }
  return rows.map(({ times }) => Number((usual(times) / usual(items)).toPrecision(2)));
}

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
  const rows = [...costRows()].filter(([, { time }]) => time !== "–");
  // Reads first, then writes; boards fill what all lists read, and each event is delivered to a webhook.
  const place = (name: string, [, , writes]: string[]) =>
    name.startsWith("webhooks-") ? 3 : !Number(writes) ? 0 : /^(boards|roadmaps)-/.test(name) ? 2 : 1;
  const order = rows.toSorted(([a, one], [b, other]) => place(a, one.units) - place(b, other.units));
  // What all endpoints share becomes as fast as it gets.
  for (let round = 0; round < 3; round++) {
    for (const [name, { units }] of order.slice(0, 6)) await measure(trees, name, units);
  }
  for (const tree of trees) await tree.rest();
  const ratios = new Map<string, number>();
  const slow: string[] = [];
  for (const [name, { units, time }] of order) {
    if (Date.now() > END) break;
    const having = trees.filter(({ has }) => has(name.split(":")[0] as string));
    let [ratio = 0, other] = await measure(having, name, units);
    // A new row has no time to compare with.
    const isSlow = () => ratio > Number(time) * TOLERANCE && !flags.has("--write");
    // A busy machine can slow one down.
    for (let again = 0; again < 2 && isSlow(); again++) [ratio = 0, other] = await measure(having, name, units);
    ratios.set(name, ratio);
    if (isSlow()) slow.push(name);
    const against = other ? `, the other tree ${other}: ${(ratio / other).toFixed(2)}x` : "";
    console.log(`${name}: ${ratio}, in docs/costs.md ${time}${against}`);
  }
  const missing = order.filter(([name]) => !ratios.has(name));
  if (missing.length > 0) console.error(`Not measured in time: ${missing.map(([name]) => name).join(", ")}`);
  if (flags.has("--write")) writeRatios(ratios);
  if (slow.length > 0) console.error(`More than a fifth above docs/costs.md: ${slow.join(", ")}`);
  if (missing.length > 0 || slow.length > 0) process.exitCode = 1;
} finally {
  for (const tree of trees) tree.stop();
  if (roots[1]) execFileSync("git", ["worktree", "remove", "--force", roots[1]]);
  rmSync(folder, { recursive: true, force: true });
}
