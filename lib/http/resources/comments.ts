import * as z from "zod/mini";
import type { StatusRecord } from "../../catalogue/statuses.ts";
import type { CommentRecord } from "../../posts/comments.ts";
import type { StatusChange } from "../../posts/status-changes.ts";
import { createdAt, timeOf } from "../../values/ids.ts";
import { Author, authorView } from "./accounts.ts";
import { Status, statusThen } from "./catalogue.ts";

/** A comment on a post. */
export const Comment = z.object({
  id: z.string(),
  parent_id: z.nullable(z.string()),
  body: z.string(),
  is_internal: z.boolean(),
  is_edited: z.boolean(),
  edited_by: z.optional(z.string()),
  from: z.optional(z.string()),
  is_spam: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Comment = z.infer<typeof Comment>;

export function commentView(
  { commentId, parentId, body, isInternal, editedAt, editedBy, from }: CommentRecord,
  { seesBy = false } = {},
): Comment {
  return {
    id: commentId,
    parent_id: parentId ?? null,
    body,
    is_internal: isInternal,
    is_edited: editedAt !== undefined,
    ...(seesBy && { edited_by: editedBy }),
    ...(from !== undefined && { from }),
    is_spam: false,
    created_at: createdAt(commentId),
    updated_at: editedAt === undefined ? createdAt(commentId) : new Date(editedAt).toISOString(),
  };
}

/** A comment with its author, as existing clients read it. */
export const Activity = z.object({
  id: z.string(),
  type: z.literal("comment"),
  created_at: z.string(),
  author: Author,
  comment: Comment,
});
export type Activity = z.infer<typeof Activity>;

export function activityView(comment: CommentRecord, sees?: { seesBy: boolean }): Activity {
  return {
    id: comment.commentId,
    type: "comment",
    created_at: createdAt(comment.commentId),
    author: authorView(comment.author),
    comment: commentView(comment, sees),
  };
}

/** A change of the status of a post; a status that has been deleted since is null. */
export const StatusActivity = z.object({
  id: z.string(),
  type: z.literal("status"),
  created_at: z.string(),
  from: z.nullable(Status),
  to: z.nullable(Status),
  by: z.optional(z.string()),
});
export type StatusActivity = z.infer<typeof StatusActivity>;

export function statusActivityView(
  { changeId: id, from, to, by }: StatusChange,
  statuses: StatusRecord[],
  { seesBy }: { seesBy: boolean },
): StatusActivity {
  const moved = { from: statusThen(statuses, from, timeOf(id)), to: statusThen(statuses, to, timeOf(id)) };
  return { id, type: "status", created_at: createdAt(id), ...moved, ...(seesBy && { by }) };
}
