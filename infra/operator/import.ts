// The operator's command import: brings in what another portal has, or takes an import back. docs/moving.md.
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { setFlagsFromString } from "node:v8";
import { assertKnown, status } from "../../lib/migrations/migrate.ts";
import { find } from "../../lib/moving/journal.ts";
import { workshop } from "../../lib/moving/work.ts";
import { openInput } from "../import/formats/input.ts";
import { tryOut, write } from "../import/import.ts";
import { headOf } from "../import/own-rows.ts";
import { Problems } from "../import/problems.ts";
import { restore, tryRestore } from "../import/restore.ts";
import { sources } from "../import/sources/index.ts";
import { undo } from "../import/undo.ts";
import { readCommandLine } from "../usage.ts";
import { unitsPerSecond } from "./pace.ts";
import { onTable, TABLES } from "./table.ts";

const NAMES = Object.keys(sources).join(" | ");
const USAGE = `npm run operate -- import ${NAMES} <file or folder> [--write] [--undo] [--name <name>] [--problems <file>] [--site <subdomain>] [--with-credentials], ${TABLES}`;

const HELP = `
  <file or folder>   what the other portal exports; without --write it is only looked at
  --write            imports; a second run imports only what is new
  --undo             removes what an import made and nobody touched since; needs no file
  --name <name>      keeps two imports from the same portal apart, by default the name of the source
  --problems <file>  where all problems are listed, by default import-problems.csv
  --site <subdomain> which site to take of a dump of Fider's database that has several
  --with-credentials of an export of a site of your own: takes roles, confirmed addresses and passwords from it`;

type Given = {
  source: string;
  path: string;
  importId: string;
  isUndo: boolean;
  isWrite: boolean;
  site: string | undefined;
  problems: string;
};

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** What is wrong with a command line; undefined if nothing is. */
function wrongIn({ source, path, importId, isUndo, isWrite, site, problems }: Given): string | undefined {
  if (!Object.hasOwn(sources, source)) return `There is no source “${source}”: give one of ${NAMES}`;
  if (isUndo && isWrite) return "--undo and --write exclude each other";
  if (isUndo && path !== "") return "--undo needs no file";
  if (!isUndo && path === "") return `Give the file or folder that ${source} exported`;
  if (site !== undefined && source !== "fider") return "--site is for fider";
  if (!isFolder(dirname(problems))) return `There is no folder ${dirname(problems)} for the list of problems`;
  if (isFolder(problems)) return `${problems} is a folder: name a file in it for the list of problems`;
  if (/^[a-z0-9-]{1,40}$/.test(importId)) return undefined;
  return "--name takes at most 40 small letters, digits and hyphens";
}

export async function run(words: readonly string[]): Promise<number> {
  const { flags, options, values } = readCommandLine(
    USAGE,
    {
      flags: ["--write", "--undo", "--with-credentials"],
      options: ["--name", "--problems", "--site"],
      values: 2,
      help: HELP,
    },
    words,
  );
  const [source = "", path = ""] = values;
  const read = Object.hasOwn(sources, source) ? sources[source] : undefined;
  const importId = options["--name"] ?? source;
  const isUndo = flags.has("--undo");
  const site = options["--site"];
  const problemsFile = options["--problems"] ?? "import-problems.csv";
  const isWrite = flags.has("--write");
  const wrong = wrongIn({ source, path, importId, isUndo, isWrite, site, problems: problemsFile });
  if (!read || wrong !== undefined) {
    console.error(`${wrong}\nUsage: ${USAGE}`);
    return 1;
  }
  // Little of a dump stays in memory. Without this V8 lets more of the rest lie than all that it needs.
  setFlagsFromString("--heap-growing-percent=20");
  return onTable(async (table) => {
    assertKnown(await status());
    console.log(`The table ${table}`);
    const lines = isUndo ? await takeBack(importId) : await bringIn(path);
    for (const line of lines) console.log(line);
    return 0;
  });

  async function takeBack(name: string): Promise<string[]> {
    const found = await find(name);
    if (!found) throw new Error(`There is no import ${name}`);
    if (found.restores) throw new Error("It was the import of a whole site: delete its table or data folder instead");
    return undo(name, workshop(await unitsPerSecond("write")));
  }

  async function bringIn(from: string): Promise<string[]> {
    const problems = new Problems(problemsFile);
    const input = { ...(await openInput(from, problems.report)), site };
    try {
      const head = source === "jsonl" ? await headOf(input) : undefined;
      const withCredentials = flags.has("--with-credentials");
      if (withCredentials && !head) throw new Error("--with-credentials is for an export of a site of your own");
      const making = isWrite ? workshop(await unitsPerSecond("write")) : undefined;
      if (head) {
        const order = { source, importId, input, head, withCredentials };
        return making ? await restore(order, problems, making) : await tryRestore(order, problems);
      }
      const order = { source, importId, read: read as NonNullable<typeof read>, input };
      return making ? await write(order, problems, making) : await tryOut(order, problems);
    } finally {
      input.close();
    }
  }
}
