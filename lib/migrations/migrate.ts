import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { put } from "../table/parts.ts";
import { restAfter } from "../table/ranges.ts";
import { getFirst, getOrThrow } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import { FIRST_VERSION, migrationFrom, newestVersion } from "./index.ts";
import type { Migration, Walk } from "./migration.ts";

// Brings the table to the newest version of the data model: docs/architecture.md#changing-the-model.
//
// Runners can stop at any moment, and several can run in parallel. An item is changed, and progress is stored, only on
// condition that neither has changed since it was read. So a runner that comes too late changes nothing.

/** The version that a table has, and how far the migration to the next one has come. */
const Model = z.object({
  version: z.number(),
  /** How many items the running migration has checked; 0 if none is running. */
  items: z.number(),
  /** The number of its walks that are done; absent for none. */
  walks: z.optional(z.number()),
  /** The sort key up to which all items of the next walk are done. */
  after: z.optional(z.string()),
});
export type Model = z.output<typeof Model>;

export type Progress = { number: number; title: string; items: number; isDone: boolean };

type Options = {
  onProgress?: (progress: Progress) => void;
  /** Whether to stop; called before each item. */
  isTimeUp?: () => boolean;
  /** The wait after each page, in milliseconds: leaves the table to requests. */
  pauseMs?: number;
};

// Items read in a page. Progress is stored after each.
const PAGE = 50;

// A table without a record has been through no migration.
const UNTOUCHED: Model = { version: FIRST_VERSION, items: 0 };

/** The version of the table, and how far a migration has come. */
export async function status(): Promise<Model> {
  return (await stored()) ?? UNTOUCHED;
}

function stored(): Promise<Model | undefined> {
  return getOrThrow(key.model(), Model);
}

/** Whether a migration has to run. */
export function isBehind({ version }: Model): boolean {
  return version < newestVersion();
}

/** Throws an error if a later release, or one before 0.1, wrote the table. */
export function assertKnown({ version }: Model): void {
  if (version >= FIRST_VERSION && version <= newestVersion()) return;
  throw new Error(
    `The table has version ${version} of the data model, and this code knows ${FIRST_VERSION} to ${newestVersion()}. ` +
      "Run the code that wrote the table, or begin a new one: for npm start, move the data folder away " +
      "or set another DATA_DIR; in AWS, deploy another stage",
  );
}

/** Carries out the migrations that the table lacks; returns its version. Throws if it is ahead of this code. */
export async function migrate({
  onProgress = () => {},
  isTimeUp = () => false,
  pauseMs = 0,
}: Options = {}): Promise<Model> {
  let asRead = await stored();
  for (;;) {
    const model = asRead ?? UNTOUCHED;
    assertKnown(model);
    const migration = migrationFrom(model.version);
    if (!migration || isTimeUp()) return model;
    const { next, items } = await advance(migration, model, isTimeUp);
    const isOurs = await save(asRead, next);
    const isDone = next.version > model.version;
    if (isOurs) onProgress({ number: model.version, title: migration.title, items, isDone });
    asRead = isOurs ? next : await stored();
    await sleep(pauseMs);
  }
}

/** Changes the next page of a migration. Returns the progress to store, and how many items have been checked. */
async function advance(
  { walks }: Migration,
  { version, walks: done = 0, items: before, after }: Model,
  isTimeUp: () => boolean,
): Promise<{ next: Model; items: number }> {
  const walk = walks[done];
  const page = walk ? await changePage(walk, after, isTimeUp) : { items: [], more: false };
  const items = before + page.items.length;
  if (page.more) return { items, next: { version, items, walks: done, after: page.items.at(-1)?.sk } };
  const isLast = done + 1 >= walks.length;
  return { items, next: isLast ? { version: version + 1, items: 0 } : { version, items, walks: done + 1 } };
}

/** Makes the table repeat a migration and all later ones. */
export async function goBackBefore(number: number): Promise<void> {
  const asRead = await stored();
  if (!asRead || asRead.version <= number) return;
  if (!(await save(asRead, { version: number, items: 0 })))
    throw new Error("Another migration runner is working on the table: try again");
}

/** Stores progress; false if another runner was faster. */
async function save(asRead: Model | undefined, next: Model): Promise<boolean> {
  const isAsRead = asRead
    ? stillHas({ version: asRead.version, walks: asRead.walks, after: asRead.after, items: asRead.items })
    : { if: "attribute_not_exists(pk)" };
  return (await transact({ model: put(key.model(), next, isAsRead) })).done;
}

const Item = z.looseObject({ pk: z.string(), sk: z.string() });

/** Changes the page of a walk behind a sort key, until the time is up; returns its items as they were read last. */
async function changePage({ range, change }: Walk, after: string | undefined, isTimeUp: () => boolean) {
  const read = () => getFirst(restAfter(range, after), Item, PAGE);
  return replanned(await read(), read, async (page) => {
    let isWhole = true;
    for (const [index, item] of page.items.entries()) {
      if (index > 0 && isWhole && isTimeUp()) return { items: page.items.slice(0, index), more: true };
      for (const parts of await change(item)) isWhole = (await transact(parts)).done && isWhole;
    }
    return isWhole ? page : "changed meanwhile";
  });
}
