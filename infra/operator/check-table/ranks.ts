import { type Key, key, rankings } from "../../../lib/table/keys.ts";
import { timeOf } from "../../../lib/values/ids.ts";
import { trendingTime } from "../../../lib/values/trend.ts";
import { type Findings, finding, idIn, isBeingSwept, isLiveList, type StoredTable } from "./stored.ts";

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}

/** The kinds of rows of each ranking, and how their sort keys begin. */
const shapes = {
  TOP: {
    row: "topRow",
    rankOf: ({ votes }: { votes: number }) => padded(votes, 7),
  },
  TRENDING: {
    row: "trendingRow",
    rankOf: ({ trendingAt }: { trendingAt: number }) => padded(trendingAt, 13),
  },
} as const;

function textOf({ pk, sk }: Key): string {
  return `${pk} | ${sk}`;
}

/** Every post has the rows that its stored rank says, and every row is one of them. */
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

/** The stored rank of every post is up to date: holds once the follow-up has seen every change. */
export function* ranksOfNow(table: StoredTable): Findings {
  for (const { key: stored, value: post } of table.all("post")) {
    const rank = table.at("rank", key.rank(post.postId));
    const voters = table.at("voters", key.voters(post.postId));
    const { boardId, roadmapId, status } = post;
    const trendingAt = trendingTime(timeOf(post.postId), voters?.trend ?? new Map());
    const wanted = { votes: voters?.count ?? 0, trendingAt, boardId, roadmapId, status };
    for (const [name, value] of Object.entries(wanted)) {
      const ranked = rank?.[name as keyof typeof wanted];
      if (ranked !== value) yield finding(stored, `is ranked by ${name} ${ranked} instead of ${value}`);
    }
  }
  for (const { key: rank } of table.all("rank")) {
    if (!table.has("post", key.post(idIn(rank.pk)))) yield finding(rank, "ranks no post");
  }
}
