// The operator's command smoke: twenty checks of a deployed service that leave one account behind.
import { randomBytes } from "node:crypto";
import { BASE_PATH } from "../../lib/http/routes.ts";
import { readCommandLine } from "../usage.ts";
import { ACCOUNT_NAME, type Asking, checks, expectAnswer, NotRun, type Reply, type Run, tokenOf } from "./checks.ts";

// The first start of a container is slow.
const PATIENCE_MS = 15_000;

/** The service does not answer. In the first check this ends the run. */
class Unreachable extends Error {
  override readonly name = "Unreachable";
}

function askAt(baseUrl: string): Run["ask"] {
  return async <T>(method: string, path: string, { token, body, headers = {} }: Asking = {}) => {
    const response = await reach(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(body && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    const parsed = isJson && text !== "" ? JSON.parse(text) : {};
    return { status: response.status, headers: response.headers, body: parsed as Reply<T>["body"], text };
  };
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error & { code?: string } };
    throw new Unreachable(`${url}: ${cause?.code ?? cause?.message ?? message}`);
  }
}

type Outcome = { result: "passed" | "failed" | "not run"; problem?: string; isOver?: boolean };

async function outcomeOf(check: (run: Run) => Promise<void>, run: Run): Promise<Outcome> {
  try {
    await check(run);
    return { result: "passed" };
  } catch (error) {
    const problem = (error as Error).message;
    if (error instanceof NotRun) return { result: "not run", problem };
    return { result: "failed", problem, isOver: error instanceof Unreachable };
  }
}

/** Deletes the post of a run that ended early. Returns the remains of the run, in words. */
async function tidyUp(run: Run): Promise<string[]> {
  const { user, post } = run;
  const account = user ? [`the account "${ACCOUNT_NAME}", ${user.email}`] : [];
  if (!post) return account;
  try {
    expectAnswer(await run.ask("DELETE", "/posts", { token: tokenOf(run), body: { id: post.postId } }), 204);
    return account;
  } catch (error) {
    return [...account, `the post ${post.postId} (${(error as Error).message})`];
  }
}

/** Runs the checks one after the other and prints their results. Returns whether all passed. */
async function smoke(baseUrl: string, origins: string[]): Promise<boolean> {
  // Amazon's own mailbox for tests: SES delivers there even from its sandbox, and nothing bounces.
  const email = `success+smoke-${Date.now().toString(36)}@simulator.amazonses.com`;
  const run: Run = { ask: askAt(baseUrl), origins, email, password: randomBytes(18).toString("base64url") };
  const stop = (): void => void tidyUp(run).finally(() => process.exit(130));
  process.once("SIGINT", stop);
  console.log(`Smoke test of ${baseUrl}\n`);
  const list = Object.entries(checks);
  const tally = { passed: 0, failed: 0, "not run": 0 };
  for (const [index, [title, check]] of list.entries()) {
    const started = performance.now();
    const { result, problem, isOver = false } = await outcomeOf(check, run);
    tally[result]++;
    const ms = `${Math.round(performance.now() - started)} ms`;
    console.log(`${String(index + 1).padStart(2)}  ${result.padEnd(7)} ${ms.padStart(8)}  ${title}`);
    if (problem) console.log(`${" ".repeat(23)}${problem}`);
    if (isOver && index === 0) break;
  }
  tally["not run"] = list.length - tally.passed - tally.failed;
  console.log(`\nLeft behind: ${(await tidyUp(run)).join("; ") || "nothing"}`);
  console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally["not run"]} not run`);
  process.off("SIGINT", stop);
  return run.needsConfirmation ? tally.failed === 0 : tally.passed === list.length;
}

const USAGE =
  "npm run operate -- smoke <baseUrl> [--origin <origins>], with the stack's outputs BaseUrl (https://.../api/v1) and AllowedOrigins";

export async function run(words: readonly string[]): Promise<number> {
  const { values, options } = readCommandLine(USAGE, { values: 1, options: ["--origin"] }, words);
  const [baseUrl = ""] = values;
  const origins = options["--origin"]?.split(",").map((origin) => origin.trim()) ?? [];
  // The portal's own url is the first that people have at hand.
  const isOfTheApi = URL.parse(baseUrl)?.pathname.replace(/\/+$/, "") === BASE_PATH;
  if (isOfTheApi && origins.every((text) => text === "*" || URL.parse(text)?.origin === text)) {
    return (await smoke(baseUrl.replace(/\/+$/, ""), origins)) ? 0 : 1;
  }
  console.error(`Usage: ${USAGE}`);
  return 1;
}
