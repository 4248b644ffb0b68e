import * as z from "zod/mini";
import { idIn } from "../table/keys.ts";
import { facetCodes, type Placement, type PostList, placementIn } from "../table/post-lists.ts";
import type { Bounds } from "../table/ranges.ts";
import { pagesOf } from "../table/reads.ts";
import type { Order } from "./orders.ts";

const RowItem = z.pipe(
  z.object({ sk: z.string(), ...facetCodes }),
  z.transform(({ sk, ...codes }) => ({ rowKey: sk, postId: idIn(sk), facets: placementIn(codes) })),
);

/** A row of a list: its key, the id of its post, and the post's facets, in which numbers stand for ids. */
export type Row = { rowKey: string; postId: string; facets: Placement<number> };

/** Rows in an order; further ones are read from the table as they are taken. */
export type Rows = AsyncGenerator<Row, void, undefined>;

/** Opens the rows of a list within some bounds, and reads the first page of them. */
export async function openRows(
  list: PostList,
  order: Order,
  { bounds, pageSize }: { bounds: Bounds; pageSize: number },
): Promise<Rows> {
  const pages = pagesOf(order.rows(list, bounds), RowItem, { descending: order.descending, pageSize });
  const first = await pages.next();
  return (async function* () {
    for (let page = first; !page.done; page = await pages.next()) yield* page.value;
  })();
}

async function nextOf(rows: Rows): Promise<Row | undefined> {
  return (await rows.next()).value ?? undefined;
}

/** Merges lists of rows that are each in the order. A post with two rows, because it moved meanwhile, comes once. */
export async function* merge(lists: Rows[], { descending }: Order): Rows {
  const heads = await Promise.all(lists.map(nextOf));
  const seen = new Set<string>();
  const isBefore = (a: Row, b: Row): boolean => (descending ? a.rowKey > b.rowKey : a.rowKey < b.rowKey);
  const indexOfFirst = (): number =>
    heads.reduce((best, head, index) => {
      const other = heads[best];
      return head && (!other || isBefore(head, other)) ? index : best;
    }, 0);
  for (;;) {
    const first = indexOfFirst();
    const row = heads[first];
    const rest = lists[first];
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

/** The next `count` rows, or as many as there are. The rest can still be taken: leaving a `for await` would end it. */
export async function take(rows: Rows, count: number): Promise<Row[]> {
  const taken: Row[] = [];
  while (taken.length < count) {
    const row = await nextOf(rows);
    if (!row) break;
    taken.push(row);
  }
  return taken;
}
