import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { BASE_PATH } from "../../../lib/http/routes.ts";
import { checkAnswer } from "../http/document.ts";

/** Loads a bundle in a process of its own, in the given environment and no other, and hands it one event; what it answers. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export const callBundle = async (file: string, event: unknown, env: NodeJS.ProcessEnv): Promise<any> => {
  const host = fork(join(import.meta.dirname, "lambda-host.ts"), [file], {
    env,
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  try {
    await heard(host);
    host.send(event as object);
    const { answer } = await heard(host);
    checkAnswerTo(event, answer);
    return answer;
  } finally {
    host.kill("SIGKILL");
  }
};

const ROUTE = new RegExp(`^([A-Z]+) ${BASE_PATH}(/.*)$`);

/** Checks the answer to an event of the gateway against the document. */
const checkAnswerTo = (event: unknown, answer: unknown): void => {
  const [, method, path] = ROUTE.exec((event as { routeKey?: string }).routeKey ?? "") ?? [];
  if (!method || !path) return;
  const { statusCode, body } = answer as { statusCode: number; body: string };
  checkAnswer({ method, path }, statusCode, body);
};

const heard = async (host: ChildProcess): Promise<{ answer?: unknown }> => {
  const ended = once(host, "exit").then(([code]) => Promise.reject(new Error(`the bundle ended with ${code}`)));
  const [message] = await Promise.race([once(host, "message"), ended]);
  return message;
};
