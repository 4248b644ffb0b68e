import * as z from "zod/mini";
import { range } from "../table/keys.ts";
import { getRange } from "../table/reads.ts";
import { BoardItem, type BoardRecord } from "./boards.ts";
import { OrderItem, ordered, type RoadmapEntry, RoadmapItem, type RoadmapRecord } from "./roadmaps.ts";
import { listOf, StatusesItem, type StatusList } from "./statuses.ts";

/** All boards (oldest first), all roadmaps and all statuses (in their order), with the version of their list. */
export type Catalogue = { boards: BoardRecord[]; roadmaps: RoadmapRecord[] } & StatusList;

const EntryItem = z.union([BoardItem, RoadmapItem, OrderItem, StatusesItem]);
type Entry = z.output<typeof EntryItem>;

function isOfBoards(entry: Entry): entry is BoardRecord {
  return "boardId" in entry;
}
function isStatuses(entry: Entry): entry is Entry & StatusList {
  return "statuses" in entry;
}
function isOfRoadmaps(entry: Entry): entry is RoadmapEntry {
  return !isOfBoards(entry) && !isStatuses(entry);
}

export async function read(): Promise<Catalogue> {
  const entries = await getRange(range.catalogue(), EntryItem);
  const { roadmaps } = ordered(entries.filter(isOfRoadmaps));
  const { statuses, version } = listOf(entries.find(isStatuses));
  return { boards: entries.filter(isOfBoards), roadmaps, statuses, version };
}
