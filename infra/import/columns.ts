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

/** Throws if a sheet has none of the headings of a field that it needs. */
export function needColumn({ place, cells }: SheetRow, headings: readonly string[]): void {
  if (headings.some((heading) => cells[heading] !== undefined)) return;
  const found = Object.keys(cells).filter((heading) => heading !== "");
  throw new Error(`${place.file} has no column ${headings[0]}: its columns are ${found.join(", ")}`);
}

/** Names the headings of a sheet that are not read. */
export function* unreadHeadings<F extends string>(columns: Columns<F>, { place, cells }: SheetRow): Generator<Problem> {
  const known = new Set(["", ...Object.values<readonly string[]>(columns).flat()]);
  for (const heading of Object.keys(cells).filter((each) => !known.has(each)))
    yield { place: { file: place.file, row: 1 }, field: heading, what: "is not read" };
}
