import * as z from "zod/mini";
import { type Bounds, idIn } from "../table/keys.ts";
import type { PostList } from "../table/post-lists.ts";
import { pagesOf } from "../table/reads.ts";
import { type Filter, matches } from "./filter.ts";
import type { Order } from "./orders.ts";

const RowItem = z.pipe(
  z.object({ sk: z.string(), boardId: z.optional(z.string()), status: z.optional(z.string()) }),
  z.transform(({ sk, boardId, status }) => ({ rowKey: sk, postId: idIn(sk), boardId, status })),
);

/** A row of a list: its key, the id of its post and its status; rows of roadmaps name the board too. */
export type Row = z.output<typeof RowItem>;

/** Rows in an order; further ones are read from the table as they are taken. */
export type Rows = AsyncGenerator<Row, void, undefined>;

/** Opens the rows of a list within some bounds, and reads the first page of them. */
export async function openRows(list: PostList, bounds: Bounds, order: Order, pageSize: number): Promise<Rows> {
  const pages = pagesOf(order.rows(list, bounds), RowItem, { descending: order.descending, pageSize });
  const first = await pages.next();
  return (async function* () {
    for (let page = first; !page.done; page = await pages.next()) yield* page.value;
  })();
}

export async function* rowsOf(rows: Row[]): Rows {
  yield* rows;
}

/** The rows that a filter lets through, as far as rows can tell. */
export async function* matching(rows: Rows, { boardIds, statuses }: Filter): Rows {
  for await (const row of rows) if (matches(row, { boardIds, statuses })) yield row;
}

async function nextOf(rows: Rows): Promise<Row | undefined> {
  return (await rows.next()).value ?? undefined;
}

/** Merges lists of rows that are each in the order. A post that moved in between has two rows, and comes once. */
export async function* merge(lists: Rows[], { descending }: Order): Rows {
  const heads = await Promise.all(lists.map(nextOf));
  const seen = new Set<string>();
  for (;;) {
    const first = heads.reduce((best, head, index) => {
      const other = heads[best];
      return head && (!other || head.rowKey > other.rowKey === descending) ? index : best;
    }, 0);
    const [row, rest] = [heads[first], lists[first]];
    if (!row || !rest) return;
    if (!seen.has(row.postId)) yield row;
    seen.add(row.postId);
    heads[first] = await nextOf(rest);
  }
}

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
