import { domainToASCII } from "node:url";
import * as z from "zod/mini";
import type { ErrorCode } from "../runtime/errors.ts";
import { readId } from "../values/ids.ts";
import { isClean, isVisible, optional, present, readAs, Text, TextUpTo, WellFormed } from "./readers.ts";

// The inputs of this API, made of readers.ts. Many fail with a code of their own.

const ID_SCHEMA = { type: "string", format: "uuid" } as const;

/** An id; a value that is not an id names something that does not exist, which is `code`. */
function idOr(code: ErrorCode) {
  return readAs(readId, code).check(z.meta(ID_SCHEMA));
}

export const PostId = idOr("POST_NOT_FOUND");
export const BoardId = idOr("BOARD_NOT_FOUND");
export const UserId = idOr("USER_NOT_FOUND");
export const RoadmapId = idOr("ROADMAP_ID_OR_URL_MISSING");
export const KeyId = idOr("KEY_NOT_FOUND");
export const CommentId = idOr("COMMENT_NOT_FOUND");

function readClean(value: unknown): string | undefined {
  return typeof value === "string" && isClean(value) ? value : undefined;
}

/** The slug of a post. */
export const Slug = readAs(readClean, "POST_NOT_FOUND").check(z.meta({ type: "string" }));

/** The id of a status; it must not be missing. */
export const StatusId = z
  .pipe(
    z.unknown().check(z.refine((value) => value !== undefined && value !== null, "Missing")),
    readAs(readClean, "STATUS_NOT_FOUND"),
  )
  .check(z.meta({ type: "string" }));

const NIL = "00000000-0000-0000-0000-000000000000";

/** The id of something that may not exist; other text becomes the nil UUID, which nothing has. */
export const Id = z
  .pipe(
    Text,
    z.transform((text) => readId(text) ?? NIL),
  )
  .check(z.meta(ID_SCHEMA));

const MAX_IDS = 20;

/**
 * One id or an array of at most 20, without duplicates; an empty array filters nothing. `json` is the JSON Schema of an
 * id.
 */
function idsOf<S extends z.ZodMiniType<string, string>>(id: S, json: object) {
  return z
    .pipe(
      z.pipe(
        z
          .pipe(
            z.union([z.string(), z.array(z.string())], "Must be an id or an array of ids"),
            z.transform((ids) => [...new Set([ids].flat().map((each) => each.toLowerCase()))]),
          )
          .check(z.refine((ids) => ids.every(isClean), "Must contain ids")),
        z.array(id).check(z.maxLength(MAX_IDS)),
      ),
      z.transform((ids) => (ids.length > 0 ? ids : undefined)),
    )
    .check(z.meta({ anyOf: [json, { type: "array", items: json, maxItems: MAX_IDS }] }));
}

/** One or more boards to filter by. */
export const BoardIds = idsOf(Id, ID_SCHEMA);

/** One or more statuses to filter by. */
export const StatusIds = idsOf(Text, { type: "string" });

const MAX_COMMENT = 5000;

/** The text of a comment; COMMENT_BODY_MISSING if it is missing or has no visible character. */
export const CommentBody = z
  .pipe(
    present("COMMENT_BODY_MISSING", (value) => typeof value === "string" && isClean(value) && !isVisible(value)),
    TextUpTo(MAX_COMMENT),
  )
  .check(z.meta({ type: "string", pattern: "\\S", maxLength: MAX_COMMENT }));

/** The official response to a post; text without a visible character counts as empty. */
export const ResponseText = z.pipe(
  TextUpTo(5000),
  z.transform((text) => (isVisible(text) ? text : "")),
);

/** The order by creation: asc or desc in any case, by default desc (newest first). */
export const Order = z
  .pipe(
    optional(
      z.pipe(z.string().check(z.toLowerCase()), z.enum(["asc", "desc"])).check(z.meta({ enum: ["asc", "desc"] })),
    ),
    z.transform((order) => order ?? ("desc" as const)),
  )
  .check(z.meta({ default: "desc" }));

const sorts = { newest: "desc", oldest: "asc", top: "top", trending: "trending" } as const;

/** The order of posts: `newest`, `oldest`, `top` (most votes first) or `trending`, in any case. */
export const Sort = z
  .pipe(
    z.pipe(z.string().check(z.toLowerCase()), z.enum(Object.keys(sorts) as (keyof typeof sorts)[])),
    z.transform((word) => sorts[word]),
  )
  .check(z.meta({ enum: Object.keys(sorts) }));

const MAX_EMAIL = 254;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
// Before the domain is normalised it may contain any character outside of ASCII.
const WRITTEN_DOMAIN = /^[a-z0-9.\-\u0080-\u{10ffff}]+$/iu;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

function readEmail(value: unknown): string | undefined {
  if (typeof value !== "string" || !value.isWellFormed()) return undefined;
  const address = value.trim();
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at);
  const written = address.slice(at + 1);
  // Lengths first, so that the regular expressions run on short text.
  if (at < 1 || local.length > 64 || written.length > MAX_EMAIL) return undefined;
  // Mail services decode an encoded word (RFC 2047): the mail could reach another address.
  if (!LOCAL_PART.test(local) || local.includes("=?") || !WRITTEN_DOMAIN.test(written)) return undefined;
  const domain = domainToASCII(written).toLowerCase();
  if (!DOMAIN.test(domain)) return undefined;
  const email = `${local.toLowerCase()}@${domain}`;
  return email.length <= MAX_EMAIL ? email : undefined;
}

/**
 * An e-mail address as it is stored and compared: trimmed, in lower case, its domain IDNA-normalised; else
 * EMAIL_INVALID.
 */
export const Email = readAs(readEmail, "EMAIL_INVALID").check(
  z.meta({ type: "string", format: "email", maxLength: MAX_EMAIL }),
);

/** Any value but a missing or empty one, which is PASSWORD_MISSING. */
export const SomePassword = present("PASSWORD_MISSING", (value) => value === "");

/** A password at login, of any length: a login does not reveal the rule for new passwords. */
export const TriedPassword = z
  .pipe(SomePassword, WellFormed)
  .check(z.meta({ type: "string", format: "password", minLength: 1 }));
