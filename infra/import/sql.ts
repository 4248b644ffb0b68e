import type { Place, Problem } from "./form.ts";
import { linesOf } from "./lines.ts";

// A plain dump of PostgreSQL: COPY blocks, or INSERT statements (pg_dump --inserts, --column-inserts).

/** A row of a table; a cell without a value is undefined. */
export type TableRow = { place: Place; table: string; cells: Record<string, string | undefined> };

const NAME = String.raw`(?:"?public"?\.)?"?(\w+)"?`;
const COPY = new RegExp(`^COPY ${NAME} \\((.*)\\) FROM stdin;$`);
const CREATE = new RegExp(`^CREATE TABLE ${NAME} \\($`);
const INSERT = new RegExp(`^INSERT INTO ${NAME}\\s*(?:\\(([^)]*)\\)\\s*)?VALUES\\s*(.*)$`, "is");
const COLUMN = /^\s+(?!CONSTRAINT)"?(\w+)"?\s/;

const ESCAPES: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

function unescaped(cell: string): string | undefined {
  if (cell === "\\N") return undefined;
  return cell.replace(/\\([0-7]{1,3}|x[\da-f]{1,2}|.)/gis, (_, code: string) => {
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    if (/^x./i.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return ESCAPES[code] ?? code;
  });
}

function columnsIn(list: string): string[] {
  return list.split(",").map((column) => column.trim().replaceAll('"', ""));
}

const VALUE = /\s*(?:'((?:[^']|'')*)'|([^\s',()]+))(?:::[\w ]+)?\s*([,)])/y;

/** The rows of a VALUES list, each with its cells. */
function* tuplesIn(text: string): Generator<(string | undefined)[]> {
  let cells: (string | undefined)[] = [];
  for (let start = text.indexOf("("); start !== -1; start = text.indexOf("(", VALUE.lastIndex)) {
    VALUE.lastIndex = start + 1;
    for (let found = VALUE.exec(text); found; found = VALUE.exec(text)) {
      const [, quoted, bare, end] = found;
      cells.push(quoted?.replaceAll("''", "'") ?? (bare?.toUpperCase() === "NULL" ? undefined : bare));
      if (end === ",") continue;
      const { lastIndex } = VALUE;
      yield cells;
      cells = [];
      VALUE.lastIndex = lastIndex;
      break;
    }
    if (VALUE.lastIndex === 0) return;
  }
}

type Open = { table: string; columns: string[] };

/** Reads a dump line by line. */
class Dump {
  readonly #file: string;
  /** The columns of the tables that the dump creates: an INSERT statement need not name them. */
  readonly #created = new Map<string, string[]>();
  #create: Open | undefined;
  #copy: Open | undefined;
  #insert: (Open & { row: number; text: string; isInString: boolean }) | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  *rows(row: number, text: string): Generator<TableRow> {
    if (this.#copy) yield* this.#copied(this.#copy, row, text);
    else if (this.#insert) yield* this.#inserted(row, `\n${text}`);
    else if (this.#create) this.#addColumn(this.#create, text);
    else yield* this.#begin(row, text);
  }

  *#begin(row: number, text: string): Generator<TableRow> {
    const [, copied, columns = ""] = COPY.exec(text) ?? [];
    const [, created] = CREATE.exec(text) ?? [];
    const [, inserted, named, rest = ""] = INSERT.exec(text) ?? [];
    if (copied !== undefined) this.#copy = { table: copied, columns: columnsIn(columns) };
    if (created !== undefined) this.#create = { table: created, columns: [] };
    if (inserted === undefined) return;
    const ownColumns = named === undefined ? this.#created.get(inserted) : columnsIn(named);
    if (!ownColumns)
      throw new Error(`${this.#file}, row ${row}: the columns are not named: dump with --column-inserts`);
    this.#insert = { table: inserted, columns: ownColumns, row, text: "", isInString: false };
    yield* this.#inserted(row, rest);
  }

  #addColumn(open: Open, text: string): void {
    const column = COLUMN.exec(text)?.[1];
    if (column !== undefined) open.columns.push(column);
    if (!text.startsWith(")")) return;
    this.#created.set(open.table, open.columns);
    this.#create = undefined;
  }

  *#copied({ table, columns }: Open, row: number, text: string): Generator<TableRow> {
    if (text === "\\.") this.#copy = undefined;
    else yield this.#rowOf(table, columns, row, text.split("\t").map(unescaped));
  }

  *#inserted(row: number, text: string): Generator<TableRow> {
    const open = this.#insert;
    if (!open) return;
    if (open.text === "") open.row = row;
    open.text += text;
    // A quote within a string is written twice.
    if (text.split("'").length % 2 === 0) open.isInString = !open.isInString;
    if (open.isInString || !/[,;]\s*$/.test(text)) return;
    for (const cells of tuplesIn(open.text)) yield this.#rowOf(open.table, open.columns, open.row, cells);
    if (text.trimEnd().endsWith(";")) this.#insert = undefined;
    else open.text = "";
  }

  #rowOf(table: string, columns: string[], row: number, cells: (string | undefined)[]): TableRow {
    const named = Object.fromEntries(columns.map((column, n) => [column, cells[n]]));
    return { place: { file: this.#file, row }, table, cells: named };
  }
}

/** The rows of all tables of a dump in UTF-8, in its order. */
export async function* tableRows(
  file: string,
  stream: NodeJS.ReadableStream,
): AsyncGenerator<TableRow | Problem, void, undefined> {
  const dump = new Dump(file);
  for await (const { row, text, isCut } of linesOf(stream)) {
    if (isCut) yield { place: { file, row }, field: "row", what: "is too long: left out" };
    else yield* dump.rows(row, text);
  }
}
