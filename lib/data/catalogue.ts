import * as z from "zod";
import { BoardItem, type BoardRecord } from "./boards.ts";
import { range } from "./keys.ts";
import { getRange } from "./reads.ts";
import { OrderItem, ordered, type RoadmapEntry, RoadmapItem, type RoadmapRecord } from "./roadmaps.ts";

/** All boards (oldest first) and all roadmaps (in their order). */
export type Catalogue = { boards: BoardRecord[]; roadmaps: RoadmapRecord[] };

const EntryItem = z.union([BoardItem, RoadmapItem, OrderItem]);
type Entry = z.output<typeof EntryItem>;

const isBoard = (entry: Entry): entry is BoardRecord => "boardId" in entry;
const isOfRoadmaps = (entry: Entry): entry is RoadmapEntry => !isBoard(entry);

/** Reads all boards and all roadmaps in one call. */
export const read = async (): Promise<Catalogue> => {
  const entries = await getRange(range.catalogue(), EntryItem);
  const { roadmaps } = ordered(entries.filter(isOfRoadmaps));
  return { boards: entries.filter(isBoard), roadmaps };
};
