import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { tableShape } from "../../lib/table/table-shape.ts";

// No stream: background.ts polls instead, and dynoxide 1.2.1 gets slower with each record that it keeps for a stream
// (2,000 writes a second on an empty table, 300 after 30,000 writes).
const { StreamSpecification: _, ...localShape } = tableShape;

/** A client for tables of an engine on this machine. */
export function clientAt(endpoint: string, region = "us-east-1"): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
  });
}

export async function createTable(client: DynamoDBClient, tableName: string): Promise<void> {
  await client.send(new CreateTableCommand({ ...structuredClone(localShape), TableName: tableName }));
}

/** Creates the table if it does not exist. */
export async function ensureTable(endpoint: string, tableName: string, region: string): Promise<void> {
  const client = clientAt(endpoint, region);
  try {
    await client.send(new DescribeTableCommand({ TableName: tableName }));
  } catch (error) {
    if ((error as Error).name !== "ResourceNotFoundException") throw error;
    await createTable(client, tableName);
  } finally {
    client.destroy();
  }
}
