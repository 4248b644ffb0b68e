// The characters that a reader cannot see, in a text of one line: a name, a title, words to search. People do not type
// them one by one: keyboards, word processors and web pages add them. Four lists say what becomes of them.

/** Kept, because they shape what stands beside them: without them a name or a flag is another one. */
const KEPT = [
  // Joiners: words in Persian and Indic scripts; families and other emoji of several parts.
  String.raw`[\u200c\u200d]`,
  // Selectors of a form: emoji, Japanese and Chinese surnames, Mongolian letters, and the Mongolian vowel separator.
  String.raw`[\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u180b-\u180f]`,
  // The combining grapheme joiner keeps the order of Hebrew marks.
  String.raw`\u034f`,
  // Tags behind a black flag: England, Scotland, Wales, and regions of other countries.
  String.raw`(?<=\u{1f3f4}[\u{e0030}-\u{e007a}]{0,6})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}\u{e007f}]`,
  // Not invisible, though of the same category: Arabic, Syriac and Kaithi signs for numbers and abbreviations.
  String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`,
  // Egyptian hieroglyphs: which signs stand above and beside each other.
  String.raw`[\u{13430}-\u{1343f}]`,
].join("|");

/** Dropped, because nobody misses them, and two names that look the same must not differ by one of them. */
const DROPPED = [
  // No space: chat programs and word processors put it where a line may break, or must not.
  String.raw`[\u200b\u2060]`,
  // The byte order mark at the start of files.
  String.raw`\ufeff`,
  // The soft hyphen of web pages and books.
  String.raw`\u00ad`,
  // Marks of direction from Hebrew and Arabic keyboards, and beside prices: they turn no text around.
  String.raw`[\u200e\u200f\u061c]`,
  // Khmer vowels that are not written: Unicode discourages them.
  String.raw`[\u17b4\u17b5]`,
  // Invisible operators of formulas.
  String.raw`[\u2061-\u2064]`,
].join("|");

/** A blank instead, because that is how they look. Several, such as CR LF, become one. */
const BLANK = [
  // Tabs and line breaks of a pasted text.
  String.raw`[\t\n\r\u2028\u2029]`,
  // Hangul fillers.
  String.raw`[\u115f\u1160\u3164\uffa0]`,
].join("|");

/** All that nobody sees. */
const INVISIBLE = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`;

/**
 * Refused: all others. Overrides, embeddings and isolates (U+202A to U+202E, U+2066 to U+2069) make a text look like
 * another one, control characters steer terminals, other tags hide a text in a text, and the rest has no meaning in a
 * line. The sender learns which and where: dropped in silence, a name would not be what its sender saw.
 */
const REFUSED = new RegExp(`(?!${KEPT}|${DROPPED}|${BLANK})${INVISIBLE}`, "u");

// A text of several lines stays as it is: it is Markdown, and may quote anything. Only this is refused.
const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;

const DROPPED_ONES = new RegExp(DROPPED, "gu");
const BLANKS = new RegExp(`(?:${BLANK})+`, "gu");
const REFUSED_ONES = new RegExp(REFUSED, "gu");

// The empty Braille pattern is a symbol without dots.
const VISIBLE = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u;

/** A character as `U+202E`, and its place in the text: the first character is 1, and an emoji may have several. */
export type Found = { name: string; position: number };

function firstOf(characters: RegExp, text: string): Found | undefined {
  const found = characters.exec(text);
  if (!found) return undefined;
  const code = found[0].codePointAt(0) ?? 0;
  const before = [...text.slice(0, found.index)];
  return { name: `U+${code.toString(16).toUpperCase().padStart(4, "0")}`, position: before.length + 1 };
}

/** The first character that a text of one line must not have. */
export function refusedInLine(text: string): Found | undefined {
  return firstOf(REFUSED, text);
}

/** The first control character or lone surrogate of a text; tabs and line breaks may be in it. */
export function controlIn(text: string): Found | undefined {
  return firstOf(CONTROL, text);
}

/** A text without what is dropped. */
export function withoutDropped(text: string): string {
  return text.replace(DROPPED_ONES, "");
}

/** A text of one line without what is dropped, and with blanks for what looks like one. Once more changes nothing. */
export function cleanLine(text: string): string {
  return withoutDropped(text).replace(BLANKS, " ");
}

/**
 * The whole characters, as people see them, among the first code units (UTF-16) of a text: a flag, an emoji of several
 * parts or a letter with its accents is not cut.
 */
export function wholeWithin(text: string, units: number): string {
  if (text.length <= units) return text;
  return text.slice(0, new Intl.Segmenter().segment(text).containing(units)?.index);
}

/** A text cut to a length in UTF-16 code units; "…" says that it was. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${wholeWithin(text, length)}…` : text;
}

/** Words to search: a clean line without what a name must not have, cut to a length in UTF-16 code units. */
export function searchedWords(text: string, length: number): string {
  const line = cleanLine(text.replace(REFUSED_ONES, " ")).trim();
  return wholeWithin(line, length).trim();
}

/** Whether a text has something to see. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}
