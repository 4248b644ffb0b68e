import { Email } from "../../lib/http/account-inputs.ts";
import { Color, Line, MAX_COMMENT } from "../../lib/http/text-inputs.ts";
import { Slug } from "../../lib/moving/form.ts";
import { isVisible, searchedWords } from "../../lib/values/characters.ts";
import type { BoardUrl } from "../../lib/values/urls.ts";
import { isOneOfTwoDays, readTime } from "./dates.ts";
import { flagIn } from "./formats/cell-values.ts";
import { nameOf, type Problem, type Row } from "./formats/form.ts";
import { cut, markdownOf, type Size, split, withoutControls } from "./texts.ts";

/** What a post has room for. */
export const POST: Size = { units: 20_000, bytes: 20_000 };
/** What a comment, or a response, has room for. */
export const COMMENT: Size = { units: MAX_COMMENT, bytes: 20_000 };

// The longest id or name by which a row names another one.
const LONGEST_REF = 500;

/** Reads the fields of a row. A field without a value is undefined, whatever the source writes for it. */
export class Fields {
  readonly #row: Row;
  readonly #report: (problem: Problem) => void;

  constructor(row: Row, report: (problem: Problem) => void) {
    this.#row = row;
    this.#report = report;
  }

  problem(field: string, what: string, value?: string): undefined {
    this.#report({ place: this.#row.place, field: nameOf(field, this.#row.names), value, what });
  }

  /** The text of a field, without blanks at its ends. */
  text(field: string): string | undefined {
    const value = this.#row.fields[field];
    if (value === undefined || value === null) return undefined;
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    return text.trim() === "" ? undefined : text.trim();
  }

  ref(field: string): string | undefined {
    const ref = this.text(field);
    if (ref === undefined || ref.length <= LONGEST_REF) return ref;
    return this.problem(field, `is longer than ${LONGEST_REF} characters: left out`);
  }

  /** The refs in a list, each once, up to a number of them; undefined for none. */
  refs(field: string, most: number): string[] | undefined {
    const value = this.#row.fields[field];
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) return this.problem(field, "is no list: left out");
    const refs = new Set(value.map((each) => String(each).trim()).filter((ref) => ref !== ""));
    if (refs.size > most) this.problem(field, `are ${refs.size}: only the first ${most} come in`);
    return refs.size > 0 ? [...refs].slice(0, most) : undefined;
  }

  /** Whether the answer of a field is yes. One that is neither yes nor no is `unclear`, and named. */
  flag(field: string, unclear = false): boolean {
    const text = this.text(field);
    if (text === undefined) return false;
    const flag = flagIn(text);
    if (flag === undefined) this.problem(field, `is neither yes nor no: taken as ${unclear ? "yes" : "no"}`, text);
    return flag ?? unclear;
  }

  /** A slug as an export can hold it: a restore reads it again. */
  slug(field: string): string | undefined {
    const text = this.text(field);
    if (text === undefined || Slug.safeParse(text).data === text) return text;
    return this.problem(field, "can be no slug here: left out", text);
  }

  time(field: string): number | undefined {
    const text = this.text(field);
    if (text === undefined) return undefined;
    const why = isOneOfTwoDays(text)
      ? "is one of two days (write it as 2024-01-31)"
      : "is no time between 2010 and now";
    return readTime(text) ?? this.problem(field, `${why}: left out`, text);
  }

  /** A line of visible characters, cut at a word. */
  line(field: string, max: number): string | undefined {
    const text = this.text(field);
    if (text === undefined) return undefined;
    const clean = searchedWords(text, text.length);
    if (!isVisible(clean)) return this.problem(field, "has no visible character: left out");
    const [line, rest] = cut(clean, { units: max, bytes: 4 * max });
    if (rest !== "") this.problem(field, `has ${clean.length} characters: cut to ${line.length}`);
    return Line(max).parse(line);
  }

  email(field: string): string | undefined {
    const text = this.text(field);
    if (text === undefined) return undefined;
    const read = Email.safeParse(text);
    return read.success ? read.data : this.problem(field, "is no address: left out", text);
  }

  /** A value of the form of a schema; any other is left out in silence, because something is made up for it. */
  valid(field: string, schema: typeof Color | typeof BoardUrl): string | undefined {
    return schema.safeParse(this.text(field)?.replace(/^#/, "")).data;
  }

  /** Markdown, perhaps below a heading, in pieces of at most these sizes. */
  pieces(field: string, first: Size, further: Size, heading = ""): string[] {
    const text = withoutControls(markdownOf(this.text(field) ?? "")).trim();
    const whole = `${heading}\n\n${isVisible(text) ? text : ""}`.trim();
    return whole === "" ? [] : split(whole, first, further);
  }

  color(field: string): string | undefined {
    return this.valid(field, Color);
  }
}
