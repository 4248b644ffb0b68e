import { crc32 } from "node:zlib";
import { foldCase } from "./text.ts";

export const MAX_WORDS = 12;

const MAX_LENGTH = 32;

// One character can become eighteen, and finding the boundaries of words takes time: after these, a text ends.
const MAX_CODE_POINTS = 512;
const MAX_SEGMENTS = 200;

// Letters, digits and signs that join nothing: many texts, which take a third of the time without tables.
const PLAIN = /^[a-z0-9 !?()/&-]*$/i;

// Made on first use, because it loads tables. Word boundaries do not depend on the language.
let segmenter: Intl.Segmenter | undefined;

// In these scripts people also write letters without their marks.
const MARKED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
// They choose a form of a letter, or keep marks apart: people search without them.
const FORMS = /\p{Variation_Selector}|\u034f/gu;
// NFKC decomposes the Thai and the Lao vowel AM, but the dictionaries of word boundaries have it composed.
const AM = /\u0e4d\u0e32|\u0ecd\u0eb2/g;
// What people write as an apostrophe: some are letters to Unicode, NFKC makes a blank of others.
const APOSTROPHE = /[\u02b9-\u02bf\ua78b\ua78c]|(?<=[\p{L}\p{M}])[`\u00b4\u055a\u201b\u2032\uff40](?=\p{L})/gu;
const SIGNS = /[^\p{L}\p{M}\p{N}]+/u;
// A single character of these is a word, or a syllable with a meaning.
const FULL = /[\p{Script=Han}\p{Script=Hangul}]/u;

/** A text in the form in which texts are compared: case-folded, in NFKC, letters without their marks. */
export function folded(text: string): string {
  const start = [...text.replace(FORMS, "").replace(APOSTROPHE, "'").normalize("NFKC")]
    .slice(0, MAX_CODE_POINTS)
    .join("");
  return foldCase(foldCase(start).normalize("NFD").replace(MARKED, "$1")).replace(AM, (am) =>
    am === "\u0e4d\u0e32" ? "\u0e33" : "\u0eb3",
  );
}

/** The words of a text, case-folded, with the signs in them. */
function* segmentsOf(text: string): Iterable<string> {
  if (text.length <= MAX_SEGMENTS && PLAIN.test(text)) {
    yield* text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
    return;
  }
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  let segments = 0;
  for (const { segment, isWordLike } of segmenter.segment(folded(text))) {
    if (segments++ === MAX_SEGMENTS) return;
    if (isWordLike) yield segment;
  }
}

function isLong(word: string): boolean {
  return word.length > 0 && ([...word].length > 1 || FULL.test(word));
}

function cut(word: string): string {
  if (word.length <= MAX_LENGTH) return word;
  return [...word].slice(0, MAX_LENGTH).join("");
}

/** A word of a text: without the signs in it (`nodejs`), and what they join (`node`, `js`), if it has signs. */
export type Word = { joined: string; parts: ReadonlySet<string> };

/**
 * The first 12 different words of a text: case-folded, without diacritics (in Latin, Greek, Cyrillic, Arabic and
 * Hebrew), only letters and digits, cut to 32 code points. Words and parts of one character count in Han and Hangul
 * only. A dictionary splits texts without spaces (Chinese, Japanese, Thai). A look-up needs each word with its parts;
 * a title needs both alike (`wordsOf`).
 */
export function splitWordsOf(text: string): Word[] {
  const words = new Map<string, Set<string>>();
  for (const segment of segmentsOf(text)) {
    if (words.size === MAX_WORDS) break;
    const pieces = segment.split(SIGNS).filter((piece) => piece !== "");
    const joined = cut(pieces.join(""));
    if (!isLong(joined)) continue;
    const parts = words.get(joined) ?? new Set();
    words.set(joined, parts);
    if (pieces.length > 1) for (const part of pieces.map(cut).filter(isLong)) parts.add(part);
  }
  return [...words].map(([joined, parts]) => ({ joined, parts }));
}

/** The words by which a title is found, at most 12: its words and, as far as there is room, their longest parts. */
export function wordsOf(text: string): string[] {
  const words = splitWordsOf(text);
  const parts = words.flatMap((word) => [...word.parts]).sort((a, b) => b.length - a.length);
  return [...new Set([...words.map(({ joined }) => joined), ...parts])].slice(0, MAX_WORDS);
}

/** A 32-bit number for a text, where the text itself would take too much room. */
export function numberOf(text: string): number {
  return crc32(text);
}

/** Numbers of four bytes, from the bytes in which they are stored. */
export function numbersIn(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.byteLength / 4) }, (_, at) => view.getUint32(at * 4));
}

/** Numbers as they are stored: four bytes each. */
export function bytesOf(numbers: number[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  for (const [at, number] of numbers.entries()) view.setUint32(at * 4, number);
  return new Uint8Array(view.buffer);
}
