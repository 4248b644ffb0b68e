import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Node } from "constructs";
import { describe, expect, it } from "vitest";
import { readContext } from "../../infra/stack/context.ts";
import packageJson from "../../package.json" with { type: "json" };
import { projectFolder } from "../support/process/server-process.ts";

const workflow = (name: string): string =>
  readFileSync(join(projectFolder, ".github/workflows", `${name}.yml`), "utf8").replace(/^ *#.*$/gm, "");

const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, word = ""]) => word);

describe("the workflows", () => {
  it("check each push with what a fresh machine would run", () => {
    expect(workflow("check")).toMatch(/^on:\n {2}push:$/m);
    expect(found(workflow("check"), /- run: (.+)$/gm)).toEqual([".ci/run"]);
  });

  it("deploy by hand only, with a role that GitHub's own token is exchanged for", () => {
    const [, events = ""] = /^on:\n((?: .*\n)+)/m.exec(workflow("deploy")) ?? [];
    expect(found(events, /^ {2}(\w+):/gm)).toEqual(["workflow_dispatch"]);
    expect(workflow("deploy")).toContain("id-token: write");
    expect(workflow("deploy")).not.toContain("secrets.");
  });

  it("give the stack each value that a deployment may choose, and nothing that it does not read", () => {
    const read = new Set<string>();
    readContext({ tryGetContext: (name: string) => void read.add(name) } as unknown as Node);
    // sam local's alone.
    read.delete("local");
    expect(found(workflow("deploy"), /-c (\w+)=/g).sort()).toEqual([...read].sort());
  });

  it("put no expression into a command, where its text would be run", () => {
    for (const name of ["check", "deploy"]) {
      const commands = found(workflow(name), /run: ((?:.+|>-\n)(?:\n {10,}.+)*)/g);
      expect(commands.length).toBeGreaterThan(0);
      for (const command of commands) expect(command).not.toContain("${{");
    }
  });

  it("run scripts and files that are there", () => {
    for (const name of ["check", "deploy"]) {
      for (const script of found(workflow(name), /npm run (\w+)/g)) expect(packageJson.scripts).toHaveProperty(script);
      for (const file of found(workflow(name), /(?:node-version-file|uses): (\.[\w./-]+)/g)) {
        expect(existsSync(join(projectFolder, file)), file).toBe(true);
      }
    }
  });
});
