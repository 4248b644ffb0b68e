import * as z from "zod/mini";
import type { IdempotencyPart } from "../table/idempotency.ts";
import { idIn, key, prefix } from "../table/keys.ts";
import { check } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getMany, getRange } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";
import { type BoardOrder, BoardOrderItem, NO_ORDER } from "./board-order.ts";
import * as claims from "./claims.ts";

export const BoardItem = z.pipe(
  z.object({
    sk: z.string().check(z.startsWith(prefix.board)),
    name: z.string(),
    description: z.optional(z.string()),
    url: z.string(),
    color: z.string(),
    display: z.boolean(),
    // Whether clients show who voted; the service itself does not look at it.
    viewVoters: z.boolean(),
    postCount: z.number(),
  }),
  z.transform(({ sk, ...board }) => ({ boardId: idIn(sk), ...board })),
);

export type BoardRecord = z.output<typeof BoardItem>;

/** All boards, oldest first. */
export function all(): Promise<BoardRecord[]> {
  return getRange(range.boards(), BoardItem);
}

/** All boards, oldest first, and their order as it was read, for a plan that changes it. */
export type OrderedBoards = { boards: BoardRecord[]; order: BoardOrder };

/** The schema of a board, or of the order of all. */
function boardOrOrderItem(sk: string): typeof BoardItem | typeof BoardOrderItem {
  return sk.startsWith(prefix.board) ? BoardItem : BoardOrderItem;
}

export async function allWithOrder(): Promise<OrderedBoards> {
  const entries = await getRange(range.boardsWithOrder(), boardOrOrderItem);
  const boards = entries.filter((entry) => "boardId" in entry);
  return { boards, order: entries.find((entry) => "boardIds" in entry) ?? NO_ORDER };
}

export function find(boardId: string): Promise<BoardRecord | undefined> {
  return get(key.board(boardId), BoardItem);
}

export function findAll(boardIds: string[]): Promise<BoardRecord[]> {
  return getMany(boardIds.map(key.board), BoardItem);
}

export async function isUrlFree(url: string): Promise<boolean> {
  return (await get(key.boardUrl(url), z.object({ boardId: z.string() }))) === undefined;
}

function entryOf(boardId: string): claims.Entry<{ url: string }> {
  return { key: key.board(boardId), claimKey: ({ url }) => key.boardUrl(url), claim: { boardId } };
}

/** The parts that create a board. `claim` fails if another board has the url. */
export function createParts({ boardId, ...board }: BoardRecord) {
  return claims.createParts(entryOf(boardId), board);
}

/** Creates a board. */
export async function add(
  board: BoardRecord,
  idempotencyPart?: IdempotencyPart<BoardRecord>,
): Promise<"added" | "taken"> {
  const outcome = await transact({ ...createParts(board), idempotency: idempotencyPart?.(board) });
  return outcome.done ? "added" : "taken";
}

type Changeable = Pick<BoardRecord, "name" | "description" | "url" | "color" | "display" | "viewVoters">;

/** Changes a board as it was read. */
export async function change(
  board: BoardRecord,
  wanted: Partial<Changeable>,
): Promise<BoardRecord | "taken" | "changed meanwhile"> {
  const { name, description, url, color, display, viewVoters } = board;
  const asRead = { name, description, url, color, display, viewVoters };
  const changed = await claims.change(entryOf(board.boardId), asRead, wanted);
  return typeof changed === "string" ? changed : { ...board, ...changed };
}

/** The board that the posts of a deleted one are moved to, and who moves them. */
export type NextBoard = { moveTo: string; by: string };

/** Deletes a board as it was read; the sweep takes its posts off it, or moves them to the next one. */
export async function remove(
  { boardId, url }: BoardRecord,
  next?: NextBoard,
): Promise<"removed" | "changed meanwhile" | "no such target"> {
  const outcome = await transact({
    ...claims.removeParts(entryOf(boardId), { url }, next),
    target: next && check(key.board(next.moveTo), { if: "attribute_exists(pk)" }),
  });
  if (outcome.done) return "removed";
  return outcome.failed.entry ? "changed meanwhile" : "no such target";
}
