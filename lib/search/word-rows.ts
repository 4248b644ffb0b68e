import * as z from "zod/mini";
import { isGone, PostItem, type PostRecord } from "../posts/posts.ts";
import { isEmpty, isEqual, stillHas } from "../table/changes.ts";
import { idIn, key } from "../table/keys.ts";
import { check, create, type Part, put, remove } from "../table/parts.ts";
import { getMany } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import type { StatusLetter } from "../values/statuses.ts";
import { numberOf, wordsOf } from "../values/words.ts";

// Each word of a post's title has a row, and posts are found by these rows (search.ts). Background work writes the rows
// after each change of a post, but rewrites them once a minute at most. One more item says what the rows of a post say
// now, so that only differences are written. A transaction needs the post and that item as they were read: if two
// functions write the rows of a post, the later one reads again.

type Content = {
  words: string[];
  boardId?: string | undefined;
  roadmapId?: string | undefined;
  status?: StatusLetter | undefined;
  /** The read units of the post; absent for one. */
  units?: number | undefined;
};

/** What the rows of a post say. Each change adds 1 to the version; `rewrittenAt` is its time (ms since 1970). */
export const DerivedWordsItem = z.object({
  words: z.array(z.string()),
  boardId: z.optional(z.string()),
  roadmapId: z.optional(z.string()),
  status: z.optional(z.string()),
  units: z.optional(z.number()),
  version: z.number(),
  rewrittenAt: z.optional(z.number()),
});
type Derived = z.output<typeof DerivedWordsItem>;

// Rows are read by the hundred, so their attributes are single letters, and numbers stand for words and ids.
const StoredRow = z.object({
  sk: z.string(),
  /** The numbers of the title's other words, four bytes each. */
  w: z.instanceof(Uint8Array),
  /** The numbers of the board and the roadmap, and the status unless it is open. */
  b: z.optional(z.number()),
  r: z.optional(z.number()),
  s: z.optional(z.string()),
  /** The read units of the post, unless it is one. */
  u: z.optional(z.number()),
});

/** A row of a word: its post, the post's read units, and the numbers of all words of the title. */
export type WordRow = {
  word: string;
  postId: string;
  numbers: number[];
  board?: number | undefined;
  roadmap?: number | undefined;
  status?: string | undefined;
  units: number;
};

function numbersIn(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.byteLength / 4) }, (_, at) => view.getUint32(at * 4));
}

function bytesOf(numbers: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  for (const [at, number] of numbers.entries()) view.setUint32(at * 4, number);
  return new Uint8Array(view.buffer);
}

export const WordRowItem = z.pipe(
  StoredRow,
  z.transform(({ sk, w, b, r, s, u = 1 }): WordRow => {
    const [word = "", postId = ""] = sk.split("#");
    return { word, postId, numbers: [numberOf(word), ...numbersIn(w)], board: b, roadmap: r, status: s, units: u };
  }),
);

function wordRow(word: string, { words, boardId, roadmapId, status, units }: Content) {
  return {
    w: bytesOf(words.filter((other) => other !== word).map(numberOf)),
    ...(boardId !== undefined && { b: numberOf(boardId) }),
    ...(roadmapId !== undefined && { r: numberOf(roadmapId) }),
    ...(status !== undefined && { s: status }),
    ...(units !== undefined && { u: units }),
  };
}

function contentOf(words: string[], { boardId, roadmapId, status }: PostRecord | Derived, units?: number): Content {
  return { words, boardId, roadmapId, status, units };
}

const UNIT_BYTES = 4096;

/** The read units of a post if it takes more than one. The stored form is not longer than the JSON, but for its key. */
function unitsOf(post: PostRecord): number | undefined {
  const units = Math.ceil(Buffer.byteLength(JSON.stringify(post)) / UNIT_BYTES);
  return units > 1 ? units : undefined;
}

/** The parts that bring the rows of a post up to date; none if they are. A deleted post has no rows. */
export function wordParts(
  postId: string,
  post: PostRecord | undefined,
  derived: Derived | undefined,
  now = Date.now(),
): Record<string, Part> {
  const before = derived?.words ?? [];
  const unchanged = derived && stillHas({ version: derived.version });
  const at = key.derivedWords(postId);
  if (!post) return derived ? { derived: remove(at, unchanged), ...removals(postId, before) } : {};
  const content = contentOf(wordsOf(post.title), post, unitsOf(post));
  if (derived && isEqual(contentOf(before, derived, derived.units), content)) return {};
  const item = { ...content, version: (derived?.version ?? 0) + 1, ...(derived && { rewrittenAt: now }) };
  // Each row names the other words too: one new word changes all rows.
  const rows = content.words.map((word) => [`row ${word}`, put(key.wordRow(word, postId), wordRow(word, content))]);
  return {
    post: check(key.post(postId), stillHas({ updatedAt: post.updatedAt })),
    derived: unchanged ? put(at, item, unchanged) : create(at, item),
    ...removals(
      postId,
      before.filter((word) => !content.words.includes(word)),
    ),
    ...Object.fromEntries(rows),
  };
}

function removals(postId: string, words: string[]): Record<string, Part> {
  return Object.fromEntries(words.map((word) => [`row ${word}`, remove(key.wordRow(word, postId))]));
}

export async function behind(posts: PostRecord[]): Promise<string[]> {
  const items = await getMany(
    posts.map(({ postId }) => key.derivedWords(postId)),
    z.extend(DerivedWordsItem, { pk: z.string() }),
  );
  const derived = new Map(items.map((item) => [idIn(item.pk), item]));
  const isBehind = (post: PostRecord) => !isEmpty(wordParts(post.postId, post, derived.get(post.postId)));
  return posts.filter(isBehind).map(({ postId }) => postId);
}

const PostOrDerivedItem = z.union([PostItem, DerivedWordsItem]);

/** Brings the rows of a post up to date, once in `pause` ms at most. Safe to repeat, and to run in parallel. */
export async function writeWords(postId: string, pause = 0): Promise<"done" | { notBefore: number }> {
  const read = async () => {
    const items = await getMany([key.post(postId), key.derivedWords(postId)], PostOrDerivedItem);
    return {
      post: items.find((item): item is PostRecord => "title" in item),
      derived: items.find((item): item is Derived => "version" in item),
    };
  };
  return replanned(await read(), read, async ({ post, derived }) => {
    if (!post && !(await isGone(postId))) return "done";
    const now = Date.now();
    const parts = wordParts(postId, post, derived, now);
    if (isEmpty(parts)) return "done";
    const notBefore = (derived?.rewrittenAt ?? 0) + pause;
    if (post && now < notBefore) return { notBefore };
    return (await transact(parts)).done ? "done" : "changed meanwhile";
  });
}
