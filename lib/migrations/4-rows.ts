import * as z from "zod/mini";
import { isEqual, stillHas } from "../table/changes.ts";
import { rankings } from "../table/families.ts";
import { type Key, key } from "../table/keys.ts";
import { check, put } from "../table/parts.ts";
import {
  codesOf,
  type FacetCodes,
  hasOwner,
  isRanked,
  listsOf,
  nameOf,
  type Placement,
  type PostList,
  placementFields,
  placementOf,
} from "../table/post-lists.ts";
import { get } from "../table/reads.ts";
import { padded } from "../values/text.ts";
import type { StoredItem, Transaction } from "./migration.ts";

// The rows of a post in version 5: with facets as short codes, and with one in the list of its status.

const AnyItem = z.looseObject({ pk: z.string(), sk: z.string() });

const Post = z.object(placementFields);
const Rank = z.object({ votes: z.number(), trendingAt: z.number(), ...placementFields });
type Rank = z.output<typeof Rank>;

type Row = { list: PostList; key: Key; facets: FacetCodes };

/** The transaction that writes the rows of a post that it lacks, or whose facets have their old form. */
export async function rowsOf(item: StoredItem): Promise<Transaction[]> {
  const postId = item.sk;
  const post = Post.safeParse(item).data;
  // What is derived from a post that does not parse is not changed.
  if (!post) return [];
  const placement = placementOf(post);
  const rank = await get(key.rank(postId), Rank);
  const byDate = await unwritten(rowsByDate(postId, placement));
  const byRank = rank ? await unwritten(rowsByRank(postId, rank)) : [];
  const rows = [...byDate, ...byRank];
  if (rows.length === 0) return [];
  const parts: Transaction = { post: check(key.post(postId), stillHas(placement)) };
  if (rank && byRank.length > 0) parts.rank = check(key.rank(postId), stillHas(fieldsOf(rank)));
  for (const { list } of rows.filter(({ list }) => hasOwner(list))) {
    parts[nameOf(list)] = check(key.listOwner(list), { if: "attribute_exists(pk)" });
  }
  for (const { key: at, facets } of rows) parts[`${at.pk} ${at.sk}`] = put(at, facets);
  return [parts];
}

function fieldsOf({ votes, trendingAt, ...placement }: Rank) {
  return { votes, trendingAt, ...placementOf(placement) };
}

function rowsByDate(postId: string, placement: Placement): Row[] {
  return listsOf(placement).map((list) => ({
    list,
    key: key.listRow(list, postId),
    facets: list.kind === "all" ? {} : codesOf(placement),
  }));
}

function rowsByRank(postId: string, rank: Rank): Row[] {
  const texts = { TOP: padded(rank.votes, 7), TRENDING: padded(rank.trendingAt, 13) };
  const lists = listsOf(rank).filter(isRanked);
  return rankings.flatMap((ranking) =>
    lists.map((list) => ({
      list,
      key: key.rankRow(ranking, list, `${texts[ranking]}#${postId}`),
      facets: codesOf(rank),
    })),
  );
}

/** Those rows that are not stored so, in lists whose board or roadmap exists. */
async function unwritten(rows: Row[]): Promise<Row[]> {
  const read = rows.map(async (row) => {
    const [stored, owner] = await Promise.all([
      get(row.key, AnyItem),
      !hasOwner(row.list) || get(key.listOwner(row.list), AnyItem),
    ]);
    return { row, isMissing: owner && !isEqual(sorted(row.facets), sorted(withoutKey(stored))) };
  });
  return (await Promise.all(read)).filter(({ isMissing }) => isMissing).map(({ row }) => row);
}

/** The attributes of a row; undefined if there is none. */
function withoutKey(row: StoredItem | undefined): object | undefined {
  if (!row) return undefined;
  const { pk, sk, ...attributes } = row;
  return attributes;
}

function sorted(attributes: object | undefined): [string, unknown][] | undefined {
  return attributes && Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
}
