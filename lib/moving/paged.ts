import type * as z from "zod/mini";
import { type Range, restAfter } from "../table/ranges.ts";
import { getFirst } from "../table/reads.ts";
import type { Work } from "./work.ts";

/** A range to walk: the schema of its items, by their sort keys if there are several, and the sort key of a value. */
export type Walk<S extends z.ZodMiniType> = {
  range: Range;
  schema: S | ((sk: string) => S);
  skOf: (value: z.output<S>) => string;
  pageSize: number;
};

/** Walks a range page by page, each of them as a piece of work that can be repeated. */
export async function* paged<S extends z.ZodMiniType>(
  work: Work,
  { range, schema, skOf, pageSize }: Walk<S>,
): AsyncGenerator<z.output<S>[], void, undefined> {
  let after: string | undefined;
  for (;;) {
    const { items, more } = await work(() => getFirst(restAfter(range, after), schema, pageSize));
    if (items.length > 0) yield items;
    const last = items.at(-1);
    if (!more || last === undefined) return;
    after = skOf(last);
  }
}

/** All values of a range. */
export async function allOf<S extends z.ZodMiniType>(work: Work, walk: Walk<S>): Promise<z.output<S>[]> {
  const found: z.output<S>[] = [];
  for await (const page of paged(work, walk)) found.push(...page);
  return found;
}
