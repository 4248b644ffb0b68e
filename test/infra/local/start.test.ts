import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEngine } from "../../../infra/local/engine/engine.ts";
import { javaVersion } from "../../../infra/local/engine/kinds.ts";
import { newContainer } from "../../support/container.ts";
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
import { expectSound } from "../../support/store/sound.ts";

/** Starts a server that cannot start. Returns its exit code and the lines that it printed. */
async function failure(options: ServerOptions): Promise<{ code: number | string; lines: string[] }> {
  const server = spawnServer(options);
  const code = await server.ended;
  return { code, lines: server.output().trim().split("\n") };
}

/** Runs a function with lib pointed at the table of a data folder's engine. */
async function onTableOf(folder: string, work: () => Promise<void>): Promise<void> {
  const { DYNAMODB_ENDPOINT, TABLE_NAME } = process.env;
  newContainer({ DYNAMODB_ENDPOINT: engineOf(folder).endpoint, TABLE_NAME: "feedback-board" });
  await work().finally(() => newContainer({ DYNAMODB_ENDPOINT, TABLE_NAME }));
}

const onLinux = describe.runIf(process.platform === "linux");

onLinux("npm start: what it prints", () => {
  it("the printed curl lines work in their order, at the first start and at the next", async () => {
    const DATA_DIR = join(aFolder(), "data");
    for (const round of ["first", "next"]) {
      const server = await startServer({ env: { DATA_DIR } });
      const lines = server.output().split("\n");
      const script = lines.filter((line) => line.includes("curl ")).join("\n");
      const printed = execFileSync("bash", ["-euo", "pipefail", "-c", script], { encoding: "utf8" });
      const answers = printed
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(Object.keys(answers[0])).toEqual([round === "first" ? "user" : "voters"]);
      const [voters, list] = answers.slice(-2);
      expect(voters).toMatchObject({
        voters: { votesCount: 1, votes: [{ name: `ada${script.match(/ada(\.\w+)/)?.[1]}` }] },
      });
      expect(list.posts[0]).toMatchObject({
        title: "Dark mode",
        board: { name: "Feedback" },
        voters: { votesCount: 1 },
      });
      expect(await server.stop()).toBe(0);
    }
  });
});

onLinux("npm start: a server that runs", () => {
  const DATA_DIR = join(aFolder(), "made", "by", "start");
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer({ env: { DATA_DIR } });
  });
  afterAll(() => server.stop());

  it("each request is one log line, without secrets", async () => {
    const token = await signUp(server.baseUrl, "ada@example.com");
    await call(server.baseUrl, "GET", "/boards", { token });
    await call(server.baseUrl, "GET", "/nowhere");
    await call(server.baseUrl, "POST", "/posts/slug", { body: { slug: "private-words" } });
    const lines = () => server.output().split("\n").slice(0, -1);
    const requests = () => lines().flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    await eventually(() => expect(requests().length).toBeGreaterThanOrEqual(4));
    expect(requests().map(({ route, status }) => [route, status])).toEqual([
      ["/auth/signup", 201],
      ["/boards", 200],
      ["none", 404],
      ["/posts/slug", 404],
    ]);
    const logged = lines().filter((line) => line.startsWith("{"));
    expect(logged.join("\n")).not.toMatch(/ada@example\.com|correct horse|private-words|eyJ/);
  });

  it("the data folder is readable by its owner only", async () => {
    await signUp(server.baseUrl, "grace@example.com");
    await eventually(() => expect(readdirSync(DATA_DIR)).toContain("mail.jsonl"));
    const modeOf = (name: string): string => (statSync(join(DATA_DIR, name)).mode & 0o777).toString(8);
    expect(modeOf(".")).toBe("700");
    const names = readdirSync(DATA_DIR);
    expect(names).toEqual(expect.arrayContaining(["server.json", "signing-secret", "table.db", "mail.jsonl"]));
    for (const name of names) expect([name, modeOf(name)]).toEqual([name, "600"]);
  });

  it("a second server on the same data is refused with one line, and the first goes on", async () => {
    const line = `Another server (process ${server.pid}) works on ${DATA_DIR}: stop it, or set DATA_DIR to another folder`;
    const link = join(aFolder(), "link");
    symlinkSync(DATA_DIR, link);
    for (const folder of [DATA_DIR, link]) {
      expect(await failure({ env: { DATA_DIR: folder } })).toEqual({ code: 1, lines: [line] });
    }
    expect((await call(server.baseUrl, "POST", "/posts/get")).status).toBe(200);
  });

  it("a folder that names a process of another folder, or is damaged, does not confuse a start", async () => {
    const another = aFolder();
    const { pid: engine } = engineOf(DATA_DIR);
    writeFileSync(
      join(another, "server.json"),
      JSON.stringify({ server: server.pid, engine: { pid: engine, port: 1 } }),
    );
    const next = await startServer({ env: { DATA_DIR: another } });
    expect(isAlive(engine)).toBe(true);
    await next.stop();
    writeFileSync(join(another, "server.json"), "{ half a no");
    await (await startServer({ env: { DATA_DIR: another } })).stop();
  });
});

onLinux("npm start: data that outlive the server", () => {
  // One folder, through stops and kills.
  const DATA_DIR = aFolder();
  let token: string | undefined;
  let running: RunningServer | undefined;

  it("data and tokens survive a stop, and a kill of the server", async () => {
    let server = await startServer({ env: { DATA_DIR } });
    token = await signUp(server.baseUrl, "ada@example.com");
    const made = await call(server.baseUrl, "POST", "/posts", { token, body: { title: "Keep me" } });
    const read = () => call(server.baseUrl, "POST", "/posts/slug", { token, body: { slug: made.body.post.slug } });
    expect(await server.stop()).toBe(0);
    server = await startServer({ env: { DATA_DIR } });
    expect((await read()).body.post.title).toBe("Keep me");
    await call(server.baseUrl, "POST", "/votes", { token, body: { postId: made.body.post.postId } });
    const engine = engineOf(DATA_DIR).pid;
    process.kill(server.pid, "SIGKILL");
    expect(await server.ended).toBe("SIGKILL");
    server = await startServer({ env: { DATA_DIR } });
    // The next start takes the folder over, with one engine.
    expect([isAlive(engine), enginesOn(DATA_DIR)]).toEqual([false, [engineOf(DATA_DIR).pid]]);
    expect((await read()).body.post.voters).toMatchObject({ votesCount: 1, viewerVote: {} });
    running = server;
  });

  it("every acknowledged write survives a kill of server and engine under load", async () => {
    const { baseUrl, pid, ended } = running ?? (await startServer({ env: { DATA_DIR } }));
    token ??= await signUp(baseUrl, "ada@example.com");
    const acknowledged: string[] = [];
    const load = async (): Promise<void> => {
      for (;;) {
        const { status, body } = await call(baseUrl, "POST", "/posts", { token, body: { title: "Under load" } });
        if (status === 201) acknowledged.push(body.post.postId);
      }
    };
    const clients = Array.from({ length: 8 }, () => load().catch(() => {}));
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(100));
    process.kill(engineOf(DATA_DIR).pid, "SIGKILL");
    process.kill(pid, "SIGKILL");
    await Promise.all(clients);
    expect(await ended).toBe("SIGKILL");
    const server = await startServer({ env: { DATA_DIR } });
    const ids: string[] = [];
    for (let page = 1; ids.length === (page - 1) * 50; page++) {
      const { body } = await call(server.baseUrl, "POST", "/posts/get", { body: { page, limit: 50 } });
      ids.push(...body.posts.map(({ postId }: { postId: string }) => postId));
    }
    expect(acknowledged.filter((postId) => !ids.includes(postId))).toEqual([]);
    await onTableOf(DATA_DIR, expectSound);
    await server.stop();
  });
});

onLinux("npm start: the data", () => {
  it("an empty data folder is closed to others, one with other files keeps its mode", async () => {
    const empty = aFolder();
    const shared = aFolder();
    writeFileSync(join(shared, "notes.txt"), "not ours");
    for (const folder of [empty, shared]) chmodSync(folder, 0o755);
    for (const DATA_DIR of [empty, shared]) await (await startServer({ env: { DATA_DIR } })).stop();
    expect([empty, shared].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o755]);
    expect(statSync(join(shared, "signing-secret")).mode & 0o777).toBe(0o600);
  });

  it("with --memory no data are kept", async () => {
    const DATA_DIR = join(aFolder(), "data");
    const first = await startServer({ options: ["--memory"], env: { DATA_DIR } });
    const token = await signUp(first.baseUrl, "ada@example.com");
    await first.stop();
    expect(existsSync(DATA_DIR)).toBe(false);
    const second = await startServer({ options: ["--memory"], env: { DATA_DIR } });
    expect((await call(second.baseUrl, "GET", "/boards", { token })).body.code).toBe("INVALID_TOKEN");
    await signUp(second.baseUrl, "ada@example.com");
    await second.stop();
  });
});

onLinux("npm start: one server and one engine on the same data", () => {
  it("of four servers that start at the same moment one wins", async () => {
    const DATA_DIR = aFolder();
    const starts = await Promise.allSettled(Array.from({ length: 4 }, () => startServer({ env: { DATA_DIR } })));
    const won = starts.filter((start) => start.status === "fulfilled");
    expect(won).toHaveLength(1);
    expect(enginesOn(DATA_DIR)).toHaveLength(1);
    await won[0]?.value.stop();
  });

  it("an engine that a crash left behind, noted in the folder or not, is ended", async () => {
    const DATA_DIR = aFolder();
    let server = await startServer({ env: { DATA_DIR } });
    const token = await signUp(server.baseUrl, "ada@example.com");
    for (const isNoted of [true, false]) {
      await server.stop();
      const { pid, endpoint } = await startEngine({ data: DATA_DIR });
      const note = JSON.stringify({ server: server.pid, engine: { pid, endpoint } });
      if (isNoted) writeFileSync(join(DATA_DIR, "server.json"), note);
      server = await startServer({ env: { DATA_DIR } });
      expect([isNoted, isAlive(pid ?? 0)]).toEqual([isNoted, false]);
      expect(enginesOn(DATA_DIR)).toEqual([engineOf(DATA_DIR).pid]);
      expect((await call(server.baseUrl, "GET", "/boards", { token })).status).toBe(200);
    }
    await server.stop();
  });
});

onLinux("npm start: starts that fail", { concurrent: true }, () => {
  it.each([
    [["--demmo", "-x"], {}, "Unknown option --demmo -x. Usage: npm start [-- [--demo] [--memory] [--watch]]"],
    [["--memory"], { PORT: "http" }, 'PORT must be a port number, not "http"'],
    [["--memory"], { PORT: "65536" }, 'PORT must be a port number, not "65536"'],
    [["--memory"], { HOST: "192.0.2.1" }, "192.0.2.1 is no address of this machine: set HOST to one"],
    [["--memory"], { DYNAMODB_ENDPOINT: "localhost:8000" }, "DYNAMODB_ENDPOINT is no URL: localhost:8000"],
    [
      ["--memory"],
      { DYNAMODB_ENDPOINT: "http://127.0.0.1:1" },
      "Nothing answers at DYNAMODB_ENDPOINT http://127.0.0.1:1",
    ],
  ])("a start with %j %j fails with one clear line and exit code 1", async (options, env, line) => {
    expect(await failure({ options, env })).toEqual({ code: 1, lines: [line] });
  });

  it("a start with a bad setting names it", async () => {
    const { code, lines } = await failure({ options: ["--memory"], env: { MAIL_TRANSPORT: "pigeon" } });
    expect([code, lines.length, lines[0]]).toEqual([1, 1, expect.stringContaining("MAIL_TRANSPORT")]);
  });

  it("a start on a used port says so, and leaves no engine behind", async () => {
    const taken = createTcpServer();
    await new Promise<void>((done) => taken.listen(0, "127.0.0.1", done));
    const { port } = taken.address() as AddressInfo;
    const DATA_DIR = aFolder();
    const start = await failure({ env: { DATA_DIR, PORT: String(port) } });
    taken.close();
    expect(start).toEqual({ code: 1, lines: [`Port ${port} is in use: set PORT to another one`] });
    expect(enginesOn(DATA_DIR)).toEqual([]);
  });

  it.each([
    ["says nothing", () => {}],
    [
      "is a web site",
      (_, response) => {
        response.writeHead(404, { "content-type": "text/html" });
        response.end("<html>not\nfound</html>");
      },
    ],
  ] as [string, RequestListener][])("a start with a DYNAMODB_ENDPOINT that %s is refused", async (_, listener) => {
    const server = createServer(listener);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const DYNAMODB_ENDPOINT = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, lines } = await failure({ options: ["--memory"], env: { DYNAMODB_ENDPOINT } });
    server.close();
    server.closeAllConnections();
    expect([code, lines.length, lines[0]]).toEqual([1, 1, expect.stringContaining(DYNAMODB_ENDPOINT)]);
  });

  it("a data folder that is a file, or below one, is refused", async () => {
    const file = join(aFolder(), "file");
    writeFileSync(file, "");
    expect(await failure({ env: { DATA_DIR: file } })).toEqual({
      code: 1,
      lines: [`${file} is not a folder: set DATA_DIR to one`],
    });
    const { code, lines } = await failure({ env: { DATA_DIR: join(file, "below") } });
    expect([code, lines]).toEqual([1, [expect.stringContaining("set DATA_DIR to another one")]]);
  });

  it("a data folder without write permission is refused", async () => {
    const parent = aFolder();
    const folder = join(parent, "closed");
    mkdirSync(folder);
    chmodSync(parent, 0o755);
    chmodSync(folder, 0o555);
    // Root may write anywhere, so the server runs as the user nobody.
    const uid = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const inside = await failure({ env: { DATA_DIR: folder, HOME: "/" }, ...uid });
    const below = await failure({ env: { DATA_DIR: join(folder, "data"), HOME: "/" }, ...uid });
    for (const { code, lines } of [inside, below]) {
      expect([code, lines]).toEqual([1, [expect.stringMatching(/closed.*set DATA_DIR to/)]]);
    }
  });
});

/** The project without one of its packages, and a PATH with only the given commands. */
function projectWithout(packageName: string, commands: Record<string, string>) {
  const cwd = aFolder();
  for (const name of ["infra", "functions", "lib", "package.json"])
    symlinkSync(join(projectFolder, name), join(cwd, name));
  const PATH = join(cwd, "commands");
  mkdirSync(PATH);
  for (const [name, file] of Object.entries(commands)) symlinkSync(file, join(PATH, name));
  mkdirSync(join(cwd, "node_modules"));
  for (const name of readdirSync(join(projectFolder, "node_modules"))) {
    if (name !== packageName) symlinkSync(join(projectFolder, "node_modules", name), join(cwd, "node_modules", name));
  }
  const command = [process.execPath, "--preserve-symlinks", "--preserve-symlinks-main", "infra/local/main.ts"];
  return { cwd, command, env: { PATH, DATA_DIR: join(cwd, "data") } };
}

/** A Node that is too old to strip types, if the machine has one. */
const oldNode = ["/usr/bin/node", "/usr/local/bin/node"].find(
  (file) =>
    existsSync(file) && Number(/v(\d+)/.exec(execFileSync(file, ["--version"], { encoding: "utf8" }))?.[1]) < 22,
);

onLinux("npm start: Node", () => {
  it.runIf(oldNode)("a Node that is too old gets one line that says what to do", async () => {
    const script = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")).scripts.start as string;
    const command = [oldNode ?? "", ...script.replace("exec node ", "").split(" ")];
    const { code, lines } = await failure({ command });
    expect([code, lines]).toEqual([1, [expect.stringMatching(/^This needs Node 24\.2 or newer .* and got \d/)]]);
  });
});

const dynoxide = join(projectFolder, "node_modules/@dynoxide/linux-x64/dynoxide");

onLinux("npm start: engines", () => {
  it("without an engine the start names the four ways to have one", async () => {
    const { code, lines } = await failure(projectWithout("@dynoxide", {}));
    expect(code).toBe(1);
    const text = lines.join("\n");
    for (const way of ["DYNAMODB_ENDPOINT", "npm ci", "on the PATH", "Java 17"]) expect(text).toContain(way);
    expect(lines).toHaveLength(5);
  });

  it.runIf(existsSync(dynoxide))("dynoxide is taken from the PATH", async () => {
    const server = await startServer(projectWithout("@dynoxide", { dynoxide }));
    expect(server.output()).toContain("engine  dynoxide");
    await signUp(server.baseUrl, "ada@example.com");
    await server.stop();
  });

  it.runIf(javaVersion() >= 17)("DynamoDB Local is used with Java, if it may be open to the network", async () => {
    const java = execFileSync("sh", ["-c", "readlink -f $(command -v java)"], { encoding: "utf8" }).trim();
    const project = projectWithout("@dynoxide", { java });
    const { code, lines } = await failure(project);
    expect([code, lines.at(-1)]).toEqual([1, expect.stringContaining("set ALLOW_OPEN_ENGINE=1")]);
    const env = { ...project.env, ALLOW_OPEN_ENGINE: "1" };
    const server = await startServer({ ...project, env });
    expect(server.output()).toContain("engine  dynamodb-local, open to the network");
    await signUp(server.baseUrl, "ada@example.com");
    const engine = engineOf(project.env.DATA_DIR).pid;
    await server.stop();
    expect(isAlive(engine)).toBe(false);
  });
});

onLinux("npm start: the end", { concurrent: true }, () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s ends the server and the engine", async (signal) => {
    const DATA_DIR = aFolder();
    const server = await startServer({ env: { DATA_DIR } });
    const engine = engineOf(DATA_DIR).pid;
    server.process.kill(signal);
    expect(await server.ended).toBe(0);
    expect(isAlive(engine)).toBe(false);
    expect(existsSync(join(DATA_DIR, "server.json"))).toBe(false);
  });

  it.each(["Ctrl-C", "SIGTERM", "SIGKILL"] as const)("%s to npm ends npm, the server and the engine", async (how) => {
    const DATA_DIR = aFolder();
    const npm = await startServer({ command: ["npm", "start"], env: { DATA_DIR } });
    const { server, engine } = JSON.parse(readFileSync(join(DATA_DIR, "server.json"), "utf8")) as {
      server: number;
      engine: { pid: number };
    };
    // Ctrl-C in a terminal goes to every process of the foreground group.
    if (how === "Ctrl-C") process.kill(-npm.pid, "SIGINT");
    else npm.process.kill(how);
    await eventually(() => expect([server, engine.pid, npm.pid].filter(isAlive)).toEqual([]));
  });

  it("a server whose output nobody reads any more ends, with its engine", async () => {
    const DATA_DIR = aFolder();
    const server = await startServer({ env: { DATA_DIR } });
    server.process.stdout?.destroy();
    server.process.stderr?.destroy();
    await call(server.baseUrl, "POST", "/posts/get");
    expect(await server.ended).toBe(1);
    expect(enginesOn(DATA_DIR)).toEqual([]);
  });

  it("the requests under way are answered before the end", async () => {
    const server = await startServer({ options: ["--memory"] });
    const signups = Array.from({ length: 12 }, (_, n) =>
      call(server.baseUrl, "POST", "/auth/signup", { body: { email: `a${n}@example.com`, password: "correct horse" } }),
    );
    // The first answer shows that all are under way.
    await Promise.race(signups);
    server.process.kill("SIGINT");
    expect((await Promise.all(signups)).map(({ status }) => status)).toEqual(Array(12).fill(201));
    expect(await server.ended).toBe(0);
  });

  it("a signal during the start leaves no process behind", async () => {
    await Promise.all(
      [50, 200, 300, 450].map(async (delay) => {
        const DATA_DIR = aFolder();
        const server = spawnServer({ env: { DATA_DIR } });
        await sleep(delay);
        server.process.kill("SIGTERM");
        await server.ended;
        expect(enginesOn(DATA_DIR)).toEqual([]);
      }),
    );
  });
});
