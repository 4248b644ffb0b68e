// The operator's command import: brings in what another portal has, or takes an import back. docs/moving.md.
import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { assertKnown, status } from "../../lib/migrations/migrate.ts";
import { environment } from "../../lib/runtime/environment.ts";
import { documentClient } from "../../lib/table/client.ts";
import { tryOut, write } from "../import/import.ts";
import { openInput } from "../import/input.ts";
import { find } from "../import/journal.ts";
import { Problems } from "../import/problems.ts";
import { sources } from "../import/sources/index.ts";
import { undo } from "../import/undo.ts";
import { workshop } from "../import/work.ts";
import { readCommandLine } from "../usage.ts";
import { onTable, TABLES } from "./table.ts";

const NAMES = Object.keys(sources).join(" | ");
const USAGE = `npm run operate -- import ${NAMES} <file or folder> [--write] [--undo] [--name <name>] [--problems <file>], ${TABLES}`;

const HELP = `
  <file or folder>   what the other portal exports; without --write it is only looked at
  --write            imports; a second run imports only what is new
  --undo             removes what an import made and nobody touched since; needs no file
  --name <name>      keeps two imports from the same portal apart, by default the name of the source
  --problems <file>  where all problems are listed, by default import-problems.csv`;

// What a new table on demand can write in a second; a table with a lower ceiling says so.
const UNITS_OF_NEW_TABLE = 4000;

/** Half of what the table can write in a second: people need the rest. An engine on this machine has no limit. */
async function unitsPerSecond(): Promise<number> {
  if (environment().DYNAMODB_ENDPOINT) return Number.POSITIVE_INFINITY;
  const { Table } = await documentClient().send(new DescribeTableCommand({ TableName: environment().TABLE_NAME }));
  const most = Table?.OnDemandThroughput?.MaxWriteRequestUnits ?? -1;
  return (most > 0 ? most : UNITS_OF_NEW_TABLE) / 2;
}

export async function run(words: readonly string[]): Promise<number> {
  const { flags, options, values } = readCommandLine(
    USAGE,
    { flags: ["--write", "--undo"], options: ["--name", "--problems"], values: 2, help: HELP },
    words,
  );
  const [source = "", path = ""] = values;
  const read = Object.hasOwn(sources, source) ? sources[source] : undefined;
  const importId = options["--name"] ?? source;
  const isUndo = flags.has("--undo");
  if (!read || (path === "") !== isUndo || (isUndo && flags.has("--write")) || !/^[a-z0-9-]{1,40}$/.test(importId)) {
    console.error(`Usage: ${USAGE}`);
    return 1;
  }
  return onTable(async (table) => {
    assertKnown(await status());
    console.log(`The table ${table}`);
    const lines = isUndo ? await takeBack(importId) : await bringIn(path);
    for (const line of lines) console.log(line);
    return 0;
  });

  async function takeBack(name: string): Promise<string[]> {
    if (!(await find(name))) throw new Error(`There is no import ${name}`);
    return undo(name, workshop(await unitsPerSecond()));
  }

  async function bringIn(from: string): Promise<string[]> {
    const problems = new Problems(options["--problems"] ?? "import-problems.csv");
    const input = await openInput(from, problems.report);
    try {
      const order = { source, importId, read: read as NonNullable<typeof read>, input };
      return flags.has("--write")
        ? await write(order, problems, workshop(await unitsPerSecond()))
        : await tryOut(order, problems);
    } finally {
      input.close();
    }
  }
}
