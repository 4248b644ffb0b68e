import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { ApiError, invalid } from "../runtime/errors.ts";

export const MAX_BODY_BYTES = 128 * 1024;

const MAX_DEPTH = 32;
// Fifty times as many as any endpoint reads.
const MAX_VALUES = 1000;
const FORBIDDEN_KEYS = ["__proto__", "constructor"];

/** Rejects a body that is too large; an expected one becomes JSON text of bounded depth and size, `{}` if absent. */
export function prepareBody(event: APIGatewayProxyEventV2, isExpected: boolean): void {
  const { body = "", isBase64Encoded } = event;
  if (Buffer.byteLength(body, isBase64Encoded ? "base64" : "utf8") > MAX_BODY_BYTES) {
    throw new ApiError("PAYLOAD_TOO_LARGE");
  }
  if (!isExpected) return;
  const text = isBase64Encoded ? decodeUtf8(body) : body;
  checkShape(text);
  event.body = text === "" ? "{}" : text;
  event.isBase64Encoded = false;
}

function decodeUtf8(base64: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, "base64"));
  } catch {
    throw invalid("body", "invalid_encoding", "Must be UTF-8, and not compressed");
  }
}

/**
 * Rejects JSON text that nests too deep or has too many values, in one pass over its characters: parsing and validating
 * would take a hundred times as long. Each value but the first follows an opening bracket or a comma.
 */
function checkShape(text: string): void {
  let depth = 0;
  let values = 1;
  const count = (): void => {
    if (++values > MAX_VALUES)
      throw invalid("body", "too_many_values", `Must not contain more than ${MAX_VALUES} values`);
  };
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case "[":
      case "{":
        count();
        if (++depth > MAX_DEPTH) throw invalid("body", "too_deep", `Must not be nested deeper than ${MAX_DEPTH}`);
        break;
      case "]":
      case "}":
        depth--;
        break;
      case ",":
        count();
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** Rejects a parsed body that is not an object or has a key that could reach a prototype; `null` counts as `{}`. */
export function checkParsedBody(event: { body?: unknown }): void {
  event.body ??= {};
  const { body } = event;
  if (typeof body !== "object" || Array.isArray(body)) throw invalid("body", "invalid_type", "Must be a JSON object");
  if (hasForbiddenKey(body)) {
    throw invalid("body", "forbidden_key", `Must not contain a key ${FORBIDDEN_KEYS.join(" or ")}`);
  }
}

function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (FORBIDDEN_KEYS.some((key) => Object.hasOwn(value, key))) return true;
  return Object.values(value).some(hasForbiddenKey);
}

/** The VALIDATION_ERROR for what the parser of bodies has thrown; undefined for any other error. */
export function asInvalidJson(thrown: unknown): ApiError | undefined {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const isFromParser = typeof cause === "object" && cause !== null && "package" in cause && cause.package === PARSER;
  return isFromParser ? invalid("body", "invalid_json", "Must be valid JSON") : undefined;
}

const PARSER = "@middy/http-json-body-parser";
