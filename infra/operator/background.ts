// npm run background: which items wait for background work and why, and a next attempt at once. docs/operations.md#background-work.
import { backgroundFunctions } from "../../functions/background/index.ts";
import { queueOf, type Work } from "../../lib/background.ts";
import * as due from "../../lib/table/due.ts";
import { readCommandLine } from "../usage.ts";
import { onTable, TABLES } from "./table.ts";

const USAGE = `npm run background -- list | retry [<queue> <id>], ${TABLES}`;

const works = backgroundFunctions.flatMap(({ definition }) => definition.works);

/** The items that wait, in the order of their queues and keys; those that were put off with their entry. */
async function waitingItems(): Promise<(due.Waiting & { entry: due.Entry | undefined })[]> {
  const waitingFor = async (work: Work) => {
    const queue = queueOf(work);
    const entries = await due.entriesOf(queue);
    // The posts of a follow-up are many, and wait only if they have an entry.
    const ids = work.followUp ? entries.map(({ id }) => id) : await due.waitingIds(work.definition.takes);
    return ids.map((id) => ({ queue, id, entry: entries.find((entry) => entry.id === id) }));
  };
  return (await Promise.all(works.map(waitingFor))).flat();
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function described(entry: due.Entry | undefined): string {
  if (!entry) return "new, waits for the stream";
  const { tries, since, dueAt, reason } = entry;
  const failures = tries > 0 ? `failed ${tries} times since ${timeOf(since)}, ` : "";
  return `${failures}next attempt ${timeOf(dueAt)}: ${reason}`;
}

async function list(name: string): Promise<number> {
  const items = await waitingItems();
  for (const { queue, id, entry } of items) console.log(`${queue} ${id}  ${described(entry)}`);
  console.log(`${items.length} items wait in the table ${name}`);
  return 0;
}

/** Makes one item due at once, or all that wait. */
async function retry(name: string, queue?: string, id?: string): Promise<number> {
  const waiting = await waitingItems();
  const items = queue ? waiting.filter((item) => item.queue === queue && item.id === id) : waiting;
  if (queue && items.length === 0) throw new Error(`No item ${queue} ${id} waits in the table ${name}`);
  for (const item of items) await due.retry(item);
  console.log(
    `${items.length} items of the table ${name} are due; the next call of their function, within a minute, takes them up`,
  );
  return 0;
}

const {
  values: [command, queue, id, ...others],
} = readCommandLine(USAGE, { values: 3 });
const isWhole = queue === undefined || id !== undefined;
if (command === "list" && !queue) await onTable(list);
else if (command === "retry" && isWhole && others.length === 0) await onTable((name) => retry(name, queue, id));
else {
  console.error(`Usage: ${USAGE}`);
  process.exitCode = 1;
}
