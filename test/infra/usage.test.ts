import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { projectFolder } from "../support/process/server-process.ts";

/** The words after `node` of each script that runs a file of infra/, by the script's name. */
const scripts = Object.entries(packageJson.scripts)
  .filter(([, command]) => /^(exec )?node infra\//.test(command))
  .map(([name, command]) => [name, command.replace(/^(exec )?node /, "").split(" ")] as const);

const COMMANDS = ["background", "brake", "check-table", "end-sessions", "mail-check", "migrate", "smoke"];

function run(words: readonly string[]): Promise<{ code: number | null; out: string; error: string }> {
  const child = spawn(process.execPath, words, { cwd: projectFolder });
  const printed = { out: "", error: "" };
  child.stdout.on("data", (chunk) => {
    printed.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    printed.error += chunk;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...printed })));
}

describe("The command line", { concurrent: true }, () => {
  it.each([
    ...scripts.filter(([name]) => name !== "operate"),
    ...COMMANDS.map((name) => [`operate -- ${name}`, ["infra/operator/operate.ts", name]] as const),
  ])("refuses an unknown option of npm run %s with the usage", async (name, words) => {
    const { code, out, error } = await run([...words, "--no-such-option"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toMatch(new RegExp(`^Unknown option '--no-such-option'. Usage: npm (run )?${name}\\b.*\n$`));
  });

  it.each([
    [["--minutes", "0"], "--minutes is not a number above 0"],
    [["--replay", "no-such-file"], "There is no file no-such-file"],
  ])("refuses npm run simulate -- %j in one line", async (words, complaint) => {
    const { code, error } = await run(["test/simulation/simulate.ts", ...words]);
    expect(code).toBe(1);
    expect(error).toMatch(new RegExp(`^${complaint}\\. Usage: .*\n$`));
  });

  it("prints the usage for npm start --help, with a line for each option", async () => {
    const { code, out, error } = await run(["infra/local/main.ts", "--help"]);
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toMatch(/^Usage: npm start\b/);
    expect(out.match(/^ {2}--\w+ +\w.*$/gm)).toHaveLength(3);
  });

  it.each([
    [0, [] as string[]],
    [1, ["no-such-command"]],
  ])("stops npm run operate with %i and the list of its commands for %j", async (expected, words) => {
    const { code, out } = await run(["infra/operator/operate.ts", ...words]);
    expect(code).toBe(expected);
    expect(out.match(/^ {2}([\w-]+)/gm)?.map((name) => name.trim())).toEqual(COMMANDS);
  });
});
