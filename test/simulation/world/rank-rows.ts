import { familyOf, type Ranking, rankings } from "../../../lib/table/families.ts";
import { key } from "../../../lib/table/keys.ts";
import type { PostList } from "../../../lib/table/post-lists.ts";
import type { Change } from "../../simulator/model/database.ts";
import type { Table } from "../../simulator/model/table.ts";

function isRanking(family: string): family is Ranking {
  return rankings.some((ranking) => ranking === family);
}

function postIdOf(rowKey: string): string {
  return rowKey.slice(rowKey.indexOf("#") + 1);
}

/** The rows by rank in the table: they lag behind votes, so a walk is checked against them alone. */
export class RankRows {
  readonly #table: () => Table;
  readonly #movedAt = new Map<string, number>();

  constructor(table: () => Table) {
    this.#table = table;
  }

  note({ key: { partition, sort } }: Change, now: number): void {
    const family = familyOf(partition);
    if (isRanking(family)) this.#movedAt.set(`${family} ${postIdOf(sort)}`, now);
  }

  /** Whether all rows of a post are unchanged since a moment. */
  isStill(ranking: Ranking, postId: string, since: number): boolean {
    return (this.#movedAt.get(`${ranking} ${postId}`) ?? Number.NEGATIVE_INFINITY) < since;
  }

  of(ranking: Ranking, list: PostList): Map<string, string> {
    const { pk } = key.rankRow(ranking, list, "");
    return new Map(
      this.#table()
        .sortsOf(pk)
        .map((sort) => [postIdOf(sort), sort]),
    );
  }
}
