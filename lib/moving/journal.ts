import * as z from "zod/mini";
import { ImportItem, type ImportReport } from "../accounts/imports.ts";
import { setFields } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create, type Part, put, remove } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getRange } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";
import { idOfHex } from "../values/ids.ts";
import { paged } from "./paged.ts";
import type { Work } from "./work.ts";

// The journal of an import lies in the table: each transaction that makes something also writes an entry with the ids
// of what it made. So a run after a kill continues, a second run makes nothing twice, not even what was deleted since,
// and an undo finds what is to be removed.

/**
 * What a transaction makes: a post with its first votes; further votes, and comments and notes, beside it. An account
 * that was there before is only noted, so that a further run does not make it anew when it was deleted since.
 */
const kinds = ["account", "found", "board", "roadmap", "status", "tag", "post", "votes", "comments"] as const;
export type Kind = (typeof kinds)[number];

/**
 * The sort key of an entry: the first letter of its kind, and the id of the account, board, roadmap, status, tag or
 * post; of votes and comments also the id of the first of them. With fewer ids it begins the keys of several entries.
 */
export function entryKey(kind: Kind, ...ids: string[]): string {
  return [kind[0], ...ids].join("#");
}

/** An entry of the journal. */
export const ImportedItem = z.object({
  sk: z.string(),
  /** The ids of votes or comments, of a found account, or what stands for a status of the source, 16 bytes each. */
  ids: z.optional(z.instanceof(Uint8Array)),
  /** Of a post: the slugs that lead to it, and its time of change. */
  slugs: z.optional(z.array(z.string())),
  updatedAt: z.optional(z.number()),
});
export type Imported = z.output<typeof ImportedItem>;

/** A run of an import; `isResumed` if an earlier one did not come to its end. */
export type Import = { importId: string; startedAt: number; isResumed?: boolean };

/** Begins an import, or continues the one that began before. */
export async function begin(importId: string, source: string, restores?: { hash: string }): Promise<Import> {
  const found = await find(importId);
  if (!found) {
    const startedAt = Date.now();
    const progress = restores && { ...restores, pieces: 0 };
    const item = { source, startedAt, isOpen: true, restores: progress };
    await transact({ import: create(key.import(importId), item) });
    return { importId, startedAt };
  }
  if (found.source !== source)
    throw new Error(`The import ${importId} is of ${found.source}: give this one another --name`);
  await transact({ import: setFields(key.import(importId), { isOpen: true }) });
  return { importId, startedAt: found.startedAt, isResumed: found.isOpen === true };
}

/** Keeps how much of a site is restored. */
export async function saveProgress(importId: string, restores: { hash: string; pieces: number }): Promise<void> {
  await transact({ import: setFields(key.import(importId), { restores }) });
}

/** Says that a run came to its end, and keeps its report for the owner. */
export async function finish(importId: string, report: ImportReport): Promise<void> {
  const changed = { isOpen: undefined, report: { ...report, finishedAt: Date.now() } };
  await transact({ import: setFields(key.import(importId), changed) });
}

export function find(importId: string) {
  return get(key.import(importId), ImportItem);
}

/** Forgets an import of which nothing is left. */
export async function end(importId: string): Promise<void> {
  await transact({ import: remove(key.import(importId)) });
}

export function bytesOf(id: string): Uint8Array {
  return new Uint8Array(Buffer.from(id.replaceAll("-", ""), "hex"));
}

export function idsIn(bytes: Uint8Array = new Uint8Array()): string[] {
  const hex = Buffer.from(bytes).toString("hex");
  return Array.from({ length: hex.length / 32 }, (_, at) => idOfHex(hex.slice(at * 32, at * 32 + 32)));
}

type Made = { ids?: string[]; slugs?: string[]; updatedAt?: number };

/** The part that notes what a transaction makes, under an `entryKey`. */
export function entryPart(importId: string, sk: string, { ids = [], ...rest }: Made = {}): { journal: Part } {
  const bytes = ids.length > 0 ? { ids: new Uint8Array(Buffer.concat(ids.map(bytesOf))) } : {};
  return { journal: put(key.imported(importId, sk), { ...rest, ...bytes }) };
}

const PAGE = 1000;

/**
 * Walks through the journal in the order of its sort keys, each page of it a piece of work that is repeated while the
 * table is too slow; with `start` through the entries that begin with it, with `from` from this sort key on.
 */
export async function* entries(
  work: Work,
  importId: string,
  start?: string,
  from?: string,
): AsyncGenerator<Imported, void, undefined> {
  const whole = range.imported(importId, start);
  const skOf = ({ sk }: Imported) => sk;
  const walk = { range: { ...whole, from: from ?? whole.from }, schema: ImportedItem, skOf, pageSize: PAGE };
  for await (const page of paged(work, walk)) yield* page;
}

/** All entries that begin with `start`, for one piece of work. */
export function allEntries(importId: string, start: string): Promise<Imported[]> {
  return getRange(range.imported(importId, start), ImportedItem);
}

export function kindOf({ sk }: Imported): Kind {
  return kinds.find((kind) => kind[0] === sk[0]) as Kind;
}

/** The id of what an entry is about: of the account, board or post. */
export function subjectOf({ sk }: Imported): string {
  return sk.split("#")[1] ?? "";
}
