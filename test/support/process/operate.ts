import { vi } from "vitest";
import { environment } from "../../../lib/runtime/environment.ts";
import { spawnServer } from "./server-process.ts";

/** Runs `npm run operate -- <words>` as a process. `output` is all that it prints, `complaints` its error stream. */
export async function operate(words: string[], env: Record<string, string> = {}) {
  const command = [process.execPath, "infra/operator/operate.ts"];
  const { ended, output, complaints } = spawnServer({ command, env, options: words });
  return { code: await ended, output: output(), complaints: complaints() };
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
