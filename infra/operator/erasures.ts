// The operator's command erasures: lists the accounts that were erased, or erases them again in a table that was
// restored. docs/operations.md#restore-from-a-backup
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import * as erasures from "../../lib/accounts/erasures.ts";
import * as users from "../../lib/accounts/users.ts";
import { UUID } from "../../lib/values/ids.ts";
import { readCommandLine } from "../usage.ts";
import { onTable, TABLES } from "./table.ts";

const USAGE = `npm run operate -- erasures [--again <file>], ${TABLES}`;

const HELP = `
  --again <file>   erases the accounts that the file lists, one on each line, as this command lists them
                   or by the id alone`;

const Line = z.object({
  userId: z.string().check(z.regex(UUID)),
  votes: z._default(erasures.VotesOfErased, "keep"),
});
type Line = z.output<typeof Line>;

/** Reads a line; an id alone is of a log. */
function lineOf(text: string, number: number): Line {
  const written = UUID.test(text) ? { userId: text } : parsed(text);
  const line = Line.safeParse(written);
  if (!line.success) throw new Error(`Line ${number} lists no account: ${text}`);
  return line.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function linesOf(path: string): Line[] {
  const texts = readFileSync(path, "utf8").split("\n");
  // npm writes lines of its own before the list.
  const isNone = (text: string) => text === "" || text.startsWith("> ");
  return texts.map((text) => text.trim()).flatMap((text, at) => (isNone(text) ? [] : [lineOf(text, at + 1)]));
}

async function repeat(path: string, table: string): Promise<number> {
  const lines = linesOf(path);
  let erased = 0;
  let owners = 0;
  for (const { userId, votes } of lines) {
    const account = await users.findWithKeys(userId);
    const outcome = await erasures.erase(userId, account, { by: userId, votes });
    if (outcome === "is the owner") {
      owners++;
      console.error(`${userId} is the owner in this table: hand the site over, then repeat the command`);
    } else if (outcome) erased++;
  }
  console.log(`Erased ${erased} of ${lines.length} accounts again in the table ${table}; the others are not in it`);
  console.log("The background functions, or npm start, take their names from what they wrote");
  return owners === 0 ? 0 : 1;
}

async function list(): Promise<number> {
  for (const { userId, at, votes } of await erasures.all())
    console.log(JSON.stringify({ userId, erasedAt: new Date(at).toISOString(), votes }));
  return 0;
}

export async function run(words: readonly string[]): Promise<number> {
  const { options } = readCommandLine(USAGE, { options: ["--again"], help: HELP }, words);
  const path = options["--again"];
  return onTable((table) => (path === undefined ? list() : repeat(path, table)));
}
