import { hash } from "node:crypto";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { ApiError, invalid } from "../runtime/errors.ts";
import { CarriedOutBefore, keyPart, type MadeBefore, madeBefore, type RepeatableCall } from "../table/idempotency.ts";
import type { Attributes, Part } from "../table/parts.ts";
import type { Definition } from "./definition.ts";
import { headerOf } from "./headers.ts";

/** A call under an Idempotency-Key; `before`: what an earlier call under it made. */
type Repeat = { call: RepeatableCall; before: MadeBefore | undefined };

/** Bare, or in quotes as in the IETF draft: both are the same key. */
export const KEY = /^(?:[\x21\x23-\x7e]{8,64}|"[\x21\x23-\x7e]{8,64}")$/;

/** Undefined without an Idempotency-Key; throws VALIDATION_ERROR for a bad one. */
export async function repeatOf(
  { idempotency, method, path }: Definition,
  event: APIGatewayProxyEventV2,
  userId: string,
  input: unknown,
): Promise<Repeat | undefined> {
  const header = idempotency && headerOf(event, "idempotency-key")?.trim();
  if (header === undefined) return undefined;
  if (!KEY.test(header)) {
    const rule = 'Must be 8 to 64 visible ASCII characters but ", bare or all in quotes';
    throw invalid("headers.idempotency-key", "invalid_format", rule);
  }
  // Of the parsed input, so that the order of fields and unknown fields do not matter.
  const fingerprint = hash("sha256", [method, path, JSON.stringify(input)].join("\n"), "base64url");
  const call = { userId, keyHash: hash("sha256", header.replaceAll('"', ""), "base64url"), fingerprint };
  return { call, before: await madeBefore(call) };
}

/** What makes the part that keeps what a call made; undefined for a call without an Idempotency-Key. */
export function idempotencyPartOf(
  repeat: Repeat | undefined,
  { idempotency }: Definition,
): ((made: Attributes) => Part) | undefined {
  return repeat && idempotency && ((made) => keyPart(repeat.call, idempotency.parse(made) as Attributes));
}

/** Carries a call out, or repeats its first answer. Throws IDEMPOTENCY_KEY_REUSED for another request under the key. */
export async function answerOnce<Result>(
  { call, before }: Repeat,
  carryOut: () => Promise<Result>,
  repeat: (made: Attributes) => Promise<Result>,
): Promise<{ result: Result; isReplayed: boolean }> {
  const replay = async ({ fingerprint, made }: MadeBefore) => {
    if (fingerprint !== call.fingerprint) throw new ApiError("IDEMPOTENCY_KEY_REUSED");
    return { result: await repeat(made), isReplayed: true };
  };
  if (before) return replay(before);
  try {
    return { result: await carryOut(), isReplayed: false };
  } catch (error) {
    // A parallel call under the key may have been carried out first.
    const first = error instanceof CarriedOutBefore || error instanceof ApiError ? await madeBefore(call) : undefined;
    if (!first) throw error;
    return replay(first);
  }
}
