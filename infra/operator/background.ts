// The operator's command background: lists the jobs of the background functions, or makes them due.
// docs/operations.md#background-work.
import { backgroundFunctions } from "../../functions/background/index.ts";
import { findWaiting, type Work } from "../../lib/background.ts";
import * as due from "../../lib/table/due.ts";
import { readCommandLine } from "../usage.ts";
import { onTable, TABLES } from "./table.ts";

const USAGE = `npm run operate -- background list | retry [<queue> <id>], ${TABLES}`;

type WaitingJob = due.Job & { entry: due.Entry | undefined };

async function jobsOf(work: Work): Promise<WaitingJob[]> {
  const queue = work.definition.takes;
  const entries = await due.entriesOf(queue);
  // Any post can be a job of a follow-up: only those with an entry wait.
  const found = work.followUp ? [] : (await findWaiting(work)).ids;
  // The search for marks leaves out earlier items, which have an entry.
  const known = work.followUp || work.findMarked ? entries.map(({ id }) => id) : [];
  return [...new Set([...found, ...known])].map((id) => ({
    queue,
    id,
    entry: entries.find((entry) => entry.id === id),
  }));
}

async function waitingJobs(): Promise<WaitingJob[]> {
  const works = backgroundFunctions.flatMap(({ definition }) => definition.works);
  return (await Promise.all(works.map(jobsOf))).flat();
}

function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function describe(entry: due.Entry | undefined): string {
  if (!entry) return "new, waits for the stream";
  const { tries, since, dueAt, reason } = entry;
  const failures = tries > 0 ? `failed ${tries} times since ${formatTime(since)}, ` : "";
  return `${failures}next attempt ${formatTime(dueAt)}: ${reason}`;
}

async function list(table: string): Promise<number> {
  const jobs = await waitingJobs();
  for (const { queue, id, entry } of jobs) console.log(`${queue} ${id}  ${describe(entry)}`);
  console.log(`${jobs.length} jobs wait in the table ${table}`);
  return 0;
}

async function retry(table: string, queue?: string, id?: string): Promise<number> {
  const waiting = await waitingJobs();
  const jobs = queue ? waiting.filter((job) => job.queue === queue && job.id === id) : waiting;
  if (queue && jobs.length === 0) throw new Error(`No job ${queue} ${id} waits in the table ${table}`);
  for (const job of jobs) await due.retry(job);
  console.log(
    `${jobs.length} jobs of the table ${table} are due: the background functions take them up within a minute`,
  );
  return 0;
}

export async function run(words: readonly string[]): Promise<number> {
  const [command, queue, id] = readCommandLine(USAGE, { values: 3 }, words).values;
  if (command === "list" && !queue) return onTable(list);
  if (command === "retry" && (!queue || id)) return onTable((table) => retry(table, queue, id));
  console.error(`Usage: ${USAGE}`);
  return 1;
}
