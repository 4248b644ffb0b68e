// The operator's command check-table: checks the invariants of a table. docs/operations.md#checking-a-table.
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { assertKnown, isBehind, status } from "../../../lib/migrations/migrate.ts";
import { environment } from "../../../lib/runtime/environment.ts";
import { documentClient } from "../../../lib/table/client.ts";
import { readCommandLine } from "../../usage.ts";
import { onTable, TABLES } from "../table.ts";
import { accounts, apiKeys, erasures, identities, people, site, twoFactors, userCounts } from "./accounts.ts";
import { catalogue, statuses, tags } from "./catalogue.ts";
import { dayCounts } from "./counts.ts";
import { figures } from "./figures.ts";
import { held, reports } from "./held.ts";
import { merges, movedThings, moves } from "./merges.ts";
import { news } from "./news.ts";
import { comments, posts, rows, subscriptions, tombstones, words } from "./posts.ts";
import { providers } from "./providers.ts";
import { rankRows, ranksOfNow } from "./ranks.ts";
import { type Finding, type Item, sortByKind } from "./stored.ts";
import { names, voters, votes, weights } from "./votes.ts";
import { webhooks } from "./webhooks.ts";

// An invariant is a statement about a whole table that every commit keeps: each count has its rows, each claim its
// owner, each item its counterpart. An invariant here is a function that yields a finding for each item that breaks it.
// The list in words: docs/data-model.md#invariants. A check reads the whole table, so no function imports this folder.

const invariants = [
  accounts,
  people,
  apiKeys,
  twoFactors,
  identities,
  erasures,
  userCounts,
  site,
  catalogue,
  statuses,
  tags,
  posts,
  rows,
  dayCounts,
  voters,
  weights,
  votes,
  rankRows,
  comments,
  names,
  words,
  subscriptions,
  tombstones,
  held,
  figures,
  reports,
  merges,
  moves,
  movedThings,
  news,
  providers,
  webhooks,
];

/** What is wrong in these items, which are all items of a table. */
export function findingsIn(items: Item[]): Finding[] {
  const { table, findings } = sortByKind(items);
  return [...findings, ...invariants.flatMap((check) => [...check(table)])];
}

/** The posts whose stored rank is stale: none once the follow-up has seen every change. */
export function unrankedIn(items: Item[]): Finding[] {
  return [...ranksOfNow(sortByKind(items).table)];
}

// A page arrives within the client's time limit even over a slow connection.
const PAGE = 1000;

/** Reads the whole table. */
export async function scan(): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await documentClient().send(
      new ScanCommand({ TableName: environment().TABLE_NAME, ConsistentRead: true, Limit: PAGE, ExclusiveStartKey }),
    );
    items.push(...(Items as Item[]));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

/** Reads the whole table and returns what is wrong in it. */
export async function check(): Promise<Finding[]> {
  return findingsIn(await scan());
}

async function checkTable(name: string): Promise<number> {
  const model = await status();
  assertKnown(model);
  const items = await scan();
  const findings = findingsIn(items);
  console.log(`Checked ${items.length} items of the table ${name}`);
  for (const { at, problem } of findings) console.log(`${at}: ${problem}`);
  if (findings.length === 0) {
    console.log("No problems");
    return 0;
  }
  console.log(`Problems: ${findings.length}`);
  console.log("Writes during the check can look like problems: check again while nothing is written");
  if (isBehind(model)) console.log("So can items that are not migrated yet: run npm run operate -- migrate first");
  return 1;
}

export async function run(words: readonly string[]): Promise<number> {
  readCommandLine(`npm run operate -- check-table, ${TABLES}`, {}, words);
  return onTable(checkTable);
}
