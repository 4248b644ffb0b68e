import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BackgroundFunction } from "../../lib/background.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { eventOf, type Request } from "../support/http/invoke.ts";
import { familyOf } from "../support/process/family.ts";
import type { World } from "../support/world/examples.ts";
import { keepUp, ordinary } from "../support/world/ordinary.ts";

const POSTS = 40;

/** Adds up the processor time of some processes, in milliseconds; a thread that ended keeps its share. */
export function processorTime(pids: number[], seen = new Map<string, number>()): number {
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

/** `npm start` of a version of the project on a site of its own, and what prepares requests for it. */
export async function startTree(root: string) {
  const words = ["infra/local/main.ts", "--memory", "--api-only"];
  const server = spawn(process.execPath, words, { cwd: root, stdio: ["ignore", "pipe", "inherit"], env: process.env });
  const baseUrl = await new Promise<string>((found, fail) => {
    let printed = "";
    server.once("exit", () => fail(new Error(`npm start ended in ${root}: ${printed}`)));
    server.stdout.setEncoding("utf8").on("data", (chunk) => {
      printed += printed.length < 10_000 ? chunk : "";
      const [, url] = /is up: (http:\S+)/.exec(printed) ?? [];
      if (url) found(url);
    });
  });
  const pids = familyOf(server.pid as number);
  const commands = pids.map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" "));
  const engineAt = commands.findIndex((command) => /^\S*dynoxide --host/.test(command));
  const [, host, port] = /--host (\S+) --port (\d+)/.exec(commands[engineAt] ?? "") ?? [];
  const load = (file: string) => import(join(root, file));
  const { endpoints } = await load("functions/index.ts");
  const { backgroundFunctions } = await load("functions/background/index.ts");
  const { aWorld, goodRequest } = await load("test/support/world/examples.ts");
  const { aPost } = await load("test/support/world/fixtures.ts");
  const lists = await load("lib/lists/lists.ts");
  const due = await load("lib/table/due.ts");
  const agent = new Agent({ keepAlive: true });
  const seen = new Map<string, number>();
  let idle = 0;
  let world: World;

  const endpointNamed = (name: string): Endpoint | undefined =>
    endpoints.find(({ definition }: Endpoint) => definition.name === name);
  const newestPosts = () => lists.read({ order: "desc", offset: 0, limit: 200 });
  const isBehind = async (): Promise<boolean> => {
    const posts = await newestPosts();
    const works = (backgroundFunctions as BackgroundFunction[]).flatMap(({ definition }) => definition.works);
    const ids = works.map(({ definition, followUp }) => followUp?.behind(posts) ?? due.withoutEntry(definition.takes));
    return (await Promise.all(ids)).flat().length > 0;
  };
  const tree = {
    root,
    endpoint: `http://${host}:${port}`,
    enginePid: pids[engineAt] as number,
    has: (name: string) => endpointNamed(name) !== undefined,
    /** Requests to the one site of this tree: what is imported from it reads the environment. */
    enter: () => {
      process.env.DYNAMODB_ENDPOINT = tree.endpoint;
    },
    prepare: async (): Promise<void> => {
      tree.enter();
      world = await aWorld();
      for (let n = 0; n < POSTS; n++) await aPost(world.author);
      await tree.keepUp();
    },
    /** Measures what the processes take when nobody calls: the slowest poll is every five seconds. */
    rest: async (): Promise<void> => {
      const [time, at] = [tree.time(), Date.now()];
      await sleep(5000);
      idle = (tree.time() - time) / (Date.now() - at);
    },
    keepUp: async (): Promise<void> => keepUp(backgroundFunctions, await newestPosts(), due.waitingIds),
    time: () => processorTime(pids, seen),
    /** A stopwatch of processor time, without what the processes take when nobody calls. */
    watch: () => {
      const [time, at] = [tree.time(), Date.now()];
      return () => tree.time() - time - idle * (Date.now() - at);
    },
    /** What a stopwatch says when the background work has ended. */
    atRest: async (taken: () => number): Promise<number> => {
      for (;;) {
        for (let calm = 0; calm < 2; ) {
          const taken = tree.watch();
          await sleep(150);
          calm = taken() < 5 ? calm + 1 : 0;
        }
        const time = taken();
        if (!(await isBehind())) return time;
      }
    },
    request: (name: string): Promise<Request> => ordinary(endpointNamed(name) as Endpoint, world, goodRequest),
    event: (name: string, request: Request) => eventOf(endpointNamed(name) as Endpoint, request),
    send: async (name: string, request: Request): Promise<void> => {
      const { rawPath, rawQueryString, requestContext, headers, body } = tree.event(name, request);
      const url = new URL(`${rawPath}?${rawQueryString}`, baseUrl);
      const length = {
        "content-length": Buffer.byteLength(body ?? ""),
        ...(body && { "content-type": "application/json" }),
      };
      const sent = httpRequest(url, { agent, method: requestContext.http.method, headers: { ...headers, ...length } });
      const [answer] = await once(sent.end(body), "response");
      let text = "";
      for await (const chunk of answer.setEncoding("utf8")) text += chunk;
      if (answer.statusCode >= 400) throw new Error(`${name}: ${answer.statusCode} ${text}`);
    },
    stop: () => server.kill(),
  };
  return tree;
}

export type Tree = Awaited<ReturnType<typeof startTree>>;
