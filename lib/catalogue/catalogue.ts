import { key, prefix } from "../table/keys.ts";
import { range } from "../table/ranges.ts";
import { getRange } from "../table/reads.ts";
import { BoardItem, type BoardRecord } from "./boards.ts";
import { ordered, type RoadmapRecord, roadmapOrOrderItem } from "./roadmaps.ts";
import { listOf, StatusesItem, type StatusList } from "./statuses.ts";

/** All boards (oldest first), all roadmaps and all statuses (in their order), with the version of their list. */
export type Catalogue = { boards: BoardRecord[]; roadmaps: RoadmapRecord[] } & StatusList;

function entryItem(sk: string): typeof BoardItem | typeof StatusesItem | ReturnType<typeof roadmapOrOrderItem> {
  if (sk.startsWith(prefix.board)) return BoardItem;
  return sk === key.statuses().sk ? StatusesItem : roadmapOrOrderItem(sk);
}

export async function read(): Promise<Catalogue> {
  const entries = await getRange(range.catalogue(), entryItem);
  const boards = entries.filter((entry) => "boardId" in entry);
  const { roadmaps } = ordered(entries.filter((entry) => "roadmapId" in entry || "indexes" in entry));
  const { statuses, version } = listOf(entries.find((entry) => "statuses" in entry));
  return { boards, roadmaps, statuses, version };
}
