import * as z from "zod/mini";
import { optional, pageSize, QueryNumber, refuse, Uuid } from "./readers.ts";
import type { PageInfo } from "./schemas.ts";

// Cursor paging (docs/contract.md#page-info). A cursor is a place in an order: the values that the list is sorted by. So it stays
// valid when the item that it was made from is gone. It names no partition: the server knows which list it pages through.

const CURSOR = /^[A-Za-z0-9_-]{1,200}$/;

/** The cursor of a place. */
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

/** The field `after`: a cursor of an earlier answer, parsed as a place of this shape. */
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

/** A place in a list whose items are counted: how many items come up to it, and the id of the last one. */
export const CountedPlace = z.tuple([z.int().check(z.minimum(0)), Uuid]);

const RANK_ROW = /^(\d{7}|\d{13})#/;

/** A place in a list of posts in any order: how many posts come up to it, and the key of the last row. */
export const PostPlace = z.tuple([
  z.int().check(z.minimum(0)),
  z.string().check(z.refine((rowKey) => Uuid.safeParse(rowKey.replace(RANK_ROW, "")).success)),
]);

/** The query of a list in pages: the `first` items (by default 20, at most 100) after a place. */
export function cursorQuery<S extends z.ZodMiniType>(place: S) {
  return { first: pageSize(QueryNumber, 20, 100), after: optional(After(place)) };
}

// API Gateway counts a call for each 512 KB of an answer, and Lambda refuses one of more than 6 MB.
const MAX_PAGE_BYTES = 512 * 1024;

/** The bytes of a value as Lambda counts them: an answer's JSON is a text in the JSON of what a function returns, and is escaped again. */
function countedBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}

/** The first items of a page whose answer has each of them `copies` times and stays below 512 KB; the first one however large it is. */
export function fittingPage<T>(items: readonly T[], copies: number): T[] {
  const page: T[] = [];
  let bytes = 0;
  for (const item of items) {
    bytes += copies * countedBytes(item);
    if (bytes > MAX_PAGE_BYTES && page.length > 0) break;
    page.push(item);
  }
  return page;
}

/** Where in its list a page is (docs/contract.md#list-roadmaps). */
export type Paging = { page_info: PageInfo; total_pages: number; total_count: number };

/** The paging fields of a page; `before` items of the list come before its first one. */
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

/** A page of a list held in memory: the `first` items after a place, and the paging fields. */
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
