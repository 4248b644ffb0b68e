import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { projectFolder } from "../support/process/server-process.ts";

/** The scripts that run a file of infra/, by their names. */
const scripts = Object.entries(packageJson.scripts).filter(([, command]) => /infra\/[\w/-]+\.ts$/.test(command));

function run(command: string, word: string): Promise<{ code: number | null; out: string; error: string }> {
  const words = command
    .replace(/^exec /, "")
    .split(" ")
    .slice(1);
  const child = spawn(process.execPath, [...words, word], { cwd: projectFolder });
  const printed = { out: "", error: "" };
  child.stdout.on("data", (chunk) => {
    printed.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    printed.error += chunk;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...printed })));
}

describe("the usage line of a script", { concurrent: true }, () => {
  it("every script that a person types is checked for its usage line", () => {
    expect(scripts.map(([name]) => name)).toEqual(
      expect.arrayContaining(["start", "bundle", "bench", "events", "sam", "smoke"]),
    );
  });

  it.each(scripts)("npm run %s prints its usage for an unknown option, and does nothing", async (name, command) => {
    const { code, out, error } = await run(command, "--no-such-option");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toMatch(new RegExp(`^Unknown option --no-such-option. Usage: npm (run )?${name}\\b.*\n$`));
  });

  it.each(["--help", "-h"])("npm start prints its usage for %s, and does nothing", async (word) => {
    const { code, out, error } = await run(packageJson.scripts.start, word);
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toMatch(/^Usage: npm start\b.*\n$/);
  });
});
