// npm run simulate: clients call every endpoint, under faults, and every answer is checked against history
// (test/simulator/README.md).
import { randomInt } from "node:crypto";
import { readCommandLine } from "../../infra/usage.ts";
import { profiles } from "./clients/profiles.ts";
import { type Shrunk, shrinkRun } from "./clients/report.ts";
import { type RunOptions, type RunResult, run } from "./clients/run.ts";
import { findMutant, mutants } from "./mutants/mutants.ts";
import { allRows, inMarkdown, isFair } from "./neighbours/table.ts";
import { bundleService } from "./program.ts";
import { Milestones } from "./world/milestones.ts";

const USAGE =
  "npm run simulate [-- --operations <number>] [--seed <word>] [--minutes <number>] [--profile <name>] [--mutants] [--neighbours]";

/** The number of operations of one world: enough for several days, and few enough to repeat after a failure. */
const OPERATIONS_A_RUN = 5000;

const SHRINKING_MS = 5 * 60_000;

const { flags, options } = readCommandLine(USAGE, {
  flags: ["--mutants", "--neighbours"],
  options: ["--operations", "--seed", "--minutes", "--profile"],
});

const profile = profiles.find(({ name }) => name === options["--profile"]);
if (options["--profile"] && !profile) {
  console.error(`No such profile; there are: ${profiles.map(({ name }) => name).join(", ")}`);
  process.exit(1);
}

function numberOf(name: "--operations" | "--minutes", usual: number): number {
  const value = Number(options[name] ?? usual);
  if (value > 0) return value;
  console.error(`${name} is not a number above 0. Usage: ${USAGE}`);
  process.exit(1);
}

function inDays(milliseconds: number): string {
  return `${(milliseconds / 86_400_000).toFixed(1)} days`;
}

function sum(results: readonly RunResult[], of: (result: RunResult) => number): number {
  return results.reduce((total, result) => total + of(result), 0);
}

function summary(results: readonly RunResult[]): string {
  const operations = sum(results, ({ tally }) => tally.operations);
  const faults = sum(results, (each) => each.faults.length);
  const unknown = sum(results, ({ tally }) => tally.unknown);
  const rest = `${sum(results, ({ kills }) => kills)} containers killed, ${inDays(sum(results, ({ time }) => time))}`;
  return `${operations} operations (${unknown} without an answer), ${faults} faults, ${rest}`;
}

function unknownByEndpoint(results: readonly RunResult[]): string {
  const counts = new Map<string, number>();
  for (const [name, count] of results.flatMap(({ tally }) => [...tally.unknownOf])) {
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const most = [...counts].sort(([, a], [, b]) => b - a);
  return most.map(([name, count]) => `${count} ${name}`).join(", ") || "none";
}

function report({ result, turns, faults, runs }: Shrunk): void {
  console.log(`\nshrunk in ${runs} runs to ${turns.length} turns of clients and ${faults.length} faults`);
  console.log(result.trace.slice(-150).join("\n"));
  console.log(`\n${result.violation?.message}`);
}

/** Runs worlds until the operations are done or the time is over. Returns whether all answers were right. */
async function explore(): Promise<boolean> {
  const operations = numberOf("--operations", 100_000);
  const end = Date.now() + numberOf("--minutes", 600) * 60_000;
  // A failed run prints its seed and its number in it.
  const [seed, only] = (options["--seed"] ?? String(randomInt(2 ** 31))).split("/");
  const program = await bundleService();
  const started = Date.now();
  const results: RunResult[] = [];
  for (
    let number = Number(only ?? 0);
    sum(results, ({ tally }) => tally.operations) < operations && Date.now() < end;
    number++
  ) {
    const left = operations - sum(results, ({ tally }) => tally.operations);
    const options: RunOptions = {
      seed: `${seed}/${number}`,
      program,
      operations: Math.min(OPERATIONS_A_RUN, left),
      ...(profile && { profile }),
    };
    const result = await run(options);
    results.push(result);
    const speed = Math.round((sum(results, ({ tally }) => tally.operations) / (Date.now() - started)) * 1000);
    console.log(
      `${new Date().toISOString()} ${options.seed} (${result.profile}): ${summary(results)}, ${speed} a second`,
    );
    if (!result.violation && only !== undefined) return true;
    if (!result.violation) continue;
    console.log(`\nseed ${options.seed}: ${result.violation.message}\n${result.violation.stack ?? ""}`);
    report(await shrinkRun({ ...options, keepsTrace: true }, result, { milliseconds: SHRINKING_MS }));
    return false;
  }
  const reached = new Milestones();
  for (const { milestones } of results) reached.add(milestones);
  console.log(`\nreached: ${reached}`);
  console.log(`without an answer: ${unknownByEndpoint(results)}`);
  console.log(`seed ${seed}: ${summary(results)}, 0 violations`);
  return true;
}

async function checkMutants(): Promise<boolean> {
  let missed = 0;
  for (const mutant of mutants) {
    const found = await findMutant(mutant);
    if (!found) missed++;
    console.log(
      `${mutant.name}: ${found ? `found after ${found.operations} operations: ${found.violation}` : "NOT FOUND"}`,
    );
  }
  console.log(`\n${mutants.length - missed} of ${mutants.length} mutants found`);
  return missed === 0;
}

/** Prints the table of docs/guarantees.md#neighbours. Returns whether each row is fair. */
async function meetNeighbours(): Promise<boolean> {
  let unfair = 0;
  for await (const row of allRows(await bundleService(), Number(options["--seed"] ?? 1))) {
    if (!isFair(row)) unfair++;
    console.log(`${inMarkdown(row)} ${row.beside.failed.join(", ")}`);
  }
  console.log(`\n${unfair} rows miss the goal`);
  return unfair === 0;
}

async function chosen(): Promise<boolean> {
  if (flags.has("--mutants")) return checkMutants();
  return flags.has("--neighbours") ? meetNeighbours() : explore();
}

process.exitCode = (await chosen()) ? 0 : 1;
