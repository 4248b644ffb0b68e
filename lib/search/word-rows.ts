import * as z from "zod/mini";
import { PostItem, type PostRecord } from "../posts/posts.ts";
import { isEmpty, isEqual, stillHas } from "../table/changes.ts";
import { idIn, key } from "../table/keys.ts";
import { check, create, type Part, put, remove } from "../table/parts.ts";
import { getMany } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import { numberOf, wordsOf } from "../values/words.ts";

// Each word of a post's title has a row, by which posts are found (search.ts). Background work writes the rows after every change
// of a post: what they say now is in one more item, so that only what differs is written. A transaction holds the post as it was
// read and that item as it was read: of two that work on one post at once, one comes too late and reads again.

/** What the rows of a post are made of. */
type Found = {
  words: string[];
  boardId?: string | undefined;
  roadmapId?: string | undefined;
  status?: string | undefined;
};

/** Parses what the rows of a post say now; every change of them counts the version up. */
export const DerivedWordsItem = z.object({
  words: z.array(z.string()),
  boardId: z.optional(z.string()),
  roadmapId: z.optional(z.string()),
  status: z.optional(z.string()),
  version: z.number(),
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
});

/** A row of a word: the post, and the numbers of all words of its title. */
export type WordRow = {
  word: string;
  postId: string;
  numbers: number[];
  board?: number | undefined;
  roadmap?: number | undefined;
  status?: string | undefined;
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

/** Parses a stored row. */
export const WordRowItem = z.pipe(
  StoredRow,
  z.transform(({ sk, w, b, r, s }): WordRow => {
    const [word = "", postId = ""] = sk.split("#");
    return { word, postId, numbers: [numberOf(word), ...numbersIn(w)], board: b, roadmap: r, status: s };
  }),
);

function rowOf(word: string, { words, boardId, roadmapId, status }: Found) {
  return {
    w: bytesOf(words.filter((other) => other !== word).map(numberOf)),
    ...(boardId !== undefined && { b: numberOf(boardId) }),
    ...(roadmapId !== undefined && { r: numberOf(roadmapId) }),
    ...(status !== undefined && { s: status }),
  };
}

function foundBy({ title, boardId, roadmapId, status }: PostRecord): Found {
  return {
    words: wordsOf(title),
    boardId,
    roadmapId,
    status,
  };
}

function isRight(derived: Derived, { words, boardId, roadmapId, status }: Found): boolean {
  return (
    isEqual(derived.words, words) &&
    derived.boardId === boardId &&
    derived.roadmapId === roadmapId &&
    derived.status === status
  );
}

/** The parts of the transaction that makes the rows of a post say what the post says; none if they do. A post that is gone has no rows. */
export function wordParts(
  postId: string,
  post: PostRecord | undefined,
  derived: Derived | undefined,
): Record<string, Part> {
  const before = derived?.words ?? [];
  const wanted = post && foundBy(post);
  if (!wanted) {
    if (!derived) return {};
    return {
      derived: remove(key.derivedWords(postId), stillHas({ version: derived.version })),
      ...gone(postId, before),
    };
  }
  if (derived && isRight(derived, wanted)) return {};
  const item = { ...wanted, version: (derived?.version ?? 0) + 1 };
  return {
    post: check(key.post(postId), stillHas({ updatedAt: post.updatedAt })),
    derived: derived
      ? put(key.derivedWords(postId), item, stillHas({ version: derived.version }))
      : create(key.derivedWords(postId), item),
    ...gone(
      postId,
      before.filter((word) => !wanted.words.includes(word)),
    ),
    // Each row names the other words: one new word changes them all.
    ...Object.fromEntries(
      wanted.words.map((word) => [`row ${word}`, put(key.wordRow(word, postId), rowOf(word, wanted))]),
    ),
  };
}

function gone(postId: string, words: string[]): Record<string, Part> {
  return Object.fromEntries(words.map((word) => [`row ${word}`, remove(key.wordRow(word, postId))]));
}

/** The ids of those of some posts whose rows do not say what the posts say. */
export async function behind(some: PostRecord[]): Promise<string[]> {
  const items = await getMany(
    some.map(({ postId }) => key.derivedWords(postId)),
    z.extend(DerivedWordsItem, { pk: z.string() }),
  );
  const derived = new Map(items.map((item) => [idIn(item.pk), item]));
  return some
    .filter((post) => !isEmpty(wordParts(post.postId, post, derived.get(post.postId))))
    .map(({ postId }) => postId);
}

const PostOrDerivedItem = z.union([PostItem, DerivedWordsItem]);

/** Makes the rows of a post say what the post says. Safe to repeat, and to do twice at once. */
export async function writeWords(postId: string): Promise<void> {
  const read = async () => {
    const items = await getMany([key.post(postId), key.derivedWords(postId)], PostOrDerivedItem);
    return {
      post: items.find((item): item is PostRecord => "title" in item),
      derived: items.find((item): item is Derived => "version" in item),
    };
  };
  await replanned(await read(), read, async ({ post, derived }) => {
    const parts = wordParts(postId, post, derived);
    return isEmpty(parts) || (await transact(parts)).done ? "done" : "changed meanwhile";
  });
}
