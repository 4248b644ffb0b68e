import * as z from "zod/mini";
import { stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import type { Part } from "../table/parts.ts";
import * as parts from "../table/parts.ts";
import { transact } from "../table/transactions.ts";
import { stampParts } from "./stamp.ts";

/**
 * Parses the order of the boards, which is there once the owner has moved one. It may name boards that are deleted and
 * lack newer ones, so that neither writes it.
 */
export const BoardOrderItem = z.object({
  sk: z.literal("BOARD_ORDER"),
  boardIds: z.array(z.string()),
  // Changes with every change of the order: a plan that was made on an older one fails.
  version: z.number(),
});

export type BoardOrder = Omit<z.output<typeof BoardOrderItem>, "sk">;

export const NO_ORDER: BoardOrder = { boardIds: [], version: 0 };

/**
 * The most places that are kept, each some 40 bytes of an item that ends at 400 KB. Further boards follow, oldest
 * first.
 */
export const MAX_PLACES = 1000;

/** Compares boards by their ids: those with a place by it, then the others, oldest first. */
export function byPlace({ boardIds }: BoardOrder): (a: string, b: string) => number {
  const places = new Map(boardIds.map((boardId, place) => [boardId, place]));
  const placeOf = (boardId: string) => places.get(boardId) ?? boardIds.length;
  return (a, b) => placeOf(a) - placeOf(b) || byAge(a, b);
}

/** Compares boards by their ids, oldest first: ids sort by creation. */
export function byAge(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

export function inOrder<Board extends { boardId: string }>(boards: readonly Board[], order: BoardOrder): Board[] {
  const compare = byPlace(order);
  return boards.toSorted((a, b) => compare(a.boardId, b.boardId));
}

/** Puts a board right before another one, or last without one; the others keep their order. Returns the new order. */
export async function put<Board extends { boardId: string }>(
  { boards, order }: { boards: readonly Board[]; order: BoardOrder },
  boardId: string,
  before: string | undefined,
): Promise<Board[] | "no such board" | "changed meanwhile"> {
  const now = inOrder(boards, order);
  const ids = now.map((board) => board.boardId);
  if (![boardId, before ?? boardId].every((id) => ids.includes(id))) return "no such board";
  const others = ids.filter((id) => id !== boardId);
  const index = before === undefined ? others.length : others.indexOf(before);
  const wanted = others.toSpliced(index, 0, boardId);
  // Also when the call is sent again.
  if (before === boardId || wanted.join() === ids.join()) return now;
  const changed = { boardIds: wanted.slice(0, MAX_PLACES), version: order.version + 1 };
  const outcome = await transact({ order: orderPart(order, changed), ...stampParts() });
  return outcome.done ? inOrder(boards, changed) : "changed meanwhile";
}

function orderPart({ version }: BoardOrder, changed: BoardOrder): Part {
  const item = key.boardOrder();
  return version === 0 ? parts.create(item, changed) : parts.put(item, changed, stillHas({ version }));
}

/** Gives boards, oldest first until now, the order of a list of their ids. */
export async function importOrder(boardIds: readonly string[]): Promise<void> {
  if (boardIds.join() === boardIds.toSorted(byAge).join()) return;
  const item = { boardIds: boardIds.slice(0, MAX_PLACES), version: 1 } satisfies BoardOrder;
  await transact({ order: parts.put(key.boardOrder(), item), ...stampParts() });
}
