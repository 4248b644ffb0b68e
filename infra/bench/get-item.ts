import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { environment } from "../../lib/runtime/environment.ts";
import { documentClient } from "../../lib/table/client.ts";

/** What the others are compared to: one GetItem by the same client, of an item that does not exist. */
export async function handler() {
  const { TABLE_NAME: TableName } = environment();
  await documentClient().send(new GetCommand({ TableName, Key: { pk: "BENCH", sk: "BENCH" }, ConsistentRead: true }));
  return { statusCode: 204 };
}
