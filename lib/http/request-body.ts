import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { ApiError, invalid } from "../runtime/errors.ts";

/** The largest accepted body, in bytes. */
export const MAX_BODY_BYTES = 128 * 1024;

const MAX_DEPTH = 32;
const FORBIDDEN_KEYS = ["__proto__", "constructor"];

/** Refuses a body that is too large. An expected body becomes JSON text of limited depth, an absent one `{}`. */
export const prepareBody = (event: APIGatewayProxyEventV2, isExpected: boolean): void => {
  const { body = "", isBase64Encoded } = event;
  if (Buffer.byteLength(body, isBase64Encoded ? "base64" : "utf8") > MAX_BODY_BYTES) {
    throw new ApiError("PAYLOAD_TOO_LARGE");
  }
  if (!isExpected) return;
  const text = isBase64Encoded ? decodeUtf8(body) : body;
  if (isDeeperThan(text, MAX_DEPTH)) throw invalid("body", "too_deep", `Must not be nested deeper than ${MAX_DEPTH}`);
  event.body = text === "" ? "{}" : text;
  event.isBase64Encoded = false;
};

const decodeUtf8 = (base64: string): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, "base64"));
  } catch {
    throw invalid("body", "invalid_encoding", "Must be UTF-8");
  }
};

/** Whether JSON text nests deeper than `limit`. One pass over the characters, before the text is parsed. */
const isDeeperThan = (text: string, limit: number): boolean => {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "[" || character === "{") {
      if (++depth > limit) return true;
    } else if (character === "]" || character === "}") depth--;
  }
  return false;
};

/** Refuses a parsed body that is no object or has a key that could reach a prototype; `null` counts as `{}`. */
export const checkParsedBody = (event: { body?: unknown }): void => {
  event.body ??= {};
  const { body } = event;
  if (typeof body !== "object" || Array.isArray(body)) throw invalid("body", "invalid_type", "Must be a JSON object");
  if (hasForbiddenKey(body)) {
    throw invalid("body", "forbidden_key", `Must not hold a key ${FORBIDDEN_KEYS.join(" or ")}`);
  }
};

const hasForbiddenKey = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (FORBIDDEN_KEYS.some((key) => Object.hasOwn(value, key))) return true;
  return Object.values(value).some(hasForbiddenKey);
};

/** The error that middy's JSON parser threw as a VALIDATION_ERROR; undefined for any other error. */
export const asInvalidJson = (thrown: unknown): ApiError | undefined => {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const isFromParser = typeof cause === "object" && cause !== null && "package" in cause && cause.package === PARSER;
  return isFromParser ? invalid("body", "invalid_json", "Must be valid JSON") : undefined;
};

const PARSER = "@middy/http-json-body-parser";
