// npm test: everything that is checked, in the order of what fails fastest, and one plain line at the end.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { javaVersion } from "../infra/local/engine/engine.ts";

type Step = { name: string; command: string[]; env?: Record<string, string>; counts?: true };
type Tally = { passed: number; failed: number; skipped: number };

const reports = mkdtempSync(join(tmpdir(), "feedback-board-tests-"));

const vitest = (report: string, ...rest: string[]): string[] => [
  "vitest",
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${join(reports, report)}`,
  ...rest,
];

const steps: Step[] = [
  { name: "typecheck", command: ["tsc", "--noEmit"] },
  { name: "lint", command: ["biome", "lint", "--error-on-warnings", "."] },
  { name: "format", command: ["biome", "format", "."] },
  { name: "tests", command: vitest("tests.json"), counts: true },
];

const run = ({ name, command: [command = "", ...words], env }: Step): Promise<boolean> => {
  console.log(`\n== ${name}`);
  const child = spawn(command, words, { stdio: "inherit", env: { ...process.env, ...env } });
  return new Promise((done) => {
    child.once("error", (error) => {
      console.error(error.message);
      done(false);
    });
    child.once("exit", (code) => done(code === 0));
  });
};

/** What a report of vitest counts; a run that wrote none, or that failed beside its tests, counts as one failure. */
const tallyOf = (report: string, ok: boolean): Tally => {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(join(reports, report), "utf8"),
    );
    const failed = numFailedTests || (ok ? 0 : 1);
    return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
};

if (javaVersion() >= 17) {
  steps.push({
    name: "cross-check on DynamoDB Local",
    command: vitest("dynamodb-local.json", "test/lib/data", "test/functions"),
    env: { DB_ENGINE: "dynamodb-local" },
    counts: true,
  });
}

const total: Tally = { passed: 0, failed: 0, skipped: 0 };
for (const step of steps) {
  const ok = await run(step);
  const report = step.command
    .find((word) => word.startsWith("--outputFile.json="))
    ?.split("/")
    .at(-1);
  const tally = step.counts && report ? tallyOf(report, ok) : { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
  total.passed += tally.passed;
  total.failed += tally.failed;
  total.skipped += tally.skipped;
}
rmSync(reports, { recursive: true });
if (javaVersion() < 17) console.log("\nskipped: the cross-check on DynamoDB Local, which needs Java 17 or newer");
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
process.exitCode = total.failed > 0 ? 1 : 0;
