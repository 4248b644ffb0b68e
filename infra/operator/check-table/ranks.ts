import { rankings } from "../../../lib/table/families.ts";
import { key } from "../../../lib/table/keys.ts";
import type { FacetCodes } from "../../../lib/table/post-lists.ts";
import { timeOf } from "../../../lib/values/ids.ts";
import { trendingTime } from "../../../lib/values/trend.ts";
import {
  codesOf,
  differing,
  type Findings,
  finding,
  idIn,
  isBeingSwept,
  rankedListsOf,
  type StoredTable,
  textOf,
} from "./stored.ts";

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}

/** The kinds of rows of each ranking, and how their sort keys begin. */
const shapes = {
  TOP: { row: "topRow", rankOf: ({ votes }: { votes: number }) => padded(votes, 7) },
  TRENDING: { row: "trendingRow", rankOf: ({ trendingAt }: { trendingAt: number }) => padded(trendingAt, 13) },
} as const;

/** Every post has the rows of its stored rank, and every row is one of them. */
export function* rankRows(table: StoredTable): Findings {
  for (const ranking of rankings) {
    const { row: kind, rankOf } = shapes[ranking];
    const expected = new Map<string, FacetCodes>();
    for (const { key: rank, value } of table.all("rank")) {
      for (const list of rankedListsOf(table, value)) {
        const row = { pk: `${ranking}#${list}`, sk: `${rankOf(value)}#${idIn(rank.pk)}` };
        expected.set(textOf(row), codesOf(value));
        if (!table.has(kind, row)) yield finding(rank, `has no row ${textOf(row)}`);
      }
    }
    for (const { key: row, value } of table.all(kind)) {
      if (isBeingSwept(table, idIn(row.pk))) continue;
      const right = expected.get(textOf(row));
      if (right) yield* differing(row, value, right);
      else yield finding(row, "is not the rank of its post");
    }
  }
}

/** The stored rank of every post is up to date: holds once the follow-up has seen every change. */
export function* ranksOfNow(table: StoredTable): Findings {
  for (const { key: stored, value: post } of table.all("post")) {
    const rank = table.at("rank", key.rank(post.postId));
    const voters = table.at("voters", key.voters(post.postId));
    const { boardId, roadmapId, status, tagIds } = post;
    const trendingAt = trendingTime(timeOf(post.postId), voters?.trend ?? new Map());
    const current = { votes: voters?.count ?? 0, trendingAt, boardId, roadmapId, status, tagIds: tagIds?.join() };
    for (const [name, value] of Object.entries(current)) {
      const ranked = name === "tagIds" ? rank?.tagIds?.join() : rank?.[name as keyof typeof rank];
      if (ranked !== value) yield finding(stored, `is ranked by ${name} ${ranked} instead of ${value}`);
    }
  }
  for (const { key: rank } of table.all("rank")) {
    if (!table.has("post", key.post(idIn(rank.pk)))) yield finding(rank, "ranks no post");
  }
}
