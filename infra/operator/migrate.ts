// The operator's command migrate: brings a table to the newest version of the data model.
// docs/operations.md#migrating-a-table.
import { migrationFrom, newestVersion } from "../../lib/migrations/index.ts";
import { assertKnown, goBackBefore, isBehind, type Model, status } from "../../lib/migrations/migrate.ts";
import { environment } from "../../lib/runtime/environment.ts";
import { migrateTable } from "../local/migrate-table.ts";
import { readCommandLine } from "../usage.ts";
import { onTable, TABLES } from "./table.ts";

const USAGE = `npm run operate -- migrate [--status] [--again <number of a migration>], ${TABLES}`;

// A deployed table also has requests to answer.
const PAUSE_MS = 50;

function describe({ version, items }: Model): string {
  const next = migrationFrom(version);
  if (!next) return `version ${version}, the newest`;
  return `version ${version} of ${newestVersion()}; migration ${version} (${next.title}): ${items} items so far`;
}

export async function run(words: readonly string[]): Promise<number> {
  const { flags, options } = readCommandLine(USAGE, { flags: ["--status"], options: ["--again"] }, words);
  const again = options["--again"];
  if (again !== undefined && !migrationFrom(Number(again))) {
    console.error(`There is no migration ${again}: the newest version is ${newestVersion()}`);
    return 1;
  }
  return onTable(async (name) => {
    const model = await status();
    assertKnown(model);
    console.log(`The table ${name}: ${describe(model)}`);
    if (flags.has("--status")) return 0;
    if (again !== undefined) await goBackBefore(Number(again));
    if (!isBehind(await status())) return 0;
    await migrateTable({ pauseMs: environment().DYNAMODB_ENDPOINT ? 0 : PAUSE_MS });
    console.log(`Now ${describe(await status())}`);
    return 0;
  });
}
