import { type Range, range } from "../table/ranges.ts";
import { getFirst } from "../table/reads.ts";
import { isFiller, isTelling, withoutFillers } from "../values/filler-words.ts";
import { MOST_ROWS, type Term, weightOf } from "../values/likeness.ts";
import { numberOf, splitWordsOf, type Word } from "../values/words.ts";
import { type WordRow, WordRowItem } from "./word-rows.ts";

// Reads the rows of the words of a text. However many posts there are, a look-up reads the newest rows of at most six
// words, 8 R in all. Each row holds all words of its title, so one row is enough to weigh the whole title.

// Longer words are rarer, as a rule, so the longest are looked up.
const MOST_LOOKED_UP = 6;

// Rows follow a post within seconds, so the reads need not be consistent: 4 KB take half a unit.
const MOST_PAGES = 16;
const PAGE_BYTES = 4096;

// A row of a title with the most words, without its own word; the longest word.
const ROW_BYTES = 128;
const LONGEST_WORD = "\u{10000}".repeat(32);

// Rows lie in partitions by the first three characters of their words.
const SHORTEST_BEGINNING = 3;

// What most people type. Its last word is looked up first, by some of the pages.
const SHORT_TEXT = 3;
const PAGES_OF_LAST = 3;

/**
 * What was found by all words of a text, or with `isOfLastWord` by its last word alone. `telling`: the terms that make
 * a title a hit.
 */
export type Found = { terms: Term[]; telling: Term[]; rows: WordRow[]; isOfLastWord?: true };

/** `more`: there may be further rows. */
type Rows = { items: WordRow[]; more: boolean };

const NONE: Rows = { items: [], more: false };

/** The newest rows that fit into some pages, if no word of theirs is longer than `longest`. */
function newestRows(rows: Range, longest: string, pages: number): Promise<Rows> {
  const count = Math.floor((pages * PAGE_BYTES) / (ROW_BYTES + Buffer.byteLength(longest)));
  return getFirst(rows, WordRowItem, Math.min(MOST_ROWS, count), { descending: true, consistent: false });
}

/** The words and parts to look up. A word with parts comes after its longest part, which more titles have. */
function longestOf(words: Word[]): string[] {
  const lengthOf = (word: string) => [...word].length;
  const lengths = new Map<string, number>();
  for (const { joined, parts } of words) {
    for (const part of parts) lengths.set(part, lengthOf(part));
    const compared = parts.size > 0 ? [...parts] : [joined];
    lengths.set(joined, Math.max(...compared.map(lengthOf)));
  }
  const longestFirst = [...lengths].sort(([, a], [, b]) => b - a);
  return longestFirst.slice(0, MOST_LOOKED_UP).map(([word]) => word);
}

/** The last word of a text and its last part, where a person may still be typing: longer words may begin with them. */
function unfinishedIn(words: Word[]): string[] {
  const last = words.at(-1);
  if (!last) return [];
  const ends = new Set([last.joined, [...last.parts].at(-1) ?? last.joined]);
  return [...ends].filter((word) => [...word].length >= SHORTEST_BEGINNING);
}

/** The terms of words that say something. Of one that says nothing, the longer words that it begins may. */
function tellingTerms(words: Word[], terms: Term[]): Term[] {
  const telling = terms.map((term, at) => {
    const word = words[at] as Word;
    const numbers = withoutFillers(term.numbers);
    if (isTelling(word)) return { ...term, numbers };
    numbers.delete(numberOf(word.joined));
    return { ...term, numbers, parts: [] };
  });
  return telling.filter(({ numbers }) => numbers.size > 0);
}

/**
 * Looks up only the last word of a short text, and the longer words that begin with it: titles that have all words are
 * among its rows. Undefined if there are too many rows, or if titles may have the parts of the word in its place.
 */
export async function lookUpLast(text: string): Promise<Found | undefined> {
  const words = splitWordsOf(text);
  const last = words.at(-1);
  if (!last || last.parts.size > 0 || words.length > SHORT_TEXT) return undefined;
  // Very many titles have a filler: the rows of the other words are fewer.
  if (!isTelling(last) && words.some(isTelling)) return undefined;
  const ofWord = unfinishedIn(words).length > 0 ? range.startedWordRows : range.wordRows;
  const { items, more } = await newestRows(ofWord(last.joined), LONGEST_WORD, PAGES_OF_LAST);
  if (more) return undefined;
  const exactly = (word: string) => new Set([numberOf(word)]);
  const begunWith = new Set([numberOf(last.joined), ...items.map(({ word }) => numberOf(word))]);
  const terms = words.map((word) => ({
    numbers: word === last ? begunWith : exactly(word.joined),
    parts: [...word.parts].map(exactly),
    // Titles with all words are compared by their length alone.
    weight: 1,
  }));
  return { terms, telling: tellingTerms(words, terms), rows: items, isOfLastWord: true };
}

/** The rows of words, and of the longer words that begin with them. */
type RowsRead = { ofWords: Map<string, Rows>; ofLonger: Map<string, Rows> };

/** Reads the rows of the longest telling words in parallel, and of longer ones that begin with `unfinished` ones. */
async function readRows(words: Word[], unfinished: string[], pages: number): Promise<RowsRead> {
  const telling = words.filter(isTelling);
  const longest = longestOf(telling.length > 0 ? telling : words);
  const pagesOfEach = Math.floor(pages / (longest.length + unfinished.length));
  const ofWords = new Map<string, Rows>();
  const ofLonger = new Map<string, Rows>();
  await Promise.all([
    ...unfinished.map(async (word) =>
      ofLonger.set(word, await newestRows(range.longerWordRows(word), LONGEST_WORD, pagesOfEach)),
    ),
    ...longest.map(async (word) => ofWords.set(word, await newestRows(range.wordRows(word), word, pagesOfEach))),
  ]);
  return { ofWords, ofLonger };
}

/** How many rows a word has, and the longer words that begin with it; at most MOST_ROWS. Rare words weigh more. */
function frequencyOf(word: string, { ofWords, ofLonger }: RowsRead): number {
  const own = ofWords.get(word);
  const longer = ofLonger.get(word) ?? NONE;
  // A word that is not looked up is short: it weighs as little as a common word.
  if (!own || own.more || longer.more || isFiller(word)) return MOST_ROWS;
  return own.items.length + longer.items.length;
}

function termOf({ joined, parts }: Word, read: RowsRead): Term {
  const numbersOf = (word: string) =>
    new Set([numberOf(word), ...(read.ofLonger.get(word) ?? NONE).items.map((row) => numberOf(row.word))]);
  // A title has all parts as seldom as the rarest of them.
  const ofParts = parts.size > 0 ? Math.min(...[...parts].map((part) => frequencyOf(part, read))) : 0;
  const weight = weightOf(Math.min(MOST_ROWS, frequencyOf(joined, read) + ofParts));
  return { numbers: numbersOf(joined), parts: [...parts].map(numbersOf), weight };
}

/** Looks up the words of a text. Where it is `unfinished`, its last word also stands for the longer ones it begins. */
export async function lookUp(text: string, { unfinished = false } = {}): Promise<Found> {
  const words = splitWordsOf(text);
  // A search has looked up the last word of a short text before.
  const pages = unfinished && words.length <= SHORT_TEXT ? MOST_PAGES - PAGES_OF_LAST : MOST_PAGES;
  const read = await readRows(words, unfinished ? unfinishedIn(words) : [], pages);
  const rows = [...read.ofLonger.values(), ...read.ofWords.values()].flatMap(({ items }) => items);
  const terms = words.map((word) => termOf(word, read));
  return { terms, telling: tellingTerms(words, terms), rows };
}
