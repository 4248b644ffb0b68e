import { execFile } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { aFolder, projectFolder, startServer } from "../support/process/server-process.ts";
import { templateOf } from "../support/stack/stack.ts";

function workflow(name: string): string {
  return readFileSync(join(projectFolder, ".github/workflows", `${name}.yml`), "utf8").replace(/^ *#.*$/gm, "");
}

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, word = ""]) => word);
}

describe("The workflows", () => {
  it("check each push as a fresh machine would", () => {
    expect(workflow("check")).toMatch(/^on:\n {2}push:$/m);
    expect(found(workflow("check"), /- run: (.+)$/gm)).toEqual([".ci/run"]);
  });

  it("deploy by hand only, with a role in exchange for GitHub's own token", () => {
    const [, events = ""] = /^on:\n((?: .*\n)+)/m.exec(workflow("deploy")) ?? [];
    expect(found(events, /^ {2}(\w+):/gm)).toEqual(["workflow_dispatch"]);
    expect(workflow("deploy")).toContain("id-token: write");
  });

  it("give the setup code, as a secret, to the step that deploys alone", () => {
    expect(found(workflow("deploy"), /^ {10}SETUP_CODE: \$\{\{ (\S+) \}\}$/gm)).toEqual(["secrets.SETUP_CODE"]);
    expect(workflow("deploy").match(/secrets\.|vars\.SETUP/g)).toEqual(["secrets."]);
  });

  it("pass the stack's outputs to the smoke test, which passes", async () => {
    const [, script = ""] = /name: smoke test\n +run: \|\n((?: {10}.+\n)+)/.exec(workflow("deploy")) ?? [];
    const named = found(script, /\$\(output (\w+)\)/g);
    const { Outputs } = templateOf();
    expect(Object.keys(Outputs)).toEqual(expect.arrayContaining(named));
    // As in the workflow: a checkout, and what `cdk deploy --outputs-file` left in it.
    const checkout = aFolder();
    for (const name of ["package.json", "node_modules", "infra", "functions", "lib"]) {
      symlinkSync(join(projectFolder, name), join(checkout, name));
    }
    const ALLOWED_ORIGINS = "https://feedback.example.com";
    const server = await startServer({ options: ["--memory"], env: { ALLOWED_ORIGINS } });
    const owner = JSON.stringify({ email: "owner@example.com", password: "correct horse" });
    expect((await fetch(`${server.baseUrl}/auth/setup`, { method: "POST", body: owner })).status).toBe(201);
    const outputs = { BaseUrl: server.baseUrl, AllowedOrigins: "https://feedback.example.com,http://localhost:5173" };
    writeFileSync(join(checkout, "outputs.json"), JSON.stringify({ "FeedbackBoard-dev": outputs }));
    const { stdout } = await promisify(execFile)("bash", ["-e", "-c", script], { cwd: checkout });
    expect(stdout).toContain(`Smoke test of ${server.baseUrl}`);
    expect(stdout).toContain("20 passed, 0 failed, 0 not run");
    expect(await server.stop()).toBe(0);
  });

  it("simulate each night, and only read the repository", () => {
    const [, events = ""] = /^on:\n((?: .*\n)+)/m.exec(workflow("simulate")) ?? [];
    expect(found(events, /^ {2}(\w+):/gm)).toEqual(["schedule", "workflow_dispatch"]);
    expect(workflow("simulate")).toContain("permissions:\n  contents: read\n");
    expect(workflow("simulate")).not.toContain("secrets.");
  });

  it.each(["check", "deploy", "simulate"])("run no text of outsiders in %s, and name what exists", (name) => {
    const text = workflow(name);
    // The text of an expression in a command would be run, and only a commit is a name that nobody can move.
    const commands = found(text, /run: ((?:.+|>-\n)(?:\n {10,}.+)*)/g);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(command).not.toContain("${{");
    for (const action of found(text, /uses: ([^.\s]\S+)/g)) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    for (const script of found(text, /npm run (\w+)/g)) expect(packageJson.scripts).toHaveProperty(script);
    for (const file of found(text, /(?:node-version-file|uses): (\.[\w./-]+)/g))
      expect(existsSync(join(projectFolder, file)), file).toBe(true);
  });
});
