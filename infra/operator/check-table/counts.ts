import type { Key } from "../../../lib/table/keys.ts";
import { dayOf, timeOf } from "../../../lib/values/ids.ts";
import { type Findings, finding, idIn, isBeingSwept, isLiveList, type StoredTable } from "./stored.ts";

const countsOf = { row: "counts", topRow: "topCounts", trendingRow: "trendingCounts" } as const;

/**
 * Every count is the number of its rows, and every row is counted: in its list and month under the name of its bucket,
 * with a status under that name and the status's letter too.
 */
function* counts(
  table: StoredTable,
  rowKind: keyof typeof countsOf,
  bucketOf: (row: Key) => [month: string, bucket: string],
): Findings {
  const nameOf = ({ key }: { key: Key }): string => [idIn(key.pk), ...bucketOf(key)].join(" ");
  const all = table.all(rowKind);
  const withStatus = all.filter(({ value }) => value.status !== undefined);
  const rows = new Map([
    ...Map.groupBy(all, nameOf),
    ...Map.groupBy(withStatus, (row) => `${nameOf(row)}${row.value.status}`),
  ]);
  const counted = new Set<string>();
  for (const { key: item, value } of table.all(countsOf[rowKind])) {
    const list = idIn(item.pk);
    if (isBeingSwept(table, list)) continue;
    if (!isLiveList(table, list)) yield finding(item, "counts a list that does not exist");
    for (const [bucket, count] of Object.entries(value)) {
      if (bucket === "pk" || bucket === "sk") continue;
      const name = `${list} ${item.sk} ${bucket}`;
      counted.add(name);
      const number = rows.get(name)?.length ?? 0;
      if (count !== number) yield finding(item, `counts ${count} rows in ${bucket} and has ${number}`);
    }
  }
  for (const [name, [first]] of rows) {
    if (first && !counted.has(name) && !isBeingSwept(table, idIn(first.key.pk))) {
      yield finding(first.key, "is not counted");
    }
  }
}

function monthAndDay(date: string): [month: string, day: string] {
  return [date.slice(0, 7), date.slice(8, 10)];
}

/** The least number of votes in a bucket: up to 63 votes each number is a bucket, then eight buckets a doubling. */
function leastIn(votes: number): number {
  let [least, step] = [64, 8];
  if (votes < least) return votes;
  while (votes >= 2 * least) [least, step] = [2 * least, 2 * step];
  return votes - ((votes - least) % step);
}

export function dayCounts(table: StoredTable): Findings {
  return counts(table, "row", ({ sk }) => monthAndDay(dayOf(sk)));
}

export function* rankCounts(table: StoredTable): Findings {
  yield* counts(table, "topRow", ({ sk }) => {
    const [votes, postId = ""] = sk.split("#");
    const [month] = monthAndDay(new Date(timeOf(postId)).toISOString());
    return [month, String(leastIn(Number(votes)))];
  });
  yield* counts(table, "trendingRow", ({ sk }) => monthAndDay(new Date(Number(sk.split("#")[0])).toISOString()));
}
