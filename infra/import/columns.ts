import type { SheetRow } from "./csv.ts";
import type { Problem } from "./form.ts";

/** The headings under which sheets have a field, the usual one first. */
export type Columns<F extends string> = Record<F, readonly string[]>;

/** The cells of a row by field: the first that has a value. */
export function fieldsOf<F extends string>(
  columns: Columns<F>,
  { cells }: SheetRow,
): { [field in F]: string | undefined } {
  const found = Object.entries<readonly string[]>(columns).map(([field, headings]) => {
    const heading = headings.find((each) => cells[each] !== undefined && cells[each] !== "");
    return [field, heading === undefined ? undefined : cells[heading]];
  });
  return Object.fromEntries(found) as { [field in F]: string | undefined };
}

/** Looks at the headings of a sheet: throws without one of those that it needs, and names those that are not read. */
export function* checkHeadings<F extends string>(
  columns: Columns<F>,
  needed: readonly F[],
  { place, cells }: SheetRow,
): Generator<Problem> {
  const headings = Object.keys(cells).filter((heading) => heading !== "");
  const missing = needed.find((field) => !columns[field].some((heading) => headings.includes(heading)));
  if (missing !== undefined)
    throw new Error(`${place.file} has no column ${columns[missing][0]}: its columns are ${headings.join(", ")}`);
  const known = new Set(Object.values<readonly string[]>(columns).flat());
  for (const heading of headings.filter((each) => !known.has(each)))
    yield { place: { file: place.file, row: 1 }, field: heading, what: "is not read" };
}
