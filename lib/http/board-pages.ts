import * as z from "zod/mini";
import type { BoardRecord } from "../catalogue/boards.ts";
import { Uuid } from "./id-inputs.ts";
import { optional } from "./inputs.ts";
import { Order, pageSize, QueryNumber, SortByTime } from "./list-inputs.ts";
import { After, cursorOf, onePage, type Paging, pageOf, sameOrder } from "./pages.ts";
import { CursorPaging } from "./resources/answers.ts";

export const BoardQuery = z
  .object({
    created: Order,
    sort: optional(SortByTime),
    limit: pageSize(QueryNumber, 10, 100),
    page: optional(QueryNumber),
    first: optional(pageSize(QueryNumber, 10, 100)),
    after: optional(After(z.tuple([Uuid, z.string()]))),
  })
  .check(onePage, sameOrder);

/** The answer with boards: by cursor it has `results` and the paging fields too. */
export function boardAnswer<S extends z.ZodMiniType>(board: S) {
  const byCursor = z.partial(z.extend(CursorPaging, { results: z.array(board) }));
  return z.extend(z.object({ boards: z.array(board) }), byCursor.shape);
}

/** A page of boards, by number or by cursor. */
export function boardPage<T>(
  boards: BoardRecord[],
  { created, sort = created, limit, page = 1, first, after }: z.output<typeof BoardQuery>,
  view: (board: BoardRecord) => T,
): { boards: T[]; results?: T[] } & Partial<Paging> {
  // Ids sort by creation, and boards are stored by id.
  const ordered = sort === "asc" ? boards : boards.toReversed();
  if (first === undefined && !after) return { boards: ordered.slice((page - 1) * limit, page * limit).map(view) };
  const isAfter = ({ boardId }: BoardRecord): boolean =>
    !after || (sort === "asc" ? boardId > after[0] : boardId < after[0]);
  const cursor = ({ boardId }: BoardRecord): string => cursorOf([boardId, sort]);
  const { items, paging } = pageOf(ordered, { isAfter, first: first ?? limit, cursor });
  const results = items.map(view);
  return { boards: results, results, ...paging };
}
