import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { isSimulatorUntested, keepThatSimulatorPassed } from "./simulator-changes.ts";
import { aFolder } from "./support/process/server-process.ts";

describe("The simulator in a folder", () => {
  let folder: string;

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  beforeEach(() => {
    folder = aFolder();
    write("package-lock.json", "{}");
    write("test/simulator/model/table.ts", "export {};");
  });

  it("is untested before its tests have passed there", () => {
    expect(isSimulatorUntested(folder, false)).toBe(true);
  });

  it("is tested while its files are the same, but never in CI", () => {
    keepThatSimulatorPassed(folder);
    write("lib/posts/posts.ts", "export {};");
    expect(isSimulatorUntested(folder, false)).toBe(false);
    expect(isSimulatorUntested(folder, true)).toBe(true);
  });

  it.each([
    ["changed", () => write("test/simulator/model/table.ts", "export {}; //")],
    ["added", () => write("test/simulator/model/more.ts", "export {};")],
    ["removed", () => rmSync(join(folder, "test/simulator/model/table.ts"))],
    ["installed anew", () => write("package-lock.json", "{ }")],
  ])("is untested again when one of its files is %s", (_, change) => {
    keepThatSimulatorPassed(folder);
    change();
    expect(isSimulatorUntested(folder, false)).toBe(true);
  });
});
