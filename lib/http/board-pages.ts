import * as z from "zod/mini";
import { byAge } from "../catalogue/board-order.ts";
import type { BoardRecord } from "../catalogue/boards.ts";
import { Uuid } from "./id-inputs.ts";
import { optional } from "./inputs.ts";
import { Order, pageSize, QueryNumber, SortByTime, SortByTimeOrPosition } from "./list-inputs.ts";
import { After, cursorOf, onePage, type Paging, pageOf, sameOrder } from "./pages.ts";
import { CursorPaging } from "./resources/answers.ts";

function boardQuery<S extends z.ZodMiniType<"asc" | "desc" | "position">>(sort: S) {
  return z
    .object({
      created: Order,
      sort: optional(sort),
      limit: pageSize(QueryNumber, 10, 100),
      page: optional(QueryNumber),
      first: optional(pageSize(QueryNumber, 10, 100)),
      after: optional(After(z.tuple([Uuid, z.string()]))),
    })
    .check(onePage, sameOrder);
}

export const BoardQuery = boardQuery(SortByTime);

/** `sort=position`: in the order that the owner gave them. */
export const OrderedBoardQuery = boardQuery(SortByTimeOrPosition);

/** The answer with boards: by cursor it has `results` and the paging fields too. */
export function boardAnswer<S extends z.ZodMiniType>(board: S) {
  const byCursor = z.partial(z.extend(CursorPaging, { results: z.array(board) }));
  return z.extend(z.object({ boards: z.array(board) }), byCursor.shape);
}

type Compare = (a: string, b: string) => number;

function compareBy(sort: "asc" | "desc" | "position", byPosition: Compare): Compare {
  if (sort === "position") return byPosition;
  return sort === "asc" ? byAge : (a, b) => byAge(b, a);
}

/** A page of boards, by number or by cursor. `byPosition` compares the ids of boards in the owner's order. */
export function boardPage<T>(
  boards: BoardRecord[],
  { created, sort = created, limit, page = 1, first, after }: z.output<typeof OrderedBoardQuery>,
  view: (board: BoardRecord) => T,
  byPosition: Compare = byAge,
): { boards: T[]; results?: T[] } & Partial<Paging> {
  const compare = compareBy(sort, byPosition);
  const ordered = boards.toSorted((a, b) => compare(a.boardId, b.boardId));
  if (first === undefined && !after) return { boards: ordered.slice((page - 1) * limit, page * limit).map(view) };
  const isAfter = ({ boardId }: BoardRecord): boolean => !after || compare(boardId, after[0]) > 0;
  const cursor = ({ boardId }: BoardRecord): string => cursorOf([boardId, sort]);
  const { items, paging } = pageOf(ordered, { isAfter, first: first ?? limit, cursor });
  const results = items.map(view);
  return { boards: results, results, ...paging };
}
