import { domainToASCII } from "node:url";
import * as z from "zod/mini";
import type { ErrorCode } from "../runtime/errors.ts";
import { readId, UUID } from "../values/ids.ts";

// The schemas of what clients send. A failure is a VALIDATION_ERROR, unless the issue has another code in `params.code`
// (EMAIL_INVALID, POST_NOT_FOUND). `meta` says as JSON Schema what code checks: docs/openapi.json is made from it, and
// test/infra/openapi/limits.test.ts tries the limits.

/** Refuses the value of a transformation. */
export function refuse(context: z.core.ParsePayload, message: string, params?: { code: ErrorCode }): never {
  context.issues.push({ code: "custom", message, input: context.value, ...(params && { params }) });
  return z.NEVER;
}

/** A value as `read` returns it; where `read` returns undefined, the input fails with `code`. */
function readAs<T>(read: (value: unknown) => T | undefined, code: ErrorCode) {
  return z.pipe(
    z.unknown(),
    z.transform((value, context): T => read(value) ?? refuse(context, "Not usable here", { code })),
  );
}

/** An optional field: `null` counts as absent. */
export function optional<S extends z.ZodMiniType>(schema: S) {
  return z.pipe(
    z.nullish(schema),
    z.transform((value: z.output<S> | null | undefined) => value ?? undefined),
  );
}

const CONTROL = /[\p{Cc}]/u;
function isClean(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text.replace(/[\t\n\r]/g, ""));
}

/** Text without lone surrogates and control characters (tab, line feed and carriage return are fine). */
export const Text = z.string().check(z.refine(isClean, "Must not hold control characters or lone surrogates"));

// In UTF-16 code units, as JavaScript counts: zod's own min and max count an emoji as one.
export function lengthBetween(min: number, max: number) {
  return (text: string, context: z.core.$RefinementCtx) => {
    const issue = { origin: "string", inclusive: true, input: text };
    if (text.length < min) context.addIssue({ ...issue, code: "too_small", minimum: min });
    if (text.length > max) context.addIssue({ ...issue, code: "too_big", maximum: max });
  };
}

/** Text of at most `max` characters. */
export function TextUpTo(max: number) {
  return Text.check(z.superRefine(lengthBetween(0, max)), z.meta({ maxLength: max }));
}

// Line breaks, and what shows nothing or changes the direction of what follows. Joiners and variation selectors shape letters and emoji.
const NOT_IN_A_LINE = /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
// The empty Braille pattern is a symbol without dots.
const VISIBLE = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u;

function isOneLine(text: string): boolean {
  return !NOT_IN_A_LINE.test(text);
}
function isVisible(text: string): boolean {
  return text === "" || VISIBLE.test(text);
}

/** A name or title: one visible line of 1 to `max` characters, trimmed. */
export function Line(max: number) {
  return z
    .pipe(
      Text,
      z
        .string()
        .check(
          z.trim(),
          z.superRefine(lengthBetween(1, max)),
          z.refine(isOneLine, "Must be one line without invisible characters"),
          z.refine(isVisible, "Must hold a visible character"),
        ),
    )
    .check(z.meta({ minLength: 1, maxLength: max, pattern: "\\S" }));
}

/** An id in any case, answered in lower case; text of another shape is bad input. */
export const Uuid = z.string().check(z.toLowerCase(), z.regex(UUID, "Must be an id"));

/** JSON Schema of an id. */
export const ANY_ID = { type: "string", format: "uuid" } as const;

/** The id of a post; a value that is no id is a post that does not exist. */
export const PostId = readAs(readId, "POST_NOT_FOUND").check(z.meta(ANY_ID));

/** The id of a board; a value that is no id is a board that does not exist. */
export const BoardId = readAs(readId, "BOARD_NOT_FOUND").check(z.meta(ANY_ID));

/** The id of a user; a value that is no id is a user that does not exist. */
export const UserId = readAs(readId, "USER_NOT_FOUND").check(z.meta(ANY_ID));

/** The id of a roadmap; a value that is no id is a roadmap that does not exist. */
export const RoadmapId = readAs(readId, "ROADMAP_ID_OR_URL_MISSING").check(z.meta(ANY_ID));

/** The id of an API key; a value that is no id is a key that does not exist. */
export const KeyId = readAs(readId, "KEY_NOT_FOUND").check(z.meta(ANY_ID));

/** The id of a comment; a value that is no id is a comment that does not exist. */
export const CommentId = readAs(readId, "COMMENT_NOT_FOUND").check(z.meta(ANY_ID));

const MAX_COMMENT = 5000;

/** The text of a comment; missing or without a visible character is COMMENT_BODY_MISSING. */
export const CommentBody = z
  .pipe(
    z.unknown().check(
      z.superRefine((value, context) => {
        const isEmpty = typeof value === "string" && isClean(value) && !VISIBLE.test(value);
        if (value !== undefined && value !== null && !isEmpty) return;
        const params = { code: "COMMENT_BODY_MISSING" };
        context.addIssue({ code: "custom", message: "Missing", params, continue: false });
      }),
    ),
    TextUpTo(MAX_COMMENT),
  )
  .check(z.meta({ type: "string", pattern: "\\S", maxLength: MAX_COMMENT }));

/** The official response to a post; text without a visible character counts as empty. */
export const ResponseText = z.pipe(
  TextUpTo(5000),
  z.transform((text) => (VISIBLE.test(text) ? text : "")),
);

/** The id of a status, which must be there; a value that is no clean text is a status that does not exist. */
export const StatusId = z
  .pipe(
    z.unknown().check(z.refine((value) => value !== undefined && value !== null, "Missing")),
    readAs((value) => (typeof value === "string" && isClean(value) ? value : undefined), "STATUS_NOT_FOUND"),
  )
  .check(z.meta({ type: "string" }));

// Later years have no date-time of four digits to answer with.
const LAST_TIME = Date.parse("9999-12-31T23:59:59.999Z");

/** A moment in the future, as an ISO 8601 date-time with an offset or `Z`; read as milliseconds since 1970. */
export const FutureTime = z
  .pipe(
    z.iso.datetime({ offset: true }),
    z.transform((text: string) => Date.parse(text)),
  )
  .check(
    z.refine((time) => time > Date.now() && time <= LAST_TIME, "Must be in the future"),
    z.meta({ type: "string", format: "date-time" }),
  );

/** A colour: six hex digits without a leading #; answered in lower case. */
export const Color = z
  .string()
  .check(
    z.toLowerCase(),
    z.regex(/^[0-9a-f]{6}$/, "Must be six hex digits without a leading #"),
    z.meta({ pattern: "^[0-9a-fA-F]{6}$" }),
  );

function isWebAddress(text: string): boolean {
  const url = /^https?:\/\/[^\s"'<>`\\]+$/i.test(text) ? URL.parse(text) : null;
  return url !== null && url.username === "" && url.password === "";
}

/** The address of something on the web: http or https, at most 2,000 characters, without credentials and quotes. */
export const WebAddress = Line(2000).check(
  z.refine(isWebAddress, "Must be an http or https address without credentials and quotes"),
  z.meta({ pattern: "^\\s*[hH][tT][tT][pP][sS]?://" }),
);

/** The slug of a post; a value that is no clean text is a post that does not exist. */
export const Slug = readAs(
  (value) => (typeof value === "string" && isClean(value) ? value : undefined),
  "POST_NOT_FOUND",
).check(z.meta({ type: "string" }));

const MAX_IDS = 20;

/** One id or an array of ids; a repeated one counts once, an empty array is no filter. `json` is the JSON Schema of an id. */
export function Ids<S extends z.ZodMiniType<string, string>>(id: S, json: object) {
  return z
    .pipe(
      z.pipe(
        z
          .pipe(
            z.union([z.string(), z.array(z.string())], "Must be an id or an array of ids"),
            z.transform((ids) => [...new Set([ids].flat().map((each) => each.toLowerCase()))]),
          )
          .check(z.refine((ids) => ids.every((each) => Text.safeParse(each).success), "Must hold ids")),
        z.array(id).check(z.maxLength(MAX_IDS)),
      ),
      z.transform((ids) => (ids.length > 0 ? ids : undefined)),
    )
    .check(z.meta({ anyOf: [json, { type: "array", items: json, maxItems: MAX_IDS }] }));
}

const NIL = "00000000-0000-0000-0000-000000000000";

/** The id of something that may not exist; text that is no id becomes the nil UUID, which no item has. */
export const Id = z
  .pipe(
    Text,
    z.transform((text) => readId(text) ?? NIL),
  )
  .check(z.meta(ANY_ID));

const WHOLE = /^\d+$/;

// Larger than every list, and small enough to multiply.
const MAX_NUMBER = 2 ** 40;

function wholeNumber(value: number | string, context: z.core.ParsePayload): number {
  const number = typeof value === "string" ? (WHOLE.test(value) ? Number(value) : Number.NaN) : value;
  const whole = typeof value === "string" ? !Number.isNaN(number) : Number.isInteger(number);
  if (whole && number >= 1) return Math.min(number, MAX_NUMBER);
  return refuse(context, "Must be a whole number of at least 1");
}

const WHOLE_NUMBER = { type: "integer", minimum: 1 } as const;

/** A whole number of at least 1, as a decimal string of the query. */
export const QueryNumber = z.pipe(z.string(), z.transform<string, number>(wholeNumber)).check(z.meta(WHOLE_NUMBER));

/** A whole number of at least 1, as a number or a decimal string of the body. */
export const BodyNumber = z
  .pipe(z.union([z.number(), z.string()], "Must be a number"), z.transform(wholeNumber))
  .check(z.meta(WHOLE_NUMBER));

/** The number of items on a page: `fallback` if absent, at most `max`. */
export function pageSize(number: z.ZodMiniType<number>, fallback: number, max: number) {
  return z
    .pipe(
      optional(number.check(z.meta({ maximum: max }))),
      z.transform((size) => Math.min(size ?? fallback, max)),
    )
    .check(z.meta({ default: fallback }));
}

/** The order by creation: asc or desc in any case, by default desc (newest first). */
export const Order = z
  .pipe(
    optional(
      z.pipe(z.string().check(z.toLowerCase()), z.enum(["asc", "desc"])).check(z.meta({ enum: ["asc", "desc"] })),
    ),
    z.transform((order) => order ?? ("desc" as const)),
  )
  .check(z.meta({ default: "desc" }));

/** The words for orders of posts, each with the order. */
const sorts = { newest: "desc", oldest: "asc", top: "top", trending: "trending" } as const;

/** The order of posts by a word: `newest`, `oldest`, `top` (most votes first) or `trending`, in any case. */
export const Sort = z
  .pipe(
    z.pipe(z.string().check(z.toLowerCase()), z.enum(Object.keys(sorts) as (keyof typeof sorts)[])),
    z.transform((word) => sorts[word]),
  )
  .check(z.meta({ enum: Object.keys(sorts) }));

const MAX_EMAIL = 254;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
// A domain before it is normalised: ASCII letters, digits, hyphen, dot, and everything beyond ASCII.
const WRITTEN_DOMAIN = /^[a-z0-9.\-\u0080-\u{10ffff}]+$/iu;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/** An e-mail address in the form in which it is stored and compared; undefined if it is not valid. */
function readEmail(value: unknown): string | undefined {
  if (typeof value !== "string" || !value.isWellFormed()) return undefined;
  const address = value.trim();
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at);
  const written = address.slice(at + 1);
  // Lengths first, so that the regular expressions run on short text.
  if (at < 1 || local.length > 64 || written.length > MAX_EMAIL) return undefined;
  // An encoded word (RFC 2047) is nobody's address, and what a mail service makes of it is uncertain.
  if (!LOCAL_PART.test(local) || local.includes("=?") || !WRITTEN_DOMAIN.test(written)) return undefined;
  const domain = domainToASCII(written).toLowerCase();
  if (!DOMAIN.test(domain)) return undefined;
  const email = `${local.toLowerCase()}@${domain}`;
  return email.length <= MAX_EMAIL ? email : undefined;
}

/** An e-mail address: trimmed, its domain IDNA-normalised, in lower case; anything else is EMAIL_INVALID. */
export const Email = readAs(readEmail, "EMAIL_INVALID").check(
  z.meta({ type: "string", format: "email", maxLength: MAX_EMAIL }),
);

/** A password that is not missing or empty: else PASSWORD_MISSING. */
export const SomePassword = z.unknown().check(
  z.superRefine((value, context) => {
    if (value !== undefined && value !== null && value !== "") return;
    context.addIssue({ code: "custom", message: "Missing", params: { code: "PASSWORD_MISSING" }, continue: false });
  }),
);

/** Whether text has no lone surrogates. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** A password at login, of any length: a login need not tell the rule. */
export const TriedPassword = z
  .pipe(SomePassword, z.string().check(z.refine(isWellFormed, "Must not hold lone surrogates")))
  .check(z.meta({ type: "string", format: "password", minLength: 1 }));
