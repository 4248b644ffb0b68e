// The operator's command export: writes all of a site into a file or a folder. docs/moving.md#moving-out.

import { assertKnown, status } from "../../lib/migrations/migrate.ts";
import { workshop } from "../../lib/moving/work.ts";
import { exportSite, type Format } from "../export/export.ts";
import { readCommandLine } from "../usage.ts";
import { unitsPerSecond } from "./pace.ts";
import { onTable, TABLES } from "./table.ts";

const USAGE = `npm run operate -- export --format jsonl | csv [<file or folder>] [--with-credentials], ${TABLES}`;

const HELP = `
  --format jsonl       a line for each row, for the import into another table
  --format csv         a folder of sheets, for people
  <file or folder>     by default site.jsonl, or the folder site
  --with-credentials   with hashes of passwords, second factors and roles, to move between tables of your own`;

const DEFAULTS: Record<Format, string> = { jsonl: "site.jsonl", csv: "site" };

function isFormat(word: string | undefined): word is Format {
  return word === "jsonl" || word === "csv";
}

export async function run(words: readonly string[]): Promise<number> {
  const { flags, options, values } = readCommandLine(
    USAGE,
    { flags: ["--with-credentials"], options: ["--format"], values: 1, help: HELP },
    words,
  );
  const format = options["--format"];
  const withCredentials = flags.has("--with-credentials");
  if (!isFormat(format) || (format === "csv" && withCredentials)) {
    console.error(`Usage: ${USAGE}`);
    return 1;
  }
  const path = values[0] ?? DEFAULTS[format];
  return onTable(async (table) => {
    assertKnown(await status());
    console.log(`The table ${table}`);
    const lines = await exportSite({ format, path, withCredentials }, workshop(await unitsPerSecond("read"), "read"));
    for (const line of lines) console.log(line);
    return 0;
  });
}
