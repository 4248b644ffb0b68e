import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { aFolder, compileCache, type RunningServer, startServer } from "../process/server-process.ts";

/** A terminal in a folder: what a person's shell has, and nothing of the tests' process. */
export class Terminal {
  readonly folder: string;
  readonly #env: Record<string, string>;

  constructor(folder: string) {
    this.folder = folder;
    this.#env = {
      PATH: process.env.PATH ?? "",
      HOME: aFolder(),
      ...compileCache,
    };
  }

  /**
   * Types commands one after the other, and returns what they print. Throws when one of them fails; curl fails on an
   * answer that is an error.
   */
  async type(commands: string[], env: Record<string, string> = {}): Promise<string> {
    const script = ["set -euo pipefail", 'curl() { command curl --fail-with-body "$@"; }', ...commands].join("\n");
    const options = { cwd: this.folder, env: { ...this.#env, ...env }, maxBuffer: 100_000_000 };
    try {
      return (await promisify(execFile)("bash", ["-c", script], options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${script}\n\n${stdout}\n${stderr}`);
    }
  }

  /** Types a command that runs until it is stopped. */
  start(command: string, env: Record<string, string> = {}): Promise<RunningServer> {
    return startServer({ command: ["bash", "-c", command], cwd: this.folder, env: { ...this.#env, ...env } });
  }
}
