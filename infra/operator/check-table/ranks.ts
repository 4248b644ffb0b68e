import { type Key, key, rankings } from "../../../lib/table/keys.ts";
import { hotTime } from "../../../lib/values/heat.ts";
import { timeOf } from "../../../lib/values/ids.ts";
import { type Findings, finding, groupBy, idIn, isBeingSwept, isLiveList, type StoredTable } from "./stored.ts";

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}

/** The least number of votes that is counted together with another: up to 63 each alone, above that in eight steps a doubling. */
function leastOf(votes: number): number {
  let [least, step] = [64, 8];
  if (votes < least) return votes;
  while (votes >= 2 * least) [least, step] = [2 * least, 2 * step];
  return votes - ((votes - least) % step);
}

/** How the rows of each ranking begin, and where they are counted. */
const shapes = {
  TOP: {
    row: "topRow",
    counts: "topCounts",
    rankOf: ({ votes }: { votes: number }) => padded(votes, 7),
    countedAt: (rank: string, postId: string) => [monthOf(timeOf(postId)), String(leastOf(Number(rank)))],
  },
  TRENDING: {
    row: "hotRow",
    counts: "hotCounts",
    rankOf: ({ hot }: { hot: number }) => padded(hot, 13),
    countedAt: (rank: string) => [monthOf(Number(rank)), new Date(Number(rank)).toISOString().slice(8, 10)],
  },
} as const;

function textOf({ pk, sk }: Key): string {
  return `${pk} | ${sk}`;
}

/** The rows by rank are those that the ranks of the posts call for, and no others. */
export function* rankRows(table: StoredTable): Findings {
  for (const ranking of rankings) {
    const { row: kind, rankOf } = shapes[ranking];
    const wanted = new Map<string, { boardId?: string | undefined; status?: string | undefined }>();
    for (const { key: rank, value } of table.all("rank")) {
      const lists = ["ALL"];
      if (value.boardId !== undefined) lists.push(`BOARD#${value.boardId}`);
      if (value.roadmapId !== undefined) lists.push(`ROADMAP#${value.roadmapId}`);
      for (const list of lists.filter((each) => isLiveList(table, each))) {
        const row = { pk: `${ranking}#${list}`, sk: `${rankOf(value)}#${idIn(rank.pk)}` };
        const boardId = list.startsWith("ROADMAP#") ? value.boardId : undefined;
        wanted.set(textOf(row), { boardId, status: value.status });
        if (!table.has(kind, row)) yield finding(rank, `has no row ${textOf(row)}`);
      }
    }
    for (const { key: row, value } of table.all(kind)) {
      if (isBeingSwept(table, idIn(row.pk))) continue;
      const should = wanted.get(textOf(row));
      if (!should) yield finding(row, "is not the rank of its post");
      else if (value.boardId !== should.boardId || value.status !== should.status) {
        yield finding(row, `says ${JSON.stringify(value)} instead of ${JSON.stringify(should)}`);
      }
    }
  }
}

/** Each count by rank is the number of its rows, and each count of a status the number of those that have it. */
export function* rankCounts(table: StoredTable): Findings {
  for (const ranking of rankings) {
    const { row: kind, counts: countsKind, countedAt } = shapes[ranking];
    const bucketOf = ({ key: { pk, sk } }: { key: Key }): string => {
      const [rank = "", postId = ""] = sk.split("#");
      return [idIn(pk), ...countedAt(rank, postId)].join(" ");
    };
    const all = table.all(kind);
    const withStatus = all.filter(({ value }) => value.status !== undefined);
    const rows = new Map([
      ...groupBy(all, bucketOf),
      ...groupBy(withStatus, (row) => `${bucketOf(row)}${row.value.status}`),
    ]);
    const counted = new Set<string>();
    for (const { key: counts, value } of table.all(countsKind)) {
      const list = idIn(counts.pk);
      if (isBeingSwept(table, list)) continue;
      if (!isLiveList(table, list)) yield finding(counts, "counts a list that does not exist");
      for (const [attribute, count] of Object.entries(value)) {
        if (attribute === "pk" || attribute === "sk") continue;
        const name = `${list} ${counts.sk} ${attribute}`;
        counted.add(name);
        const number = rows.get(name)?.length ?? 0;
        if (count !== number) yield finding(counts, `counts ${count} as ${attribute} and has ${number} rows`);
      }
    }
    for (const [name, [first]] of rows) {
      if (first && !counted.has(name) && !isBeingSwept(table, idIn(first.key.pk))) {
        yield finding(first.key, "is a row that is not counted");
      }
    }
  }
}

/** The ranks of all posts follow from them and their votes: so it is once `keep` has seen every change. */
export function* ranksOfNow(table: StoredTable): Findings {
  for (const { key: stored, value: post } of table.all("post")) {
    const rank = table.at("rank", key.rank(post.postId));
    const voters = table.at("voters", key.voters(post.postId));
    const { boardId, roadmapId, status } = post;
    const hot = hotTime(timeOf(post.postId), voters?.heat ?? new Map());
    const wanted = { votes: voters?.count ?? 0, hot, boardId, roadmapId, status };
    for (const [name, value] of Object.entries(wanted)) {
      const ranked = rank?.[name as keyof typeof wanted];
      if (ranked !== value) yield finding(stored, `is ranked by ${name} ${ranked} instead of ${value}`);
    }
  }
  for (const { key: rank } of table.all("rank")) {
    if (!table.has("post", key.post(idIn(rank.pk)))) yield finding(rank, "ranks no post");
  }
}
