import * as z from "zod/mini";
import { setFields, stillHas } from "../table/changes.ts";
import { rankings } from "../table/families.ts";
import { type Key, VOTERS_SUFFIX } from "../table/keys.ts";
import { remove } from "../table/parts.ts";
import { allPosts, listNamed } from "../table/post-lists.ts";
import { type Range, range } from "../table/ranges.ts";
import { getRange } from "../table/reads.ts";
import { OPEN_LETTER } from "../values/statuses.ts";
import { rowsOf } from "./4-rows.ts";
import type { Migration, StoredItem, Transaction, Walk } from "./migration.ts";

// Each status becomes a list, and rows hold facets as short codes. Open posts are counted by their letter, statuses
// only with all posts, ranks not at all. A seat becomes one text.

const AnyItem = z.looseObject({ pk: z.string(), sk: z.string() });

const DAY = /^\d\d$/;
const DAY_OF_A_STATUS = /^\d\d[a-z]$/;

/** All posts of a day are counted as `31`, the ones with a status as `31a`: open posts get `31z`. */
const countsOfAll: Walk = {
  range: range.dayCounts(allPosts),
  change: ({ pk, sk, ...counts }) => {
    const missing: Record<string, number> = {};
    const asRead: Record<string, unknown> = {};
    for (const day of Object.keys(counts).filter((name) => DAY.test(name))) {
      const open = `${day}${OPEN_LETTER}`;
      const ofDay = Object.keys(counts).filter((name) => DAY_OF_A_STATUS.test(name) && name.startsWith(day));
      const others = ofDay.filter((name) => name !== open).map((name) => Number(counts[name]));
      const number = others.reduce((left, count) => left - count, Number(counts[day]));
      if (number !== (counts[open] ?? 0)) missing[open] = number;
      // Whatever changes the number of open posts changes one of these.
      Object.assign(asRead, { [day]: counts[day], [open]: counts[open] });
    }
    if (Object.keys(missing).length === 0) return [];
    return [{ open: setFields({ pk, sk }, missing, stillHas(asRead)) }];
  },
};

/** The counts of a board or roadmap lose statuses, and its counts by rank go. */
const countsOfLists: Walk = {
  range: range.catalogue(),
  change: async ({ sk }) => {
    const list = listNamed(sk);
    if (!list) return [];
    const months = await getRange(range.dayCounts(list), AnyItem);
    const former = await Promise.all(rankings.map((ranking) => getRange(range.formerCounts(ranking, list), AnyItem)));
    return [...months.flatMap(withoutStatuses), ...inGroups(former.flat()).map(removals)];
  },
};

function withoutStatuses({ pk, sk, ...counts }: StoredItem): Transaction[] {
  const ofStatuses = Object.keys(counts).filter((name) => DAY_OF_A_STATUS.test(name));
  return inGroups(ofStatuses).map((names) => {
    const removed = Object.fromEntries(names.map((name) => [name, undefined]));
    return { month: setFields({ pk, sk }, removed) };
  });
}

function removals(items: Key[]): Transaction {
  return Object.fromEntries(items.map(({ pk, sk }) => [`${pk} ${sk}`, remove({ pk, sk })]));
}

function removing(items: Range): Walk {
  return { range: items, change: (item) => [removals([item])] };
}

// The most parts of a transaction.
const GROUP = 100;

function inGroups<T>(items: T[]): T[][] {
  const count = Math.ceil(items.length / GROUP);
  return Array.from({ length: count }, (_, at) => items.slice(at * GROUP, (at + 1) * GROUP));
}

/** Posts and their voters items lie side by side. */
const posts: Walk = {
  range: range.posts(),
  change: (item) => (item.sk.endsWith(VOTERS_SUFFIX) ? seatTexts(item) : rowsOf(item)),
};

const FormerSeat = z.object({ v: z.string(), n: z.string(), u: z.string(), r: z.optional(z.string()) });
const FormerSeats = z.record(z.string(), z.union([z.string(), FormerSeat]));

function seatTexts({ pk, sk, first }: StoredItem): Transaction[] {
  const seats = Object.entries(FormerSeats.safeParse(first).data ?? {});
  if (seats.every(([, seat]) => typeof seat === "string")) return [];
  const texts = seats.map(([userId, seat]) => {
    if (typeof seat === "string") return [userId, seat];
    const { v, n, u, r } = seat;
    return [userId, [v, n, u, ...(r ? [r] : [])].join("\n")];
  });
  return [{ voters: setFields({ pk, sk }, { first: Object.fromEntries(texts) }, stillHas({ first })) }];
}

export const statusLists: Migration = {
  title: "make each status a list",
  table: {
    CATALOGUE: ["query", "get", "check"],
    POSTS: ["query", "check", "update"],
    DERIVED: ["get", "check"],
    LIST: ["get", "put"],
    COUNTS: ["query", "update"],
    TOP: ["get", "put"],
    TRENDING: ["get", "put"],
    TOP_COUNTS: ["query", "delete"],
    TRENDING_COUNTS: ["query", "delete"],
  },
  walks: [
    countsOfAll,
    countsOfLists,
    ...rankings.map((ranking) => removing(range.formerCounts(ranking, allPosts))),
    posts,
  ],
};
