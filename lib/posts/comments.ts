import * as z from "zod/mini";
import { isSameShown, NOBODY, type Shown, ShownItem } from "../accounts/users.ts";
import { setFields, stillHas } from "../table/changes.ts";
import { familyOf } from "../table/families.ts";
import { idIn, type Key, key, mark } from "../table/keys.ts";
import { check, type Part, put, remove } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getRange } from "../table/reads.ts";

export const CommentItem = z.pipe(
  z.object({
    pk: z.string(),
    sk: z.string(),
    author: ShownItem,
    // Markdown.
    body: z.string(),
    // The comment that this one answers; it may be gone.
    parentId: z.optional(z.string()),
    // Milliseconds since 1970.
    editedAt: z.optional(z.number()),
    // The id of who changed it last, if that is not its author.
    editedBy: z.optional(z.string()),
    // The duplicate that it was written on.
    from: z.optional(z.string()),
    // The board of that duplicate.
    fromBoard: z.optional(z.string()),
  }),
  z.transform(({ pk, sk, ...comment }) => ({
    postId: idIn(pk),
    commentId: sk,
    isInternal: familyOf(pk) === "NOTES",
    ...comment,
  })),
);

export type Kind = "comment" | "note";

/** A comment on a post. An internal one is a note for moderators and the owner: it is stored under other keys. */
export type CommentRecord = z.output<typeof CommentItem>;

export const UserCommentItem = z.object({ sk: z.string(), postId: z.string(), internal: z.optional(z.literal(true)) });

/** The row of a comment or note: how long it is, in steps of a KB. */
export const CommentRowItem = z.pipe(
  z.object({ sk: z.string(), kb: z.number() }),
  z.transform(({ sk, kb }) => ({ commentId: idIn(sk), kb })),
);
export type CommentRow = z.output<typeof CommentRowItem>;

/** The length of a text in UTF-8, in KB, rounded up. */
export function kbOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 1024);
}

const KeyItem = z.object({ sk: z.string() });

export type CommentPlace = Pick<CommentRecord, "postId" | "commentId" | "isInternal">;

export function keyOf({ postId, commentId, isInternal }: CommentPlace): Key {
  return isInternal ? key.note(postId, commentId) : key.comment(postId, commentId);
}

/** Reads a comment or note. */
export function find(place: CommentPlace): Promise<CommentRecord | undefined> {
  return get(keyOf(place), CommentItem);
}

/** Reads a comment by a Query, which is the only right to comments that functions for readers have. */
export async function findByQuery(place: CommentPlace): Promise<CommentRecord | undefined> {
  const { postId, commentId: id, isInternal } = place;
  const itself = range.comments(isInternal ? "note" : "comment", postId, { from: id, to: id });
  return (await getRange(itself, CommentItem))[0];
}

/** Reads a comment, or with `seesNotes` a note. Without it the call reads no notes, even where a note has this id. */
export async function findSeen(
  place: Omit<CommentPlace, "isInternal">,
  seesNotes: boolean,
): Promise<CommentRecord | undefined> {
  return (
    (await find({ ...place, isInternal: false })) ?? (seesNotes ? find({ ...place, isInternal: true }) : undefined)
  );
}

/** Comments on a post, for a reader who sees no notes: without the parents that are notes. */
export async function withoutNoteParents(comments: CommentRecord[]): Promise<CommentRecord[]> {
  const reply = comments.find(({ parentId }) => parentId !== undefined);
  if (!reply) return comments;
  const hidden = new Set(
    (await getRange(range.hiddenComments(reply.postId), KeyItem)).map(({ sk }) => sk.slice(mark.hidden.length)),
  );
  return comments.map((comment) =>
    hidden.has(comment.parentId ?? "") ? { ...comment, parentId: undefined } : comment,
  );
}

/** The part that brings the author shown in a comment up to date, if it differs. */
export function authorParts(comment: CommentRecord, author: Shown): Record<string, Part> {
  return isSameShown(comment.author, author)
    ? {}
    : { [`comment ${comment.commentId}`]: setFields(keyOf(comment), { author }) };
}

/**
 * The parts that take the author from a comment. They fail if it was moved or deleted meanwhile; `ofPost` if its post
 * is gone, whose sweep removes it.
 */
export function namelessParts(comment: CommentRecord, ofPost = key.post(comment.postId)): Record<string, Part> {
  const { postId, commentId, author, isInternal } = comment;
  return {
    comment: setFields(keyOf(comment), { author: NOBODY }, stillHas({ author })),
    userComment: remove(key.userComment(author.userId, commentId)),
    ofPost: check(ofPost, { if: "attribute_exists(pk)" }),
    ownComment: put(key.userComment(NOBODY.userId, commentId), { postId, internal: isInternal || undefined }),
  };
}
