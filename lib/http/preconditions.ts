import { createHash } from "node:crypto";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type * as z from "zod/mini";
import { ApiError, invalid } from "../runtime/errors.ts";
import { type Definition, takesIfMatch } from "./definition.ts";
import { headerOf } from "./headers.ts";
import type { Profile } from "./resources/accounts.ts";
import type { BoardDetail, RoadmapByUrl } from "./resources/catalogue.ts";

/** The ETag of fields, without quotes. */
export function tagOf(fields: object): string {
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64url").slice(0, 16);
}

/** Of the fields that the owner can change. */
export function boardTag({ post_count: _, postsCount: __, ...state }: BoardDetail): string {
  return tagOf(state);
}

/** Of the fields that the owner can change, without the place among other roadmaps. */
export function roadmapTag({ id, name, url, color, display = true }: z.infer<typeof RoadmapByUrl>): string {
  return tagOf({ id, name, url, color, display });
}

/** Of the fields that the holder can change. */
export function profileTag({ userId, name, language }: Profile): string {
  return tagOf({ userId, name, language });
}

export function quoted(tag: string): string {
  return `"${tag}"`;
}

const TAG = /^"[\x21\x23-\x7e]*"$/;

/** The tags of If-Match; undefined without the header and for `*`. Throws VALIDATION_ERROR. */
function expectedTags(event: APIGatewayProxyEventV2): string[] | undefined {
  const header = headerOf(event, "if-match")?.trim();
  if (header === undefined || header === "*") return undefined;
  const tags = header.split(",").map((tag) => tag.trim());
  // A weak tag is valid, but matches nothing.
  if (!tags.every((tag) => TAG.test(tag.replace(/^W\//, "")))) {
    throw invalid("headers.if-match", "invalid_format", 'Must be tags in quotes, such as "abc"');
  }
  return tags;
}

/** What throws CHANGED_MEANWHILE if an answer as it would be now has none of the ETags in `If-Match`. */
export function stateCheck(definition: Definition, event: APIGatewayProxyEventV2) {
  const { etagOf, response } = definition;
  const expected = takesIfMatch(definition) ? expectedTags(event) : undefined;
  return (current: unknown): void => {
    if (!etagOf || !expected) return;
    if (!expected.includes(quoted(etagOf(response.parse(current))))) throw new ApiError("CHANGED_MEANWHILE");
  };
}
