import { isDeepStrictEqual } from "node:util";
import type { $Command } from "@aws-sdk/client-dynamodb";
import type {
  DynamoDBDocumentClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes,
} from "@aws-sdk/lib-dynamodb";
import { fromEnvironment } from "../runtime/environment.ts";
import { send } from "./client.ts";

// Most reads of a site repeat: everybody asks for the first page, and every page shows boards. The SDK takes most of
// the time of such a read to make items of the store's JSON. So a process keeps its latest answers, as JSON and as
// items. Each read is sent all the same, and a kept answer is used only if the store's JSON is equal to it: it is never
// stale.

/** An answer in the store's JSON, and what the SDK made of it. */
type Kept = { json: unknown; output: ServiceOutputTypes };

// A hundred pages of ten posts take about ten megabytes.
const MOST_KEPT = 100;
// Shorter answers take little time, longer ones much memory.
const LEAST_BYTES = 1024;
const MOST_BYTES = 64 * 1024;

/** The latest reads, the least recent first. A read that came once is not worth an answer yet. */
const latest = fromEnvironment(() => new Map<string, Kept | undefined>());

function keep(asked: string, kept: Kept | undefined): void {
  const reads = latest();
  reads.delete(asked);
  reads.set(asked, kept);
  const [leastRecent] = reads.keys();
  if (reads.size > MOST_KEPT && leastRecent !== undefined) reads.delete(leastRecent);
}

/** Freezes a value with all that it holds, so that its users cannot change it for each other. */
export function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const each of Object.values(value)) freeze(each);
  return value;
}

/** The JSON of an answer that may be worth keeping. */
function jsonOf(body: Buffer): unknown {
  if (body.byteLength < LEAST_BYTES || body.byteLength > MOST_BYTES) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    // The SDK says so.
    return undefined;
  }
}

/** Sends a read. What it returns is frozen if others may get it too. */
export async function sendRead<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
  command: $Command<Input, Output, DynamoDBDocumentClientResolvedConfig, ServiceInputTypes, ServiceOutputTypes>,
): Promise<Output> {
  const asked = JSON.stringify(command.input);
  const isRepeated = latest().has(asked);
  const before = latest().get(asked);
  let json: unknown;
  let isEqual = false;
  // Called again for another attempt.
  const isKnown = (body: Buffer): boolean => {
    json = isRepeated ? jsonOf(body) : undefined;
    isEqual = before !== undefined && isDeepStrictEqual(json, before.json);
    return isEqual;
  };
  const read = await send(command, { isKnown });
  const output = isEqual ? { ...before?.output, ...read } : read;
  keep(asked, json === undefined ? undefined : { json, output: freeze(output) });
  return output;
}
