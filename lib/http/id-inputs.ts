import * as z from "zod/mini";
import type { ErrorCode } from "../runtime/errors.ts";
import { NIL, readId, UUID } from "../values/ids.ts";
import { mapped, readAs } from "./inputs.ts";
import { isClean, Text } from "./text-inputs.ts";

export const Uuid = z.string().check(z.toLowerCase(), z.regex(UUID, "Must be an id"));

const ID_SCHEMA = { type: "string", format: "uuid" } as const;

/** An id; a value that is not an id names something that does not exist, which is `code`. */
function idOr(code: ErrorCode) {
  return readAs(readId, code).check(z.meta(ID_SCHEMA));
}

export const PostId = idOr("POST_NOT_FOUND");
export const BoardId = idOr("BOARD_NOT_FOUND");
export const UserId = idOr("USER_NOT_FOUND");
export const RoadmapId = idOr("ROADMAP_ID_OR_URL_MISSING");
export const TagId = idOr("TAG_NOT_FOUND");
export const KeyId = idOr("KEY_NOT_FOUND");
export const ProviderId = idOr("PROVIDER_NOT_FOUND");
export const WebhookId = idOr("WEBHOOK_NOT_FOUND");
export const ExportId = idOr("EXPORT_NOT_FOUND");
export const CommentId = idOr("COMMENT_NOT_FOUND");
export const HeldId = idOr("HELD_NOT_FOUND");

export const IdentityId = readAs(
  (value) => (typeof value === "string" && /^[0-9a-f]{32}-[0-9a-f]{32}$/.test(value) ? value : undefined),
  "IDENTITY_NOT_FOUND",
).check(z.meta({ type: "string", pattern: "^[0-9a-f]{32}-[0-9a-f]{32}$" }));

export const Slug = readAs(
  (value) => (typeof value === "string" && isClean(value) ? value : undefined),
  "POST_NOT_FOUND",
).check(z.meta({ type: "string" }));

export const StatusId = Text;

/** The id of something that may not exist; other text becomes the nil UUID, which nothing has. */
export const Id = mapped(Text, (text) => readId(text) ?? NIL).check(z.meta(ID_SCHEMA));

const MAX_IDS = 20;

/** One id or an array of at most 20, without duplicates; an empty array filters nothing. */
function idsOf<S extends z.ZodMiniType<string, string>>(id: S, json: object) {
  const given = z.union([z.string(), z.array(z.string())], "Must be an id or an array of ids");
  const distinct = mapped(given, (ids) => [...new Set([ids].flat().map((each) => each.toLowerCase()))]).check(
    z.refine((ids) => ids.every(isClean), "Must contain ids"),
  );
  const limited = z.pipe(distinct, z.array(id).check(z.maxLength(MAX_IDS)));
  const shape = { anyOf: [json, { type: "array", items: json, maxItems: MAX_IDS }] };
  return mapped(limited, (ids) => (ids.length > 0 ? ids : undefined)).check(z.meta(shape));
}

export const BoardIds = idsOf(Id, ID_SCHEMA);

export const TagIds = idsOf(Id, ID_SCHEMA);

export const StatusIds = idsOf(Text, { type: "string" });
