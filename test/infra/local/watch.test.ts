import { cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { familyOf } from "../../support/process/family.ts";
import * as servers from "../../support/process/server-process.ts";

/** A copy of the code that a test can change, with the project's packages. */
function aCopy(): string {
  const folder = servers.aFolder();
  for (const name of ["infra", "functions", "lib", "portal", "package.json"]) {
    cpSync(join(servers.projectFolder, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(servers.projectFolder, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Replaces a text in a file as editors do: with a new file of that name, or by writing into the file. */
function change(file: string, from: string, to: string, how: "replaced" | "written" = "replaced"): void {
  const text = readFileSync(file, "utf8");
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  const target = how === "replaced" ? `${file}.new` : file;
  writeFileSync(target, text.replace(from, to));
  renameSync(target, file);
}

function baseUrlOf(server: servers.ServerProcess): string {
  return [...server.output().matchAll(/is up: (\S+)/g)].at(-1)?.[1] ?? "";
}

async function untilUp(server: servers.ServerProcess): Promise<string> {
  await servers.eventually(() => expect(server.output()).toContain("is up: "));
  return baseUrlOf(server);
}

describe.runIf(process.platform === "linux")("npm start -- --watch", { concurrent: true }, () => {
  it("restarts the server after each change in lib/, functions/ or infra/, and keeps the engine's data", async () => {
    const cwd = aCopy();
    const server = servers.spawnServer({ cwd, options: ["--watch", "--memory"] });
    const token = await servers.signUp(await untilUp(server), "ada@example.com");
    const before = familyOf(server.pid);

    change(join(cwd, "lib/runtime/errors.ts"), "An account with this email already exists", "changed in lib/");
    const body = { email: "ada@example.com", password: "correct horse" };
    await servers.eventually(async () => {
      const { body: answer } = await servers.call(baseUrlOf(server), "POST", "/auth/signup", { body });
      expect(answer).toEqual({ code: "USER_EXISTS", message: "changed in lib/" });
    });

    // One that cannot run ends it until the next change; a file is still watched after it was replaced.
    const file = join(cwd, "functions/auth/setup-status.ts");
    change(file, "prefetched !== undefined", "prefetched === = undefined");
    await servers.eventually(() => expect(server.output()).toContain("after the next change"));
    change(file, "prefetched === = undefined", "prefetched === undefined", "written");
    await servers.eventually(async () => {
      expect((await servers.call(baseUrlOf(server), "GET", "/auth/setup")).body).toEqual({ is_setup: true });
    });
    // The token is from before the restart.
    expect((await servers.call(baseUrlOf(server), "GET", "/boards", { token })).status).toBe(200);

    change(join(cwd, "infra/local/gateway/documents.ts"), "statusCode: 301", "statusCode: 308");
    await servers.eventually(async () => {
      const answer = await fetch(new URL("/docs", baseUrlOf(server)), { redirect: "manual" });
      expect(answer.status).toBe(308);
    });

    // The parent and the engine are the same processes as before; the server is another one.
    const after = familyOf(server.pid);
    expect(after.filter((pid) => before.includes(pid))).toHaveLength(before.length - 1);
    // As Ctrl-C in a terminal does, which goes to every process of the foreground group.
    process.kill(-server.pid, "SIGINT");
    expect(await server.ended).toBe(0);
    await servers.eventually(() => expect(after.filter(servers.isAlive)).toEqual([]));
  });

  it("stops all its processes after a kill", async () => {
    const server = servers.spawnServer({ options: ["--watch"], env: { DATA_DIR: servers.aFolder() } });
    await untilUp(server);
    const family = familyOf(server.pid);
    // The parent, the server, the engine, and the two shells that keep it.
    expect(family).toHaveLength(5);
    server.process.kill("SIGKILL");
    await servers.eventually(() => expect(family.filter(servers.isAlive)).toEqual([]));
  });
});
