import * as z from "zod/mini";
import { stored } from "../table/changes.ts";
import type { IdempotencyPart } from "../table/idempotency.ts";
import { idIn, key, prefix } from "../table/keys.ts";
import { type Part, update } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getRange } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";
import { foldCase } from "../values/text.ts";
import * as claims from "./claims.ts";

// Posts and rows hold the ids of their tags, so a new name or color changes one item. A deleted tag leaves its id in
// posts, where nothing shows it, and its list to the sweep.

export const TagItem = z.pipe(
  z.object({ sk: z.string().check(z.startsWith(prefix.tag)), name: z.string(), color: z.string() }),
  z.transform(({ sk, ...tag }) => ({ tagId: idIn(sk), ...tag })),
);

export type TagRecord = z.output<typeof TagItem>;

export const TagCountItem = z.object({ tags: z.number() });

/** The most tags of a site: every list of posts reads all of them. */
export const MAX_TAGS = 100;

/** The most tags of a post: each is a list that the post has a row in. */
export const MAX_TAGS_OF_POST = 10;

/** The most characters of a name. */
export const LONGEST_TAG_NAME = 40;

/** All tags, oldest first. */
export function all(): Promise<TagRecord[]> {
  return getRange(range.tags(), TagItem);
}

export function find(tagId: string): Promise<TagRecord | undefined> {
  return get(key.tag(tagId), TagItem);
}

/** Tags as people look for them, by their names in any case. */
export function byName<Tag extends { name: string }>(tags: readonly Tag[]): Tag[] {
  return tags.toSorted((a, b) => compare(foldCase(a.name), foldCase(b.name)));
}

/** The ids of tags as posts store them: each once, sorted; undefined for none. */
export function idsOf(tagIds: Iterable<string>): string[] | undefined {
  return stored([...new Set(tagIds)].sort());
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

function entryOf(tagId: string): claims.Entry<Pick<TagRecord, "name">> {
  return { key: key.tag(tagId), claimKey: ({ name }) => key.tagName(foldCase(name)), claim: { tagId } };
}

/** Creates a tag, unless another one has its name in any case, or there are too many. */
export async function add(
  { tagId, ...tag }: TagRecord,
  idempotencyPart?: IdempotencyPart<TagRecord>,
): Promise<"added" | "taken" | "too many"> {
  const outcome = await transact({
    ...claims.createParts(entryOf(tagId), tag),
    count: countPart(1),
    idempotency: idempotencyPart?.({ tagId, ...tag }),
  });
  if (outcome.done) return "added";
  return outcome.failed.claim ? "taken" : "too many";
}

function countPart(change: 1 | -1): Part {
  const values = { ":change": change };
  if (change < 0) return update(key.tagCount(), "ADD tags :change", { values });
  return update(key.tagCount(), "ADD tags :change", {
    if: "attribute_not_exists(pk) OR tags < :most",
    values: { ...values, ":most": MAX_TAGS },
  });
}

/** Changes a tag as it was read. */
export async function change(
  { tagId, name, color }: TagRecord,
  wanted: Partial<Pick<TagRecord, "name" | "color">>,
): Promise<TagRecord | "taken" | "changed meanwhile"> {
  const changed = await claims.change(entryOf(tagId), { name, color }, wanted);
  return typeof changed === "string" ? changed : { tagId, ...changed };
}

/** Deletes a tag as it was read; the sweep removes its list. */
export async function remove({ tagId, name }: TagRecord): Promise<"removed" | "changed meanwhile"> {
  const outcome = await transact({ ...claims.removeParts(entryOf(tagId), { name }), count: countPart(-1) });
  return outcome.done ? "removed" : "changed meanwhile";
}
