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

const memory = fromEnvironment((): { kept?: Kept | undefined } => ({}));

// What is changed by hand in the table has no stamp: it is seen a minute later.
const KEPT_MS = 60_000;

function keptNow(): Kept | undefined {
  const { kept } = memory();
  return kept && kept.until >= Date.now() ? kept : undefined;
}

async function readStamp(): Promise<string | undefined> {
  return (await get(key.catalogueStamp(), StampItem))?.stamp;
}

/** Reads the catalogue: its stamp alone while this process keeps what it read under it. */
export async function read(): Promise<Catalogue> {
  const kept = keptNow();
  if (!kept) return readAll();
  return (await readStamp()) === kept.stamp ? kept.catalogue : readAll();
}

/**
 * A catalogue to read something by. One that this process kept has the stamp that it had when it was read; one that was
 * read just now has none.
 */
export type Basis = { catalogue: Catalogue; stamp?: string };

/** The catalogue that this process keeps, for `readBy`; the one of the table where it keeps none. */
export async function begin(): Promise<Basis> {
  const kept = keptNow();
  return kept ? { catalogue: kept.catalogue, stamp: kept.stamp } : { catalogue: await readAll() };
}

/** The present catalogue, for `readBy`. */
export async function present(): Promise<Basis> {
  return { catalogue: await read() };
}

/**
 * Reads something by a catalogue, and once more by the present one if it has changed. `work` calls `alsoRead` where it
 * reads its items: that begins the read of the present stamp, which comes in the same call (table/reads.ts). The first
 * reading may fail, because a post may have what the catalogue lacks.
 */
export async function readBy<T>(
  { catalogue, stamp }: Basis,
  work: (catalogue: Catalogue, alsoRead: () => void) => Promise<T>,
): Promise<T> {
  if (stamp === undefined) return work(catalogue, () => {});
  let presentStamp: Promise<string | undefined> | undefined;
  const alsoRead = () => {
    presentStamp ??= readStamp();
    // It is awaited once the work has ended.
    presentStamp.catch(() => {});
  };
  const [read] = await Promise.allSettled([work(catalogue, alsoRead)]);
  // Some work reads nothing.
  alsoRead();
  if ((await presentStamp) !== stamp) return work(await readAll(), () => {});
  if (read.status === "rejected") throw read.reason;
  return read.value;
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
  // An earlier one, which has changed since, would make `readBy` read everything twice.
  const mayKeep = stamp && isSettled(stamp, startedAt);
  memory().kept = mayKeep ? { catalogue, stamp, until: startedAt + KEPT_MS } : undefined;
  return catalogue;
}
