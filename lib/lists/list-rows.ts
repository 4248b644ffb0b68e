import * as z from "zod/mini";
import { type Bounds, idIn } from "../table/keys.ts";
import type { PostList } from "../table/post-lists.ts";
import { pagesOf } from "../table/reads.ts";
import type { Order } from "./orders.ts";

const RowItem = z.pipe(
  z.object({ sk: z.string(), boardId: z.optional(z.string()), status: z.optional(z.string()) }),
  z.transform(({ sk, boardId, status }) => ({ rowKey: sk, postId: idIn(sk), boardId, status })),
);

/** A row of a list: its key, the id of its post and its status; rows of roadmaps hold its board too. */
export type Row = z.output<typeof RowItem>;

/** Rows in an order, read page by page as they are taken. */
export type Rows = AsyncGenerator<Row, void, undefined>;

/** The rows of a list within some bounds. The first page is read at once, so that several lists are read side by side. */
export function rowsOf(list: PostList, bounds: Bounds, order: Order, pageSize: number): Rows {
  const pages = pagesOf(order.rows(list, bounds), RowItem, { descending: order.descending, pageSize });
  const first = pages.next();
  // The error surfaces where the rows are taken; rows of a hidden list never are.
  first.catch(() => {});
  return (async function* () {
    for (let page = await first; !page.done; page = await pages.next()) yield* page.value;
  })();
}

async function nextOf(rows: Rows): Promise<Row | undefined> {
  return (await rows.next()).value ?? undefined;
}

function comesBefore(a: Row, b: Row | undefined, order: Order): boolean {
  return b === undefined || (order.descending ? a.rowKey > b.rowKey : a.rowKey < b.rowKey);
}

/** Merges lists of rows that are each in the order. A post with two rows, because it moved in between, comes once. */
export async function* merge(lists: Rows[], order: Order): Rows {
  const heads = await Promise.all(lists.map(nextOf));
  const seen = new Set<string>();
  for (;;) {
    const first = heads.reduce(
      (best, head, index) => (head && comesBefore(head, heads[best], order) ? index : best),
      0,
    );
    const [row, rest] = [heads[first], lists[first]];
    if (!row || !rest) return;
    if (!seen.has(row.postId)) yield row;
    seen.add(row.postId);
    heads[first] = await nextOf(rest);
  }
}

/** The rows after the first `count`. */
export async function* skip(rows: Rows, count: number): Rows {
  for (let skipped = 0; skipped < count; skipped++) if (!(await nextOf(rows))) return;
  yield* rows;
}

/** The next `count` rows, or as many as there are; the rest can still be taken. */
export async function take(rows: Rows, count: number): Promise<Row[]> {
  const taken: Row[] = [];
  while (taken.length < count) {
    const row = await nextOf(rows);
    if (!row) break;
    taken.push(row);
  }
  return taken;
}
