// npm test -- --explore [--minutes 10] [words]: runs the generated tests from new seeds, round after round, and prints
// for each failure the line that keeps its seed. Words are paths or options of vitest.
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";

const SEEDS_A_ROUND = 5;

const root = join(import.meta.dirname, "..");

const { values, positionals } = parseArgs({
  options: { explore: { type: "boolean" }, minutes: { type: "string", default: "10" } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error("Usage: npm test -- --explore [--minutes <number>] [paths]");
  process.exit(1);
}

const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .map((file) => join("test", file))
  .filter((file) => file.endsWith(".test.ts") && readFileSync(join(root, file), "utf8").includes("/generated.ts"))
  .filter((file) => positionals.length === 0 || positionals.some((word) => file.includes(word)));

type Report = {
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; title: string; failureMessages: string[] }[];
  }[];
};

type Round = { tests: number; lines: string[] };

function lineOf(file: string, title: string, message: string): string {
  const [, test = title, seed = 0] = /^(.*) \(seed (\d+)\)$/.exec(title) ?? [];
  const found = (message.split("\n")[0] ?? "").slice(0, 100);
  return `${JSON.stringify({ file, test, seed: Number(seed), found })},`;
}

function resultOf(report: string, seeds: string): Round {
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const round: Round = { tests: 0, lines: [] };
  for (const { name, message, assertionResults } of testResults) {
    const file = relative(root, name);
    for (const { status, title, failureMessages } of assertionResults) {
      if (status === "passed" || status === "failed") round.tests++;
      if (status === "failed") round.lines.push(lineOf(file, title, failureMessages[0] ?? ""));
    }
    if (message) round.lines.push(`${file} broke off with SEED=${seeds}: ${message.split("\n")[0]}`);
  }
  return round;
}

async function explore(): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), "feedback-board-explore-"));
  const report = join(folder, "report.json");
  const seeds = Array.from({ length: SEEDS_A_ROUND }, () => randomInt(2 ** 31)).join();
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
  const child = spawn("vitest", ["run", "--tags-filter=generated", ...reporters, ...files], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, SEED: seeds },
  });
  const code = await new Promise<number | null>((done) => child.once("exit", done));
  try {
    const round = resultOf(report, seeds);
    if (code !== 0 && round.lines.length === 0) round.lines.push(`The run with SEED=${seeds} broke off (${code})`);
    return round;
  } catch {
    return { tests: 0, lines: [`The run with SEED=${seeds} broke off (${code})`] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const end = Date.now() + minutes * 60_000;
const total: Round = { tests: 0, lines: [] };
let rounds = 0;
do {
  const { tests, lines } = await explore();
  rounds++;
  total.tests += tests;
  total.lines.push(...lines);
} while (Date.now() < end);

if (total.lines.length > 0) {
  console.log("\nKeep what was found, in test/support/world/past-failures.ts:");
  for (const line of new Set(total.lines)) console.log(`  ${line}`);
}
console.log(`\n${rounds} rounds of ${SEEDS_A_ROUND} seeds: ${total.tests} tests, ${total.lines.length} failed`);
process.exitCode = total.lines.length > 0 ? 1 : 0;
