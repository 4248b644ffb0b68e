import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { documentClient } from "../../../lib/table/client.ts";
import type { Part } from "../../../lib/table/parts.ts";
import { FIXED_SIGNATURE } from "../../simulator/requests.ts";

const agent = new Agent({ keepAlive: true });

// Transactions without the SDK, which takes most of the time of a large one: for filling a table.

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

const WITH_VALUES = ["Key", "Item", "ExpressionAttributeValues"];

function withValues(write: object): object {
  return Object.fromEntries(
    Object.entries(write).map(([name, value]) => [
      name,
      WITH_VALUES.includes(name) && value ? attributes(value) : value,
    ]),
  );
}

export async function transactRaw(parts: Part[]): Promise<void> {
  const TransactItems = parts.map((part) =>
    Object.fromEntries(Object.entries(part).map(([kind, write]) => [kind, withValues({ ...write })])),
  );
  const headers = {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": "DynamoDB_20120810.TransactWriteItems",
    ...FIXED_SIGNATURE,
  };
  const response = await answerTo(headers, JSON.stringify({ TransactItems }));
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${body}`);
}

/**
 * DynamoDB Local closes a connection that waits, also while a call is on its way: that call was not read, and goes
 * again.
 */
async function answerTo(headers: Record<string, string>, body: string): Promise<IncomingMessage> {
  const call = request(process.env.DYNAMODB_ENDPOINT ?? "", { agent, method: "POST", headers });
  call.end(body);
  try {
    const [response] = (await once(call, "response")) as [IncomingMessage];
    return response;
  } catch (error) {
    if (call.reusedSocket && (error as NodeJS.ErrnoException).code === "ECONNRESET") return answerTo(headers, body);
    throw error;
  }
}

// A signature takes a fifth of the processor time of a call, and local engines do not check it: here each call has the
// same one. The service that test/infra starts as a process signs as in the cloud.

/** Sends what the client at hand sends without a signature of its own. */
export function withoutSignatures(): void {
  const stack = documentClient().middlewareStack;
  stack.remove("httpSigningMiddleware");
  stack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      Object.assign(headers, FIXED_SIGNATURE);
      return next(args);
    },
    { step: "finalizeRequest", name: "fixedSignature" },
  );
}
