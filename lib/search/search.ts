import { type Filter, filterOfRows, matches } from "../lists/filter.ts";
import { findAllWithVoters, type PostWithVoters } from "../posts/posts.ts";
import { type Range, range } from "../table/ranges.ts";
import { getFirst } from "../table/reads.ts";
import { isFiller } from "../values/filler-words.ts";
import { hasAll, likeness, MOST_ROWS, type Term, weightOf } from "../values/likeness.ts";
import { numberOf, splitWordsOf, type Word, wordsOf } from "../values/words.ts";
import { type WordRow, WordRowItem } from "./word-rows.ts";

// Posts are found by the words of their titles (word-rows.ts). However many posts there are, a look-up reads the newest
// rows of at most six words, 8 R in all. Each row holds all words of its title, so one row is enough to weigh the whole
// title.

// The number of words that are looked up. Longer words are rarer, as a rule.
const LOOKED_UP = 6;

// Rows follow a post within seconds, so the reads need not be consistent: 4 KB take half a unit.
const MOST_PAGES = 16;
const PAGE_BYTES = 4096;

// A row of a title with the most words, without its own word; the longest word.
const ROW_BYTES = 128;
const LONGEST_WORD = "\u{10000}".repeat(32);

// Rows lie in partitions by the first three characters of their words.
const SHORTEST_START = 3;

/** What was found by all words of a text, or by its last word alone. */
export type Found = { terms: Term[]; rows: WordRow[]; isOfLast?: true };

/** The newest rows that fit into some pages, if no word of theirs is longer than `longest`. */
function newestRows(rows: Range, longest: string, pages: number) {
  const count = Math.floor((pages * PAGE_BYTES) / (ROW_BYTES + Buffer.byteLength(longest)));
  return getFirst(rows, WordRowItem, Math.min(MOST_ROWS, count), { descending: true, consistent: false });
}

/** `more`: there may be further rows. */
type Rows = { items: WordRow[]; more: boolean };

const NONE: Rows = { items: [], more: false };

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
  return longestFirst.slice(0, LOOKED_UP).map(([word]) => word);
}

/** The last word of a text and its last part, where they may be the start of a longer word. */
function startsIn(words: Word[]): string[] {
  const last = words.at(-1);
  if (!last) return [];
  const starts = new Set([last.joined, [...last.parts].at(-1) ?? last.joined]);
  return [...starts].filter((word) => [...word].length >= SHORTEST_START);
}

// What most people type. Its last word is looked up first, by some of the pages.
const SHORT_TEXT = 3;
const PAGES_OF_LAST = 3;

/**
 * Looks up only the last word of a short text, or the start of a longer one: titles that have all words are among its
 * rows. Undefined if there are too many rows, or if titles may have the parts of the word in its place.
 */
async function lookUpLast(text: string): Promise<Found | undefined> {
  const words = splitWordsOf(text);
  const last = words.at(-1);
  if (!last || last.parts.size > 0 || words.length > SHORT_TEXT) return undefined;
  const ofWord = startsIn(words).length > 0 ? range.startedWordRows : range.wordRows;
  const { items, more } = await newestRows(ofWord(last.joined), LONGEST_WORD, PAGES_OF_LAST);
  if (more) return undefined;
  const exactly = (word: string) => new Set([numberOf(word)]);
  const started = new Set([numberOf(last.joined), ...items.map(({ word }) => numberOf(word))]);
  const terms = words.map((word) => ({
    numbers: word === last ? started : exactly(word.joined),
    parts: [...word.parts].map(exactly),
    // Titles with all words are compared by their length alone.
    weight: 1,
  }));
  return { terms, rows: items, isOfLast: true };
}

/** Looks up the words of a text, in parallel. With `start`, the last word may be the start of a longer one. */
export async function lookUp(text: string, { start = false } = {}): Promise<Found> {
  const words = splitWordsOf(text);
  const asked = longestOf(words);
  const starts = start ? startsIn(words) : [];
  const pagesLeft = start && words.length <= SHORT_TEXT ? MOST_PAGES - PAGES_OF_LAST : MOST_PAGES;
  const pages = Math.floor(pagesLeft / (asked.length + starts.length));
  const longer = new Map<string, Rows>();
  const found = new Map<string, Rows>();
  await Promise.all([
    ...starts.map(async (word) => longer.set(word, await newestRows(range.longerWordRows(word), LONGEST_WORD, pages))),
    ...asked.map(async (word) => found.set(word, await newestRows(range.wordRows(word), word, pages))),
  ]);
  const numbersOf = (word: string) =>
    new Set([numberOf(word), ...(longer.get(word) ?? NONE).items.map((row) => numberOf(row.word))]);
  const frequencyOf = (word: string): number => {
    const own = found.get(word);
    const others = longer.get(word) ?? NONE;
    // A word that is not looked up is short: it weighs as little as a common word.
    return !own || own.more || others.more || isFiller(word) ? MOST_ROWS : own.items.length + others.items.length;
  };
  const terms = words.map(({ joined, parts }): Term => {
    // A title has all parts as seldom as the rarest of them.
    const ofParts = parts.size > 0 ? Math.min(...[...parts].map(frequencyOf)) : 0;
    const weight = weightOf(Math.min(MOST_ROWS, frequencyOf(joined) + ofParts));
    return { numbers: numbersOf(joined), parts: [...parts].map(numbersOf), weight };
  });
  return { terms, rows: [...longer.values(), ...found.values()].flatMap(({ items }) => items) };
}

type Scored = { postId: string; units: number; numbers: ReadonlySet<number>; likeness: number };

function titlesIn({ rows, terms }: Found, filter: Filter): Scored[] {
  const ofRows = filterOfRows(filter);
  const titles = new Map(rows.filter((row) => matches(row.facets, ofRows)).map((row) => [row.postId, row]));
  return [...titles.values()]
    .map(({ postId, units, numbers }) => ({ postId, units, numbers: new Set(numbers) }))
    .map((title) => ({ ...title, likeness: likeness(title.numbers, terms) }))
    .sort((a, b) => b.likeness - a.likeness || (a.postId < b.postId ? 1 : -1));
}

// What ten posts of at most 4 KB take, and their voters.
const MOST_UNITS = 20;

/** The titles whose posts fit into the units together: long ones that do not fit are left out. */
function fitting(titles: Scored[]): Scored[] {
  let left = MOST_UNITS;
  return titles.filter(({ units }) => {
    const taken = Math.min(units + 1, MOST_UNITS);
    if (taken > left) return false;
    left -= taken;
    return true;
  });
}

/** The posts of titles, the most similar first, then by votes. Checks them again: a row may be seconds old. */
async function read(
  titles: Scored[],
  { terms }: Found,
  filter: Filter,
  isLike: (words: Set<number>) => boolean,
): Promise<PostWithVoters[]> {
  const posts = await findAllWithVoters(titles.map(({ postId }) => postId));
  return posts
    .filter(({ post }) => matches(post, filter))
    .map((each) => ({ each, words: new Set(wordsOf(each.post.title).map(numberOf)) }))
    .filter(({ words }) => isLike(words))
    .sort((a, b) => likeness(b.words, terms) - likeness(a.words, terms) || b.each.voters.count - a.each.voters.count)
    .map(({ each }) => each);
}

// Less similar titles share a word and little else.
const SIMILAR = 0.2;

// Reads twice as many as it shows, so that votes can break ties.
const SIMILAR_READ = 10;
const SIMILAR_SHOWN = 5;

/** The posts whose titles are like the typed one, the most similar first. */
export async function similar(found: Found, filter: Filter): Promise<PostWithVoters[]> {
  const isLike = (words: ReadonlySet<number>): boolean => likeness(words, found.terms) >= SIMILAR;
  const titles = titlesIn(found, filter).filter(({ numbers }) => isLike(numbers));
  return (await read(fitting(titles).slice(0, SIMILAR_READ), found, filter, isLike)).slice(0, SIMILAR_SHOWN);
}

/** A search has no more pages than these. */
const MOST_SEARCH_PAGES = 5;

/** Titles page by page, each as many as fit into one answer: a long post that does not fit waits for the next page. */
function pagesOf(titles: Scored[], count: number): Scored[][] {
  const pages: Scored[][] = [];
  let rest = titles;
  while (rest.length > 0 && pages.length < MOST_SEARCH_PAGES) {
    const page = new Set(fitting(rest).slice(0, count));
    pages.push([...page]);
    rest = rest.filter((title) => !page.has(title));
  }
  return pages;
}

/** A page of a search, how many pages it has, and how many titles match. */
type Matches = { posts: PostWithVoters[]; pages: number; total: number };

/** Begins a search: looks up the last word of a text if that may be enough, otherwise all its words. */
export async function begin(text: string): Promise<Found> {
  return (await lookUpLast(text)) ?? lookUp(text, { start: true });
}

/** The titles that have all words. */
function withAllWords(titles: Scored[], { terms }: Found): Scored[] {
  return titles.filter(({ numbers }) => hasAll(numbers, terms));
}

/**
 * The posts whose titles have all words of a text; if no title has all, those with some. `begun` is what `begin` found:
 * if no title of the last word has all words, all are looked up.
 */
export async function matching(
  text: string,
  begun: Found,
  filter: Filter,
  { count, page = 1 }: { count: number; page?: number | undefined },
): Promise<Matches> {
  const isEnough = !begun.isOfLast || withAllWords(titlesIn(begun, filter), begun).length > 0;
  const found = isEnough ? begun : await lookUp(text, { start: true });
  const { terms } = found;
  const titles = titlesIn(found, filter);
  const withAll = withAllWords(titles, found);
  const isLike = (words: ReadonlySet<number>): boolean =>
    withAll.length > 0 ? hasAll(words, terms) : likeness(words, terms) > 0;
  const alike = withAll.length > 0 ? withAll : titles.filter(({ numbers }) => isLike(numbers));
  const pages = pagesOf(alike, count);
  const posts = await read(pages[page - 1] ?? [], found, filter, isLike);
  return { posts, pages: pages.length, total: alike.length };
}
