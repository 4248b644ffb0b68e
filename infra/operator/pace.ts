import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { environment } from "../../lib/runtime/environment.ts";
import { documentClient } from "../../lib/table/client.ts";

// What a new table on demand can do in a second; a table with a lower ceiling says so.
const OF_NEW_TABLE = { read: 12_000, write: 4000 };

/**
 * Half of the units that the table can read or write in a second: people need the rest. An engine on this machine has
 * no limit.
 */
export async function unitsPerSecond(kind: "read" | "write"): Promise<number> {
  if (environment().DYNAMODB_ENDPOINT) return Number.POSITIVE_INFINITY;
  const { Table } = await documentClient().send(new DescribeTableCommand({ TableName: environment().TABLE_NAME }));
  const { MaxReadRequestUnits, MaxWriteRequestUnits } = Table?.OnDemandThroughput ?? {};
  const most = (kind === "read" ? MaxReadRequestUnits : MaxWriteRequestUnits) ?? -1;
  return (most > 0 ? most : OF_NEW_TABLE[kind]) / 2;
}
