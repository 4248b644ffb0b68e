// npm run simulate: clients call every endpoint, under faults, and every answer is checked against history
// (test/simulator/README.md).
import { randomInt } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine } from "../../infra/usage.ts";
import { profiles } from "./clients/profiles.ts";
import { type Found, foundOf, runAgain, type Shrunk, shrinkRun } from "./clients/report.ts";
import { type RunOptions, type RunResult, run } from "./clients/run.ts";
import { findMutant, mutants } from "./mutants/mutants.ts";
import { bundleService } from "./program.ts";
import { Milestones } from "./world/milestones.ts";

const USAGE =
  "npm run simulate [-- --operations <number>] [--seed <word>] [--profile <name>] [--minutes <number>] [--replay <file>] [--mutants]";

/** The number of operations of one world: enough for several days, and few enough to repeat after a failure. */
const OPERATIONS_A_RUN = 5000;

const SHRINKING_MS = 5 * 60_000;

const { flags, options } = readCommandLine(USAGE, {
  flags: ["--mutants"],
  options: ["--operations", "--seed", "--profile", "--minutes", "--replay"],
});

function wrong(what: string): never {
  console.error(`${what}. Usage: ${USAGE}`);
  process.exit(1);
}

function numberOf(name: "--operations" | "--minutes", usual: number): number {
  const value = Number(options[name] ?? usual);
  return value > 0 ? value : wrong(`${name} is not a number above 0`);
}

function profileNamed(name: string | undefined) {
  return name === undefined
    ? undefined
    : (profiles.find((each) => each.name === name) ?? wrong(`No profile is named ${name}`));
}

function inDays(milliseconds: number): string {
  return `${(milliseconds / 86_400_000).toFixed(1)} days`;
}

function sum(results: readonly RunResult[], of: (result: RunResult) => number): number {
  return results.reduce((total, result) => total + of(result), 0);
}

function summary(results: readonly RunResult[]): string {
  const [operations, faults] = [
    sum(results, ({ tally }) => tally.operations),
    sum(results, (each) => each.faults.length),
  ];
  const unknown = sum(results, ({ tally }) => tally.unknown);
  const rest = `${sum(results, ({ kills }) => kills)} containers killed, ${inDays(sum(results, ({ time }) => time))}`;
  return `${operations} operations (${unknown} without an answer), ${faults} faults, ${rest}`;
}

function report(found: Found, { result, turns, faults, runs }: Shrunk): void {
  const folder = join(import.meta.dirname, "../../.data");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `simulation-${found.seed.replaceAll(/\W+/g, "-")}.json`);
  writeFileSync(file, `${JSON.stringify(found)}\n`);
  console.log(`\nshrunk in ${runs} runs to ${turns.length} turns of clients and ${faults.length} faults`);
  console.log(result.trace.slice(-150).join("\n"));
  console.log(`\n${result.violation?.message}`);
  console.log(`again: npm run simulate -- --replay ${file}`);
}

/** Runs worlds until the operations are done or the time is over. Returns whether all answers were right. */
async function explore(): Promise<boolean> {
  const operations = numberOf("--operations", 100_000);
  const end = Date.now() + numberOf("--minutes", 600) * 60_000;
  const seed = options["--seed"] ?? String(randomInt(2 ** 31));
  const profile = profileNamed(options["--profile"]);
  const program = await bundleService();
  const started = Date.now();
  const results: RunResult[] = [];
  for (let number = 0; sum(results, ({ tally }) => tally.operations) < operations && Date.now() < end; number++) {
    const left = operations - sum(results, ({ tally }) => tally.operations);
    const chosen = { ...(profile && { profile }), operations: Math.min(OPERATIONS_A_RUN, left) };
    const options: RunOptions = { seed: `${seed}/${number}`, program, ...chosen };
    const result = await run(options);
    results.push(result);
    const speed = Math.round((sum(results, ({ tally }) => tally.operations) / (Date.now() - started)) * 1000);
    console.log(
      `${new Date().toISOString()} ${options.seed} (${result.profile}): ${summary(results)}, ${speed} a second`,
    );
    if (!result.violation) continue;
    console.log(`\nseed ${options.seed}: ${result.violation.message}\n${result.violation.stack ?? ""}`);
    const shrunk = await shrinkRun({ ...options, keepsTrace: true }, result, { milliseconds: SHRINKING_MS });
    report(foundOf(options, shrunk), shrunk);
    return false;
  }
  const reached = new Milestones();
  for (const { milestones } of results) reached.add(milestones);
  console.log(`\nreached: ${reached}`);
  console.log(`seed ${seed}: ${summary(results)}, 0 violations`);
  return true;
}

/** Repeats a run that was kept, and prints its trace. Returns whether no answer was wrong. */
async function replay(file: string): Promise<boolean> {
  if (!existsSync(file)) wrong(`There is no file ${file}`);
  const found = JSON.parse(readFileSync(file, "utf8")) as Found;
  const profile = profileNamed(found.profile);
  const result = await runAgain(found, { program: await bundleService(), ...(profile && { profile }) });
  console.log(result.trace.join("\n"));
  console.log(`\n${result.violation ? result.violation.message : "no violation"}`);
  return !result.violation;
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

const isRight = flags.has("--mutants")
  ? await checkMutants()
  : await (options["--replay"] ? replay(options["--replay"]) : explore());
process.exitCode = isRight ? 0 : 1;
