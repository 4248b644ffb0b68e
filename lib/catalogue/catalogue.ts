import { fromEnvironment } from "../runtime/environment.ts";
import { key, prefix } from "../table/keys.ts";
import { range } from "../table/ranges.ts";
import { get, getRange } from "../table/reads.ts";
import { type BoardOrder, BoardOrderItem, NO_ORDER } from "./board-order.ts";
import { BoardItem, type BoardRecord } from "./boards.ts";
import { PinsItem } from "./pins.ts";
import { ordered, type RoadmapRecord, roadmapOrOrderItem } from "./roadmaps.ts";
import { isSettled, StampItem } from "./stamp.ts";
import { listOf, StatusesItem, type StatusList } from "./statuses.ts";
import { byName, TagItem, type TagRecord } from "./tags.ts";

/** What posts show of a board: its number of posts changes with each of them. */
export type ShownBoard = Omit<BoardRecord, "postCount">;

/**
 * All boards (oldest first) and their order, all roadmaps and all statuses (in their order), with the version of their
 * list, the ids of the pinned posts, and all tags by their names.
 */
export type Catalogue = {
  boards: ShownBoard[];
  boardOrder: BoardOrder;
  roadmaps: RoadmapRecord[];
  pinned: string[];
  tags: TagRecord[];
} & StatusList;

/** The catalogue as this process read it, the stamp that it had, and until when it may be used. */
type Kept = { catalogue: Catalogue; stamp: string; until: number };

const memory = fromEnvironment((): { kept?: Kept } => ({}));

// What is changed by hand in the table has no stamp: it is seen a minute later.
const KEPT_MS = 60_000;

/** Reads the catalogue: its stamp alone while this process keeps what it read under it. */
export async function read(): Promise<Catalogue> {
  const { kept } = memory();
  if (!kept || kept.until < Date.now()) return readAll();
  const now = await get(key.catalogueStamp(), StampItem);
  return now?.stamp === kept.stamp ? kept.catalogue : readAll();
}

function entryItem(sk: string) {
  if (sk.startsWith(prefix.board)) return BoardItem;
  if (sk.startsWith(prefix.tag)) return TagItem;
  if (sk === key.boardOrder().sk) return BoardOrderItem;
  if (sk === key.catalogueStamp().sk) return StampItem;
  if (sk === key.pins().sk) return PinsItem;
  return sk === key.statuses().sk ? StatusesItem : roadmapOrOrderItem(sk);
}

async function readAll(): Promise<Catalogue> {
  const startedAt = Date.now();
  const entries = await getRange(range.catalogue(), entryItem);
  const boards = entries.filter((entry) => "boardId" in entry);
  const boardOrder = entries.find((entry) => "boardIds" in entry) ?? NO_ORDER;
  const { roadmaps } = ordered(entries.filter((entry) => "roadmapId" in entry || "indexes" in entry));
  const { statuses, version } = listOf(entries.find((entry) => "statuses" in entry));
  const { pinned } = entries.find((entry) => "pinned" in entry) ?? { pinned: [] };
  const tags = byName(entries.filter((entry) => "tagId" in entry));
  const catalogue = { boards, boardOrder, roadmaps, statuses, version, pinned, tags };
  const { stamp } = entries.find((entry) => "stamp" in entry) ?? {};
  if (stamp && isSettled(stamp, startedAt)) memory().kept = { catalogue, stamp, until: startedAt + KEPT_MS };
  return catalogue;
}
