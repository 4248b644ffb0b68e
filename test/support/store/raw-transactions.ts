import type { Part } from "../../../lib/table/parts.ts";
import { rawCall } from "./raw-calls.ts";

// Transactions without the SDK, which takes most of the time of a large one: for filling a table.

/** A value in DynamoDB's JSON. */
function stored(value: unknown): object {
  if (typeof value === "string") return { S: value };
  if (typeof value === "number" || typeof value === "bigint") return { N: String(value) };
  if (typeof value === "boolean") return { BOOL: value };
  if (Array.isArray(value)) return { L: value.map(stored) };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString("base64") };
  return { M: attributes(value as object) };
}

function attributes(item: object): object {
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => (value === undefined ? [] : [[name, stored(value)]])),
  );
}

function withValues(write: Record<string, unknown>): object {
  return {
    ...write,
    ...(write.Key ? { Key: attributes(write.Key) } : {}),
    ...(write.Item ? { Item: attributes(write.Item) } : {}),
    ...(write.ExpressionAttributeValues
      ? { ExpressionAttributeValues: attributes(write.ExpressionAttributeValues) }
      : {}),
  };
}

/** Carries out a transaction; throws if it was refused. */
export async function transactRaw(parts: Part[]): Promise<void> {
  const TransactItems = parts.map((part) =>
    Object.fromEntries(Object.entries(part).map(([kind, write]) => [kind, withValues({ ...write })])),
  );
  const { status, body } = await rawCall(process.env.DYNAMODB_ENDPOINT ?? "", "TransactWriteItems", { TransactItems });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
}
