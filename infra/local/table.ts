import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { tableShape } from "../../lib/data/keys.ts";

/** Makes the table on a local engine, unless it is there. */
export const ensureTable = async (endpoint: string, tableName: string, region = "us-east-1"): Promise<void> => {
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
    await client.send(new CreateTableCommand({ ...structuredClone(tableShape), TableName: tableName } as never));
  } finally {
    client.destroy();
  }
};
