import { isEqual } from "../table/changes.ts";
import type { Key } from "../table/keys.ts";
import { type Part, put, remove, update } from "../table/parts.ts";
import type { Placement, PostList } from "../table/post-lists.ts";
import type { StatusLetter } from "../values/statuses.ts";

/** The attributes of a row beside its key. */
type RowAttributes = { boardId?: string; status?: StatusLetter };

/** A post in a list: its row, and where it is counted. */
export type Entry = {
  row: Key;
  attributes: RowAttributes;
  /** The item of counts, and the digits of the post's bucket in it. */
  month: Key;
  digits: string;
};

/** The attributes of a post's row. Rows of roadmaps name the board too, for lists that are filtered by both. */
export function rowAttributes({ kind }: PostList, { boardId, status }: Placement): RowAttributes {
  return {
    ...(kind === "roadmap" && boardId !== undefined && { boardId }),
    ...(status !== undefined && { status }),
  };
}

/**
 * The parts that write a post's row in a list and count it. Without `before` it enters the list, without `after` it
 * leaves.
 */
export function entryParts(before: Entry | undefined, after: Entry | undefined): Part[] {
  const parts: Part[] = [];
  const isMoved = before?.row.sk !== after?.row.sk;
  if (before && isMoved) parts.push(remove(before.row));
  if (after && (isMoved || !isEqual(before?.attributes, after.attributes)))
    parts.push(put(after.row, after.attributes));
  const months = new Map([before, after].flatMap((entry) => (entry ? [[entry.month.sk, entry.month]] : [])));
  for (const month of months.values()) {
    const [less = [], more = []] = [before, after].map((entry) =>
      entry?.month.sk === month.sk ? countsOf(entry) : [],
    );
    const changes = [
      ...less.filter((count) => !more.includes(count)).map((count) => ({ count, change: -1 })),
      ...more.filter((count) => !less.includes(count)).map((count) => ({ count, change: 1 })),
    ];
    if (changes.length > 0) parts.push(countPart(month, changes));
  }
  return parts;
}

// Digits count all posts of a bucket, digits with a letter the posts with a status.
function countsOf({ digits, attributes: { status } }: Entry): string[] {
  return status === undefined ? [digits] : [digits, `${digits}${status}`];
}

function countPart(month: Key, changes: { count: string; change: number }[]): Part {
  return update(month, `ADD ${changes.map((_, n) => `#count${n} :change${n}`).join(", ")}`, {
    names: Object.fromEntries(changes.map(({ count }, n) => [`#count${n}`, count])),
    values: Object.fromEntries(changes.map(({ change }, n) => [`:change${n}`, change])),
  });
}
