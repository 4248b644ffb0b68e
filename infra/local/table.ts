import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { tableShape } from "../../lib/table/table-shape.ts";

// No stream: background.ts polls instead, and dynoxide 1.2.1 gets slower with each record that it keeps for a stream
// (2,000 writes a second on an empty table, 300 after 30,000 writes).
const { StreamSpecification: _, ...localShape } = tableShape;

/** Creates the table if it does not exist. */
export async function ensureTable(endpoint: string, tableName: string, region = "us-east-1"): Promise<void> {
  const client = new DynamoDBClient({
    endpoint,
    region,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
  });
  try {
    await client.send(new DescribeTableCommand({ TableName: tableName }));
  } catch (error) {
    if ((error as Error).name !== "ResourceNotFoundException") throw error;
    await client.send(new CreateTableCommand({ ...structuredClone(localShape), TableName: tableName }));
  } finally {
    client.destroy();
  }
}
