import * as z from "zod/mini";
import { holdersOf, shownNow, unchangedParts } from "../accounts/holders.ts";
import { key, mark, prefix } from "../table/keys.ts";
import { type Part, put, remove } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { getFirst, getMany } from "../table/reads.ts";
import { commitSlice, type Moved, whileMoving } from "../votes/moving-votes.ts";
import { summary } from "../votes/votes.ts";
import { countAll, moveOrDeleteParts } from "./comment-changes.ts";
import { CommentItem, type CommentRecord, type Kind, kbOf } from "./comments.ts";

// How the comments and notes of a duplicate move to the post that it was merged into, and back:
// docs/data-model.md#merged-posts. Nobody gets a mail about a moved comment, and it makes no event.

/** The item that stays where a comment was, by which it is found for its way back; its id. */
export const MovedCommentItem = z.pipe(
  z.object({ sk: z.string() }),
  z.transform(({ sk }) => sk.slice(prefix.comment.length)),
);

// How many comments are looked at in a transaction: each has nine parts at most. A long one costs 80 W.
const AT_ONCE = 10;
const MOST_KB = 32;

const KeyItem = z.object({ sk: z.string() });

/** The first comments that are not too long together; at least one. */
function fitting(comments: CommentRecord[]): CommentRecord[] {
  let kb = 0;
  return comments.filter(({ body }, at) => {
    kb += kbOf(body);
    return at === 0 || kb <= MOST_KB;
  });
}

/** The ids of those notes that were comments once. */
async function onceCommentsAmong(notes: CommentRecord[]): Promise<Set<string>> {
  const keys = notes.map(({ postId, commentId }) => key.hiddenComment(postId, commentId));
  return new Set((await getMany(keys, KeyItem)).map(({ sk }) => sk.slice(mark.hidden.length)));
}

/**
 * What moving comments takes besides: their authors (`holders`), and which of them are notes that were comments once.
 * `ready` are those that wait for no erasure; the parts `named` fail if one of their authors was renamed meanwhile.
 */
async function surroundingsOf(comments: CommentRecord[]) {
  const [holders, onceComments] = await Promise.all([
    holdersOf(comments.map(({ author }) => author.userId)),
    onceCommentsAmong(comments),
  ]);
  const ready = comments.filter(({ author }) => !holders.beingErased.has(author.userId));
  return {
    holders,
    onceComments,
    ready,
    named: unchangedParts(
      holders,
      ready.map(({ author }) => author.userId),
    ),
  };
}

/** A duplicate with its board, and the post that it was merged into. */
type Merge = { postId: string; boardId?: string | undefined; into: string };

/** Moves the next comments or notes of a duplicate to the post that it was merged into. */
export async function moveComments(kind: Kind, { postId: from, boardId, into }: Merge): Promise<Moved> {
  const { items: next } = await getFirst(range.comments(kind, from, {}), CommentItem, AT_ONCE);
  if (next.length === 0) return "none left";
  const [voters, { holders, onceComments, ready, named }] = await Promise.all([summary(into), surroundingsOf(next)]);
  if (!voters) return "no such post";
  const comments = fitting(ready);
  if (comments.length === 0) return "waits";
  const parts = comments.map((before) =>
    moveOrDeleteParts({
      before,
      after: {
        ...before,
        author: shownNow(holders, before.author),
        postId: into,
        // In a chain of merges it keeps the first post.
        ...(!before.from && { from, fromBoard: boardId }),
      },
      wasComment: onceComments.has(before.commentId),
    }),
  );
  const moved = comments.map(({ commentId }): [string, Part] => [
    `moved ${commentId}`,
    put(key.movedComment(from, commentId), {}),
  ]);
  // The duplicate has no voters item any more.
  const count = countAll(into, comments, 1, whileMoving("incoming", from));
  const all = { ...Object.assign({}, ...parts), ...Object.fromEntries(moved), ...named, count };
  return commitSlice(all, next.length, AT_ONCE);
}

/**
 * Moves the next comments and notes back to the duplicate that they came `from`, which was taken out of its merge: of
 * them, what is still on the post that it was merged `into`.
 */
export async function moveCommentsBack(from: string, into: string): Promise<Moved> {
  const { items: ids } = await getFirst(range.movedComments(from), MovedCommentItem, AT_ONCE);
  if (ids.length === 0) return "none left";
  const keys = ids.flatMap((id) => [key.comment(into, id), key.note(into, id)]);
  const [votersHere, votersThere, stored] = await Promise.all([
    summary(from),
    summary(into),
    getMany(keys, CommentItem),
  ]);
  // If the other post is gone, its comments go with it.
  const found = votersThere ? stored : [];
  const { holders, onceComments, ready, named } = await surroundingsOf(found);
  const comments = fitting(ready);
  // The others wait for an erasure, or are too long for this slice.
  const later = new Set(found.filter((each) => !comments.includes(each)).map(({ commentId }) => commentId));
  const settled = ids.filter((id) => !later.has(id));
  if (settled.length === 0) return "waits";
  const back = (comment: CommentRecord): CommentRecord => ({
    ...comment,
    author: shownNow(holders, comment.author),
    postId: from,
    ...(comment.from === from && { from: undefined, fromBoard: undefined }),
  });
  const parts: Record<string, Part> = Object.assign(
    {},
    ...comments.map((before) =>
      moveOrDeleteParts({
        before,
        // A post that is gone gets nothing back: its comments are deleted.
        after: votersHere ? back(before) : undefined,
        wasComment: onceComments.has(before.commentId),
      }),
    ),
  );
  for (const id of settled) parts[`moved ${id}`] = remove(key.movedComment(from, id), { if: "attribute_exists(pk)" });
  if (comments.length > 0) {
    parts.there = countAll(into, comments, -1, whileMoving("outgoing", from));
    if (votersHere) parts.here = countAll(from, comments, 1, whileMoving("regaining", into));
  }
  return commitSlice({ ...parts, ...named }, ids.length, AT_ONCE);
}
