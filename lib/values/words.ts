import { crc32 } from "node:zlib";
import { foldCase } from "./text.ts";

export const MAX_WORDS = 12;

const MAX_LENGTH = 32;

// One character can become eighteen, and finding the boundaries of words takes time: after these, a text ends.
const MAX_CODE_POINTS = 512;
const MAX_SEGMENTS = 200;

// Made on first use, because it loads tables. Word boundaries do not depend on the language.
let segmenter: Intl.Segmenter | undefined;

// In these scripts people also write letters without their marks.
const MARKED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
// NFKC decomposes the Thai and the Lao vowel AM, but the dictionaries of word boundaries have it composed.
const AM = /\u0e4d\u0e32|\u0ecd\u0eb2/g;
const NOT_IN_A_WORD = /[^\p{L}\p{M}\p{N}]/gu;
// A single character of these is a word, or a syllable with a meaning.
const FULL = /[\p{Script=Han}\p{Script=Hangul}]/u;

function folded(text: string): string {
  const start = [...text.normalize("NFKC")].slice(0, MAX_CODE_POINTS).join("");
  return foldCase(foldCase(start).normalize("NFD").replace(MARKED, "$1")).replace(AM, (am) =>
    am === "\u0e4d\u0e32" ? "\u0e33" : "\u0eb3",
  );
}

function isLong(word: string): boolean {
  return word.length > 0 && ([...word].length > 1 || FULL.test(word));
}

/**
 * The searchable words of a text: the first 12 different ones, case-folded, without diacritics (in Latin, Greek,
 * Cyrillic, Arabic and Hebrew), only letters and digits, cut to 32 code points. Words of one character count in Han and
 * Hangul only. A dictionary splits texts without spaces (Chinese, Japanese, Thai).
 */
export function wordsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  const words = new Set<string>();
  let segments = 0;
  for (const { segment, isWordLike } of segmenter.segment(folded(text))) {
    if (words.size === MAX_WORDS || segments++ === MAX_SEGMENTS) break;
    const word = isWordLike ? [...segment.replace(NOT_IN_A_WORD, "")].slice(0, MAX_LENGTH).join("") : "";
    if (isLong(word)) words.add(word);
  }
  return [...words];
}

/** A 32-bit number for a text, where the text itself would take too much room. */
export function numberOf(text: string): number {
  return crc32(text);
}
