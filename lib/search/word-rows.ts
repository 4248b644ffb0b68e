import * as z from "zod/mini";
import type { PostRecord } from "../posts/posts.ts";
import { isEqual, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { type Part, put, remove, replace } from "../table/parts.ts";
import { codesOf, facetCodes, placementFields, placementIn, placementOf } from "../table/post-lists.ts";
import { bytesOf, numberOf, numbersIn, wordsOf } from "../values/words.ts";

// Each word of a post's title has a row, and posts are found by these rows. One more item stores the content of the
// rows of a post. A new title reaches a search so:
//
//   posts/posts.ts           a transaction writes the post with its title, and no rows
//   background.ts            the stream names the changed post to the follow-up `derive`
//   cleanup/derived-rows.ts  compares what was written with `wordsNow`, and commits `wordParts`
//   search/look-up.ts        reads the rows of the words that a person typed
//   search/search.ts         reads the posts of the best rows, and checks their titles: a row may be older

/**
 * The content of the rows of a post. Each change adds 1 to the version. `rewrittenAt`: when the rows were last changed
 * (ms since 1970). The first writing has none, so that the first correction of a title is found without waiting.
 */
export const DerivedWordsItem = z.object({
  words: z.array(z.string()),
  ...placementFields,
  // The read units of the post; absent for one.
  units: z.optional(z.number()),
  version: z.number(),
  rewrittenAt: z.optional(z.number()),
});
export type DerivedWordsItem = z.output<typeof DerivedWordsItem>;
type Content = Omit<DerivedWordsItem, "version" | "rewrittenAt">;

// Rows are read by the hundred, so their attributes are single letters, and numbers stand for words and ids.
const StoredRow = z.object({
  sk: z.string(),
  /** The numbers of the title's other words, four bytes each. */
  w: z.instanceof(Uint8Array),
  ...facetCodes,
  /** The read units of the post, unless it is one. */
  u: z.optional(z.number()),
});

export const WordRowItem = z.pipe(
  StoredRow,
  z.transform(({ sk, w, u = 1, ...codes }) => {
    const [word = "", postId = ""] = sk.split("#");
    return { word, postId, numbers: [numberOf(word), ...numbersIn(w)], facets: placementIn(codes), units: u };
  }),
);

/** A row of a word: its post, the post's facets and read units, and the numbers of all words of the title. */
export type WordRow = z.output<typeof WordRowItem>;

function wordRow(word: string, { words, units, ...placement }: Content) {
  return {
    w: bytesOf(words.filter((other) => other !== word).map(numberOf)),
    ...codesOf(placement),
    ...(units !== undefined && { u: units }),
  };
}

function contentOf(words: string[], placement: PostRecord | DerivedWordsItem, units?: number): Content {
  return { words, ...placementOf(placement), units };
}

const UNIT_BYTES = 4096;

/** The read units of a post if it takes more than one. The stored form is not longer than the JSON, but for its key. */
function unitsOf(post: PostRecord): number | undefined {
  const units = Math.ceil(Buffer.byteLength(JSON.stringify(post)) / UNIT_BYTES);
  return units > 1 ? units : undefined;
}

/** The content that the rows of a post should have: `derived` itself if they have it. A deleted post has no rows. */
export function wordsNow(post: PostRecord | undefined, derived?: DerivedWordsItem): DerivedWordsItem | undefined {
  if (!post) return undefined;
  const content = contentOf(wordsOf(post.title), post, unitsOf(post));
  if (derived && isEqual(contentOf(derived.words, derived, derived.units), content)) return derived;
  return { ...content, version: (derived?.version ?? 0) + 1, ...(derived && { rewrittenAt: Date.now() }) };
}

/** The parts that bring the rows of words from one state to another. */
export function wordParts(
  postId: string,
  from: DerivedWordsItem | undefined,
  to: DerivedWordsItem | undefined,
): Record<string, Part> {
  if (from === to) return {};
  const gone = from?.words.filter((word) => !to?.words.includes(word)) ?? [];
  return {
    words: replace(key.derivedWords(postId), from && stillHas({ version: from.version }), to),
    ...Object.fromEntries(gone.map((word) => [`word ${word}`, remove(key.wordRow(word, postId))])),
    // Each row also holds the other words: one new word changes all rows.
    ...Object.fromEntries(
      to?.words.map((word) => [`word ${word}`, put(key.wordRow(word, postId), wordRow(word, to))]) ?? [],
    ),
  };
}
