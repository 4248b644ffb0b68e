import * as z from "zod";
import { key, range } from "./keys.ts";
import { create, getRange, transact } from "./table.ts";

/** A board as it is stored. */
export type BoardRecord = {
  boardId: string;
  name: string;
  url: string;
  color: string;
  display: boolean;
  postCount: number;
};

/** A roadmap as it is stored; roadmaps are listed by `index`, then by id. */
export type RoadmapRecord = {
  roadmapId: string;
  name: string;
  url: string;
  color: string;
  display: boolean;
  index: number;
};

/** All boards (oldest first) and all roadmaps (in their order). */
export type Catalogue = { boards: BoardRecord[]; roadmaps: RoadmapRecord[] };

const BoardItem = z
  .object({
    sk: z.string().startsWith("BOARD#"),
    name: z.string(),
    url: z.string(),
    color: z.string(),
    display: z.boolean(),
    postCount: z.number(),
  })
  .transform(({ sk, ...board }): BoardRecord => ({ boardId: sk.slice("BOARD#".length), ...board }));

const RoadmapItem = z
  .object({
    sk: z.string().startsWith("ROADMAP#"),
    name: z.string(),
    url: z.string(),
    color: z.string(),
    display: z.boolean(),
    index: z.number(),
  })
  .transform(({ sk, ...roadmap }): RoadmapRecord => ({ roadmapId: sk.slice("ROADMAP#".length), ...roadmap }));

const EntryItem = z.union([BoardItem, RoadmapItem]);

const inOrder = (a: RoadmapRecord, b: RoadmapRecord): number =>
  a.index - b.index || (a.roadmapId < b.roadmapId ? -1 : 1);

/** Reads all boards and all roadmaps. */
export const read = async (): Promise<Catalogue> => {
  const entries = await getRange(range.catalogue(), EntryItem);
  return {
    boards: entries.filter((entry) => "boardId" in entry),
    roadmaps: entries.filter((entry) => "roadmapId" in entry).sort(inOrder),
  };
};

/** Reads all boards, oldest first. */
export const boards = (): Promise<BoardRecord[]> => getRange(range.boards(), BoardItem);

/** Reads all roadmaps, in their order. */
export const roadmaps = async (): Promise<RoadmapRecord[]> =>
  (await getRange(range.roadmaps(), RoadmapItem)).sort(inOrder);

/** The parts of the transaction that makes a board. */
export const boardParts = ({ boardId, ...board }: BoardRecord) => ({
  board: create(key.board(boardId), board),
  boardUrl: create(key.boardUrl(board.url), { boardId }),
});

/** Makes a board, unless another has its url. */
export const addBoard = async (board: BoardRecord): Promise<"added" | "url taken"> => {
  const outcome = await transact(boardParts(board));
  return outcome.done ? "added" : "url taken";
};

/** Makes a roadmap, unless another has its url. */
export const addRoadmap = async ({ roadmapId, ...roadmap }: RoadmapRecord): Promise<"added" | "url taken"> => {
  const outcome = await transact({
    roadmap: create(key.roadmap(roadmapId), roadmap),
    roadmapUrl: create(key.roadmapUrl(roadmap.url), { roadmapId }),
  });
  return outcome.done ? "added" : "url taken";
};
