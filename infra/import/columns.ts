import type { SheetRow } from "./csv.ts";
import type { ColumnsByKind, Kind, Problem } from "./form.ts";

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

/** The heading under which a sheet has a field; the field itself if it has none. */
export function headingOf(names: readonly string[], field: string, { headings }: Pick<SheetRow, "headings">): string {
  return headings[names.find((name) => headings[name] !== undefined) ?? ""] ?? field;
}

/** What a sheet calls the fields of rows, which are made of the fields of the sheet. */
export function headingsOf<F extends string>(
  columns: Columns<F>,
  row: SheetRow,
  fields: Partial<Record<Kind, Record<string, F>>>,
): ColumnsByKind {
  const ofKind = (of: Record<string, F>) =>
    Object.fromEntries(Object.entries(of).map(([field, from]) => [field, headingOf(columns[from], field, row)]));
  return Object.fromEntries(Object.entries(fields).map(([kind, of]) => [kind, ofKind(of)]));
}

/** Throws if a sheet has none of the headings of a field that it needs. */
export function needColumn({ place, cells, headings }: SheetRow, names: readonly string[]): void {
  if (names.some((name) => cells[name] !== undefined)) return;
  const found = Object.values(headings).filter((heading) => heading !== "");
  throw new Error(`${place.file} has no column ${names[0]}: its columns are ${found.join(", ")}`);
}

/** Names the headings of a sheet that are not read. */
export function* unreadHeadings<F extends string>(columns: Columns<F>, row: SheetRow): Generator<Problem> {
  const known = new Set(["", ...Object.values<readonly string[]>(columns).flat()]);
  for (const [name, heading] of Object.entries(row.headings).filter(([each]) => !known.has(each)))
    yield { place: { file: row.place.file, row: 1 }, field: heading || name, what: "is not read" };
}
