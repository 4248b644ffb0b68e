import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { endpoints } from "../functions/index.ts";
import { partitions } from "../lib/table/families.ts";

// Where things belong (docs/architecture.md#rooms): the rules that no type and no linter keeps.

const root = join(import.meta.dirname, "..");

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes("node_modules/"))
    .map((name) => join(folder, name));
}

const sources = [...filesIn("lib"), ...filesIn("functions")].filter((file) => !file.startsWith("lib/client/schema"));
function textOf(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
function codeOf(file: string): string {
  return textOf(file)
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*$/gm, "$1");
}

/** The rooms, and from which others each may import: the table of docs/architecture.md#rooms. */
const rooms: Record<string, readonly string[]> = Object.fromEntries(
  (/^## Rooms$([\s\S]*?)^## /m.exec(textOf("docs/architecture.md"))?.[1] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => {
      const [room = "", , others = ""] = line.split("|").slice(1);
      const named = (cell: string): string[] => [...cell.matchAll(/`([\w/-]+?)\/?`/g)].map(([, name = ""]) => name);
      return [named(room)[0], named(others)];
    }),
);

/** The room of a file: the longest folder of the table that it lies in. */
function roomOf(file: string): string {
  return (
    Object.keys(rooms)
      .filter((room) => file.startsWith(`${room}/`))
      .sort((a, b) => b.length - a.length)[0] ?? file
  );
}

function importsOf(file: string): string[] {
  return (
    [...textOf(file).matchAll(/^(?:import|\S.* from) "(\.[^"]+)"|import\("(\.[^"]+)"\)/gm)]
      .map((found) => relative(root, join(root, file, "..", found[1] ?? found[2] ?? "")))
      // What `npm run check` makes is nowhere before.
      .filter((each) => /\.tsx?$/.test(each) && each !== "lib/client/schema.ts")
  );
}

describe("The modules of lib/ and functions/", () => {
  it("read no environment and do no I/O when they are imported", () => {
    // In a process of its own, with an empty environment, in which every way out is watched.
    const watch = `
      import { createRequire, syncBuiltinESMExports } from "node:module";
      const require = createRequire(import.meta.url);
      const seen = [];
      const own = () => (new Error().stack ?? "").split("\\n").some((line) => /\\/(lib|functions)\\//.test(line) && !line.includes("node_modules"));
      const environment = process.env;
      Object.defineProperty(process, "env", { value: new Proxy({}, {
        get: (_, name) => { if (typeof name === "string" && own()) seen.push("environment: " + name); return undefined; },
        has: () => false, ownKeys: () => { if (own()) seen.push("environment: all"); return []; } }) });
      for (const [name, functions] of Object.entries({
        "node:net": ["connect", "createConnection"], "node:http": ["request", "get"], "node:https": ["request", "get"],
        "node:dns": ["lookup", "resolve"], "node:fs": ["writeFileSync", "writeFile", "appendFile", "mkdir", "mkdirSync", "createWriteStream"],
        "node:child_process": ["spawn", "exec", "execFile", "fork"] })) {
        const module = require(name);
        for (const each of functions) {
          const original = module[each];
          module[each] = (...words) => { seen.push(name + " " + each); return original(...words); };
        }
      }
      syncBuiltinESMExports();
      for (const name of ["setInterval", "setTimeout", "fetch"]) {
        const original = globalThis[name];
        globalThis[name] = (...words) => { if (own()) seen.push(name); return original(...words); };
      }
      for (const file of process.argv.slice(1)) await import(file);
      process.stdout.write(JSON.stringify(seen));
    `;
    const files = sources.map((file) => join(root, file));
    const options = { env: {}, encoding: "utf8" } as const;
    const out = execFileSync(process.execPath, ["--input-type=module", "-e", watch, ...files], options);
    expect(JSON.parse(out)).toEqual([]);
  });

  it("import one way, from room to room", () => {
    const all = [...sources, ...filesIn("infra"), ...filesIn("portal")];
    const homeless = all.filter((file) => !(roomOf(file) in rooms));
    expect(homeless, "the folder of these files is not in the table of docs/architecture.md#rooms").toEqual([]);
    const empty = Object.keys(rooms).filter((room) => !all.some((file) => file.startsWith(`${room}/`)));
    expect(empty, "docs/architecture.md#rooms names rooms without files").toEqual([]);
    for (const file of all) {
      const allowed = rooms[roomOf(file)] ?? [];
      const others = importsOf(file)
        .map(roomOf)
        .filter((room) => room !== roomOf(file));
      const wrong = others.filter((room) => !allowed.includes(room));
      expect(wrong, `${file} must not import from these rooms: docs/architecture.md#rooms`).toEqual([]);
    }
  });

  it("import no page nor part of a page, in what the portal's pages stand on", () => {
    const entries = ["app.tsx", "browser.tsx", "server.tsx"].map((name) => `portal/${name}`);
    const isShown = (file: string) => /^portal\/(pages|parts)\//.test(file);
    const below = filesIn("portal").filter((file) => !isShown(file) && !entries.includes(file));
    expect(below.length).toBeGreaterThan(10);
    for (const file of below) expect(importsOf(file).filter(isShown), file).toEqual([]);
  });

  it("import in no circle, lazy imports and imports of types included", () => {
    const all = [...sources, ...filesIn("infra"), ...filesIn("portal"), ...filesIn("test")];
    const done = new Set<string>();
    const visit = (file: string, path: string[]): void => {
      if (path.includes(file)) throw new Error(`a circle: ${[...path.slice(path.indexOf(file)), file].join(" -> ")}`);
      if (done.has(file)) return;
      for (const each of importsOf(file)) visit(each, [...path, file]);
      done.add(file);
    };
    for (const file of all) visit(file, []);
    expect(done.size).toBeGreaterThan(100);
  });
});

describe("The simulator", () => {
  it("imports nothing of the product", () => {
    const outside = filesIn("test/simulator").flatMap((file) =>
      importsOf(file).filter((imported) => !imported.startsWith("test/simulator/")),
    );
    expect(outside).toEqual([]);
  });
});

describe("lib/table", () => {
  it("alone calls DynamoDB", () => {
    const knowing = sources.filter((file) => /@aws-sdk\/(client-dynamodb|lib-dynamodb)/.test(codeOf(file)));
    expect(knowing.filter((file) => !file.startsWith("lib/table/"))).toEqual([]);
  });

  it("alone spells keys, in three files", () => {
    const words = [...Object.keys(partitions), "BOARD", "ROADMAP", "VOTE", "POST"].join("|");
    const spelled = new RegExp(`["'\`](${words})#|#VOTERS|\\b[ps]k: ["'\`]`);
    const spelling = sources.filter((file) => spelled.test(codeOf(file)));
    expect(spelling).toEqual(["lib/table/families.ts", "lib/table/keys.ts", "lib/table/ranges.ts"]);
  });

  it("never scans, nor writes in batches", () => {
    const doing = sources.filter((file) => /ScanCommand|BatchWriteCommand|BatchWriteItem/.test(codeOf(file)));
    expect(doing).toEqual([]);
  });
});

describe("The tests", () => {
  it("below test/functions, or portal.ts for them, name every endpoint", () => {
    const tests = [...filesIn("test/functions"), "test/support/portal.ts"].map(codeOf).join("\n");
    const untested = endpoints.filter(({ definition }) => !tests.includes(`"${definition.name}"`));
    const names = untested.map(({ definition }) => definition.name);
    expect(names, "give each of these endpoints its test below test/functions/").toEqual([]);
  });

  it("give each check a title that continues the title above it", () => {
    const title = /^ +(?:it|generated)(?:\.each\([\s\S]*?\))?\(\s*["`']([^"`']+)/gm;
    const noVerb = /^(not|no|with|without|by|in|on|at|from|to|of|for|as|also|and)\b/;
    const titles = filesIn("test").flatMap((file) => [...codeOf(file).matchAll(title)].map(([, text = ""]) => text));
    expect(titles.length).toBeGreaterThan(500);
    expect(
      titles.filter((text) => noVerb.test(text)),
      "begin these titles with a noun or a verb",
    ).toEqual([]);
  });
});

describe("The code", () => {
  it("declares one name at a time", () => {
    const pair = /\b(?:const|let) \[[\w, ]+\] = \[[^\]]*\];/;
    const files = ["functions", "lib", "infra", "portal", "test"].flatMap((folder) => filesIn(folder));
    const pairs = files.flatMap((file) => pair.exec(codeOf(file))?.map((found) => `${file}: ${found}`) ?? []);
    expect(pairs, "declare each of these names by itself").toEqual([]);
  });
});
