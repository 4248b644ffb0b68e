import type { Key } from "../table/keys.ts";
import { type Part, update } from "../table/parts.ts";
import type { StatusLetter } from "../values/statuses.ts";

/** Where a post is counted: the digits of its bucket in the item of a month, and its status. */
export type CountedAt = { digits: string; status?: StatusLetter | undefined };

// Digits count all posts of a bucket; digits with a letter those of a status, unless it is open.
function attributesOf({ digits, status }: CountedAt): string[] {
  return status === undefined ? [digits] : [digits, `${digits}${status}`];
}

/** Part: counts a post in the item of a month as it was before no longer, and as it is after; none if that changes no count. */
export function countParts(month: Key, before: CountedAt | undefined, after: CountedAt | undefined): Part[] {
  const [less, more] = [before ? attributesOf(before) : [], after ? attributesOf(after) : []];
  const changes = [
    ...less.filter((attribute) => !more.includes(attribute)).map((attribute) => ({ attribute, change: -1 })),
    ...more.filter((attribute) => !less.includes(attribute)).map((attribute) => ({ attribute, change: 1 })),
  ];
  if (changes.length === 0) return [];
  return [
    update(month, `ADD ${changes.map((_, n) => `#count${n} :change${n}`).join(", ")}`, {
      names: Object.fromEntries(changes.map(({ attribute }, n) => [`#count${n}`, attribute])),
      values: Object.fromEntries(changes.map(({ change }, n) => [`:change${n}`, change])),
    }),
  ];
}
