import * as z from "zod/mini";
import { isSameShown, type Shown, ShownItem } from "../accounts/users.ts";
import { eventParts } from "../events/events.ts";
import { differences, isEmpty, setFields, stillHas } from "../table/changes.ts";
import { familyOf } from "../table/families.ts";
import type { IdempotencyPart } from "../table/idempotency.ts";
import { idIn, type Key, key } from "../table/keys.ts";
import { type Attributes, adding, create, type Part, put, remove, update } from "../table/parts.ts";
import { type Bounds, range } from "../table/ranges.ts";
import { get, getFirst, getRange } from "../table/reads.ts";
import { changeStored } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";

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
  }),
  z.transform(({ pk, sk, ...comment }) => ({
    postId: idIn(pk),
    commentId: sk,
    isInternal: familyOf(pk) === "NOTES",
    ...comment,
  })),
);

/** A comment on a post. An internal one is a note for moderators and the owner: it is stored under other keys. */
export type CommentRecord = z.output<typeof CommentItem>;

export const UserCommentItem = z.object({ sk: z.string(), postId: z.string(), internal: z.optional(z.literal(true)) });

const KeyItem = z.object({ sk: z.string() });

type Place = Pick<CommentRecord, "postId" | "commentId" | "isInternal">;

function keyOf({ postId, commentId, isInternal }: Place): Key {
  return isInternal ? key.note(postId, commentId) : key.comment(postId, commentId);
}

function itemOf({ author, body, parentId, editedAt, editedBy }: CommentRecord): Attributes {
  return { author, body, parentId, editedAt, editedBy };
}

export const CommentRowItem = z.pipe(
  z.object({ sk: z.string(), kb: z.number() }),
  z.transform(({ sk, kb }) => ({ commentId: idIn(sk), kb })),
);
type CommentRow = z.output<typeof CommentRowItem>;

export function kbOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 1024);
}

function rowPart(comment: CommentRecord): Part {
  return put(key.commentRow(keyOf(comment)), { kb: kbOf(comment.body) });
}

export function find(place: Place): Promise<CommentRecord | undefined> {
  return get(keyOf(place), CommentItem);
}

/** Reads a comment by a Query, which is the only right to comments that functions for readers have. */
export async function look({ postId, commentId: id, isInternal }: Place): Promise<CommentRecord | undefined> {
  const itself = range.comments(isInternal ? "note" : "comment", postId, { from: id, to: id });
  return (await getRange(itself, CommentItem))[0];
}

/** Reads a comment, or with `seesNotes` a note: others name no key of a note. */
export async function findSeen(
  place: Omit<Place, "isInternal">,
  seesNotes: boolean,
): Promise<CommentRecord | undefined> {
  return (
    (await find({ ...place, isInternal: false })) ?? (seesNotes ? find({ ...place, isInternal: true }) : undefined)
  );
}

export type Kind = "comment" | "note";

export async function newestRows(
  kind: Kind,
  postId: string,
  { count, before }: { count: number; before?: string | undefined },
): Promise<CommentRow[]> {
  return (await getFirst(range.commentRows(kind, postId, before), CommentRowItem, count, { descending: true })).items;
}

// A page with this much text, its authors and its rows cost 40 R at most.
const MOST_KB = 64;

/**
 * Where a page begins and ends among rows, its number counted from 1. Each page before it has `size` comments too, or
 * fewer long ones, so that pages can be read at a bounded cost. It has one at least: more pages than rows are empty.
 */
export function pageAt(rows: CommentRow[], number: number, size: number): { start: number; end: number } {
  let [start, end] = [0, 0];
  for (let page = 1; page <= Math.min(number, rows.length + 1); page++) {
    start = end;
    for (let kb = 0; end < Math.min(start + size, rows.length); end++) {
      kb += rows[end]?.kb ?? 0;
      if (kb > MOST_KB && end > start) break;
    }
  }
  return { start, end };
}

/**
 * Reads the comments and notes of a page, some of them twice, the later reading last. One that changes its kind during
 * the reads is in one of them, or it is found the second time.
 */
export async function inPage(kinds: Kind[], postId: string, ids: string[], bounds: Bounds): Promise<CommentRecord[]> {
  if (kinds.length < 2 && ids.length === 0) return [];
  const read = () => Promise.all(kinds.map((kind) => getRange(range.comments(kind, postId, bounds), CommentItem)));
  const found = (await read()).flat();
  const isFound = (id: string) => found.some(({ commentId }) => commentId === id);
  return kinds.length < 2 || ids.every(isFound) ? found : [...found, ...(await read()).flat()];
}

/** Comments on a post as a reader sees them: without a parent that is a note, unless the reader sees notes. */
export async function asSeen(comments: CommentRecord[], seesNotes: boolean): Promise<CommentRecord[]> {
  const reply = comments.find(({ parentId }) => parentId !== undefined);
  if (seesNotes || !reply) return comments;
  const hidden = new Set((await getRange(range.hiddenComments(reply.postId), KeyItem)).map(({ sk }) => sk.slice(1)));
  return comments.map((comment) =>
    hidden.has(comment.parentId ?? "") ? { ...comment, parentId: undefined } : comment,
  );
}

function addToCounts(postId: string, changes: { comments?: 1 | -1; notes?: 1 | -1 }): Part {
  const { expression, ...counted } = adding(Object.entries(changes));
  return update(key.voters(postId), expression, { if: "attribute_exists(pk)", ...counted });
}

function countComment({ postId, isInternal }: Place, change: 1 | -1): Part {
  return addToCounts(postId, isInternal ? { notes: change } : { comments: change });
}

/**
 * The event of a change of a public comment; notes have none. A note that becomes public is an event of creation, a
 * comment that becomes a note one of deletion.
 */
function eventOfChange(before: Place | undefined, after: Place | undefined, by: string): Record<string, Part> {
  const place = after ?? before;
  const [wasPublic, isPublic] = [before?.isInternal === false, after?.isInternal === false];
  if (!place || !(wasPublic || isPublic)) return {};
  const type = !wasPublic ? "comment.created" : isPublic ? "comment.updated" : "comment.deleted";
  const { postId, commentId } = place;
  return eventParts({ type, postId, commentId, by }, before ? undefined : commentId);
}

export async function add(
  comment: CommentRecord,
  idempotencyPart?: IdempotencyPart<{ commentId: string }>,
): Promise<"added" | "no such post"> {
  const { postId, commentId, author, isInternal } = comment;
  const outcome = await transact<string>({
    comment: create(keyOf(comment), itemOf(comment)),
    row: rowPart(comment),
    userComment: create(key.userComment(author.userId, commentId), { postId, internal: isInternal || undefined }),
    count: countComment(comment, 1),
    ...eventOfChange(undefined, comment, author.userId),
    idempotency: idempotencyPart?.(comment),
  });
  if (outcome.done) return "added";
  if (outcome.failed.count) return "no such post";
  throw new Error(`a new comment was refused because of ${Object.keys(outcome.failed).join(", ")}`);
}

async function outcomeOf(parts: Record<string, Part>): Promise<"done" | "no such post" | "changed meanwhile"> {
  const outcome = await transact<string>(parts);
  if (outcome.done) return "done";
  // The comments of a deleted post are deleted a little later.
  return outcome.failed.count ? "no such post" : "changed meanwhile";
}

/** Whether a comment answers a comment that is public: a public one must not name a note. */
async function answersAComment({ postId, parentId }: CommentRecord): Promise<boolean> {
  return parentId !== undefined && (await find({ postId, commentId: parentId, isInternal: false })) !== undefined;
}

/** Changes a comment as `reread` finds it, first as it was read; a changed `isInternal` moves it to the other keys. */
export function change(
  asRead: CommentRecord,
  reread: () => Promise<CommentRecord | undefined>,
  wanted: { body?: string | undefined; isInternal?: boolean | undefined; by: string },
): Promise<CommentRecord | "no such post" | undefined> {
  return changeStored(asRead, reread, async (comment) => {
    const { body, editedAt, author, postId, commentId } = comment;
    const { body: newBody = body, isInternal = comment.isInternal } = wanted;
    const after = { ...comment, body: newBody, isInternal };
    if (comment.isInternal && !after.isInternal && !(await answersAComment(comment))) after.parentId = undefined;
    if (isEmpty(differences(comment, after))) return comment;
    after.editedAt = Date.now();
    after.editedBy = wanted.by === author.userId ? undefined : wanted.by;
    const hidden = key.hiddenComment(postId, commentId);
    const parts: Record<string, Part> =
      after.isInternal === comment.isInternal
        ? {
            comment: setFields(keyOf(comment), {
              body: after.body,
              editedAt: after.editedAt,
              editedBy: after.editedBy,
            }),
            row: rowPart(after),
          }
        : {
            row: remove(key.commentRow(keyOf(comment))),
            movedRow: rowPart(after),
            hidden: after.isInternal ? put(hidden, {}) : remove(hidden),
            comment: remove(keyOf(comment), stillHas({ body, editedAt, author })),
            moved: create(keyOf(after), itemOf(after)),
            userComment: setFields(key.userComment(author.userId, commentId), {
              internal: after.isInternal || undefined,
            }),
            count: addToCounts(postId, after.isInternal ? { comments: -1, notes: 1 } : { comments: 1, notes: -1 }),
          };
    const outcome = await outcomeOf({ ...parts, ...eventOfChange(comment, after, wanted.by) });
    return outcome === "done" ? after : outcome;
  });
}

export function destroy(
  asRead: CommentRecord,
  reread: () => Promise<CommentRecord | undefined>,
  by = asRead.author.userId,
): Promise<"done" | "no such post" | undefined> {
  return changeStored(asRead, reread, (comment) =>
    outcomeOf({
      comment: remove(keyOf(comment), { if: "attribute_exists(pk)" }),
      row: remove(key.commentRow(keyOf(comment))),
      ...(comment.isInternal && { hidden: remove(key.hiddenComment(comment.postId, comment.commentId)) }),
      userComment: remove(key.userComment(comment.author.userId, comment.commentId)),
      count: countComment(comment, -1),
      ...eventOfChange(comment, undefined, by),
    }),
  );
}

export function authorParts(comment: CommentRecord, author: Shown): Record<string, Part> {
  return isSameShown(comment.author, author)
    ? {}
    : { [`comment ${comment.commentId}`]: setFields(keyOf(comment), { author }) };
}
