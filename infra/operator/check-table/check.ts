import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { settings } from "../../../lib/runtime/settings.ts";
import { documentClient } from "../../../lib/table/client.ts";
import { accounts, apiKeys, site, userCounts } from "./accounts.ts";
import { catalogue, statuses } from "./catalogue.ts";
import { comments } from "./comments.ts";
import { dayCounts, rankCounts } from "./counts.ts";
import { posts, rows, tombstones } from "./posts.ts";
import { rankRows, ranksOfNow } from "./ranks.ts";
import { type Finding, type Item, sortByKind } from "./stored.ts";
import { names, voters, votes, weights } from "./votes.ts";
import { words } from "./words.ts";

// An invariant is a statement about a whole table that every commit keeps: each count has its rows, each claim its
// owner, each item its counterpart. An invariant here is a function that yields a finding for each item that breaks it.
// The list in words: docs/data-model.md#invariants. A check reads the whole table, so no function imports this folder.

const invariants = [
  accounts,
  apiKeys,
  userCounts,
  site,
  catalogue,
  statuses,
  posts,
  rows,
  dayCounts,
  voters,
  weights,
  votes,
  rankRows,
  rankCounts,
  comments,
  names,
  words,
  tombstones,
];

/** The problems in a whole table: items of no kind, and broken invariants. */
export function findingsIn(items: Item[]): Finding[] {
  const { table, findings } = sortByKind(items);
  return [...findings, ...invariants.flatMap((check) => [...check(table)])];
}

/** The posts whose stored rank is not up to date: none once the follow-up has seen every change. */
export function unrankedIn(items: Item[]): Finding[] {
  return [...ranksOfNow(sortByKind(items).table)];
}

// A page arrives within the client's time limit even over a slow connection.
const PAGE = 1000;

/** Reads every item of the table. */
export async function scan(): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await documentClient().send(
      new ScanCommand({ TableName: settings().TABLE_NAME, ConsistentRead: true, Limit: PAGE, ExclusiveStartKey }),
    );
    items.push(...(Items as Item[]));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

/** Checks the whole table. A write during the check can look like a problem. */
export async function check(): Promise<Finding[]> {
  return findingsIn(await scan());
}
