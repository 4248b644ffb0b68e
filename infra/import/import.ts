import * as site from "../../lib/accounts/site.ts";
import * as catalogue from "../../lib/catalogue/catalogue.ts";
import { derive } from "../../lib/cleanup/derived-rows.ts";
import { beginAnew } from "../../lib/figures/counting.ts";
import {
  allEntries,
  begin,
  bytesOf,
  entries,
  entryKey,
  finish,
  type Import,
  type Imported,
  idsIn,
  type Kind,
  kindOf,
  subjectOf,
} from "../../lib/moving/journal.ts";
import type { Workshop } from "../../lib/moving/work.ts";
import { forEach } from "../../lib/runtime/for-each.ts";
import { nameIn } from "../../lib/values/ids.ts";
import { check } from "./check.ts";
import { kindsWith, missingIn, tellBeyond, writeEntries } from "./entries.ts";
import { type Input, isProblem, type Problem, type Reader } from "./formats/form.ts";
import { slugMark } from "./former-slugs.ts";
import type { MadeStatuses } from "./likeness.ts";
import { Names, userIdIn, writePeople } from "./people.ts";
import { plan } from "./plan.ts";
import { type Written, writePost } from "./posts.ts";
import type { Problems } from "./problems.ts";
import { Progress } from "./progress.ts";
import { bundles, resolve } from "./resolve.ts";
import { type Counts, Staging } from "./staging.ts";

/** What to import: the reader of its source, by its name, and the name under which the import is kept. */
export type Order = { source: string; importId: string; read: Reader; input: Input };

/** Reads and checks all rows of a source; the caller closes the staging. Throws if the source has no row. */
async function stage({ source, read, input, importId }: Order, report: (problem: Problem) => void): Promise<Staging> {
  const staging = new Staging();
  let rows = 0;
  try {
    for await (const given of read(input)) {
      if (isProblem(given)) {
        report(given);
        continue;
      }
      rows++;
      const checked = check(given, report);
      if (checked) staging.add(checked, report);
    }
    if (rows === 0) throw new Error(`${filesOf(input)} has nothing that ${source} exports: see docs/moving.md`);
    resolve(staging, importId, report);
    return staging;
  } catch (error) {
    staging.close();
    throw error;
  }
}

function filesOf({ names }: Input): string {
  if (names.length === 0) return "The folder";
  return names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more files` : names.join(", ");
}

/** What a source has, as the owner reads it in the portal: not the tags. */
function foundIn({ people: accounts, tags: _, ...others }: Counts) {
  return { accounts, ...others };
}

/** What a source has, in words. */
function countsIn({ people, boards, roadmaps, statuses, tags, posts, votes, comments }: Counts): string {
  return (
    `${people} people, ${boards} boards, ${roadmaps} roadmaps, ${statuses} statuses, ${tags} tags, ` +
    `${posts} posts, ${votes} votes, ${comments} comments and notes`
  );
}

/** Looks at a source and writes nothing. Returns what an import would do, in lines. */
export async function tryOut(order: Order, problems: Problems): Promise<string[]> {
  const staging = await stage(order, problems.report);
  try {
    const run = { importId: order.importId, startedAt: Date.now() };
    const found = await catalogue.read();
    const missing = missingIn({ staging, run, made: await readCatalogueJournal(staging, run) }, found);
    tellBeyond(missing.beyond, kindsWith(missing, found), problems.report);
    const planned = { posts: 0, votes: 0, comments: 0 };
    for (const bundle of bundles(staging, problems.report)) {
      const { votes, comments } = plan(bundle, run, problems.report);
      planned.posts++;
      planned.votes += votes.length;
      planned.comments += comments.length;
    }
    const { boards, roadmaps, statuses, tags } = missing;
    const named = (entries: { name: string }[]) => entries.map(({ name }) => name).join(", ") || "none";
    return [
      `Found ${countsIn(staging.counts())}`,
      `A first import writes ${planned.posts} posts, ${planned.votes} votes, ${planned.comments} comments and notes`,
      `New boards: ${named(boards)}; new roadmaps: ${named(roadmaps)}; new statuses: ${named(statuses)}; ` +
        `new tags: ${named(tags)}`,
      ...problems.close(),
      "Nothing was written: the same command with --write imports",
    ];
  } finally {
    staging.close();
  }
}

// Posts that are written at the same time.
const AT_A_TIME = 8;

/** Imports a source, or what is not there yet of it. Returns what was done, in lines. */
export async function write(order: Order, problems: Problems, { work, units }: Workshop): Promise<string[]> {
  const { importId, source } = order;
  if (!(await site.find())) throw new Error("The site has no owner yet: set it up first, then import");
  const staging = await stage(order, problems.report);
  try {
    const counts = staging.counts();
    const startedAt = performance.now();
    const run = await begin(importId, source);
    const made = await readJournal(staging, run, work);
    const progress = new Progress("Import", counts.people + counts.posts + counts.votes + counts.comments);
    const written: Written = { people: 0, posts: 0, votes: 0, comments: 0 };
    written.people = await writePeople(staging, run, work, progress.add);
    const places = await writeEntries({ staging, run, made, report: problems.report, work });
    const writing = {
      written,
      run,
      staging,
      places,
      names: new Names((email) => userIdIn(staging, email)),
      work,
      report: problems.report,
    };
    await forEach(bundles(staging, problems.report), AT_A_TIME, async (bundle) => {
      await writePost(bundle, writing);
      progress.add(1 + bundle.votes.length + bundle.comments.length);
    });
    if (run.isResumed) await deriveAll(run, work);
    await finish(importId, { found: foundIn(counts), ...problems.summary });
    await beginAnew();
    progress.end();
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return [
      `Found ${countsIn(counts)}`,
      `Wrote ${written.people} accounts, ${written.posts} posts, ${written.votes} votes, ${written.comments} comments and notes, ` +
        `in ${seconds} s, with ${units()} write units; the others were there`,
      ...problems.close(),
      `npm run operate -- import ${source} --undo${importId === source ? "" : ` --name ${importId}`} takes it back`,
    ];
  } finally {
    staging.close();
  }
}

/**
 * By which bytes staging knows what an entry is about; votes, comments and the marks of statuses are in its list of
 * ids.
 */
const doneAs: Partial<Record<Kind, (id: string) => Uint8Array>> = {
  account: bytesOf,
  board: nameIn,
  roadmap: nameIn,
  tag: nameIn,
  post: bytesOf,
};

/** Notes what earlier runs have made. */
async function readJournal(staging: Staging, { importId }: Import, work: Workshop["work"]): Promise<MadeStatuses> {
  const made: MadeStatuses = new Map();
  for await (const entry of entries(work, importId)) noteMade(entry, staging, made);
  return made;
}

/** Notes which boards, roadmaps, statuses and tags earlier runs have made. */
async function readCatalogueJournal(staging: Staging, { importId }: Import): Promise<MadeStatuses> {
  const made: MadeStatuses = new Map();
  for (const kind of ["board", "roadmap", "status", "tag"] as const)
    for (const entry of await allEntries(importId, entryKey(kind))) noteMade(entry, staging, made);
  return made;
}

function noteMade(entry: Imported, staging: Staging, made: MadeStatuses): void {
  if (kindOf(entry) === "found") {
    staging.markFound(subjectOf(entry), idsIn(entry.ids)[0] ?? "");
    return;
  }
  if (kindOf(entry) === "status") for (const id of idsIn(entry.ids)) made.set(id, subjectOf(entry));
  const mark = doneAs[kindOf(entry)]?.(subjectOf(entry));
  if (mark) staging.markDone(mark);
  for (const id of idsIn(entry.ids)) staging.markDone(bytesOf(id));
  for (const slug of entry.slugs ?? []) staging.markDone(slugMark(slug, subjectOf(entry)));
}

/** Writes the derived rows that a run which was killed had not come to. */
async function deriveAll({ importId }: Import, work: Workshop["work"]): Promise<void> {
  for await (const entry of entries(work, importId, entryKey("post"))) await work(() => derive(subjectOf(entry)));
}
