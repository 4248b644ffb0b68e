import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const EVERY_FILE = "test/**/*.test.ts";

// Long random histories, large tables, many kills and races: files that take more than about five seconds.
const LONG = [
  "test/**/*.model.test.ts",
  "test/**/concurrent.test.ts",
  "test/cost/{comments,ranks,scale,worst-bill}.test.ts",
  "test/functions/{broken-items,outage}.test.ts",
  "test/functions/background/*.test.ts",
  "test/functions/users/rename.test.ts",
  "test/lib/background.test.ts",
  "test/lib/{lists/bucket-rows,search/search,votes/voting,search/word-rows}.test.ts",
  "test/lib/migrations/*.test.ts",
  "test/lib/http/{idempotency,rate-limits}.test.ts",
  "test/security/{edges,inputs,keys,mass-assignment,refused-bodies,tokens}.test.ts",
  "test/{simulation,simulator}/**/*.test.ts",
];

// Processes, bundles, syntheses.
const PROCESSES = "test/infra/**/*.test.ts";

// What no engine decides runs once. With the cross-check that is on DynamoDB Local, which has to take every call of every endpoint.
const ONCE = process.env.CROSS_CHECK === "on" ? ["test/security/grants.test.ts"] : [];

function project(
  name: string,
  test: NonNullable<TestProjectInlineConfiguration["test"]>,
): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } };
}

// On DynamoDB Local too. An engine decides what an expression means, whether a condition holds, what comes back when it does not,
// and where a page ends. These files send nearly every such form of call that any test sends: those of the data rooms, the exercises that
// make every call of every endpoint and migration, and what meets conditions that fail. The other files look at what no engine
// decides, or repeat the same calls at random and at once.
const crossCheck = project("cross-check", {
  include: [
    "test/lib/{table,accounts,catalogue,posts,votes,lists,search,cleanup}/*.test.ts",
    "test/security/grants.test.ts",
    "test/simulator/differential.model.test.ts",
    "test/functions/auth/{log-in,mail-tokens}.test.ts",
    "test/functions/posts/update.test.ts",
    "test/functions/votes/{add,on-behalf,remove}.test.ts",
  ],
  exclude: ["test/lib/*/{lists,bucket-rows,ranks,search,voting,word-rows}.test.ts"],
  globalSetup: ["test/support/dynamodb-local.ts"],
  env: { DB_ENGINE: "dynamodb-local" },
});

// These take longest, so they begin first: one that began last would run alone at the end.
const LONGEST = ["simulation/clients", "local/start", "lib/background", "bundle/bundle", "demo/demo", "stack/checks"];

/** The longest files first, then the projects in which files are long. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = ["processes", "cross-check", "long", "fast"];
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = LONGEST.findIndex((file) => moduleId.endsWith(`${file}.test.ts`));
      return place < 0 ? LONGEST.length + order.indexOf(project.name) : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/fresh-file.ts", "test/support/cheap-hashes.ts", "test/support/setup.ts"],
    pool: "forks",
    // Less of the time goes into collecting garbage.
    execArgv: ["--max-semi-space-size=64"],
    // More than processors: some tests wait for processes, or for time limits of the product.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Files share a process, in which each gets modules of its own (test/support/fresh-file.ts).
    isolate: false,
    // A test that hangs ends here. No test needs to be that slow, but the machine may be.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // What a test prints is shown where it fails.
    silent: "passed-only",
    slowTestThreshold: 10_000,
    tags: [{ name: "generated", description: "Draws at random from a seed." }],
    projects: [
      project("fast", { include: [EVERY_FILE], exclude: [...LONG, PROCESSES, ...ONCE] }),
      project("long", { include: LONG }),
      project("processes", { include: [PROCESSES] }),
      ...(process.env.CROSS_CHECK === "on" ? [crossCheck] : []),
    ],
  },
});
