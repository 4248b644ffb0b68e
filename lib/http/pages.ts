import * as z from "zod/mini";
import { Uuid } from "./id-inputs.ts";
import { optional, refuse } from "./inputs.ts";
import { pageSize, QueryNumber } from "./list-inputs.ts";
import type { PageInfo } from "./resources/answers.ts";

// Paging by cursor (docs/contract.md#page-info). A cursor contains the values that the list is sorted by. So it stays
// valid when its item is gone.

const CURSOR = /^[A-Za-z0-9_-]{1,200}$/;

/** The cursor of a place in a list: text for URLs, whose content is not part of the contract. */
export function cursorOf(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function decode(cursor: string): unknown {
  try {
    return CURSOR.test(cursor) ? JSON.parse(Buffer.from(cursor, "base64url").toString()) : undefined;
  } catch {
    return undefined;
  }
}

/** The cursor in a request, as the place in the list; another text is a VALIDATION_ERROR. */
export function After<S extends z.ZodMiniType>(place: S) {
  return z
    .pipe(
      z.string(),
      z.transform((cursor, context): z.output<S> => {
        const parsed = place.safeParse(decode(cursor));
        return parsed.success ? parsed.data : refuse(context, "Must be an end_cursor of an earlier answer");
      }),
    )
    .check(z.meta({ pattern: CURSOR.source }));
}

/** A place in a list: the number of items up to it, and the id of the last one. */
export const CountedPlace = z.tuple([z.int().check(z.minimum(0)), Uuid]);

export const OrderedPlace = z.tuple([z.int().check(z.minimum(0)), Uuid, z.string()]);

const RANK_ROW = /^(\d{7}|\d{13})#/;

/** A place in a list of posts: the number of posts up to it, the key of the last row, and the order of the list. */
export const PostPlace = z.tuple([
  z.int().check(z.minimum(0)),
  z.string().check(z.refine((rowKey) => Uuid.safeParse(rowKey.replace(RANK_ROW, "")).success)),
  z.string(),
]);

type Ordered = { sort?: string | undefined; created: string; after?: readonly unknown[] | undefined };

/** Checks an input with an order: a cursor, whose last value names its own, is of the same order. */
export const sameOrder = z.refine<Ordered>(({ sort, created, after }) => !after || after.at(-1) === (sort ?? created), {
  path: ["after"],
  message: "Must be an end_cursor of an earlier answer with the same sort",
});

export const onePage = z.refine<{ page?: unknown; first?: unknown; after?: unknown }>(
  ({ page, first, after }) => page === undefined || (first ?? after) === undefined,
  { path: ["page"], message: "Must not be given beside first or after" },
);

/** The parameters of a list by cursor: `first`, 20 by default and 100 at most, and `after`. */
export function cursorQuery<S extends z.ZodMiniType>(place: S) {
  return { first: pageSize(QueryNumber, 20, 100), after: optional(After(place)) };
}

// API Gateway counts a call for each 512 KB of an answer, and Lambda refuses one of more than 6 MB.
const MAX_PAGE_BYTES = 512 * 1024;

/** The first items that fit into 512 KB if the answer has each of them `copies` times; at least one. */
export function fittingPage<T>(items: readonly T[], copies: number): T[] {
  const page: T[] = [];
  let bytes = 0;
  for (const item of items) {
    // As Lambda counts them: it escapes the JSON of an answer once more.
    bytes += copies * Buffer.byteLength(JSON.stringify(JSON.stringify(item)));
    if (bytes > MAX_PAGE_BYTES && page.length > 0) break;
    page.push(item);
  }
  return page;
}

export type Paging = { page_info: PageInfo; total_pages: number; total_count: number };

/** The paging fields of a page. By its cursor `before` items precede it: a forged one spoils its own answer. */
export function pagingOf<T>(
  items: readonly T[],
  { before, first, total, hasNext }: { before: number; first: number; total: number; hasNext: boolean },
  cursor: (item: T, position: number) => string,
): Paging {
  const [head] = items;
  const tail = items.at(-1);
  return {
    page_info: {
      count: items.length,
      current_page: Math.floor(before / first) + 1,
      has_next_page: hasNext,
      end_cursor: tail === undefined ? null : cursor(tail, before + items.length),
      start_cursor: head === undefined ? null : cursor(head, before + 1),
    },
    total_pages: Math.ceil(total / first),
    total_count: total,
  };
}

/** A page by cursor of a list that was read whole. */
export function pageOf<T>(
  all: readonly T[],
  { isAfter, first, cursor }: { isAfter: (item: T) => boolean; first: number; cursor: (item: T) => string },
): { items: T[]; paging: Paging } {
  const rest = all.filter(isAfter);
  const items = rest.slice(0, first);
  const before = all.length - rest.length;
  return {
    items,
    paging: pagingOf(items, { before, first, total: all.length, hasNext: rest.length > items.length }, cursor),
  };
}
