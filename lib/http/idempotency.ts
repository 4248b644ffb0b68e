import { createHash } from "node:crypto";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { ApiError, invalid } from "../runtime/errors.ts";
import { CarriedOutBefore, keyPart, type MadeBefore, madeBefore, type RepeatableCall } from "../table/idempotency.ts";
import type { Attributes, Part } from "../table/parts.ts";
import { headerOf } from "./callers.ts";
import type { Definition } from "./definition.ts";

/** A call under an Idempotency-Key, with what was made under the key so far. */
export type Repeat = { call: RepeatableCall; before: MadeBefore | undefined };

// Bare, or in quotes as the draft of the IETF has it.
const KEY = /^(?:[\x21\x23-\x7e]{8,64}|"[\x21\x23-\x7e]{8,64}")$/;

function hashOf(...parts: string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("base64url");
}

/** Reads the Idempotency-Key of a call, and what was made under it; undefined without one. Throws VALIDATION_ERROR for a bad key. */
export async function repeatOf(
  { idempotency, method, path }: Definition,
  event: APIGatewayProxyEventV2,
  userId: string,
  input: unknown,
): Promise<Repeat | undefined> {
  const header = idempotency && headerOf(event, "idempotency-key")?.trim();
  if (header === undefined) return undefined;
  if (!KEY.test(header)) {
    throw invalid("headers.idempotency-key", "invalid_format", "Must be 8 to 64 visible ASCII characters");
  }
  // The input as the schema reads it: neither the order of fields nor an unknown one makes another request of it.
  const fingerprint = hashOf(method, path, JSON.stringify(input));
  const call = { userId, keyHash: hashOf(header.replaceAll('"', "")), fingerprint };
  return { call, before: await madeBefore(call) };
}

/** What the writer of a call adds to its transaction; undefined without a key. */
export function idempotencyPartOf(
  repeat: Repeat | undefined,
  { idempotency }: Definition,
): ((made: Attributes) => Part) | undefined {
  return repeat && idempotency && ((made) => keyPart(repeat.call, idempotency.parse(made) as Attributes));
}

/** Answers a call under a key: carries it out, or gives the first answer `again`. Throws IDEMPOTENCY_KEY_REUSED for another request. */
export async function answerOnce<Result>(
  { call, before }: Repeat,
  carryOut: () => Promise<Result>,
  again: (made: Attributes) => Promise<Result>,
): Promise<{ result: Result; isReplayed: boolean }> {
  const replay = async ({ fingerprint, made }: MadeBefore) => {
    if (fingerprint !== call.fingerprint) throw new ApiError("IDEMPOTENCY_KEY_REUSED");
    return { result: await again(made), isReplayed: true };
  };
  if (before) return replay(before);
  try {
    return { result: await carryOut(), isReplayed: false };
  } catch (error) {
    // Another call under the key came first, or this is its own refusal.
    const meanwhile =
      error instanceof CarriedOutBefore || error instanceof ApiError ? await madeBefore(call) : undefined;
    if (!meanwhile) throw error;
    return replay(meanwhile);
  }
}
