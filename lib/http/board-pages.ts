import * as z from "zod/mini";
import type { BoardRecord } from "../catalogue/boards.ts";
import { Order, optional, pageSize, QueryNumber, Uuid } from "./inputs.ts";
import { After, cursorOf, type Paging, pageOf } from "./pages.ts";

/** The query of a list of boards: pages by number (docs/contract.md#list-boards) or by cursor. */
export const BoardQuery = z.object({
  created: Order,
  limit: pageSize(QueryNumber, 10, 100),
  page: optional(QueryNumber),
  first: optional(pageSize(QueryNumber, 10, 100)),
  after: optional(After(z.tuple([Uuid, z.string()]))),
});

type BoardPageQuery = Pick<z.output<typeof BoardQuery>, "created" | "limit" | "page"> &
  Partial<Pick<z.output<typeof BoardQuery>, "first" | "after">>;

/** The boards of a page, of all `boards`, oldest first; `paging` only for a page by cursor. */
export function boardPage(
  boards: BoardRecord[],
  { created, limit, page = 1, first, after }: BoardPageQuery,
): { items: BoardRecord[]; paging?: Paging } {
  // Ids sort by creation, and boards are stored by id.
  const ordered = created === "asc" ? boards : boards.toReversed();
  if (first === undefined && !after) return { items: ordered.slice((page - 1) * limit, page * limit) };
  const isAfter = ({ boardId }: BoardRecord): boolean =>
    !after || (created === "asc" ? boardId > after[0] : boardId < after[0]);
  return pageOf(ordered, { isAfter, first: first ?? limit, cursor: ({ boardId }) => cursorOf([boardId, created]) });
}
