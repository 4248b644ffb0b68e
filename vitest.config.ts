import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

if (Number(process.versions.node.split(".")[0]) < 22) {
  throw new Error(`The tests need Node 22.18 or newer and got ${process.versions.node}: run them by npm test`);
}

const EVERY_FILE = "test/**/*.test.ts";

// Long random histories and large tables.
const MODELS = "test/**/*.model.test.ts";

// Processes, bundles, syntheses.
const PROCESSES = "test/infra/**/*.test.ts";

const project = (
  name: string,
  test: NonNullable<TestProjectInlineConfiguration["test"]>,
): TestProjectInlineConfiguration => ({ extends: true, test: { name, ...test } });

// What an engine can answer differently
const crossCheck = project("cross-check", {
  include: ["test/lib/data/**/*.test.ts", "test/functions/**/*.test.ts"],
  globalSetup: ["test/support/dynamodb-local.ts"],
  env: { DB_ENGINE: "dynamodb-local" },
});

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/fresh-file.ts", "test/support/setup.ts"],
    pool: "forks",
    maxWorkers: Math.max(2, availableParallelism()),
    // Files share a process, in which each gets modules of its own (test/support/fresh-file.ts).
    isolate: false,
    // A test that hangs ends here. No test needs to be that slow, but the machine may be.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What a test prints is shown where it fails.
    silent: "passed-only",
    slowTestThreshold: 10_000,
    tags: [{ name: "generated", description: "Draws at random from a seed." }],
    projects: [
      project("fast", { include: [EVERY_FILE], exclude: [MODELS, PROCESSES] }),
      project("models", { include: [MODELS] }),
      project("processes", { include: [PROCESSES], isolate: true }),
      ...(process.env.CROSS_CHECK === "on" ? [crossCheck] : []),
    ],
  },
});
