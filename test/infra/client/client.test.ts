import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { eventTypes } from "../../../lib/events/events.ts";
import { aFolder, projectFolder, startServer } from "../../support/process/server-process.ts";

// The packed client in a project of its own, as its users have it: compiled by two compilers, run against npm start.

vi.setConfig({ hookTimeout: 300_000, testTimeout: 300_000 });

const project = join(aFolder(), "consumer");

/** The first code block of a language in the part of docs/tour.md that anybody may copy. */
function documented(language: string): string {
  const [, section = ""] = readFileSync("docs/tour.md", "utf8").split("## The same in TypeScript\n");
  const [, lines] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section) ?? [];
  if (!lines) throw new Error(`docs/tour.md shows no ${language}`);
  return lines;
}

const WRONG = `
import { createClient } from "feedback-board-client";
const client = createClient({ baseUrl: "http://127.0.0.1" });
// @ts-expect-error no such path
await client.GET("/nothing");
// @ts-expect-error a field is missing
await client.POST("/votes", { body: {} });
// @ts-expect-error a path has its parameters
await client.GET("/roadmaps/{url}");
const { data, error } = await client.POST("/posts/slug", { body: { slug: "dark-mode" } });
// @ts-expect-error no such field of an answer
data?.post.nothing;
// @ts-expect-error no such code of this endpoint
if (error?.code === "VOTE_EXISTS") throw error;
if (error?.code === "POST_NOT_FOUND") throw error;
export const count: number | undefined = data?.post.voters.votesCount;
`;

beforeAll(() => {
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, "@types"), { recursive: true });
  execFileSync("npm", ["run", "client"], { cwd: projectFolder });
  // What the package needs is there, so that npm asks no registry.
  for (const name of ["openapi-fetch", "openapi-typescript-helpers"]) {
    cpSync(join(projectFolder, "node_modules", name), join(modules, name), { recursive: true });
  }
  execFileSync("bash", ["-euc", documented("sh").replace("<this repository>", projectFolder)], {
    cwd: project,
    env: { ...process.env, npm_config_offline: "true" },
  });
  for (const name of ["@types/node", "undici-types"]) {
    symlinkSync(join(projectFolder, "node_modules", name), join(modules, name));
  }
  const language = { module: "nodenext", target: "es2022", strict: true, types: ["node"] };
  // The compiler's own declarations are as they are: their check takes a fifth of its time.
  const compilerOptions = { ...language, noEmit: true, skipDefaultLibCheck: true };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  writeFileSync(join(project, "wrong.mts"), WRONG);
});

describe("The packed client", () => {
  it.each(["node_modules/.bin/tsc", "lib/client/node_modules/.bin/tsc"])(
    "compiles in a project of its own, and refuses what the API does not know: %s",
    (compiler) => {
      writeFileSync(join(project, "try.mts"), documented("ts"));
      const { stdout } = spawnSync(join(projectFolder, compiler), ["-p", project], { encoding: "utf8" });
      expect(stdout).toBe("");
    },
  );

  it("names the types of events to programs that choose some", async () => {
    writeFileSync(
      join(project, "types.mts"),
      'import { eventTypes } from "feedback-board-client";\nconsole.log(eventTypes.join());\n',
    );
    const { stdout } = await promisify(execFile)(process.execPath, ["types.mts"], { cwd: project });
    expect(stdout.trim().split(",")).toEqual([...eventTypes]);
  });

  it("signs up, posts and votes against npm start, as docs/tour.md shows it", async () => {
    const server = await startServer({ env: { DATA_DIR: aFolder() } });
    writeFileSync(join(project, "try.mts"), documented("ts"));
    const options = { cwd: project, env: { ...process.env, API: server.baseUrl } };
    const { stdout } = await promisify(execFile)(process.execPath, ["try.mts"], options);
    expect(stdout).toBe("1\n");
    await server.stop();
  });
});
