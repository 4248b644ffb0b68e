import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import cdkJson from "../../cdk.json" with { type: "json" };
import { run as runImport } from "../../infra/operator/import.ts";
import packageJson from "../../package.json" with { type: "json" };
import { operate, runNode } from "../support/process/operate.ts";
import { projectFolder } from "../support/process/server-process.ts";

/** The words after `node` of each script that runs a file of infra/ or the simulation, by the script's name. */
const scripts = Object.entries(packageJson.scripts)
  .map(
    ([name, command]) =>
      [name, /^(?:exec )?node (?:--\S+ )*((?:infra|test\/simulation)\/.*)/.exec(command)?.[1]] as const,
  )
  .flatMap(([name, words]) => (words ? [[name, words.split(" ")] as const] : []));

const COMMANDS = [
  "background",
  "brake",
  "check-table",
  "end-sessions",
  "end-two-factor",
  "erasures",
  "export",
  "import",
  "mail-check",
  "migrate",
  "save-canny",
  "smoke",
];

describe("The check of Node's version", () => {
  const check = readFileSync("infra/check-node.cjs", "utf8");

  it.each([
    ["20.19.6", [1]],
    ["22.21.0", [1]],
    ["24.6.0", [1]],
    ["24.7.0", []],
    ["26.0.0", []],
  ])("ends on %s with %j", (node, ended) => {
    const exits: number[] = [];
    const lines: string[] = [];
    const process = { versions: { node }, exit: (code: number) => exits.push(code) };
    runInNewContext(check, { process, console: { error: (line: string) => lines.push(line) } });
    expect(exits).toEqual(ended);
    expect(lines).toEqual(ended.map(() => expect.stringMatching(`^This is Node ${node}: install Node 24.7 or newer`)));
  });

  it("comes first in what people type on a new machine", () => {
    const { start, test, operate } = packageJson.scripts;
    for (const command of [start, test, operate, cdkJson.app])
      expect(command).toMatch(/\bnode --require=\.\/infra\/check-node\.cjs /);
  });
});

describe("The command line", { concurrent: true }, () => {
  it.each(scripts.filter(([name]) => name !== "operate"))(
    "refuses an unknown option of npm run %s with the usage",
    async (name, words) => {
      const { code, output, complaints } = await runNode([...words, "--no-such-option"]);
      expect({ code, output }).toEqual({ code: 1, output: complaints });
      expect(complaints).toMatch(new RegExp(`^Unknown option '--no-such-option'. Usage: npm (run )?${name}\\b.*\n$`));
    },
  );

  it("prints the usage for npm start --help, with a line for each option", async () => {
    const { code, output, complaints } = await runNode(["infra/local/main.ts", "--help"]);
    expect({ code, complaints }).toEqual({ code: 0, complaints: "" });
    expect(output).toMatch(/^Usage: npm start\b/);
    expect(output.match(/^ {2}--\w+ +\w.*$/gm)).toHaveLength(4);
  });

  it.each([
    [0, [] as string[]],
    [1, ["no-such-command"]],
  ])("stops npm run operate with %i and the list of its commands for %j", async (expected, words) => {
    const { code, output } = await operate(words);
    expect(code).toBe(expected);
    expect(output.match(/^ {2}([\w-]+)/gm)?.map((name) => name.trim())).toEqual(COMMANDS);
  });
});

describe("A command for operators", () => {
  it.each(COMMANDS)("refuses an unknown option of npm run operate -- %s with the usage", async (name) => {
    const files = { "check-table": "operator/check-table/check", smoke: "smoke/smoke" } as Record<string, string>;
    const command = await import(join(projectFolder, "infra", `${files[name] ?? `operator/${name}`}.ts`));
    vi.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`ended with ${code}`);
    });
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    await expect(command.run(["--no-such-option"])).rejects.toThrow("ended with 1");
    const usage = new RegExp(`^Unknown option '--no-such-option'. Usage: npm run operate -- ${name}\\b.*$`);
    expect(error.mock.calls).toEqual([[expect.stringMatching(usage)]]);
  });

  it.each([
    [["Csv", "x"], /^There is no source “Csv”: give one of /],
    [["csv"], /^Give the file or folder that csv exported/],
    [["csv", "x", "--undo"], /^--undo needs no file/],
    [["csv", "--undo", "--write"], /^--undo and --write exclude each other/],
    [["csv", "x", "--site", "acme"], /^--site is for fider/],
    [["csv", "x", "--problems", "no-such-folder/p.csv"], /^There is no folder no-such-folder for the list of problems/],
    [["csv", "x", "--problems", "package.json/p.csv"], /^There is no folder package.json for the list of problems/],
    [["csv", "x", "--problems", "docs/"], /^docs\/ is a folder: name a file in it for the list of problems/],
    [["csv", "x", "--name", "Old forum"], /^--name takes at most 40 small letters/],
  ])("says what is wrong with import %j", async (words, what) => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await runImport(words)).toBe(1);
    expect(error.mock.calls).toEqual([[expect.stringMatching(what)]]);
  });
});
