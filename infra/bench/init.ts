// npm run bench:init: how long a process takes to start and import a bundle, as a ratio to an empty handler. docs/performance.md.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { bundleAll, bundleOptions, entryFiles } from "../bundle/bundle.ts";
import { lazyHttp, withoutLazyTwins, withoutOnDemand, withoutUnused } from "../bundle/plugins.ts";
import { readCommandLine } from "../usage.ts";
import { median } from "./median.ts";

const { flags } = readCommandLine("npm run bench:init [-- --all | --levers]", { flags: ["--all", "--levers"] });

const ROUNDS = 21;

// One of each kind: hashing, the largest endpoint, a transaction, the catalogue, the largest group, mail, the smallest.
const SAMPLE = ["auth-sign-up", "posts-list", "votes-add", "boards-list", "users", "send", "keep"];

/** A bundle to measure: its entry file, and the bytes that its start loads. */
type Candidate = { name: string; file: string; bytes: number };

const folder = mkdtempSync(join(tmpdir(), "feedback-board-bench-"));

function empty(): Candidate {
  const text = "export const handler = async () => ({ statusCode: 204 });\n";
  const file = join(folder, "empty/index.mjs");
  mkdirSync(dirname(file));
  writeFileSync(file, text);
  return { name: "an empty handler", file, bytes: text.length };
}

async function functions(all: boolean): Promise<Candidate[]> {
  return (await bundleAll(join(folder, "functions"))).filter(({ name }) => all || SAMPLE.includes(name));
}

/** Imports zod by its named export, which the linter forbids. */
const namedZod: Plugin = {
  name: "named-zod",
  setup({ onLoad }) {
    onLoad({ filter: /(lib|functions)\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace('* as z from "zod/mini"', '{ z } from "zod/mini"'),
      loader: "ts",
    }));
  },
};

// Each lever is added to those before it. Splitting comes last, in place of the two that have its effect in one file.
const LEVERS: Record<string, BuildOptions> = {
  'import { z } from "zod/mini"': { plugins: [namedZod] },
  'import * as z from "zod/mini"': { plugins: [] },
  "+ node:http taken lazily": { plugins: [lazyHttp] },
  "+ nothing of the SDK that Lambda never loads": { plugins: [lazyHttp, withoutOnDemand] },
  "+ our own lazy imports made eager": { plugins: [lazyHttp, withoutOnDemand, withoutLazyTwins] },
  "+ stubs for modules that no function uses": {
    plugins: [lazyHttp, withoutOnDemand, withoutLazyTwins, withoutUnused],
  },
  "+ schemas that no endpoint uses fall out": {},
  "all of them, and splitting": { splitting: true },
  "all of them, without minifying": { minify: false },
};

async function levers(): Promise<Candidate[]> {
  const entry = entryFiles()["posts-list"] ?? "";
  const candidates: Candidate[] = [];
  for (const [name, options] of Object.entries(LEVERS)) {
    const outdir = join(folder, String(candidates.length));
    const { metafile } = await build({
      ...bundleOptions,
      ...options,
      entryPoints: { index: entry },
      outdir,
      metafile: true,
    });
    candidates.push({ name, file: join(outdir, "index.mjs"), bytes: loadedAtStart(metafile.outputs) });
  }
  return candidates;
}

type Outputs = Record<string, { bytes: number; imports: { path: string; kind: string; external?: boolean }[] }>;

/** The bytes of the entry file and of what it imports statically. */
function loadedAtStart(outputs: Outputs): number {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const imported of outputs[path]?.imports ?? []) {
      if (imported.kind === "import-statement" && !imported.external) load(imported.path);
    }
  };
  load(Object.keys(outputs).find((path) => path.endsWith("/index.mjs")) ?? "");
  return [...loaded].reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
}

/** The milliseconds of one start, by the clock and of the processor. Other work on the machine changes the second less. */
type Start = { clock: number; processor: number };

/** Measures a process that loads a bundle and ends. */
function startOf({ name, file }: Candidate): Start {
  const script = `await import(${JSON.stringify(file)});const{user,system}=process.cpuUsage();process.stdout.write(String(user+system))`;
  const started = performance.now();
  const words = ["--input-type=module", "--eval", script];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { env: {}, encoding: "utf8" });
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
  return { clock: performance.now() - started, processor: Number(stdout) / 1000 };
}

function medianOf(starts: Start[]): Start {
  return {
    clock: median(starts.map(({ clock }) => clock)),
    processor: median(starts.map(({ processor }) => processor)),
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Measures the candidates in turn, round by round, so that other work on the machine slows all of them down. */
function measure(candidates: Candidate[]): void {
  const starts = candidates.map((): Start[] => []);
  for (const candidate of candidates) startOf(candidate);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, candidate] of candidates.entries()) starts[index]?.push(startOf(candidate));
  }
  const medians = starts.map(medianOf);
  const base = medians[0] ?? { clock: 1, processor: 1 };
  const rows = candidates.map(({ name, bytes }, index) => {
    const { clock, processor } = medians[index] ?? base;
    return {
      what: name,
      KB: Math.round(bytes / 1000),
      ms: rounded(clock, 1),
      ratio: rounded(clock / base.clock, 2),
      "CPU ms": rounded(processor, 1),
      "CPU ratio": rounded(processor / base.processor, 2),
    };
  });
  console.log(`Process start and import, median of ${ROUNDS} rounds, Node ${process.versions.node}`);
  console.table(rows);
}

try {
  const candidates = flags.has("--levers") ? await levers() : await functions(flags.has("--all"));
  measure([empty(), ...candidates]);
} finally {
  rmSync(folder, { recursive: true });
}
