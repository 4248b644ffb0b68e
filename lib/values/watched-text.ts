import { foldCase } from "./text.ts";

// What a text has that the team may want to look at: links, and words that the owner names.

// Addresses, Markdown links and pictures, definitions of links, HTML. A Markdown link can hide its scheme.
const LINK = /:\/\/|\bwww\.|\bmailto:|\]\(|\]\[|\]:|<a\b/i;

/** Whether a text has a link: an address with a scheme or `www.`, or a link in Markdown or HTML. */
export function hasLink(text: string): boolean {
  return LINK.test(compared(text));
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const MARKS = /\p{M}+/gu;
// Markdown in the middle of a word is not seen by readers.
const MARKUP = /[*_`~\\]/g;
const REFERENCE = /&#(x[0-9a-f]{1,6}|\d{1,7});/gi;

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

function withoutReferences(text: string): string {
  return text.replace(REFERENCE, (_, digits: string) =>
    characterOf(/^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits)),
  );
}

/** A text as readers see it, for comparison: no case, no diacritics, nothing that is not seen, single blanks. */
function compared(text: string): string {
  return foldCase(withoutReferences(text).replace(INVISIBLE, "").normalize("NFKC"))
    .normalize("NFD")
    .replace(MARKS, "")
    .normalize("NFC")
    .replace(/\s+/g, " ");
}

// These scripts are written without spaces, so a word can stand right beside another.
const JOINED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const LETTER = /[\p{L}\p{N}]/u;

/** Whether two characters beside each other belong to one word. */
function isInside(a: string | undefined, b: string | undefined): boolean {
  return [a, b].every((character) => character && LETTER.test(character) && !JOINED.test(character));
}

function contains(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (!isInside(text[at - 1], text[at]) && !isInside(text[end - 1], text[end])) return true;
  }
  return false;
}

/** Which of some words or groups of words a text has, each as a whole, without regard to case and accents. */
export function wordsIn(text: string, words: readonly string[]): string[] {
  const seen = compared(text);
  const bare = seen.replace(MARKUP, "");
  return words.filter((word) => {
    // Of an accent alone a blank is left.
    const wanted = compared(word).trim();
    return wanted !== "" && (contains(seen, wanted) || contains(bare, wanted));
  });
}
