import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import type { Part } from "../../../lib/data/parts.ts";

// Transactions without the SDK, which takes most of the time of a large one: for filling a table.

const agent = new Agent({ keepAlive: true });

/** A value in DynamoDB's JSON. */
const stored = (value: unknown): object => {
  if (typeof value === "string") return { S: value };
  if (typeof value === "number" || typeof value === "bigint") return { N: String(value) };
  if (typeof value === "boolean") return { BOOL: value };
  if (Array.isArray(value)) return { L: value.map(stored) };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString("base64") };
  return { M: attributes(value as object) };
};

const attributes = (item: object): object =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => (value === undefined ? [] : [[name, stored(value)]])),
  );

const withValues = (write: Record<string, unknown>): object => ({
  ...write,
  ...(write.Key ? { Key: attributes(write.Key) } : {}),
  ...(write.Item ? { Item: attributes(write.Item) } : {}),
  ...(write.ExpressionAttributeValues
    ? { ExpressionAttributeValues: attributes(write.ExpressionAttributeValues) }
    : {}),
});

/** Carries out a transaction; throws if it was refused. */
export const transactRaw = async (parts: Part[]): Promise<void> => {
  const items = parts.map((part) =>
    Object.fromEntries(Object.entries(part).map(([kind, write]) => [kind, withValues({ ...write })])),
  );
  const call = request(process.env.DYNAMODB_ENDPOINT as string, {
    agent,
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "DynamoDB_20120810.TransactWriteItems",
      // Local engines look at its form at most.
      authorization:
        "AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
      "x-amz-date": "20260101T000000Z",
    },
  });
  call.end(JSON.stringify({ TransactItems: items }));
  const [response]: IncomingMessage[] = await once(call, "response");
  if (!response) throw new Error("no answer");
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${body}`);
};
