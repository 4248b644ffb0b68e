/** The numbers of a word, or of the words that begin with it. */
type Numbers = ReadonlySet<number>;

/** A searched word and its weight. A title has it as one word, or has all its parts, if it has parts. */
export type Term = { numbers: Numbers; parts: readonly Numbers[]; weight: number };

/** The most rows that are read for a word. */
export const MOST_ROWS = 200;

// A word that no title has weighs like one that some titles have: it makes all titles less similar.
const UNKNOWN = 20;

/** The weight of a word by the number of its rows: rare words weigh more. */
export function weightOf(rows: number): number {
  return Math.log2(1 + MOST_ROWS / (rows || UNKNOWN));
}

function weightOfAll(terms: readonly Term[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

function haveCommon(some: Numbers, others: Numbers): boolean {
  const isFewer = some.size < others.size;
  const more = isFewer ? others : some;
  for (const number of isFewer ? some : others) if (more.has(number)) return true;
  return false;
}

function isIn(words: Numbers, { numbers, parts }: Term): boolean {
  return haveCommon(words, numbers) || (parts.length > 0 && parts.every((part) => haveCommon(words, part)));
}

/** Whether a title has all words that were searched for. */
export function hasAll(words: Numbers, terms: readonly Term[]): boolean {
  return terms.every((term) => isIn(words, term));
}

/** Whether a title has one of the words. */
export function hasSome(words: Numbers, terms: readonly Term[]): boolean {
  return terms.some((term) => isIn(words, term));
}

/** Whether a title has two of the words, or one that weighs as much as all the others. */
export function hasMuch(words: Numbers, terms: readonly Term[]): boolean {
  const common = terms.filter((term) => isIn(words, term));
  return common.length > 1 || (common.length === 1 && weightOfAll(common) * 2 >= weightOfAll(terms));
}

/**
 * The similarity of a title, from 0 to 1: the share of the weights that it has, a little lower if it has many other
 * words. People say a wish in a sentence, so a long title with one of its rare words is still worth a look.
 */
export function likeness(words: Numbers, terms: readonly Term[]): number {
  const common = terms.filter((term) => isIn(words, term));
  if (common.length === 0) return 0;
  return (weightOfAll(common) / weightOfAll(terms)) * Math.min(1, common.length / words.size) ** 0.25;
}
