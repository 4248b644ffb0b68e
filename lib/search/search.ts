import { type Filter, filterOfRows, matches } from "../lists/filter.ts";
import { findAllWithVoters, type PostWithVoters } from "../posts/posts.ts";
import { hasAll, hasMuch, hasSome, likeness } from "../values/likeness.ts";
import { numberOf, wordsOf } from "../values/words.ts";
import { type Found, lookUp, lookUpLast } from "./look-up.ts";

// Posts are found by the words of their titles (word-rows.ts): the rows of the words are read (look-up.ts), the titles
// in them are compared with the text, and only the posts of the best titles are read.

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
  isMatch: (words: Set<number>) => boolean,
): Promise<PostWithVoters[]> {
  const posts = await findAllWithVoters(titles.map(({ postId }) => postId));
  return posts
    .filter(({ post }) => matches(post, filter))
    .map((each) => ({ each, words: new Set(wordsOf(each.post.title).map(numberOf)) }))
    .filter(({ words }) => isMatch(words))
    .sort((a, b) => likeness(b.words, terms) - likeness(a.words, terms) || b.each.voters.count - a.each.voters.count)
    .map(({ each }) => each);
}

// Less similar titles share little of what they say.
const SIMILAR = 0.2;

// Reads twice as many as it shows, so that votes can break ties.
const SIMILAR_READ = 10;
const SIMILAR_SHOWN = 5;

/** The posts whose titles are like the typed one, the most similar first. */
export async function similar(found: Found, filter: Filter): Promise<PostWithVoters[]> {
  const isLike = (words: ReadonlySet<number>): boolean =>
    hasMuch(words, found.telling) && likeness(words, found.terms) >= SIMILAR;
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
  return (await lookUpLast(text)) ?? lookUp(text, { unfinished: true });
}

function someHaveAllWords(titles: Scored[], { terms }: Found): boolean {
  return titles.some(({ numbers }) => hasAll(numbers, terms));
}

/** The posts whose titles have all words of a text; if no title has all, those with some of its telling ones. */
export async function matching(
  text: string,
  begun: Found,
  filter: Filter,
  { count, page = 1 }: { count: number; page?: number | undefined },
): Promise<Matches> {
  // The rows of the last word have every title with all words, but not those with some.
  const isEnough = !begun.isOfLastWord || someHaveAllWords(titlesIn(begun, filter), begun);
  const found = isEnough ? begun : await lookUp(text, { unfinished: true });
  const { terms, telling } = found;
  const hits = telling.length > 0 ? telling : terms;
  const titles = titlesIn(found, filter);
  const needsAll = someHaveAllWords(titles, found);
  const isMatch = (words: ReadonlySet<number>): boolean => (needsAll ? hasAll(words, terms) : hasSome(words, hits));
  const matched = titles.filter(({ numbers }) => isMatch(numbers));
  const pages = pagesOf(matched, count);
  const posts = await read(pages[page - 1] ?? [], found, filter, isMatch);
  return { posts, pages: pages.length, total: matched.length };
}
