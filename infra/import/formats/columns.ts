import { type SheetRow, sheetRows } from "./csv.ts";
import { type Input, type Kind, type NamesByKind, named, type Problem, type Row } from "./form.ts";

/** The headings under which sheets have a field, the usual one first. */
export type Columns<F extends string> = Record<F, readonly string[]>;

/** The columns of a sheet that calls its fields as we do. */
export function columnsOf<F extends string>(...headings: F[]): Columns<F> {
  return Object.fromEntries(headings.map((heading) => [heading, [heading]])) as unknown as Columns<F>;
}

/** The columns from which the fields of rows come. */
export type FieldColumns<F extends string> = Partial<Record<Kind, Record<string, F>>>;

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

/** What a sheet calls the fields of rows. */
function namesOf<F extends string>(columns: Columns<F>, row: SheetRow, fieldColumns: FieldColumns<F>): NamesByKind {
  const ofKind = (of: Record<string, F>) =>
    Object.fromEntries(Object.entries(of).map(([field, from]) => [field, headingOf(columns[from], field, row)]));
  return Object.fromEntries(Object.entries(fieldColumns).map(([kind, of]) => [kind, ofKind(of)]));
}

function has({ headings: known }: SheetRow, headings: readonly string[]): boolean {
  return headings.some((heading) => known[heading] !== undefined);
}

/** Throws if a sheet has none of the headings of a field that it needs. */
export function needColumn(row: SheetRow, headings: readonly string[]): void {
  if (has(row, headings)) return;
  const found = Object.values(row.headings).join(", ");
  const [usual, ...others] = headings;
  const wanted = others.length === 0 ? usual : `${usual} (or ${others.join(", ")})`;
  throw new Error(`${row.place.file} has no column ${wanted}: its columns are ${found}`);
}

/** Names the headings of a sheet that are not read. */
function* unreadHeadings<F extends string>(columns: Columns<F>, row: SheetRow): Generator<Problem> {
  const known = new Set(Object.values<readonly string[]>(columns).flat());
  const unread = Object.entries(row.headings).filter(([name]) => !known.has(name));
  if (unread.length === 0) return;
  const value = unread.map(([, heading]) => heading).join(", ");
  yield { place: { file: row.place.file, row: 1 }, field: "columns", value, what: "left out" };
}

/** Names cells that have no heading: a quote may be missing, and then the cells before are not where they belong. */
export function* unheadedCells({ place, unheaded }: SheetRow): Generator<Problem> {
  if (unheaded.length === 0) return;
  const what = "has no heading: left out, look whether the cells before it are right";
  yield { place, field: "columns", value: unheaded.join(", "), what };
}

export type Sheet<F extends string> = {
  columns: Columns<F>;
  fieldColumns: FieldColumns<F>;
  /** The fields that every such sheet has, if any. */
  needed?: readonly F[];
  /** Whether a sheet without them is passed over, instead of refused. */
  isOptional?: boolean;
  rows: (row: SheetRow) => Iterable<Row | Problem>;
};

/** Reads a sheet, whose first row shows which columns it has. */
export async function* readSheet<F extends string>(
  input: Input,
  file: string,
  { columns, fieldColumns, needed = [], isOptional = false, rows }: Sheet<F>,
): AsyncGenerator<Row | Problem, void, undefined> {
  let names: NamesByKind | undefined;
  for await (const row of sheetRows(file, await input.open(file))) {
    if (!names) {
      const missing = needed.find((field) => !has(row, columns[field]));
      if (missing !== undefined && isOptional) {
        yield { place: { file, row: 0 }, field: "file", what: `is not read: it has no column ${columns[missing][0]}` };
        return;
      }
      if (missing !== undefined) needColumn(row, columns[missing]);
      yield* unreadHeadings(columns, row);
      names = namesOf(columns, row, fieldColumns);
    }
    yield* unheadedCells(row);
    yield* named(rows(row), names);
  }
}
