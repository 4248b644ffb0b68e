import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { javaVersion } from "../../../infra/local/engine/kinds.ts";
import { setDefaults } from "../../../infra/local/environment.ts";
import { listen } from "../../support/http/listen.ts";
import { mergeUnderKills } from "../../support/process/merges-killed.ts";
import { operate } from "../../support/process/operate.ts";
import {
  aFolder,
  call,
  engineOf,
  enginesOn,
  eventually,
  isAlive,
  projectFolder,
  type RunningServer,
  type ServerOptions,
  signUp,
  spawnServer,
  startServer,
} from "../../support/process/server-process.ts";
import { expectRanked, newContainer } from "../../support/setup.ts";

const onLinux = describe.runIf(process.platform === "linux");

async function onTableOf(folder: string, work: () => Promise<void>): Promise<void> {
  const { DYNAMODB_ENDPOINT, TABLE_NAME } = process.env;
  newContainer({ DYNAMODB_ENDPOINT: engineOf(folder).endpoint, TABLE_NAME: "feedback-board" });
  await work().finally(() => newContainer({ DYNAMODB_ENDPOINT, TABLE_NAME }));
}

// One folder, through stops and kills.
onLinux("npm start on a data folder", () => {
  const DATA_DIR = join(aFolder(), "made", "by", "start");
  const start = () => startServer({ env: { DATA_DIR } });
  let server: RunningServer;
  let token: string;
  let slug: string;

  beforeAll(async () => {
    server = await start();
  });

  it("logs a line for each request, without secrets", async () => {
    token = await signUp(server.baseUrl, "ada@example.com");
    const { body } = await call(server.baseUrl, "POST", "/posts", { token, body: { title: "Dark mode" } });
    slug = body.post.slug;
    await call(server.baseUrl, "GET", "/boards", { token });
    await call(server.baseUrl, "GET", "/nowhere?q=private-words");
    await call(server.baseUrl, "OPTIONS", "/posts");
    await call(server.baseUrl, "POST", "/posts/slug", { body: { slug: "private-words" } });
    const logged = () => server.output().match(/^\{.*$/gm) ?? [];
    await eventually(() => expect(logged()).toHaveLength(6));
    const requests = logged().map((line) => JSON.parse(line));
    expect(requests.map(({ message, method, route, status }) => `${message} ${method} ${route} ${status}`)).toEqual([
      "request POST /auth/signup 201",
      "request POST /posts 201",
      "request GET /boards 200",
      "request GET none 404",
      "request OPTIONS none 204",
      "request POST /posts/slug 404",
    ]);
    expect(logged().join("\n")).not.toMatch(/ada@example\.com|correct horse|private-words|eyJ/);
  });

  it("answers its address with the portal, whatever type a client asks for", async () => {
    const answer = await fetch(new URL("/", server.baseUrl));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  it("writes files that only their owner can read", async () => {
    await eventually(() => expect(readdirSync(DATA_DIR)).toContain("mail.jsonl"));
    const names = readdirSync(DATA_DIR);
    expect(names).toEqual(expect.arrayContaining(["lock", "signing-secret", "table.db", "mail.jsonl"]));
    for (const name of names) expect(statSync(join(DATA_DIR, name)).mode & 0o777, name).toEqual(0o600);
    expect(statSync(DATA_DIR).mode & 0o777).toBe(0o700);
  });

  it("refuses a second server under any of its names in one line, and continues", async () => {
    const link = join(aFolder(), "link");
    symlinkSync(DATA_DIR, link);
    const second = spawnServer({ env: { DATA_DIR: link } });
    expect(await second.ended).toBe(1);
    expect(second.output()).toBe(`Another server works on ${DATA_DIR}: stop it, or set DATA_DIR to another folder\n`);
    expect((await call(server.baseUrl, "POST", "/posts/get")).status).toBe(200);
  });

  it("stops on Ctrl-C, with its engine", async () => {
    const { pid } = engineOf(DATA_DIR);
    expect(await server.stop()).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(readFileSync(join(DATA_DIR, "changed-posts"), "utf8")).toBe("these are all\n");
  });

  it("keeps data and tokens over a stop, and over a kill, with one engine", async () => {
    server = await start();
    const { body } = await call(server.baseUrl, "POST", "/posts/slug", { token, body: { slug } });
    const { postId } = body.post;
    expect((await call(server.baseUrl, "POST", "/votes", { token, body: { postId } })).status).toBe(201);
    const { pid } = engineOf(DATA_DIR);
    const noted = () => readFileSync(join(DATA_DIR, "changed-posts"), "utf8");
    process.kill(server.pid, "SIGKILL");
    // The vote is younger than a second, so that the rank of its post waits.
    expect(noted()).toContain(postId);
    server = await start();
    await eventually(() => expect(noted()).toBe(""));
    await onTableOf(DATA_DIR, () => eventually(expectRanked));
    expect(isAlive(pid)).toBe(false);
    expect(enginesOn(DATA_DIR)).toEqual([engineOf(DATA_DIR).pid]);
    const after = await call(server.baseUrl, "POST", "/posts/slug", { token, body: { slug } });
    expect(after.body.post.voters).toMatchObject({ votesCount: 1, viewerVote: {} });
  });

  it("keeps every acknowledged write, and what follows from it, when server and engine are killed under load", async () => {
    const { baseUrl, pid, ended } = server;
    const acknowledged: string[] = [];
    const load = async (): Promise<void> => {
      for (;;) {
        const { status, body } = await call(baseUrl, "POST", "/posts", { token, body: { title: "Under load" } });
        if (status === 201) acknowledged.push(body.post.postId);
      }
    };
    const clients = Array.from({ length: 8 }, () => load().catch(() => {}));
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(50));
    process.kill(engineOf(DATA_DIR).pid, "SIGKILL");
    process.kill(pid, "SIGKILL");
    await Promise.all(clients);
    expect(await ended).toBe("SIGKILL");
    server = await start();
    const ids: string[] = [];
    for (let page = 1; ids.length === (page - 1) * 50; page++) {
      const { body } = await call(server.baseUrl, "POST", "/posts/get", { body: { page, limit: 50 } });
      ids.push(...body.posts.map(({ postId }: { postId: string }) => postId));
    }
    expect(acknowledged.filter((postId) => !ids.includes(postId))).toEqual([]);
    // What followed from these posts is caught up with. Background work may write during a check.
    await onTableOf(DATA_DIR, () => eventually(expectRanked));
  });

  // KILLS=400 npm test -- infra/local/start -t "of a merge": 100 rounds, half an hour.
  const kills = Number(process.env.KILLS ?? 4);

  it(
    "moves each vote of a merge once, there and back, when server and engine are killed meanwhile",
    async () => {
      server = await mergeUnderKills({ folder: DATA_DIR, start }, server, kills);
      expect(await server.stop()).toBe(0);
      const { code, output } = await operate(["check-table"], { DATA_DIR });
      expect(code, output).toBe(0);
      server = await start();
    },
    300_000 + kills * 20_000,
  );

  it("stops when its output has no reader any more, with its engine", async () => {
    const { pid } = engineOf(DATA_DIR);
    server.process.stdout?.destroy();
    server.process.stderr?.destroy();
    await call(server.baseUrl, "POST", "/posts/get");
    expect(await server.ended).toBe(1);
    expect(isAlive(pid)).toBe(false);
  });
});

describe("The links in mails", () => {
  it("lead to the port of the service unless SITE_URL says where", () => {
    for (const name of ["SIGNING_SECRET", "SITE_URL"]) vi.stubEnv(name, "");
    vi.stubEnv("PORT", "4711");
    setDefaults(undefined);
    expect(process.env.SITE_URL).toBe("http://127.0.0.1:4711");
    vi.unstubAllEnvs();
  });

  it("lead to the host that the service listens on", () => {
    const siteAt = (host: string) => {
      for (const name of ["SIGNING_SECRET", "SITE_URL"]) vi.stubEnv(name, "");
      vi.stubEnv("PORT", "4711");
      vi.stubEnv("HOST", host);
      setDefaults(undefined);
      return process.env.SITE_URL;
    };
    expect(siteAt("192.168.1.5")).toBe("http://192.168.1.5:4711");
    expect(siteAt("localhost")).toBe("http://localhost:4711");
    expect(siteAt("::")).toBe("http://[::1]:4711");
    expect(siteAt("0.0.0.0")).toBe("http://127.0.0.1:4711");
    vi.unstubAllEnvs();
  });
});

onLinux("npm start -- --memory", () => {
  it("answers the requests under way before it ends, and keeps nothing", async () => {
    const DATA_DIR = join(aFolder(), "data");
    const server = await startServer({ options: ["--memory"], env: { DATA_DIR } });
    const requests = [1, 2, 3].map(() => {
      const headers = { "content-type": "application/json", expect: "100-continue" };
      return request(`${server.baseUrl}/posts/get`, { method: "POST", headers });
    });
    const answers = requests.map((each) => once(each, "response"));
    // The server asks for the body of each: all are under way.
    await Promise.all(
      requests.map((each) => {
        each.flushHeaders();
        return once(each, "continue");
      }),
    );
    server.process.kill("SIGTERM");
    for (const each of requests) each.end("{}");
    expect((await Promise.all(answers)).map(([{ statusCode }]) => statusCode)).toEqual([200, 200, 200]);
    expect(await server.ended).toBe(0);
    expect(existsSync(DATA_DIR)).toBe(false);
  });
});

onLinux("npm start", { concurrent: true }, () => {
  it("admits one of two servers that start at the same moment", async () => {
    const DATA_DIR = aFolder();
    const starts = await Promise.allSettled([1, 2].map(() => startServer({ env: { DATA_DIR } })));
    const [winner, ...others] = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
    expect(others).toEqual([]);
    expect(enginesOn(DATA_DIR)).toHaveLength(1);
    winner?.process.kill("SIGHUP");
    expect(await winner?.ended).toBe(0);
  });

  it.each(["SIGTERM", "SIGKILL"] as const)("stops with its engine after %s to npm", async (signal) => {
    const DATA_DIR = aFolder();
    const npm = await startServer({ command: ["npm", "start"], env: { DATA_DIR } });
    npm.process.kill(signal);
    await eventually(() => expect([isAlive(npm.pid), enginesOn(DATA_DIR)]).toEqual([false, []]));
    await eventually(() => expect(fetch(npm.baseUrl)).rejects.toThrow());
  });

  it.each([50, 400])("leaves no process behind after a signal %i ms into the start", async (delay) => {
    const DATA_DIR = aFolder();
    const server = spawnServer({ env: { DATA_DIR } });
    await sleep(delay);
    server.process.kill("SIGTERM");
    await server.ended;
    await eventually(() => expect(enginesOn(DATA_DIR)).toEqual([]));
  });

  it.each([
    [{ PORT: "65536" }, 'PORT must be a port number, not "65536"'],
    [{ PORT: "5061" }, "PORT must not be 5061: browsers open no page there"],
    [{ PORT: "6000" }, "PORT must not be 6000: browsers open no page there"],
    [{ HOST: "192.0.2.1" }, "192.0.2.1 is not an address of this machine: set HOST to one"],
    [{ MAIL_TRANSPORT: "pigeon" }, "MAIL_TRANSPORT"],
  ])("stops in one line for %j", async (env, words) => {
    const server = spawnServer({ options: ["--memory"], env });
    expect(await server.ended).toBe(1);
    expect(server.output()).toContain(words);
    expect(server.output().trim().split("\n")).toHaveLength(1);
  });

  it("names a used port, and leaves no engine behind", async () => {
    const port = await listen(createServer());
    const DATA_DIR = aFolder();
    const server = spawnServer({ env: { DATA_DIR, PORT: String(port) } });
    expect(await server.ended).toBe(1);
    expect(server.output()).toBe(`Port ${port} is in use: set PORT to another one\n`);
    expect(enginesOn(DATA_DIR)).toEqual([]);
  });
});

/** The project without dynoxide, and a PATH with only the given commands. */
function projectWithout(commands: Record<string, string>): ServerOptions & { cwd: string; env: { PATH: string } } {
  const cwd = aFolder();
  for (const name of ["infra", "functions", "lib", "portal", "package.json"])
    symlinkSync(join(projectFolder, name), join(cwd, name));
  const PATH = join(cwd, "commands");
  mkdirSync(PATH);
  for (const [name, file] of Object.entries(commands)) symlinkSync(file, join(PATH, name));
  mkdirSync(join(cwd, "node_modules"));
  for (const name of readdirSync(join(projectFolder, "node_modules"))) {
    if (name !== "@dynoxide") symlinkSync(join(projectFolder, "node_modules", name), join(cwd, "node_modules", name));
  }
  const command = [process.execPath, "--preserve-symlinks", "--preserve-symlinks-main", "infra/local/main.ts"];
  return { cwd, command, env: { PATH } };
}

const dynoxide = join(projectFolder, "node_modules/@dynoxide/linux-x64/dynoxide");

onLinux("npm start without the dynoxide of npm ci", () => {
  it("names the four ways to have an engine if it finds none", async () => {
    const server = spawnServer({ ...projectWithout({}), options: ["--memory"] });
    expect(await server.ended).toBe(1);
    for (const way of ["DYNAMODB_ENDPOINT", "npm ci", "on the PATH", "Java 17"]) expect(server.output()).toContain(way);
    expect(server.output().trim().split("\n")).toHaveLength(5);
  });

  it.runIf(existsSync(dynoxide))("finds dynoxide on the PATH", async () => {
    const server = await startServer({ ...projectWithout({ dynoxide }), options: ["--memory"] });
    expect(server.output()).toContain("engine  dynoxide");
    await server.stop();
  });

  it.runIf(javaVersion() >= 17)("starts DynamoDB Local, with Java and ALLOW_OPEN_ENGINE=1", async () => {
    const java = execFileSync("sh", ["-c", "readlink -f $(command -v java)"], { encoding: "utf8" }).trim();
    const project = projectWithout({ java });
    const env = { ...project.env, ALLOW_OPEN_ENGINE: "1", DATA_DIR: join(project.cwd, "data") };
    const server = await startServer({ ...project, env });
    expect(server.output()).toContain("engine  dynamodb-local, open to the network");
    await signUp(server.baseUrl, "ada@example.com");
    expect(await server.stop()).toBe(0);
  });
});
