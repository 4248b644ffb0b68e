import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { familyOf } from "../support/process/family.ts";

// A checkout of the project that runs, with its processes. Whatever its version, it is reached over HTTP alone.

export type Request = { method?: string; path: string; token?: string | undefined; body?: object };

/** The flags of `npm start`, with fewer of them for versions that know fewer. */
const FLAGS = [["--memory", "--api-only"], ["--memory"]];

/** Adds up the processor time of some processes, in milliseconds; a thread that ended keeps its share. */
function processorTime(pids: number[], seen: Map<string, number>): number {
  for (const pid of pids) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      try {
        const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
        seen.set(thread, Number(nanoseconds) / 1e6);
      } catch {
        // It ended in between.
      }
    }
  }
  return [...seen.values()].reduce((sum, each) => sum + each, 0);
}

type Started = { process: ChildProcess; baseUrl: string };

/** Starts a checkout as people do; undefined if it ends before it is up. */
async function start(root: string, flags: string[], env: NodeJS.ProcessEnv): Promise<Started | undefined> {
  const server = spawn("npm", ["start", "--silent", "--", ...flags], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
    env,
  });
  let printed = "";
  const baseUrl = await new Promise<string | undefined>((answer) => {
    server.once("exit", () => answer(undefined));
    server.stdout.setEncoding("utf8").on("data", (chunk) => {
      printed += printed.length < 10_000 ? chunk : "";
      const [, url] = /is up: (http:\/\/[^\s/]+)/.exec(printed) ?? [];
      if (url) answer(url);
    });
  });
  return baseUrl === undefined ? undefined : { process: server, baseUrl };
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
}

/** `npm start` of a checkout, with an empty table in memory. */
export async function startTree(root: string, env: NodeJS.ProcessEnv) {
  let started: Started | undefined;
  for (const flags of FLAGS) started ??= await start(root, flags, env);
  if (!started) throw new Error(`npm start ends in ${root}`);
  const { process: npm, baseUrl } = started;
  const pids = familyOf(npm.pid as number);
  const serverPid = pids.find((pid) => /^\S*node .*infra\/local\/main/.test(commandOf(pid))) as number;
  const [, host, port] = /--host (\S+) --port (\d+)/.exec(pids.map(commandOf).join("\n")) ?? [];
  const agent = new Agent({ keepAlive: true });
  const seen = new Map<string, number>();
  // The processor time of a millisecond without calls.
  let idle = 0;

  const time = () => processorTime(pids, seen);
  /** A stopwatch of processor time, without what the processes take when nobody calls. */
  const watch = () => {
    const before = { time: time(), at: Date.now() };
    return () => time() - before.time - idle * (Date.now() - before.at);
  };
  return {
    root,
    /** The URL of its engine. */
    engine: `http://${host}:${port}`,
    watch,
    send: async ({ method = "POST", path, token, body }: Request): Promise<{ status: number; text: string }> => {
      const content = body === undefined ? "" : JSON.stringify(body);
      const headers = {
        "content-length": Buffer.byteLength(content),
        ...(content && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
      };
      const sent = httpRequest(new URL(`/api/v1${path}`, baseUrl), { agent, method, headers });
      const [answer] = await once(sent.end(content), "response");
      let text = "";
      for await (const chunk of answer.setEncoding("utf8")) text += chunk;
      return { status: answer.statusCode, text };
    },
    /** What the processes take in a second without calls, in milliseconds; the slowest usual poll is each 5 s. */
    rest: async (): Promise<number> => {
      const before = { time: time(), at: Date.now() };
      await sleep(5000);
      idle = (time() - before.time) / (Date.now() - before.at);
      return idle * 1000;
    },
    /** What a stopwatch says when the background work has ended, which begins within a second. */
    atRest: async (taken: () => number): Promise<number> => {
      await sleep(1200);
      for (let calm = 0; calm < 2; ) {
        const pause = watch();
        await sleep(150);
        calm = pause() < 5 ? calm + 1 : 0;
      }
      return taken();
    },
    /** The most memory that the server has had, in MB: its resident set, as the system counts it. */
    peakMemory: (): number => {
      const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${serverPid}/status`, "utf8")) ?? [];
      return Number(kilobytes) / 1024;
    },
    stop: async (): Promise<void> => {
      const ended = once(npm, "exit");
      process.kill(serverPid, "SIGTERM");
      await ended;
    },
  };
}

export type Tree = Awaited<ReturnType<typeof startTree>>;
