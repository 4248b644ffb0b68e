import * as z from "zod/mini";
import type { ErrorCode } from "../runtime/errors.ts";
import { UUID } from "../values/ids.ts";

// Schemas of any API: text, numbers, moments. A failure is a VALIDATION_ERROR, unless the issue has another code in
// `params.code`. `meta` says as JSON Schema what code checks: docs/openapi.json is made from it, and
// test/infra/openapi/limits.test.ts tries it.

/** Rejects the value of a transformation. */
export function refuse(context: z.core.ParsePayload, message: string, params?: { code: ErrorCode }): never {
  context.issues.push({ code: "custom", message, input: context.value, ...(params && { params }) });
  return z.NEVER;
}

/** A value as `read` returns it; where `read` returns undefined, the input fails with `code`. */
export function readAs<T>(read: (value: unknown) => T | undefined, code: ErrorCode) {
  return z.pipe(
    z.unknown(),
    z.transform((value, context): T => read(value) ?? refuse(context, "Not usable here", { code })),
  );
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
  return z.pipe(
    z.nullish(schema),
    z.transform((value: z.output<S> | null | undefined) => value ?? undefined),
  );
}

/** Whether text has no lone surrogates and no control characters but tab, line feed and carriage return. */
export function isClean(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text.replace(/[\t\n\r]/g, ""));
}

/** Clean text of any length. */
export const Text = z.string().check(z.refine(isClean, "Must not contain control characters or lone surrogates"));

/** Text of any length without lone surrogates. */
export const WellFormed = z.string().check(z.refine((text) => text.isWellFormed(), "Must not contain lone surrogates"));

// In UTF-16 code units, as JavaScript counts: zod's own min and max count an emoji as one.
export function lengthBetween(min: number, max: number) {
  return (text: string, context: z.core.$RefinementCtx) => {
    const issue = { origin: "string", inclusive: true, input: text };
    if (text.length < min) context.addIssue({ ...issue, code: "too_small", minimum: min });
    if (text.length > max) context.addIssue({ ...issue, code: "too_big", maximum: max });
  };
}

/** Clean text of at most `max` characters. */
export function TextUpTo(max: number) {
  return Text.check(z.superRefine(lengthBetween(0, max)), z.meta({ maxLength: max }));
}

// Line breaks, invisible characters and those that change the direction of text. Joiners and variation selectors shape
// letters and emoji.
const NOT_IN_A_LINE = /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
// The empty Braille pattern is a symbol without dots.
const VISIBLE = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether text contains a visible character. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** A name or title: one visible line of 1 to `max` characters, trimmed. */
export function Line(max: number) {
  return z
    .pipe(
      Text,
      z.string().check(
        z.trim(),
        z.superRefine(lengthBetween(1, max)),
        z.refine((text) => !NOT_IN_A_LINE.test(text), "Must be one line without invisible characters"),
        z.refine((text) => text === "" || isVisible(text), "Must contain a visible character"),
      ),
    )
    .check(z.meta({ minLength: 1, maxLength: max, pattern: "\\S" }));
}

/** An id in any case, answered in lower case. */
export const Uuid = z.string().check(z.toLowerCase(), z.regex(UUID, "Must be an id"));

// Later years have more than four digits.
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

// Larger than every list, and small enough to multiply.
const MAX_NUMBER = 2 ** 40;

function wholeNumber(value: number | string, context: z.core.ParsePayload): number {
  const number = typeof value === "number" || /^\d+$/.test(value) ? Number(value) : Number.NaN;
  // A decimal string may be too long to be exact; it is then far above the largest number.
  if (number >= 1 && (typeof value === "string" || Number.isInteger(number))) return Math.min(number, MAX_NUMBER);
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
