import * as z from "zod";
import { boardList, idIn, key, prefix, range, roadmapList } from "./keys.ts";
import { create, get, getRange, type Part, put, remove, StoreUnavailable, transact, update } from "./table.ts";

/** A board as it is stored. */
export type BoardRecord = {
  boardId: string;
  name: string;
  url: string;
  color: string;
  display: boolean;
  /** A wish of the owner that clients follow: whether they show who voted. */
  viewVoters: boolean;
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

/** A board as it lies in the table. */
export const BoardItem = z
  .object({
    sk: z.string().startsWith(prefix.board),
    name: z.string(),
    url: z.string(),
    color: z.string(),
    display: z.boolean(),
    viewVoters: z.boolean(),
    postCount: z.number(),
  })
  .transform(({ sk, ...board }): BoardRecord => ({ boardId: idIn(sk), ...board }));

/** A roadmap as it lies in the table, without its index. */
export const RoadmapItem = z
  .object({
    sk: z.string().startsWith(prefix.roadmap),
    name: z.string(),
    url: z.string(),
    color: z.string(),
    display: z.boolean(),
  })
  .transform(({ sk, ...roadmap }) => ({ roadmapId: idIn(sk), ...roadmap }));

/** The order of the roadmaps, all in one item, so that a sort is one write whatever the distance. */
type RoadmapOrder = {
  /** The index of each roadmap, by its id. */
  indexes: Record<string, number>;
  /** Changes with every change of the order: a plan that was made on an older one fails. */
  version: number;
};

/** The order of the roadmaps as it lies in the table. */
export const OrderItem = z.object({
  sk: z.literal("ROADMAP_ORDER"),
  indexes: z.record(z.string(), z.number()),
  version: z.number(),
});

const isOrder = (entry: object): entry is z.output<typeof OrderItem> => "indexes" in entry;

const RoadmapOrOrderItem = z.union([RoadmapItem, OrderItem]);
const EntryItem = z.union([BoardItem, RoadmapItem, OrderItem]);

type Entry = z.output<typeof RoadmapOrOrderItem>;

const orderOf = (entries: object[]): RoadmapOrder => entries.find(isOrder) ?? { indexes: {}, version: 0 };

const inOrder = (a: RoadmapRecord, b: RoadmapRecord): number =>
  a.index - b.index || (a.roadmapId < b.roadmapId ? -1 : 1);

const roadmapsOf = (entries: Entry[], { indexes }: RoadmapOrder): RoadmapRecord[] =>
  entries
    .filter((entry): entry is z.output<typeof RoadmapItem> => !isOrder(entry))
    .map((roadmap) => ({ ...roadmap, index: indexes[roadmap.roadmapId] ?? 0 }))
    .sort(inOrder);

/** Reads all boards and all roadmaps. */
export const read = async (): Promise<Catalogue> => {
  const entries = await getRange(range.catalogue(), EntryItem);
  const isBoard = (entry: (typeof entries)[number]): entry is BoardRecord => "boardId" in entry;
  const others = entries.filter((entry): entry is Entry => !isBoard(entry));
  return { boards: entries.filter(isBoard), roadmaps: roadmapsOf(others, orderOf(others)) };
};

/** Reads all boards, oldest first. */
export const boards = (): Promise<BoardRecord[]> => getRange(range.boards(), BoardItem);

/** Reads a board; undefined when there is none. */
export const findBoard = (boardId: string): Promise<BoardRecord | undefined> => get(key.board(boardId), BoardItem);

/** Whether no board has a url. */
export const isBoardUrlFree = async (url: string): Promise<boolean> =>
  (await get(key.boardUrl(url), z.object({ boardId: z.string() }))) === undefined;

/** Reads all roadmaps, in their order. */
export const roadmaps = async (): Promise<RoadmapRecord[]> => (await roadmapsWithOrder()).roadmaps;

/** All roadmaps in their order, and that order as it was read, for a plan that changes it. */
export type OrderedRoadmaps = { roadmaps: RoadmapRecord[]; order: RoadmapOrder };

/** Reads all roadmaps and their order. */
export const roadmapsWithOrder = async (): Promise<OrderedRoadmaps> => {
  const entries = await getRange(range.roadmaps(), RoadmapOrOrderItem);
  const order = orderOf(entries);
  return { roadmaps: roadmapsOf(entries, order), order };
};

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

/** A field that is absent or undefined stays. */
type Change<T> = { [Name in keyof T]?: T[Name] | undefined };

/** What of a board its owner can change. */
export type BoardChange = Change<Pick<BoardRecord, "name" | "url" | "color" | "display" | "viewVoters">>;

/** What of a roadmap its owner can change. */
export type RoadmapChange = Change<Pick<RoadmapRecord, "name" | "url" | "color" | "display">>;

/** The fields of a change that are given and differ from what is stored. */
const differing = <R extends object, C extends object>(record: R, change: C): Partial<R> =>
  Object.fromEntries(
    Object.entries(change).filter(([name, value]) => value !== undefined && record[name as keyof R] !== value),
  ) as Partial<R>;

/** Part: sets some fields of an entry whose url is still the one that was read. */
const changePart = (at: ReturnType<typeof key.board>, url: string, fields: object): Part => {
  const names = Object.keys(fields);
  return update(at, `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}`, {
    if: "attribute_exists(pk) AND #url = :asRead",
    names: { "#url": "url", ...Object.fromEntries(names.map((name) => [`#${name}`, name])) },
    values: {
      ":asRead": url,
      ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value])),
    },
  });
};

/** Changes a board as it was read; "changed meanwhile" asks the caller to read again. */
export const changeBoard = async (
  board: BoardRecord,
  change: BoardChange,
): Promise<BoardRecord | "url taken" | "changed meanwhile"> => {
  const fields = differing(board, change);
  if (Object.keys(fields).length === 0) return board;
  const { boardId } = board;
  const outcome = await transact({
    board: changePart(key.board(boardId), board.url, fields),
    oldUrl: fields.url !== undefined && remove(key.boardUrl(board.url)),
    newUrl: fields.url !== undefined && create(key.boardUrl(fields.url), { boardId }),
  });
  if (outcome.done) return { ...board, ...fields };
  return outcome.failed.board ? "changed meanwhile" : "url taken";
};

/** Deletes a board as it was read: gone for every reader at once; a tombstone leaves its rows and counts to the sweeper. */
export const removeBoard = async ({ boardId, url }: BoardRecord): Promise<"removed" | "changed meanwhile"> => {
  const outcome = await transact({
    board: remove(key.board(boardId), urlAs(url)),
    boardUrl: remove(key.boardUrl(url)),
    tombstone: put(key.tombstone(boardList(boardId)), {}),
  });
  return outcome.done ? "removed" : "changed meanwhile";
};

const urlAs = (url: string) => ({
  if: "attribute_exists(pk) AND #url = :url",
  names: { "#url": "url" },
  values: { ":url": url },
});

/** Part: puts indexes into the order of the roadmaps, which must still be the one that was read. */
const orderPart = ({ version }: RoadmapOrder, indexes: Record<string, number>): Part => {
  const item = { indexes, version: version + 1 };
  return version === 0
    ? create(key.roadmapOrder(), item)
    : put(key.roadmapOrder(), item, {
        if: "#version = :asRead",
        names: { "#version": "version" },
        values: { ":asRead": version },
      });
};

/** Makes a roadmap, last unless it is given an index, unless another has its url; `asRead` saves the first read. */
export const addRoadmap = (
  draft: Omit<RoadmapRecord, "index"> & { index?: number },
  asRead?: OrderedRoadmaps,
): Promise<RoadmapRecord | "url taken"> =>
  replanned(asRead, roadmapsWithOrder, async (read): Promise<RoadmapRecord | "url taken" | "changed meanwhile"> => {
    const { roadmaps, order } = read;
    const { roadmapId, index = (roadmaps.at(-1)?.index ?? 0) + 1, ...roadmap } = draft;
    const outcome = await transact({
      order: orderPart(order, { ...order.indexes, [roadmapId]: index }),
      roadmap: create(key.roadmap(roadmapId), roadmap),
      roadmapUrl: create(key.roadmapUrl(roadmap.url), { roadmapId }),
    });
    if (outcome.done) return { roadmapId, index, ...roadmap };
    return outcome.failed.roadmapUrl ? "url taken" : "changed meanwhile";
  });

/** Changes a roadmap as it was read; "changed meanwhile" asks the caller to read again. */
export const changeRoadmap = async (
  roadmap: RoadmapRecord,
  change: RoadmapChange,
): Promise<RoadmapRecord | "url taken" | "changed meanwhile"> => {
  const fields = differing(roadmap, change);
  if (Object.keys(fields).length === 0) return roadmap;
  const { roadmapId } = roadmap;
  const outcome = await transact({
    roadmap: changePart(key.roadmap(roadmapId), roadmap.url, fields),
    oldUrl: fields.url !== undefined && remove(key.roadmapUrl(roadmap.url)),
    newUrl: fields.url !== undefined && create(key.roadmapUrl(fields.url), { roadmapId }),
  });
  if (outcome.done) return { ...roadmap, ...fields };
  return outcome.failed.roadmap ? "changed meanwhile" : "url taken";
};

/** Deletes a roadmap as it was read; the indexes of the others stay, so that their cursors go on being good. */
export const removeRoadmap = async (
  { roadmapId, url }: RoadmapRecord,
  { order }: OrderedRoadmaps,
): Promise<"removed" | "changed meanwhile"> => {
  const { [roadmapId]: _gone, ...indexes } = order.indexes;
  const outcome = await transact({
    order: orderPart(order, indexes),
    roadmap: remove(key.roadmap(roadmapId), urlAs(url)),
    roadmapUrl: remove(key.roadmapUrl(url)),
    tombstone: put(key.tombstone(roadmapList(roadmapId)), {}),
  });
  return outcome.done ? "removed" : "changed meanwhile";
};

/** Puts one roadmap into the place of another; the others keep their order. */
export const moveRoadmap = async (
  { roadmaps, order }: OrderedRoadmaps,
  fromId: string,
  toId: string,
): Promise<RoadmapRecord[] | "no such roadmap" | "changed meanwhile"> => {
  const moved = roadmaps.find(({ roadmapId }) => roadmapId === fromId);
  const place = roadmaps.findIndex(({ roadmapId }) => roadmapId === toId);
  if (!moved || place < 0) return "no such roadmap";
  if (fromId === toId) return roadmaps;
  const sorted = roadmaps.filter((each) => each !== moved).toSpliced(place, 0, moved);
  const indexed = withIndexesOf(roadmaps, sorted);
  const indexes = Object.fromEntries(indexed.map(({ roadmapId, index }) => [roadmapId, index]));
  const outcome = await transact({ order: orderPart(order, indexes) });
  return outcome.done ? indexed : "changed meanwhile";
};

/** Hands the indexes of a list, made strictly increasing, to the same roadmaps in another order. */
const withIndexesOf = (roadmaps: RoadmapRecord[], sorted: RoadmapRecord[]): RoadmapRecord[] => {
  let last = Number.NEGATIVE_INFINITY;
  return sorted.map((roadmap, at) => {
    last = Math.max(roadmaps[at]?.index ?? 0, last + 1);
    return { ...roadmap, index: last };
  });
};

const MAX_PLANS = 10;

/** Carries out a plan on what is read, and again on what is then read, for as long as somebody else was quicker. */
export const replanned = async <Read, Outcome>(
  first: Read | undefined,
  read: () => Promise<Read>,
  plan: (read: Read) => Promise<Outcome | "changed meanwhile">,
): Promise<Outcome> => {
  let asRead = first ?? (await read());
  for (let attempt = 0; attempt < MAX_PLANS; attempt++) {
    const outcome = await plan(asRead);
    if (outcome !== "changed meanwhile") return outcome;
    asRead = await read();
  }
  throw new StoreUnavailable("the catalogue changed at every attempt to change it");
};
