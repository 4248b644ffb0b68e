import { realpathSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

// An engine decides what an expression means, whether a condition holds, what the answer is when it does not, and where
// a page ends. Of these files grants sends every form of call of every function, differential compares what expressions
// mean, and the rooms of lib/ look at refusals and pages. They run on DynamoDB Local too, where `npm test` finds Java;
// grants only there: the rights that it judges are the same on every engine.
const grants = "test/security/grants.test.ts";
const ofSimulator = "test/simulator/**/*.test.ts";
const skipped = process.env.SIMULATOR_TESTS === "off" ? [ofSimulator] : [];
const isCrossChecked = process.env.CROSS_CHECK === "on";
const crossCheck = {
  extends: true as const,
  test: {
    name: "dynamodb-local",
    include: ["test/lib/{table,catalogue}/*.test.ts", grants, "test/simulator/differential.model.test.ts"],
    exclude: skipped,
    globalSetup: ["test/support/dynamodb-local.ts"],
    env: { DB_ENGINE: "dynamodb-local" },
  },
};

// Node loads the product's modules itself, once a process, as `npm start` does. Loaded anew for each file, they took half
// of the work of the tests: V8 compiles and optimises what stays.
const folder = realpathSync(import.meta.dirname).replaceAll(/[^\w/]/g, "\\$&");
const product = new RegExp(`^${folder}/(functions|infra|lib)/.+\\.ts$`);

export default defineConfig({
  test: {
    server: { deps: { external: [product] } },
    projects: [
      {
        extends: true,
        test: {
          name: "dynoxide",
          include: ["test/**/*.test.ts"],
          exclude: [...skipped, ...(isCrossChecked ? [grants] : [])],
        },
      },
      ...(isCrossChecked ? [crossCheck] : []),
    ],
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/fresh-file.ts", "test/support/cheap-hashes.ts", "test/support/setup.ts"],
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    // Less of the time goes into collecting garbage.
    execArgv: ["--max-semi-space-size=64"],
    // More than processors: some tests wait for processes, or for time limits of the product.
    maxWorkers: availableParallelism() + 2,
    // Files share a process (test/support/fresh-file.ts).
    isolate: false,
    // A test that hangs ends here. No test needs to be that slow, but the machine may be.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // What a test prints is shown where it fails.
    silent: "passed-only",
    slowTestThreshold: 10_000,
    tags: [{ name: "generated", description: "Draws at random from a seed." }],
  },
});
