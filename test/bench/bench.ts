// npm run bench: the processor time of ordinary requests with the background work behind them, of all processes of
// npm start; what these take without calls, and their memory under eight clients; and the start of a function.
// It judges nothing: times differ between machines, and on one machine between hours. Versions are compared in one run.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readCommandLine } from "../../infra/usage.ts";
import { type Row, rows, rowsOf, SAMPLES } from "./rows.ts";
import { buildSite, type Site } from "./site.ts";
import { timeOfStart } from "./start.ts";
import { startTree, type Tree } from "./tree.ts";

const HELP = `
  --against <commit>  also measures this version, in turns
  --only <words>      measures only the rows with these words in their names`;

const { options } = readCommandLine("npm run bench [-- [--against <commit>] [--only <words>]]", {
  help: HELP,
  options: ["--against", "--only"],
});

/** A version with its site. */
type Version = { tree: Tree; site: Site };

/** Takes one sample of a row, a number, on a version. */
type Sample = (version: Version, sample: number) => Promise<number>;

/** The lower quartile: other work on the machine makes some samples dearer. */
function usual(samples: number[]): number {
  return samples.toSorted((a, b) => a - b)[samples.length >> 2] ?? 0;
}

/** The processor time of a request, in milliseconds. */
function timeOf(row: Row): Sample {
  return async ({ tree, site }, sample) => {
    const requests = row.requests(site, sample);
    const taken = tree.watch();
    for (const request of requests) {
      const { status, text } = await tree.send(request);
      if (status >= 400) throw new Error(`${row.name}: ${status} ${text}`);
      row.keep?.(site, text);
    }
    return (row.isWrite ? await tree.atRest(taken) : taken()) / requests.length;
  };
}

/** Measures a row on each version, sample by sample in turns. A version that cannot do it has no samples. */
async function measure(versions: Version[], sampleOf: Sample, samples: number): Promise<(number | undefined)[]> {
  const measured = versions.map((version) => ({ version, values: [] as number[], fails: false }));
  for (let sample = 0; sample < samples; sample++) {
    for (const each of measured.filter(({ fails }) => !fails)) {
      try {
        each.values.push(await sampleOf(each.version, sample));
      } catch (error) {
        each.fails = true;
        console.error(`${each.version.tree.root}: ${(error as Error).message}`);
      }
    }
  }
  return measured.map(({ values, fails }) => (fails ? undefined : usual(values)));
}

const EIGHT = 8;
const REQUESTS_OF_EACH = 150;

/** Eight clients read at the same time. Returns the most memory that the server has had so far, in MB. */
async function memoryUnderLoad({ tree, site }: Version): Promise<number> {
  const reads = rows.filter(({ isWrite }) => !isWrite).map((row) => row.requests(site, 0)[0]);
  const client = async (): Promise<void> => {
    for (let n = 0; n < REQUESTS_OF_EACH; n++) {
      const request = reads[n % reads.length];
      if (request) await tree.send(request);
    }
  };
  await Promise.all(Array.from({ length: EIGHT }, client));
  return tree.peakMemory();
}

function print(name: string, values: (number | undefined)[]): void {
  const [value, other] = values;
  const texts = values.map((each) => (each === undefined ? "–" : each.toPrecision(3)).padStart(8));
  const ratio = value !== undefined && other ? (value / other).toFixed(2).padStart(8) : "";
  console.log(`${name.padEnd(34)}${texts.join("")}${ratio}`);
}

function addWorktree(folder: string, commit: string): string {
  const other = join(folder, "other");
  execFileSync("git", ["worktree", "add", "--quiet", "--detach", other, commit]);
  symlinkSync(resolve("node_modules"), join(other, "node_modules"));
  return other;
}

const folder = mkdtempSync(join(tmpdir(), "feedback-board-bench-"));
const { "--against": against } = options;
const roots = [resolve("."), ...(against === undefined ? [] : [addWorktree(folder, against)])];
const env = { ...process.env, PORT: "0", DYNAMODB_ENDPOINT: "", MAIL_LOG_FILE: join(folder, "mail.jsonl") };
const versions: Version[] = [];
try {
  for (const root of roots) {
    const tree = await startTree(root, env);
    versions.push({ tree, site: await buildSite(tree) });
  }
  console.log(`${"".padEnd(34)}${"here".padStart(8)}${against ? `${against.slice(0, 7).padStart(8)}   ratio` : ""}`);
  // What all requests share becomes as fast as it gets.
  for (const row of rows.filter(({ isWrite }) => !isWrite)) await measure(versions, timeOf(row), 3);
  for (const { tree } of versions) await tree.atRest(tree.watch());
  print("no calls, ms a second", await measure(versions, ({ tree }) => tree.rest(), 1));
  for (const row of rowsOf(options["--only"])) print(`${row.name}, ms`, await measure(versions, timeOf(row), SAMPLES));
  print("peak memory of eight clients, MB", await measure(versions, memoryUnderLoad, 1));
  print("start of a function, ms", await measure(versions, ({ tree }) => timeOfStart(tree, folder), SAMPLES));
} finally {
  for (const { tree } of versions) await tree.stop();
  if (roots[1]) execFileSync("git", ["worktree", "remove", "--force", roots[1]]);
  rmSync(folder, { recursive: true, force: true });
}
