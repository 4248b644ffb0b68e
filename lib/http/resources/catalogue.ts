import * as z from "zod/mini";
import type { BoardRecord } from "../../catalogue/boards.ts";
import type { ShownBoard } from "../../catalogue/catalogue.ts";
import type { RoadmapRecord } from "../../catalogue/roadmaps.ts";
import type { StatusRecord } from "../../catalogue/statuses.ts";
import type { TagRecord } from "../../catalogue/tags.ts";
import { Unavailable } from "../../runtime/errors.ts";
import { createdAt } from "../../values/ids.ts";
import { type StatusLetter, statusKinds } from "../../values/statuses.ts";

/** A board, without post_count: docs/contract.md#board */
export const Board = z.object({
  boardId: z.string(),
  name: z.string(),
  color: z.string(),
  url: z.string(),
  createdAt: z.string(),
});
export type Board = z.infer<typeof Board>;

export function boardView({ boardId, name, color, url }: ShownBoard): Board {
  return { boardId, name, color, url, createdAt: createdAt(boardId) };
}

/** A board in a list, with post_count as a decimal string: docs/contract.md#board */
export const BoardListItem = z.extend(Board, { post_count: z.string() });
export type BoardListItem = z.infer<typeof BoardListItem>;

export function boardListView(board: BoardRecord): BoardListItem {
  return { ...boardView(board), post_count: String(board.postCount) };
}

/** A board with the fields that its owner manages. */
export const BoardDetail = z.extend(BoardListItem, {
  /** What the board is about; null without a description. */
  description: z.nullable(z.string()),
  postsCount: z.number(),
  display: z.boolean(),
  view_voters: z.boolean(),
});
export type BoardDetail = z.infer<typeof BoardDetail>;

export function boardDetailView(board: BoardRecord): BoardDetail {
  const { description = null, postCount: postsCount, display, viewVoters: view_voters } = board;
  return { ...boardListView(board), description, postsCount, display, view_voters };
}

/** A roadmap in a post, and by its url: docs/contract.md#roadmap */
export const RoadmapSummary = z.object({ id: z.string(), name: z.string(), url: z.string(), color: z.string() });

export function roadmapView({ roadmapId, name, url, color }: RoadmapRecord) {
  return { id: roadmapId, name, url, color };
}

/** A roadmap in a list: docs/contract.md#roadmap-item */
export const RoadmapListItem = z.extend(RoadmapSummary, {
  index: z.number(),
  display: z.boolean(),
  created_at: z.string(),
});
export type RoadmapListItem = z.infer<typeof RoadmapListItem>;

export function roadmapListView(roadmap: RoadmapRecord): RoadmapListItem {
  return {
    ...roadmapView(roadmap),
    index: roadmap.index,
    display: roadmap.display,
    created_at: createdAt(roadmap.roadmapId),
  };
}

/** A roadmap by its url: docs/contract.md#roadmap; moderators and owners also see `index` and `display`. */
export const RoadmapByUrl = z.extend(
  RoadmapSummary,
  z.partial(z.pick(RoadmapListItem, { index: true, display: true })).shape,
);

/** How far the work on a post is. */
export const Status = z.object({ id: z.string(), name: z.string(), color: z.string(), kind: z.enum(statusKinds) });

function statusView({ statusId, name, color, kind }: StatusRecord) {
  return { id: statusId, name, color, kind };
}

/** The status with a letter. Throws Unavailable if the statuses were read before it was added. */
export function statusOf(statuses: StatusRecord[], letter: StatusLetter | undefined) {
  const status = statuses.find((each) => each.letter === letter);
  // The statuses were read before a new one was added and given to the post.
  if (!status) throw new Unavailable(`no status has the letter ${letter}`);
  return statusView(status);
}

/** A status in the owner's list. */
export const ListedStatus = z.extend(Status, { archived: z.boolean() });
export type ListedStatus = z.infer<typeof ListedStatus>;

export function statusListView(status: StatusRecord): ListedStatus {
  return { ...statusView(status), archived: status.archived ?? false };
}

/** The status that a letter stood for at a moment (milliseconds since 1970); null if it has been deleted. */
export function statusThen(statuses: StatusRecord[], letter: StatusLetter | undefined, at: number) {
  const status = statuses.find((each) => each.letter === letter && (each.since ?? 0) <= at);
  return status ? statusView(status) : null;
}

/** What the team sorts posts by, beside boards. */
export const Tag = z.object({ id: z.string(), name: z.string(), color: z.string() });
export type Tag = z.infer<typeof Tag>;

export function tagView({ tagId, name, color }: TagRecord): Tag {
  return { id: tagId, name, color };
}
