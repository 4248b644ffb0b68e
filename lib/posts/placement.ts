import { isEqual } from "../table/changes.ts";
import { type Key, key } from "../table/keys.ts";
import { adding, check, type Part, put, remove, update } from "../table/parts.ts";
import { isAmong, listsOf, nameOf, type Placement, type PostList } from "../table/post-lists.ts";
import { dayOf } from "../values/ids.ts";
import type { StatusLetter } from "../values/statuses.ts";

export type Entry = {
  row: Key;
  attributes: { boardId?: string; status?: StatusLetter };
  /** The item of counts, and the digits of the post's bucket in it. */
  month: Key;
  digits: string;
};

/** The attributes of a post's row. Rows of roadmaps name the board too, for lists that are filtered by both. */
export function rowAttributes({ kind }: PostList, { boardId, status }: Placement): Entry["attributes"] {
  return { ...(kind === "roadmap" && boardId !== undefined && { boardId }), ...(status !== undefined && { status }) };
}

/** The parts that write and count a post's row in a list; without `before` it enters, without `after` it leaves. */
export function entryParts(before: Entry | undefined, after: Entry | undefined): Part[] {
  const parts: Part[] = [];
  const isMoved = before?.row.sk !== after?.row.sk;
  if (before && isMoved) parts.push(remove(before.row));
  if (after && (isMoved || !isEqual(before?.attributes, after.attributes)))
    parts.push(put(after.row, after.attributes));
  const months = new Map([before, after].flatMap((entry) => (entry ? [[entry.month.sk, entry.month]] : [])));
  for (const month of months.values()) {
    const [less, more] = [countsIn(month, before), countsIn(month, after)];
    const changes = [
      ...less.filter((count) => !more.includes(count)).map((count) => ({ count, change: -1 })),
      ...more.filter((count) => !less.includes(count)).map((count) => ({ count, change: 1 })),
    ];
    if (changes.length === 0) continue;
    const { expression, ...counted } = adding(changes.map(({ count, change }) => [count, change]));
    parts.push(update(month, expression, counted));
  }
  return parts;
}

// Digits count all posts of a bucket, digits with a letter the posts with a status.
function countsIn(month: Key, entry: Entry | undefined): string[] {
  if (entry?.month.sk !== month.sk) return [];
  const { digits, attributes } = entry;
  return attributes.status === undefined ? [digits] : [digits, `${digits}${attributes.status}`];
}

// A post has a row in each of its lists, and is counted there on the day of its creation.

function entryIn(list: PostList, postId: string, placement: Placement | undefined): Entry | undefined {
  if (!placement || !isAmong(list, listsOf(placement))) return undefined;
  const day = dayOf(postId);
  return {
    row: key.listRow(list, postId),
    attributes: rowAttributes(list, placement),
    month: key.dayCounts(list, day.slice(0, 7)),
    digits: day.slice(8),
  };
}

function ownerPartName(list: PostList): string {
  return `owner of ${nameOf(list)}`;
}

/**
 * The part that needs the board or roadmap of a list to exist at the commit; a board also counts its posts in it. So no
 * row or count is written into a list that the sweeper has passed.
 */
function ownerParts(list: PostList, change: 1 | -1 | 0): Record<string, Part> {
  if (list.kind === "all") return {};
  const at = key.listOwner(list);
  const exists = "attribute_exists(pk)";
  const part =
    list.kind === "board" && change !== 0
      ? update(at, "ADD postCount :change", { if: exists, values: { ":change": change } })
      : check(at, { if: exists });
  return { [ownerPartName(list)]: part };
}

export function listsWithoutOwner(failed: Record<string, unknown>, ...placements: Placement[]): PostList[] {
  return listsOf(...placements).filter((list) => ownerPartName(list) in failed);
}

/**
 * The parts that move a post from one placement to another, its status included. Without `from` it is new, without `to`
 * it is deleted. `gone` are lists whose board or roadmap was deleted: their rows and counts belong to the sweeper, no
 * part touches them.
 */
export function placementParts(
  postId: string,
  from: Placement | undefined,
  to: Placement | undefined,
  gone: PostList[] = [],
): Record<string, Part> {
  const parts: Record<string, Part> = {};
  for (const list of listsOf(from, to).filter((list) => !isAmong(list, gone))) {
    const [before, after] = [entryIn(list, postId, from), entryIn(list, postId, to)];
    const written = entryParts(before, after);
    if (written.length === 0) continue;
    for (const [at, part] of written.entries()) parts[`${nameOf(list)} ${at}`] = part;
    Object.assign(parts, ownerParts(list, before ? (after ? 0 : -1) : 1));
  }
  return parts;
}
