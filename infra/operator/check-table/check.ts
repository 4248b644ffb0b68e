import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { settings } from "../../../lib/runtime/settings.ts";
import { documentClient } from "../../../lib/table/client.ts";
import { accounts, apiKeys, site, userCounts } from "./accounts.ts";
import { catalogue, statuses } from "./catalogue.ts";
import { comments } from "./comments.ts";
import { dayCounts, posts, rows, tombstones } from "./posts.ts";
import { rankCounts, rankRows, ranksOfNow } from "./ranks.ts";
import { type Finding, type Item, sortByKind } from "./stored.ts";
import { names, voters, votes, weights } from "./votes.ts";
import { words } from "./words.ts";

// What docs/data-model.md#invariants promises of the table as a whole. For tests and for `npm run operate -- check-table`; it reads the whole
// table, so no function may import it.

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

/** The problems of items that are a whole table; none if all invariants hold. */
export function findingsIn(items: Item[]): Finding[] {
  const { table, findings } = sortByKind(items);
  return [...findings, ...invariants.flatMap((check) => [...check(table)])];
}

/** What `keep` has not ranked yet, or has lost: none once it has seen every change. */
export function unrankedIn(items: Item[]): Finding[] {
  return [...ranksOfNow(sortByKind(items).table)];
}

// A page arrives within the client's time limit over a slow connection too.
const PAGE = 1000;

/** Reads every item of the table. */
export async function scan(): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await documentClient().send(
      new ScanCommand({ TableName: settings().tableName, ConsistentRead: true, Limit: PAGE, ExclusiveStartKey }),
    );
    items.push(...(Items as Item[]));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

/** Checks the whole table. Changes made meanwhile can look like problems. */
export async function check(): Promise<Finding[]> {
  return findingsIn(await scan());
}
