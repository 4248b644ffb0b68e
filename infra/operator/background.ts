// npm run background: which items wait for background work and why, and a next attempt at once. docs/operations.md#background-work.
import { backgroundFunctions } from "../../functions/background/index.ts";
import * as due from "../../lib/data/due.ts";
import type { Family } from "../../lib/data/keys.ts";
import { readCommandLine } from "../usage.ts";
import { onTable, TABLES } from "./table.ts";

const USAGE = `npm run background -- list | retry [<family> <id>], ${TABLES}`;

const families: readonly Family[] = backgroundFunctions.flatMap(({ definition }) =>
  definition.works.map((work) => work.definition.takes),
);

/** The items that wait, in the order of their families and keys; those that were put off with their entry. */
const waitingItems = async (): Promise<(due.Waiting & { entry: due.Entry | undefined })[]> => {
  const ofFamily = async (family: Family) => {
    const [ids, entries] = await Promise.all([due.waitingIds(family), due.entriesOf(family)]);
    return ids.map((id) => ({ family, id, entry: entries.find((entry) => entry.id === id) }));
  };
  return (await Promise.all(families.map(ofFamily))).flat();
};

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

const described = (entry: due.Entry | undefined): string => {
  if (!entry) return "new, waits for the stream";
  const { tries, since, dueAt, reason } = entry;
  const failures = tries > 0 ? `failed ${tries} times since ${timeOf(since)}, ` : "";
  return `${failures}next attempt ${timeOf(dueAt)}: ${reason}`;
};

const list = async (name: string): Promise<number> => {
  const items = await waitingItems();
  for (const { family, id, entry } of items) console.log(`${family} ${id}  ${described(entry)}`);
  console.log(`${items.length} items wait in the table ${name}`);
  return 0;
};

/** Makes one item due at once, or all that wait. */
const retry = async (name: string, family?: string, id?: string): Promise<number> => {
  const waiting = await waitingItems();
  const items = family ? waiting.filter((item) => item.family === family && item.id === id) : waiting;
  if (family && items.length === 0) throw new Error(`No item ${family} ${id} waits in the table ${name}`);
  for (const item of items) await due.retry(item);
  console.log(
    `${items.length} items of the table ${name} are due; the next call of their function, within a minute, takes them up`,
  );
  return 0;
};

const {
  values: [command, family, id, ...others],
} = readCommandLine(USAGE, { values: 3 });
const isWhole = family === undefined || id !== undefined;
if (command === "list" && !family) await onTable(list);
else if (command === "retry" && isWhole && others.length === 0) await onTable((name) => retry(name, family, id));
else {
  console.error(`Usage: ${USAGE}`);
  process.exitCode = 1;
}
