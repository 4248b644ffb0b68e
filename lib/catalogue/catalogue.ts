import * as z from "zod/mini";
import { range } from "../table/ranges.ts";
import { getRange } from "../table/reads.ts";
import { BoardItem, type BoardRecord } from "./boards.ts";
import { OrderItem, ordered, RoadmapItem, type RoadmapRecord } from "./roadmaps.ts";
import { listOf, StatusesItem, type StatusList } from "./statuses.ts";

/** All boards (oldest first), all roadmaps and all statuses (in their order), with the version of their list. */
export type Catalogue = { boards: BoardRecord[]; roadmaps: RoadmapRecord[] } & StatusList;

const EntryItem = z.union([BoardItem, RoadmapItem, OrderItem, StatusesItem]);

export async function read(): Promise<Catalogue> {
  const entries = await getRange(range.catalogue(), EntryItem);
  const boards = entries.filter((entry) => "boardId" in entry);
  const { roadmaps } = ordered(entries.filter((entry) => "roadmapId" in entry || "indexes" in entry));
  const { statuses, version } = listOf(entries.find((entry) => "statuses" in entry));
  return { boards, roadmaps, statuses, version };
}
