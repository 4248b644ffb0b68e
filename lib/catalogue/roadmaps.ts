import * as z from "zod/mini";
import { stillHas } from "../table/changes.ts";
import type { IdempotencyPart } from "../table/idempotency.ts";
import { idIn, key, prefix } from "../table/keys.ts";
import { create, type Part, put } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { getRange } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import * as claims from "./claims.ts";
import { stampParts } from "./stamp.ts";

export const RoadmapItem = z.pipe(
  z.object({
    sk: z.string().check(z.startsWith(prefix.roadmap)),
    name: z.string(),
    url: z.string(),
    color: z.string(),
    display: z.boolean(),
  }),
  z.transform(({ sk, ...roadmap }) => ({ roadmapId: idIn(sk), ...roadmap })),
);

/** Parses the order of the roadmaps: one item, so that moving a roadmap is one write whatever the distance. */
export const OrderItem = z.object({
  sk: z.literal("ROADMAP_ORDER"),
  // The index of each roadmap, by its id.
  indexes: z.record(z.string(), z.number()),
  // Changes with every change of the order: a plan that was made on an older one fails.
  version: z.number(),
});

/** The schema of a roadmap, or of the order of all. */
export function roadmapOrOrderItem(sk: string): typeof RoadmapItem | typeof OrderItem {
  return sk.startsWith(prefix.roadmap) ? RoadmapItem : OrderItem;
}

type StoredRoadmap = z.output<typeof RoadmapItem>;
type StoredOrder = z.output<typeof OrderItem>;
type RoadmapOrder = Omit<StoredOrder, "sk">;

export type RoadmapRecord = StoredRoadmap & { index: number };

/** All roadmaps in their order, and that order as it was read, for a plan that changes it. */
export type OrderedRoadmaps = { roadmaps: RoadmapRecord[]; order: RoadmapOrder };

function nextIndex(indexes: RoadmapOrder["indexes"]): number {
  return Math.max(0, ...Object.values(indexes)) + 1;
}

/** Roadmaps in an order. A roadmap that is not in the order is being created or deleted, and comes last. */
function inOrder(roadmaps: StoredRoadmap[], indexes: RoadmapOrder["indexes"]): RoadmapRecord[] {
  return roadmaps
    .map((roadmap) => ({ ...roadmap, index: indexes[roadmap.roadmapId] ?? nextIndex(indexes) }))
    .sort((a, b) => a.index - b.index || (a.roadmapId < b.roadmapId ? -1 : 1));
}

/** The roadmaps among stored entries, in the order of the owner. */
export function ordered(entries: (StoredRoadmap | StoredOrder)[]): OrderedRoadmaps {
  const order: RoadmapOrder = entries.find((entry) => "indexes" in entry) ?? { indexes: {}, version: 0 };
  const roadmaps = entries.filter((entry) => "roadmapId" in entry);
  return { roadmaps: inOrder(roadmaps, order.indexes), order };
}

export async function allWithOrder(): Promise<OrderedRoadmaps> {
  return ordered(await getRange(range.roadmaps(), roadmapOrOrderItem));
}

export async function all(): Promise<RoadmapRecord[]> {
  return (await allWithOrder()).roadmaps;
}

/** Part: writes new indexes into the order of the roadmaps, which must still be the one that was read. */
function orderPart({ version }: RoadmapOrder, indexes: Record<string, number>): Part {
  const item = { indexes, version: version + 1 };
  return version === 0 ? create(key.roadmapOrder(), item) : put(key.roadmapOrder(), item, stillHas({ version }));
}

function entryOf(roadmapId: string): claims.Entry<{ url: string }> {
  return { key: key.roadmap(roadmapId), claimKey: ({ url }) => key.roadmapUrl(url), claim: { roadmapId } };
}

/** Creates a roadmap, last unless it is given an index, unless another has its url; `asRead` saves the first read. */
export async function add(
  draft: Omit<RoadmapRecord, "index"> & { index?: number },
  asRead?: OrderedRoadmaps,
  idempotencyPart?: IdempotencyPart<RoadmapRecord>,
): Promise<RoadmapRecord | "taken"> {
  return replanned(
    asRead ?? (await allWithOrder()),
    allWithOrder,
    async ({ order }): Promise<RoadmapRecord | "taken" | "changed meanwhile"> => {
      const { roadmapId, index = nextIndex(order.indexes), ...roadmap } = draft;
      const made = { roadmapId, index, ...roadmap };
      const outcome = await transact({
        order: orderPart(order, { ...order.indexes, [roadmapId]: index }),
        ...claims.createParts(entryOf(roadmapId), roadmap),
        idempotency: idempotencyPart?.(made),
      });
      if (outcome.done) return made;
      return outcome.failed.claim ? "taken" : "changed meanwhile";
    },
  );
}

type Changeable = Pick<RoadmapRecord, "name" | "url" | "color" | "display">;

/** Changes a roadmap as it was read. */
export async function change(
  roadmap: RoadmapRecord,
  wanted: Partial<Changeable>,
): Promise<RoadmapRecord | "taken" | "changed meanwhile"> {
  const { name, url, color, display } = roadmap;
  const changed = await claims.change(entryOf(roadmap.roadmapId), { name, url, color, display }, wanted);
  return typeof changed === "string" ? changed : { ...roadmap, ...changed };
}

/** Deletes a roadmap as it was read; the others keep their indexes, so that cursors into the list stay valid. */
export async function remove(
  { roadmapId, url }: RoadmapRecord,
  { order }: OrderedRoadmaps,
): Promise<"removed" | "changed meanwhile"> {
  const { [roadmapId]: _removed, ...indexes } = order.indexes;
  const outcome = await transact({
    order: orderPart(order, indexes),
    ...claims.removeParts(entryOf(roadmapId), { url }),
  });
  return outcome.done ? "removed" : "changed meanwhile";
}

/**
 * Moves a roadmap to the place of another; the others keep their order. The new order has the ids of the old one: a
 * roadmap that is being created or deleted may be read without its place, or the place without its roadmap.
 */
export async function move(
  { roadmaps, order }: OrderedRoadmaps,
  fromId: string,
  toId: string,
): Promise<RoadmapRecord[] | "no such roadmap" | "changed meanwhile"> {
  const before = Object.entries(order.indexes).sort(([a, i], [b, j]) => i - j || (a < b ? -1 : 1));
  const ids = before.map(([roadmapId]) => roadmapId);
  const unplaced = [fromId, toId].filter((id) => !ids.includes(id));
  if (unplaced.length > 0) {
    const isSeen = unplaced.every((id) => roadmaps.some(({ roadmapId }) => roadmapId === id));
    return isSeen ? "changed meanwhile" : "no such roadmap";
  }
  if (fromId === toId) return roadmaps;
  const others = ids.filter((id) => id !== fromId);
  const indexes = increasing(
    others.toSpliced(ids.indexOf(toId), 0, fromId),
    before.map(([, index]) => index),
  );
  const outcome = await transact({ order: orderPart(order, indexes), ...stampParts() });
  return outcome.done ? inOrder(roadmaps, indexes) : "changed meanwhile";
}

/** Gives ids in a new order the indexes of the list before, made strictly increasing. */
function increasing(ids: string[], indexes: number[]): Record<string, number> {
  let last = Number.NEGATIVE_INFINITY;
  const entries = ids.map((id, position) => {
    last = Math.max(indexes[position] ?? 0, last + 1);
    return [id, last];
  });
  return Object.fromEntries(entries);
}
