import { Readable } from "node:stream";
import { type CsvError, parse } from "csv-parse";
import { textOfCell } from "../../../lib/moving/cells.ts";
import type { Place } from "./form.ts";
import { LONGEST_LINE } from "./lines.ts";

/**
 * A record of a sheet: its cells by the names in the first row, in lower case with `_` for blanks, and the headings as
 * they stand there. `unheaded` are the cells without a heading that have a value.
 */
export type SheetRow = {
  place: Place;
  cells: Record<string, string>;
  headings: Record<string, string>;
  unheaded: string[];
};

/** An `E-Mail` is an `email`. */
function nameOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_")
    .replace(/(?<![a-z])e_mail/g, "email");
}

/** What separates cells: programs for sheets write a semicolon where a comma stands in numbers. */
const DELIMITERS = [",", ";", "\t"];

/** What separates the cells of a first line: what stands there most often, outside of quotes. */
function delimiterOf(line: string): string {
  const bare = line.replace(/"[^"]*"/g, "");
  const [most = ","] = DELIMITERS.toSorted((a, b) => bare.split(b).length - bare.split(a).length);
  return most;
}

// Excel understands, and may write, a line such as `sep=;` above the headings. It does not count as a row.
const SEPARATOR_LINE = /^\ufeff?sep=(.)\r?\n/i;

type Column = { name: string; heading: string };

/** The columns of a first row. A second one of a name is another column, which nothing reads. */
function readHeadings(first: string[]): Column[] {
  const seen = new Set<string>();
  return first.map((cell, n) => {
    const name = nameOf(cell);
    const heading = cell.trim();
    const isSecond = name !== "" && seen.has(name);
    seen.add(name);
    return isSecond ? { name: `${name} ${n}`, heading: `a second ${heading}` } : { name, heading };
  });
}

/** The cells of a record by their columns, and those without a heading that have a value. */
function readCells(record: string[], columns: Column[]): Pick<SheetRow, "cells" | "unheaded"> {
  const cells: Record<string, string> = {};
  const unheaded: string[] = [];
  for (const [n, cell] of record.entries()) {
    const name = columns[n]?.name;
    if (name) cells[name] = cell;
    else if (cell !== "") unheaded.push(cell);
  }
  return { cells, unheaded };
}

type Sheet = { delimiter: string; text: NodeJS.ReadableStream };

/** Reads the first line of a sheet, which says what separates its cells. */
async function openSheet(stream: NodeJS.ReadableStream): Promise<Sheet> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let start: Buffer = Buffer.alloc(0);
  while (!start.includes("\n") && start.length < LONGEST_LINE) {
    const { value, done } = await chunks.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const text = start.toString("latin1");
  const [line = "", separator] = SEPARATOR_LINE.exec(text.replace(/^\u00ef\u00bb\u00bf/, "\ufeff")) ?? [];
  async function* whole(): AsyncGenerator<Buffer, void, undefined> {
    yield line === "" ? start : start.subarray(start.indexOf("\n") + 1);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  return { delimiter: separator ?? delimiterOf(text.split("\n", 1)[0] ?? ""), text: Readable.from(whole()) };
}

/** Where the parser stopped: how many records stand before that, and the number of the cell that it reached. */
type SheetError = CsvError & { records: number; column: number };

/** In words why a sheet cannot be read on. */
function reasonOf(file: string, { code, records, column, message }: SheetError, headings: string[] = []): Error {
  if (code !== "CSV_MAX_RECORD_SIZE")
    return new Error(`${file} is no sheet behind row ${Math.max(records, 1)}: ${message}`);
  const most = `more than ${LONGEST_LINE.toLocaleString("en")} bytes`;
  const cell = readHeadings(headings)[column]?.heading || column + 1;
  const advice = `shorten its cell ${cell}, or close the quote with which that begins`;
  return new Error(`${file}, row ${records + 1} has ${most}: ${advice}`);
}

/**
 * The records of a sheet in UTF-8, with or without a byte order mark, whose cells end in a comma, a semicolon or a tab,
 * and whose lines end in LF or CR LF. The place of a record is the row in which a program for sheets shows it. Rows
 * without a value are passed over.
 */
export async function* sheetRows(
  file: string,
  stream: NodeJS.ReadableStream,
): AsyncGenerator<SheetRow, void, undefined> {
  const { delimiter, text } = await openSheet(stream);
  let first: string[] | undefined;
  const parser = parse({
    bom: true,
    cast: textOfCell,
    delimiter,
    max_record_size: LONGEST_LINE,
    // An error of the parser may come here before the rows that stand above it.
    on_record: (record: string[]) => {
      first ??= record;
      return record;
    },
    relax_column_count: true,
    relax_quotes: true,
  });
  text.on("error", (error) => parser.destroy(error));
  text.pipe(parser);
  let row = 0;
  let columns: Column[] = [];
  let headings: Record<string, string> = {};
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      row++;
      if (row === 1) {
        columns = readHeadings(record);
        const headed = columns.filter(({ name }) => name !== "");
        headings = Object.fromEntries(headed.map(({ name, heading }) => [name, heading]));
      } else if (record.some((cell) => cell !== "")) {
        yield { place: { file, row }, headings, ...readCells(record, columns) };
      }
    }
  } catch (error) {
    throw (error as SheetError).code?.startsWith("CSV_") ? reasonOf(file, error as SheetError, first) : error;
  }
}
