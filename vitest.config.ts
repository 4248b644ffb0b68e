import { defineConfig } from "vitest/config";

if (Number(process.versions.node.split(".")[0]) < 22) {
  throw new Error(`The tests need Node 22.18 or newer and got ${process.versions.node}: run them by npm test`);
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/setup.ts"],
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What a test prints (seeds, counts) is shown where it fails.
    silent: "passed-only",
  },
});
