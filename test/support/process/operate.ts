import { vi } from "vitest";
import { environment } from "../../../lib/runtime/environment.ts";
import { type ServerOptions, spawnServer } from "./server-process.ts";

/** Runs a program of node to its end. `output` is all that it prints, `complaints` its error stream. */
export async function runNode(words: readonly string[], options: ServerOptions = {}) {
  const { ended, output, complaints } = spawnServer({ ...options, command: [process.execPath, ...words] });
  return { code: await ended, output: output(), complaints: complaints() };
}

/** Runs `npm run operate -- <words>` as a process. */
export function operate(words: string[], env: Record<string, string> = {}) {
  return runNode(["infra/operator/operate.ts", ...words], { env });
}

/** The same within this process, which is faster: `run` is the command's own function. */
export async function operateHere(run: (words: readonly string[]) => Promise<number>, words: string[]) {
  const printed = { output: "", complaints: "" };
  const log = vi.spyOn(console, "log").mockImplementation((line) => {
    printed.output += `${line}\n`;
  });
  const error = vi.spyOn(console, "error").mockImplementation((line) => {
    printed.output += `${line}\n`;
    printed.complaints += `${line}\n`;
  });
  try {
    return { code: await run(words), ...printed };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

export function theEngine(): Record<"DYNAMODB_ENDPOINT" | "TABLE_NAME", string> {
  return { DYNAMODB_ENDPOINT: environment().DYNAMODB_ENDPOINT ?? "", TABLE_NAME: environment().TABLE_NAME };
}

/** The variables that name this file's table like a deployed one: a variable of the SDK leads to the engine. */
export function aDeployedTable(): Record<string, string> {
  const { DYNAMODB_ENDPOINT, TABLE_NAME } = theEngine();
  const credentials = { AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" };
  return { ...credentials, AWS_REGION: "eu-west-1", AWS_ENDPOINT_URL_DYNAMODB: DYNAMODB_ENDPOINT, TABLE_NAME };
}
