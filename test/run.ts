// npm test: types, lint and format beside every test, and one plain line at the end. The simulator's own tests run only
// when it has changed (simulator-changes.ts).
// npm test -- <words>: hands the words (paths, names, options) to vitest and runs nothing else.
// npm test -- --endpoint <name>: runs what a change of one endpoint can break (endpoint.ts).
// npm test -- --explore: runs the generated tests from new seeds (explore.ts).
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { javaVersion } from "../infra/local/engine/kinds.ts";
import { isSimulatorUntested, keepThatSimulatorPassed } from "./simulator-changes.ts";

const PROJECT = join(import.meta.dirname, "..");

type Tally = { passed: number; failed: number; skipped: number };

// What a process has compiled, the next one reads: a quarter of the work of a test file that loads much.
process.env.NODE_COMPILE_CACHE ??= join(PROJECT, "node_modules/.cache/node");

/** Runs a command to its end; whether it succeeded. */
function run(name: string, [command = "", ...words]: string[], env: Record<string, string> = {}): Promise<boolean> {
  console.log(`\n== ${name}`);
  const child = spawn(command, words, { stdio: "inherit", env: { ...process.env, ...env } });
  return new Promise((done) => {
    child.once("error", (error) => {
      console.error(error.message);
      done(false);
    });
    child.once("exit", (code) => done(code === 0));
  });
}

/** Runs `npm run check`, and prints what it found in one piece: the tests print at the same time. */
async function check(): Promise<Tally> {
  const child = spawn("npm", ["run", "--silent", "check"], { stdio: ["ignore", "pipe", "pipe"] });
  const [found, complaints, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((done) => {
      child.once("error", done);
      child.once("exit", done);
    }),
  ]);
  console.log(`\n== types, lint and format\n${found}${complaints}`);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

type FileReport = { status: string; assertionResults: { status: string }[] };

/** A file that could not be loaded, or that failed before or after its tests. */
function isFailedBesideTests({ status, assertionResults }: FileReport): boolean {
  return status === "failed" && assertionResults.every((each) => each.status !== "failed");
}

/** What vitest's report counts, and files that failed beside their tests. A run that broke off counts as a failure. */
function tallyOf(report: string, ok: boolean): Tally {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
      readFileSync(report, "utf8"),
    );
    const failed = numFailedTests + testResults.filter(isFailedBesideTests).length || (ok ? 0 : 1);
    return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

async function tests(words: string[], env?: Record<string, string>): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), "feedback-board-tests-"));
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const ok = await run("tests", ["vitest", "run", ...reporters, ...words], env);
  const tally = tallyOf(report, ok);
  rmSync(folder, { recursive: true });
  return tally;
}

async function everything(): Promise<Tally[]> {
  const hasJava = javaVersion() >= 17;
  const isUntested = isSimulatorUntested(PROJECT, Boolean(process.env.CI));
  const [checked, tested] = await Promise.all([
    check(),
    tests([], {
      ...(hasJava && { CROSS_CHECK: "on" }),
      ...(!isUntested && { SIMULATOR_TESTS: "off" }),
    }),
  ]);
  if (isUntested && tested.failed === 0) keepThatSimulatorPassed(PROJECT);
  if (!hasJava) console.log("\nskipped: the cross-check on DynamoDB Local, which needs Java 17 or newer");
  if (!isUntested) console.log("\nskipped: the simulator's tests, which passed before (CI=1 npm test runs them)");
  return [checked, tested];
}

const words = process.argv.slice(2);
if (words.includes("--explore")) {
  await import("./explore.ts");
  process.exit();
}

/** The rows that an endpoint lacks, each a failure, and the runs of its tests. */
async function endpointAlone(name = ""): Promise<Tally[]> {
  const { definitionOf, missingRows, runsOf } = await import("./endpoint.ts");
  const missing = missingRows(definitionOf(name));
  // Suites would find the same rows missing, minutes later.
  if (missing.length > 0) {
    for (const row of missing) console.error(row);
    return [{ passed: 0, failed: missing.length, skipped: 0 }];
  }
  const tallies: Tally[] = [];
  for (const run of runsOf(name)) tallies.push(await tests(run));
  return tallies;
}

async function chosen(): Promise<Tally[]> {
  if (words[0] === "--endpoint") return endpointAlone(words[1]);
  return words.length > 0 ? [await tests(words)] : everything();
}

const tallies = await chosen();
function sum(key: keyof Tally): number {
  return tallies.reduce((total, tally) => total + tally[key], 0);
}
const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed${skipped}`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
