import { crc32 } from "node:zlib";
import { foldCase } from "./text.ts";

/** The most words of a text that count. */
export const MAX_WORDS = 12;

/** The most code points of a word; the rest of a longer one is cut off. */
const MAX_LENGTH = 32;

// Made at the first use: it loads tables. The language is named so that no machine's own one decides; where words end does not
// depend on it.
let segmenter: Intl.Segmenter | undefined;

// Scripts in which a letter with a mark is also written without it.
const MARKED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
// NFKC takes the Thai and the Lao vowel AM apart, and the dictionaries that part words know it whole.
const AM = /\u0e4d\u0e32|\u0ecd\u0eb2/g;
const NOT_IN_A_WORD = /[^\p{L}\p{M}\p{N}]/gu;
// One character of these is a word or a syllable with a meaning of its own.
const FULL = /[\p{Script=Han}\p{Script=Hangul}]/u;

function folded(text: string): string {
  return foldCase(foldCase(text).normalize("NFD").replace(MARKED, "$1")).replace(AM, (am) =>
    am === "\u0e4d\u0e32" ? "\u0e33" : "\u0eb3",
  );
}

function isLong(word: string): boolean {
  return word.length > 0 && ([...word].length > 1 || FULL.test(word));
}

/**
 * The words of a text by which it is found: the first 12 different ones, without case and (in Latin, Greek, Cyrillic, Arabic and
 * Hebrew) without diacritics, in letters and digits alone, of 2 to 32 code points; in Han and Hangul of one, too. Texts without
 * spaces (Chinese, Japanese, Thai) come apart by dictionary.
 */
export function wordsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  const words = new Set<string>();
  for (const { segment, isWordLike } of segmenter.segment(folded(text))) {
    if (words.size === MAX_WORDS) break;
    const word = isWordLike ? [...segment.replace(NOT_IN_A_WORD, "")].slice(0, MAX_LENGTH).join("") : "";
    if (isLong(word)) words.add(word);
  }
  return [...words];
}

/** The number of a text that stands for it where there is no room for the text: one of 2^32. */
export function numberOf(text: string): number {
  return crc32(text);
}
