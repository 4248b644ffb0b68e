import { createHash } from "node:crypto";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { ApiError, invalid } from "../runtime/errors.ts";
import { headerOf } from "./callers.ts";
import { type Definition, takesIfMatch } from "./definition.ts";
import type { BoardDetail, ListedStatus, Profile, RoadmapListItem } from "./schemas.ts";

/** A tag made of fields: other values, another tag. */
export function tagOf(fields: object): string {
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64url").slice(0, 16);
}

/** The tag of a board: all that its owner can change. */
export function boardTag({ post_count: _, ...state }: BoardDetail): string {
  return tagOf(state);
}

/** The tag of a roadmap: all that its owner can change, without its place among the others. */
export function roadmapTag({ index: _, ...state }: RoadmapListItem): string {
  return tagOf(state);
}

/** The tag of the owner's list of statuses. */
export function statusesTag(statuses: ListedStatus[]): string {
  return tagOf(statuses);
}

/** The tag of an account, as its holder sees it: all that its holder can change. */
export function profileTag({ userId, name }: Profile): string {
  return tagOf({ userId, name });
}

/** A tag as the headers ETag and If-Match write it. */
export function quoted(tag: string): string {
  return `"${tag}"`;
}

const TAG = /^"[\x21\x23-\x7e]*"$/;

/** The tags of If-Match; undefined without the header, and for `*`, which any state matches. Throws VALIDATION_ERROR. */
function expectedTags(event: APIGatewayProxyEventV2): string[] | undefined {
  const header = headerOf(event, "if-match")?.trim();
  if (header === undefined || header === "*") return undefined;
  const tags = header.split(",").map((tag) => tag.trim());
  // A weak tag is well formed, and matches nothing.
  if (!tags.every((tag) => TAG.test(tag.replace(/^W\//, "")))) {
    throw invalid("headers.if-match", "invalid_format", 'Must be tags in quotes, such as "abc"');
  }
  return tags;
}

/** A check that a state, as it would be answered, is one that the call's If-Match names. It throws CHANGED_MEANWHILE. */
export function stateCheck(definition: Definition, event: APIGatewayProxyEventV2) {
  const { etagOf, response } = definition;
  const expected = takesIfMatch(definition) ? expectedTags(event) : undefined;
  return (current: unknown): void => {
    if (!etagOf || !expected) return;
    if (!expected.includes(quoted(etagOf(response.parse(current))))) throw new ApiError("CHANGED_MEANWHILE");
  };
}
