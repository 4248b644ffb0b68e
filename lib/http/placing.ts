import { may } from "../auth/permissions.ts";
import { idsIn, visibleCatalogue } from "../auth/visibility.ts";
import type { AuditValue } from "../events/audit.ts";
import type { PostRecord } from "../posts/posts.ts";
import type { ErrorCode } from "../runtime/errors.ts";
import type { Caller } from "./callers.ts";
import { type OnePost, onePost } from "./one-post.ts";

/** Where a call wants a post: an absent field stays as it is, null removes it. */
type Wanted = { boardId?: string | null | undefined; roadmapId?: string | null | undefined };

export type Move = { boardId?: string | undefined; roadmapId?: string | undefined };

/**
 * The new board and roadmap, where they differ from the ones that the caller sees. Moderators may also name a deleted
 * board or roadmap that is still stored. An author who names a hidden one does not learn whether the post is there.
 */
export function moveOf({ boardId, roadmapId }: Wanted, read: OnePost, caller: Caller): Move {
  const { post } = read;
  const { board, roadmap } = onePost(read, caller);
  const moderates = may(caller, "post:moderate");
  const staysOn =
    boardId === undefined || boardId === (board?.boardId ?? null) || (moderates && boardId === post.boardId);
  const staysIn =
    roadmapId === undefined || roadmapId === (roadmap?.id ?? null) || (moderates && roadmapId === post.roadmapId);
  return { ...(!staysOn && { boardId: boardId ?? undefined }), ...(!staysIn && { roadmapId: roadmapId ?? undefined }) };
}

/** The board and the roadmap that a move changes, as they were and become, for the audit log. */
export function valuesOf(move: Move, post: PostRecord): AuditValue[] {
  const fields = (["boardId", "roadmapId"] as const).filter((field) => field in move && move[field] !== post[field]);
  return fields.map((field) => ({ field, from: post[field], to: move[field] }));
}

/** Why a caller cannot move a post there: they see no such board or roadmap. */
export function reasonAgainstMove(
  { boardId, roadmapId }: Move,
  { catalogue }: OnePost,
  caller: Caller,
): Extract<ErrorCode, "BOARD_NOT_FOUND" | "ROADMAP_ID_OR_URL_MISSING"> | undefined {
  const visible = idsIn(visibleCatalogue(caller, catalogue));
  if (boardId !== undefined && !visible.has(boardId)) return "BOARD_NOT_FOUND";
  if (roadmapId !== undefined && !visible.has(roadmapId)) return "ROADMAP_ID_OR_URL_MISSING";
  return undefined;
}
