import type { Place, Problem } from "./form.ts";
import { linesOf } from "./lines.ts";

// A plain dump of PostgreSQL: COPY blocks, or INSERT statements (pg_dump --inserts, --column-inserts).

/** A row of a table; a cell without a value is undefined. Tables of one name differ by their schema or database. */
export type TableRow = { place: Place; schema: string; table: string; cells: Record<string, string | undefined> };

const IDENTIFIER = String.raw`"(?:[^"]|"")+"|[^\s".,()]+`;
const NAME = `(?:(${IDENTIFIER})\\.)?(${IDENTIFIER})`;
const COPY = new RegExp(`^COPY ${NAME} (?:\\((.*)\\) )?FROM stdin;$`, "i");
const CREATE = new RegExp(`^CREATE (?:UNLOGGED |FOREIGN )?TABLE (?:IF NOT EXISTS )?${NAME} \\($`);
const OVERRIDING = String.raw`(?:OVERRIDING (?:SYSTEM|USER) VALUE\s+)?`;
const INSERT = new RegExp(`^INSERT INTO ${NAME}\\s*(?:\\(([^)]*)\\)\\s*)?${OVERRIDING}VALUES\\s*(.*)$`, "is");
const COLUMN = new RegExp(String.raw`^\s+(?!CONSTRAINT\s)(${IDENTIFIER})\s`);
// A dump of all databases goes from one to the next.
const CONNECT = /^\\connect (?:-\S+ )*(\S+)/;

const ESCAPES: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

function unescaped(cell: string): string | undefined {
  if (cell === "\\N") return undefined;
  return cell.replace(/\\([0-7]{1,3}|x[\da-f]{1,2}|.)/gis, (_, code: string) => {
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    if (/^x./i.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return ESCAPES[code] ?? code;
  });
}

/** A name as it is, without the quotes that names with capital letters have. */
function nameOf(identifier: string): string {
  return identifier.startsWith('"') ? identifier.slice(1, -1).replaceAll('""', '"') : identifier;
}

const IDENTIFIERS = new RegExp(IDENTIFIER, "g");

function columnsIn(list: string): string[] {
  return (list.match(IDENTIFIERS) ?? []).map(nameOf);
}

// A string, whose type may follow, or a word such as NULL or 1.5, and what ends it.
const TYPE = String.raw`::(?:[\w. ]|"[^"]*")+(?:\([\d, ]+\)[\w ]*)?(?:\[\])?`;
const VALUE = new RegExp(String.raw`\s*(?:(E)?'([^']*(?:''[^']*)*)'|([^\s',():]+))(?:${TYPE})?\s*([,)])`, "iy");

function cellIn([, hasEscapes, quoted, bare]: RegExpExecArray): string | undefined {
  const text = quoted?.replaceAll("''", "'");
  if (text !== undefined) return hasEscapes === undefined ? text : unescaped(text);
  return /^(NULL|DEFAULT)$/i.test(bare ?? "") ? undefined : bare;
}

// The start of a row of a VALUES list: the first one, or a further one behind a comma.
const ROW = /\s*,?\s*\(/y;

/** The rows of a VALUES list, each with its cells; `undefined` for one that cannot be read, which is the last. */
function* tuplesIn(text: string): Generator<(string | undefined)[] | undefined> {
  for (let at = 0; ; at = VALUE.lastIndex) {
    ROW.lastIndex = at;
    if (!ROW.test(text)) return;
    const cells: (string | undefined)[] = [];
    VALUE.lastIndex = ROW.lastIndex;
    for (let end = ","; end === ","; ) {
      const found = VALUE.exec(text);
      if (!found) return yield undefined;
      cells.push(cellIn(found));
      end = found[4] ?? "";
    }
    yield cells;
  }
}

type Open = { schema: string; table: string; columns: string[] };

/** Reads a dump line by line. */
class Dump {
  readonly #file: string;
  /** The columns of the tables that the dump creates: an INSERT statement need not name them. */
  readonly #created = new Map<string, string[]>();
  #database = "";
  #create: Open | undefined;
  #copy: Open | undefined;
  #insert: (Open & { row: number; text: string; isInString: boolean }) | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  *rows(row: number, text: string): Generator<TableRow | Problem> {
    if (this.#copy) yield* this.#copied(this.#copy, row, text);
    else if (this.#insert) yield* this.#inserted(row, `\n${text}`);
    else if (this.#create) this.#addColumn(this.#create, text);
    else yield* this.#begin(row, text);
  }

  *#begin(row: number, text: string): Generator<TableRow | Problem> {
    const copied = COPY.exec(text);
    const created = CREATE.exec(text);
    const inserted = INSERT.exec(text);
    if (copied) this.#copy = this.#open(copied, row);
    if (created) this.#create = { ...this.#named(created), columns: [] };
    if (inserted) {
      this.#insert = { ...this.#open(inserted, row), row, text: "", isInString: false };
      yield* this.#inserted(row, inserted[4] ?? "");
    }
    this.#database = nameOf(CONNECT.exec(text)?.[1] ?? this.#database);
  }

  #named([, schema = "public", table = ""]: RegExpExecArray): { schema: string; table: string } {
    const inDatabase = this.#database === "" ? "" : `${this.#database}.`;
    return { schema: inDatabase + nameOf(schema), table: nameOf(table) };
  }

  /** The table of a statement, with the columns that it names, or else those that the dump created. */
  #open(statement: RegExpExecArray, row: number): Open {
    const named = this.#named(statement);
    const [, , , list] = statement;
    const columns = list === undefined ? this.#created.get(`${named.schema}.${named.table}`) : columnsIn(list);
    if (!columns) throw new Error(`${this.#file}, row ${row}: the columns are not named: dump with --column-inserts`);
    return { ...named, columns };
  }

  #addColumn(open: Open, text: string): void {
    const column = COLUMN.exec(text)?.[1];
    if (column !== undefined) open.columns.push(nameOf(column));
    if (!text.startsWith(")")) return;
    this.#created.set(`${open.schema}.${open.table}`, open.columns);
    this.#create = undefined;
  }

  *#copied(open: Open, row: number, text: string): Generator<TableRow> {
    if (text === "\\.") this.#copy = undefined;
    else yield this.#rowOf(open, row, text.split("\t").map(unescaped));
  }

  *#inserted(row: number, text: string): Generator<TableRow | Problem> {
    const open = this.#insert;
    if (!open) return;
    if (open.text === "") open.row = row;
    open.text += text;
    // A quote within a string is written twice.
    if (text.split("'").length % 2 === 0) open.isInString = !open.isInString;
    if (open.isInString || !/[,;]\s*$/.test(text)) return;
    const isLast = text.trimEnd().endsWith(";");
    const tuples = [...tuplesIn(open.text)];
    // A row may end in a further line.
    if (tuples.includes(undefined) && !isLast) return;
    for (const cells of tuples) {
      if (cells) yield this.#rowOf(open, open.row, cells);
      else yield this.#problem(open, open.row, "has a row that cannot be read: left out to the end of the statement");
    }
    open.text = "";
    if (isLast) this.#insert = undefined;
  }

  /** What is wrong at the end of the file. */
  *end(row: number): Generator<Problem> {
    const open = this.#copy ?? this.#insert;
    if (open) yield this.#problem(open, row, "is not whole: the file ends within it, so dump it once more");
  }

  #problem({ table }: Open, row: number, what: string): Problem {
    return { place: { file: this.#file, row }, field: table, what };
  }

  #rowOf({ schema, table, columns }: Open, row: number, cells: (string | undefined)[]): TableRow {
    const named = Object.fromEntries(columns.map((column, n) => [column, cells[n]]));
    return { place: { file: this.#file, row }, schema, table, cells: named };
  }
}

/** Sees that a portal is alone in a dump: one of all schemas or databases may have the same tables twice. */
export class OneSchema {
  readonly #schemas = new Map<string, string>();

  /** Throws if the table was in another schema before. */
  expect({ place: { file }, schema, table }: TableRow): void {
    const first = this.#schemas.get(table) ?? schema;
    if (first !== schema)
      throw new Error(`${file} has the table ${table} in ${first} and in ${schema}: dump only one (pg_dump --schema)`);
    this.#schemas.set(table, first);
  }
}

/** The rows of all tables of a dump in UTF-8, in its order. */
export async function* tableRows(
  file: string,
  stream: NodeJS.ReadableStream,
): AsyncGenerator<TableRow | Problem, void, undefined> {
  const dump = new Dump(file);
  let last = 0;
  for await (const { row, text, isCut } of linesOf(stream)) {
    last = row;
    if (isCut) yield { place: { file, row }, field: "row", what: "is too long: left out" };
    else yield* dump.rows(row, text);
  }
  yield* dump.end(last);
}
