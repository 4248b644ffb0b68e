import { eventParts } from "../events/events.ts";
import { differences, isEmpty, setFields, stillHas } from "../table/changes.ts";
import type { IdempotencyPart } from "../table/idempotency.ts";
import { key } from "../table/keys.ts";
import { type Attributes, adding, type Condition, create, type Part, put, remove, update } from "../table/parts.ts";
import { changeStored } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import { type CommentPlace, type CommentRecord, find, kbOf, keyOf } from "./comments.ts";

// A comment or note is stored in these items:
//
//   item                                          | key                                   | part
//   itself                                        | ACTIVITY#<post>, <id>; a note: NOTES# | comment, asOtherKind
//   a short row, by which pages are made          | the same, #<id>                       | row, rowAsOtherKind
//   what leads to it from its author              | USER#<author>, COMMENT#<id>           | userComment
//   the voters item of its post, which counts it  | POSTS, <post>#VOTERS                  | count
//   what hides a note that was a comment          | ACTIVITY#<post>, !<id>                | hidden
//
// The last one is there because replies that everybody sees must not name a note. Each function here makes the parts of
// one transaction, which keep all of these together, or commits them. What readers see of a change is an event; notes
// have none.

function itemOf({ author, body, parentId, editedAt, editedBy, from, fromBoard }: CommentRecord): Attributes {
  return { author, body, parentId, editedAt, editedBy, from, fromBoard };
}

function rowPart(comment: CommentRecord): Part {
  return put(key.commentRow(keyOf(comment)), { kb: kbOf(comment.body) });
}

const EXISTS = "attribute_exists(pk)";
const NOT_LOCKED = { if: "attribute_not_exists(isLocked)" };

/** What happens for readers, who do not see notes: a note that becomes public is a new comment to them. */
function typeOfChange(before: CommentPlace | undefined, after: CommentPlace | undefined) {
  const wasPublic = before?.isInternal === false;
  const isPublic = after?.isInternal === false;
  if (wasPublic && isPublic) return "comment.updated";
  if (wasPublic) return "comment.deleted";
  return isPublic ? "comment.created" : undefined;
}

/** The event of a change of a public comment; notes have none. By default a creation has the comment's id. */
function eventOfChange(
  before: CommentPlace | undefined,
  after: CommentPlace | undefined,
  by: string,
  eventId = before ? undefined : after?.commentId,
): Record<string, Part> {
  const type = typeOfChange(before, after);
  const place = after ?? before;
  if (!type || !place) return {};
  const { postId, commentId } = place;
  return eventParts({ type, postId, commentId, by }, eventId);
}

/** The parts that store a new comment or note; its post must count it too. */
function newCommentParts(comment: CommentRecord) {
  const { postId, commentId, author, isInternal } = comment;
  return {
    comment: create(keyOf(comment), itemOf(comment)),
    row: rowPart(comment),
    userComment: create(key.userComment(author.userId, commentId), { postId, internal: isInternal || undefined }),
  };
}

/** The parts that store comments and notes of one post, without events. `count` fails if the post is gone. */
export function importParts(postId: string, imported: CommentRecord[]): Record<string, Part> {
  const stored = imported.flatMap((comment) => Object.values(newCommentParts(comment)));
  return {
    count: countAll(postId, imported, 1),
    ...Object.fromEntries(stored.map((part, at) => [`comment part ${at}`, part])),
  };
}

type Moving = { before: CommentRecord; after: CommentRecord | undefined; wasComment: boolean };

/**
 * The parts that move a comment or note to another post, or delete it without `after`. They fail if it was changed
 * meanwhile. `wasComment`: it is a note that was a comment once.
 */
export function moveOrDeleteParts({ before, after, wasComment }: Moving): Record<string, Part> {
  const { postId, commentId, author, body, editedAt } = before;
  const userComment = key.userComment(author.userId, commentId);
  const parts = [
    remove(keyOf(before), stillHas({ author, body, editedAt })),
    remove(key.commentRow(keyOf(before))),
    ...(wasComment ? [remove(key.hiddenComment(postId, commentId))] : []),
    after ? setFields(userComment, { postId: after.postId }) : remove(userComment),
    // A deletion takes its reports along; after a move they lead to it through the merges.
    ...(after ? [] : [remove(key.held(commentId))]),
    ...(after ? [create(keyOf(after), itemOf(after)), rowPart(after)] : []),
    ...(after && wasComment ? [put(key.hiddenComment(after.postId, commentId), {})] : []),
  ];
  return Object.fromEntries(parts.map((part, at) => [`${commentId} ${at}`, part]));
}

function addTo(postId: string, counts: { comments: number; notes: number }, further?: Condition): Part {
  const changes = Object.entries(counts).filter(([, number]) => number !== 0);
  const { expression, names, values } = adding(changes);
  return update(key.voters(postId), expression, {
    if: further ? `${EXISTS} AND ${further.if}` : EXISTS,
    names: { ...names, ...further?.names },
    values: { ...values, ...further?.values },
  });
}

/** The part that counts comments and notes which come to a post, or leave it (-1). */
export function countAll(postId: string, moved: CommentPlace[], sign: 1 | -1, further?: Condition): Part {
  const notes = sign * moved.filter(({ isInternal }) => isInternal).length;
  return addTo(postId, { comments: sign * moved.length - notes, notes }, further);
}

/**
 * The parts that add a comment or note to a post, with its event. `count` fails if the post is gone, and unless the
 * team adds it if the post is locked.
 */
export function newCommentIn(
  comment: CommentRecord,
  { isOfTeam = false, eventId }: { isOfTeam?: boolean; eventId?: string } = {},
): Record<string, Part> {
  return {
    ...newCommentParts(comment),
    count: countAll(comment.postId, [comment], 1, isOfTeam ? undefined : NOT_LOCKED),
    ...eventOfChange(undefined, comment, comment.author.userId, eventId),
  };
}

type Adding = { isOfTeam?: boolean; idempotencyPart?: IdempotencyPart<{ commentId: string }> | undefined };

/** Adds a comment or note to a post. On a locked post only the team comments. */
export async function addComment(
  comment: CommentRecord,
  { isOfTeam = false, idempotencyPart }: Adding = {},
): Promise<"added" | "no such post" | "locked"> {
  const outcome = await transact<string>({
    ...newCommentIn(comment, { isOfTeam }),
    idempotency: idempotencyPart?.(comment),
  });
  if (outcome.done) return "added";
  const { count } = outcome.failed;
  if (count) return count === "no item" ? "no such post" : "locked";
  throw new Error(`a new comment was refused because of ${Object.keys(outcome.failed).join(", ")}`);
}

/**
 * Why a change was refused. An edit does not look whether the post is there: the comments of a deleted post are deleted
 * a little later, and until then they can be edited.
 */
function refusalOf(failed: Partial<Record<string, unknown>>): "no such post" | "changed meanwhile" {
  return failed.count ? "no such post" : "changed meanwhile";
}

/** Whether a comment answers one that is public. */
async function answersPublicComment({ postId, parentId }: CommentRecord): Promise<boolean> {
  return parentId !== undefined && (await find({ postId, commentId: parentId, isInternal: false })) !== undefined;
}

type Wanted = { body?: string | undefined; isInternal?: boolean | undefined; by: string };

/** The comment as it is wanted; undefined if it is so already. A note that becomes public must not name a note. */
async function asWanted(
  comment: CommentRecord,
  { body = comment.body, isInternal = comment.isInternal, by }: Wanted,
): Promise<CommentRecord | undefined> {
  const becomesPublic = comment.isInternal && !isInternal;
  const keepsParent = !becomesPublic || (await answersPublicComment(comment));
  const after = { ...comment, body, isInternal, parentId: keepsParent ? comment.parentId : undefined };
  if (isEmpty(differences(comment, after))) return undefined;
  return { ...after, editedAt: Date.now(), editedBy: by === comment.author.userId ? undefined : by };
}

/**
 * The parts that change a comment where it is stored. They fail if it was moved or deleted meanwhile; of two edits the
 * later one stays.
 */
function editParts(after: CommentRecord): Record<string, Part> {
  const { body, editedAt, editedBy } = after;
  return { comment: setFields(keyOf(after), { body, editedAt, editedBy }), row: rowPart(after) };
}

/** The parts that store a comment as a note, or a note as a comment, if it is still as it was read. */
function toOtherKindParts(before: CommentRecord, after: CommentRecord): Record<string, Part> {
  const { postId, commentId, author, body, editedAt } = before;
  const hidden = key.hiddenComment(postId, commentId);
  return {
    row: remove(key.commentRow(keyOf(before))),
    rowAsOtherKind: rowPart(after),
    hidden: after.isInternal ? put(hidden, {}) : remove(hidden),
    // A change meanwhile fails here.
    comment: remove(keyOf(before), stillHas({ body, editedAt, author })),
    asOtherKind: create(keyOf(after), itemOf(after)),
    userComment: setFields(key.userComment(author.userId, commentId), { internal: after.isInternal || undefined }),
    count: addTo(postId, after.isInternal ? { comments: -1, notes: 1 } : { comments: 1, notes: -1 }),
  };
}

/** Changes a comment as `reread` finds it, first as it was read; a changed `isInternal` moves it to the other keys. */
export function changeComment(
  asRead: CommentRecord,
  reread: () => Promise<CommentRecord | undefined>,
  wanted: Wanted,
): Promise<CommentRecord | "no such post" | undefined> {
  return changeStored(asRead, reread, async (comment) => {
    const after = await asWanted(comment, wanted);
    if (!after) return comment;
    const changesKind = after.isInternal !== comment.isInternal;
    const parts = changesKind ? toOtherKindParts(comment, after) : editParts(after);
    const outcome = await transact<string>({ ...parts, ...eventOfChange(comment, after, wanted.by) });
    return outcome.done ? after : refusalOf(outcome.failed);
  });
}

/**
 * Deletes a comment as `reread` finds it, first as it was read, with its reports; undefined if it is gone, or if the
 * part `report` fails.
 */
export function deleteComment(
  asRead: CommentRecord,
  reread: () => Promise<CommentRecord | undefined>,
  by = asRead.author.userId,
  report = remove(key.held(asRead.commentId)),
): Promise<"done" | "no such post" | undefined> {
  return changeStored(asRead, reread, async (comment) => {
    const outcome = await transact<string>({
      report,
      comment: remove(keyOf(comment), stillHas({ author: comment.author })),
      row: remove(key.commentRow(keyOf(comment))),
      ...(comment.isInternal && { hidden: remove(key.hiddenComment(comment.postId, comment.commentId)) }),
      userComment: remove(key.userComment(comment.author.userId, comment.commentId)),
      count: countAll(comment.postId, [comment], -1),
      ...eventOfChange(comment, undefined, by),
    });
    if (outcome.done) return "done";
    return outcome.failed.report ? undefined : refusalOf(outcome.failed);
  });
}
