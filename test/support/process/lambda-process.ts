import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { BASE_PATH } from "../../../lib/http/routes.ts";
import { checkAnswer } from "../http/document.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Call = (event: unknown) => Promise<any>;

/** Loads a bundle in a process of its own, in the given environment and no other, for some calls. */
export async function withBundle<T>(
  file: string,
  env: NodeJS.ProcessEnv,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const host = fork(join(import.meta.dirname, "lambda-host.mjs"), [file], {
    env,
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(host, "exit").then(([code]) => Promise.reject(new Error(`the bundle ended with ${code}`)));
  const heard = async () => (await Promise.race([once(host, "message"), ended]))[0];
  try {
    await heard();
    return await work(async (event) => {
      host.send(event as object);
      const { answer } = await heard();
      checkAnswerTo(event, answer);
      return answer;
    });
  } finally {
    host.kill("SIGKILL");
  }
}

const ROUTE = new RegExp(`^([A-Z]+) ${BASE_PATH}(/.*)$`);

function checkAnswerTo(event: unknown, answer: unknown): void {
  const [, method, path] = ROUTE.exec((event as { routeKey?: string }).routeKey ?? "") ?? [];
  if (!method || !path) return;
  const { statusCode, body } = answer as { statusCode: number; body: string };
  checkAnswer({ method, path }, statusCode, body);
}
