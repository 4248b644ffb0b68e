import * as z from "zod/mini";
import {
  cleanLine,
  controlIn,
  type Found,
  isVisible,
  refusedInLine,
  searchedWords,
  withoutDropped,
} from "../values/characters.ts";
import { mapped, present } from "./inputs.ts";

/** Whether a text has no control character and no lone surrogate; tabs and line breaks may be in it. */
export function isClean(text: string): boolean {
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

/** Text of at most `max` UTF-16 code units. */
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

// An optional text without a visible character counts as empty, except the content of a post: nobody means to publish
// blanks.
function isBlank(text: string): boolean {
  return !isVisible(text);
}

// In the document it is the empty string, which is what people send.
const Blank = Text.check(z.refine(isBlank), z.meta({ const: "" }));

/** A text that can be removed: null, and a text without a visible character, become null. */
export function removable<S extends z.ZodMiniType<string>>(text: S) {
  return z.nullish(z.union([mapped(Blank, () => null), text]));
}

/**
 * The text of a post: at most 20,000 bytes in UTF-8, which is as many Latin letters or a third as many Chinese ones.
 * Every list reads it, so bytes are what it costs. It comes back byte for byte, even if it has only blanks.
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

/** Words to search: of a longer text the first `max` characters. What a name must not have is left out. */
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

/** The most characters of a comment or a response. */
export const MAX_COMMENT = 5000;

/** The text of a comment; COMMENT_BODY_MISSING if it is missing or has no visible character. */
export const CommentBody = z
  .pipe(
    present("COMMENT_BODY_MISSING", (value) => typeof value === "string" && isClean(value) && !isVisible(value)),
    TextUpTo(MAX_COMMENT),
  )
  .check(z.meta({ type: "string", pattern: "\\S", maxLength: MAX_COMMENT }));

/** The official response to a post. */
export const ResponseText = mapped(TextUpTo(MAX_COMMENT), (text) => (isBlank(text) ? "" : text));

const MAX_REASON = 300;

/** Why a post or comment is reported: a text that may be left out, or blank. */
export const ReportBody = z.object({
  reason: mapped(removable(TextUpTo(MAX_REASON)), (reason) => reason ?? undefined),
});
