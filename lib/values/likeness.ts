/** A searched word: its number, or the numbers of the words that begin with it, and its weight. */
export type Term = { numbers: ReadonlySet<number>; weight: number };

/** The most rows that are read for a word. */
export const MOST_ROWS = 200;

// A word that no title has weighs like one that some titles have: it makes all titles less similar.
const UNKNOWN = 20;

/** The weight of a word by the number of its rows: rare words weigh more. */
export function weightOf(rows: number): number {
  return Math.log2(1 + MOST_ROWS / (rows || UNKNOWN));
}

function sum(numbers: number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

function isIn(words: ReadonlySet<number>, { numbers }: Term): boolean {
  const [fewer, more] = words.size < numbers.size ? [words, numbers] : [numbers, words];
  for (const number of fewer) if (more.has(number)) return true;
  return false;
}

export function hasAll(words: ReadonlySet<number>, terms: readonly Term[]): boolean {
  return terms.every((term) => isIn(words, term));
}

/** The similarity of a title, from 0 to 1: the share of the weights that it has, lower if it has many other words. */
export function likeness(words: ReadonlySet<number>, terms: readonly Term[]): number {
  const all = sum(terms.map(({ weight }) => weight));
  const common = terms.filter((term) => isIn(words, term));
  if (all === 0 || common.length === 0) return 0;
  return (sum(common.map(({ weight }) => weight)) / all) * Math.sqrt(Math.min(1, common.length / words.size));
}
