import type { Rights } from "../auth/permissions.ts";
import { visibleBoards } from "../auth/visibility.ts";
import * as boards from "../catalogue/boards.ts";
import type { CommentRecord } from "../posts/comments.ts";

/** Comments without the merged post from which they came, where its board is hidden from the caller. */
export async function withoutHiddenOrigins(
  comments: CommentRecord[],
  caller: Rights | undefined,
): Promise<CommentRecord[]> {
  const ids = new Set(comments.flatMap(({ fromBoard }) => fromBoard ?? []));
  if (ids.size === 0) return comments;
  const found = await boards.findAll([...ids]);
  const visible = new Set(visibleBoards(caller, found));
  const hidden = new Set(found.filter((board) => !visible.has(board)).map(({ boardId }) => boardId));
  return comments.map((comment) => (hidden.has(comment.fromBoard ?? "") ? { ...comment, from: undefined } : comment));
}
