import { domainToASCII } from "node:url";
import * as z from "zod/mini";
import { eventTypes } from "../events/events.ts";
import type { ErrorCode } from "../runtime/errors.ts";
import {
  cleanLine,
  controlIn,
  type Found,
  isVisible,
  refusedInLine,
  searchedWords,
  withoutDropped,
} from "../values/characters.ts";
import { NIL, readId, UUID } from "../values/ids.ts";
import { mayCall } from "../webhooks/urls.ts";

// The inputs of requests. A failure is a VALIDATION_ERROR, unless the issue has another code in `params.code`. `meta`
// says as JSON Schema what code checks: docs/openapi.json is made from it, and test/infra/openapi/limits.test.ts tries
// it.

export function refuse(context: z.core.ParsePayload, message: string, params?: { code: ErrorCode }): never {
  context.issues.push({ code: "custom", message, input: context.value, ...(params && { params }) });
  return z.NEVER;
}

export function mapped<S extends z.ZodMiniType, T>(
  schema: S,
  change: (value: z.output<S>, context: z.core.ParsePayload) => T,
) {
  return z.pipe(schema, z.transform(change));
}

/** A value as `read` returns it; where `read` returns undefined, the input fails with `code`. */
function readAs<T>(read: (value: unknown) => T | undefined, code: ErrorCode) {
  return mapped(z.unknown(), (value, context): T => read(value) ?? refuse(context, "Not usable here", { code }));
}

/** Any value that is not missing; null and what `isEmpty` says count as missing, which fails with `code`. */
export function present(code: ErrorCode, isEmpty: (value: unknown) => boolean) {
  return z.unknown().check(
    z.superRefine((value, context) => {
      if (value !== undefined && value !== null && !isEmpty(value)) return;
      context.addIssue({ code: "custom", message: "Missing", params: { code }, continue: false });
    }),
  );
}

/** An optional field: `null` counts as absent. */
export function optional<S extends z.ZodMiniType>(schema: S) {
  return mapped(z.nullish(schema), (value: z.output<S> | null | undefined) => value ?? undefined);
}

/** A field that can be removed: null and an empty string become null. */
export function removable<S extends z.ZodMiniType<string>>(text: S) {
  return z.nullish(z.union([mapped(z.literal(""), () => null), text]));
}

type ChangeIn<T> = {
  [Name in keyof T]?: Exclude<T[Name], null | undefined> | (null extends T[Name] ? undefined : never);
};

/** The change that a body asks for: an absent field stays absent, null becomes undefined, which removes a field. */
export function changeIn<T extends object>(body: T): ChangeIn<T> {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, value ?? undefined])) as ChangeIn<T>;
}

function isClean(text: string): boolean {
  return controlIn(text) === undefined;
}

/** A check that names the first character that is not allowed, and its place. */
function without(unwanted: (text: string) => Found | undefined) {
  return z.superRefine((text: string, context) => {
    const found = unwanted(text);
    if (!found) return;
    const message = `Must not contain ${found.name} (character ${found.position})`;
    context.addIssue({ code: "custom", message, input: text });
  });
}

export const Text = z.string().check(without(controlIn));

export const WellFormed = z.string().check(z.refine((text) => text.isWellFormed(), "Must not contain lone surrogates"));

// In UTF-16 code units, as JavaScript counts: zod's own min and max count an emoji as one.
export function lengthBetween(min: number, max: number) {
  return (text: string, context: z.core.$RefinementCtx) => {
    const issue = { origin: "string", inclusive: true, input: text };
    if (text.length < min) context.addIssue({ ...issue, code: "too_small", minimum: min });
    if (text.length > max) context.addIssue({ ...issue, code: "too_big", maximum: max });
  };
}

export function TextUpTo(max: number) {
  return Text.check(z.superRefine(lengthBetween(0, max)), z.meta({ maxLength: max }));
}

const MAX_LONG_TEXT = 20_000;

function inBytes(text: string, context: z.core.$RefinementCtx): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_LONG_TEXT) return;
  const message = `Must be at most 20,000 bytes in UTF-8, and has ${bytes.toLocaleString("en")}`;
  context.addIssue({
    origin: "string",
    inclusive: true,
    input: text,
    code: "too_big",
    maximum: MAX_LONG_TEXT,
    message,
  });
}

/**
 * The text of a post: at most 20,000 bytes in UTF-8, which is as many Latin letters or a third as many Chinese ones.
 * Every list reads it, so bytes are what it costs.
 */
export const LongText = Text.check(z.superRefine(inBytes), z.meta({ maxLength: MAX_LONG_TEXT }));

/**
 * A name or title: one visible line of 1 to `max` characters, trimmed. lib/values/characters.ts says what is dropped
 * from it and what is refused.
 */
export function Line(max: number) {
  return z
    .pipe(
      z.string().check(without(refusedInLine)),
      z.string().check(
        z.overwrite(cleanLine),
        z.trim(),
        z.superRefine(lengthBetween(1, max)),
        z.refine((text) => text === "" || isVisible(text), "Must contain a visible character"),
      ),
    )
    .check(z.meta({ minLength: 1, maxLength: max, pattern: "\\S" }));
}

/** Words to search in titles: of a longer text the first `max` characters. What a name must not have is left out. */
export function SearchedWords(max: number) {
  return z
    .pipe(
      Text,
      z.string().check(
        z.overwrite((text) => searchedWords(text, max)),
        z.refine(isVisible, "Must contain a visible character"),
      ),
    )
    .check(z.meta({ minLength: 1, pattern: "\\S" }));
}

/** A part of a name to search. Names have nothing of what is dropped. */
export const SearchedName = TextUpTo(100).check(z.overwrite(withoutDropped));

export const Uuid = z.string().check(z.toLowerCase(), z.regex(UUID, "Must be an id"));

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

// Larger than every list, and small enough to multiply.
const MAX_NUMBER = 2 ** 40;

function wholeNumber(value: number | string, context: z.core.ParsePayload): number {
  const number = typeof value === "number" || /^\d+$/.test(value) ? Number(value) : Number.NaN;
  // A decimal string may be too long to be exact; it is then far above the largest number.
  if (number >= 1 && (typeof value === "string" || Number.isInteger(number))) return Math.min(number, MAX_NUMBER);
  return refuse(context, "Must be a whole number of at least 1");
}

const WHOLE_NUMBER = { type: "integer", minimum: 1 } as const;

export const QueryNumber = z.pipe(z.string(), z.transform<string, number>(wholeNumber)).check(z.meta(WHOLE_NUMBER));

export const BodyNumber = z
  .pipe(z.union([z.number(), z.string()], "Must be a number"), z.transform(wholeNumber))
  .check(z.meta(WHOLE_NUMBER));

export function pageSize(number: z.ZodMiniType<number>, fallback: number, max: number) {
  const given = optional(number.check(z.meta({ maximum: max })));
  return mapped(given, (size) => Math.min(size ?? fallback, max)).check(z.meta({ default: fallback }));
}

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
export const WebhookId = idOr("WEBHOOK_NOT_FOUND");
export const CommentId = idOr("COMMENT_NOT_FOUND");

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

export const StatusIds = idsOf(Text, { type: "string" });

export const WebhookUrl = mapped(WebAddress, (url, context) =>
  mayCall(url) ? url : refuse(context, "Must be callable", { code: "WEBHOOK_URL_REFUSED" }),
).check(z.meta({ minLength: 9 }));

export const EventTypes = z.array(z.enum(eventTypes)).check(
  z.minLength(1),
  z.refine((types) => new Set(types).size === types.length, "Must name a type once"),
  z.meta({ uniqueItems: true }),
);

const MAX_COMMENT = 5000;

/** The text of a comment; COMMENT_BODY_MISSING if it is missing or has no visible character. */
export const CommentBody = z
  .pipe(
    present("COMMENT_BODY_MISSING", (value) => typeof value === "string" && isClean(value) && !isVisible(value)),
    TextUpTo(MAX_COMMENT),
  )
  .check(z.meta({ type: "string", pattern: "\\S", maxLength: MAX_COMMENT }));

/** The official response to a post; text without a visible character counts as empty. */
export const ResponseText = mapped(TextUpTo(5000), (text) => (isVisible(text) ? text : ""));

export const Order = mapped(
  optional(z.pipe(z.string().check(z.toLowerCase()), z.enum(["asc", "desc"])).check(z.meta({ enum: ["asc", "desc"] }))),
  (order) => order ?? ("desc" as const),
).check(z.meta({ default: "desc" }));

/** Some of these words in any case, joined by commas, as repeated parameters arrive; without any, the first one. */
export function wordSet<const W extends string>(words: readonly [W, ...W[]], byDefault: readonly W[] = [words[0]]) {
  const read = (text: string | null | undefined, context: z.core.ParsePayload): Set<W> => {
    const given = (text ?? "")
      .toLowerCase()
      .split(",")
      .map((word) => word.trim());
    const known = given.map((word) => words.find((each) => each === word));
    if (given.some((word, at) => word !== "" && !known[at])) refuse(context, `Must be of ${words.join(", ")}`);
    const found = known.filter((word) => word !== undefined);
    return new Set(found.length > 0 ? found : byDefault);
  };
  return z
    .pipe(z.nullish(z.string()), z.transform(read))
    .check(z.meta({ type: "array", items: { type: "string", enum: [...words] }, default: [...byDefault] }));
}

const sorts = { newest: "desc", oldest: "asc", top: "top", trending: "trending" } as const;

function sortOf<const W extends keyof typeof sorts>(words: readonly W[]) {
  const word = z.pipe(z.string().check(z.toLowerCase()), z.enum(words));
  return mapped(word, (named) => sorts[named]).check(z.meta({ enum: [...words] }));
}

export const Sort = sortOf(["newest", "oldest", "top", "trending"]);

export const SortByTime = sortOf(["newest", "oldest"]);

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

/** An e-mail address: trimmed, in lower case, its domain IDNA-normalised; else EMAIL_INVALID. */
export const Email = readAs(readEmail, "EMAIL_INVALID").check(
  z.meta({ type: "string", format: "email", maxLength: MAX_EMAIL }),
);

export const SomePassword = present("PASSWORD_MISSING", (value) => value === "");

/** A password at login, of any length: a login does not reveal the rule for new passwords. */
export const TriedPassword = z
  .pipe(SomePassword, WellFormed)
  .check(z.meta({ type: "string", format: "password", minLength: 1 }));
