import { type CsvError, parse } from "csv-parse";
import type { Place } from "./form.ts";
import { LONGEST_LINE } from "./lines.ts";

/** A record of a sheet: its cells by the names in the first row, in lower case with `_` for blanks. */
export type SheetRow = { place: Place; cells: Record<string, string> };

function nameOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

/**
 * The records of a sheet in UTF-8, with or without a byte order mark, whose lines end in LF or CR LF. The place of a
 * record is the row in which a program for sheets shows it.
 */
export async function* sheetRows(
  file: string,
  stream: NodeJS.ReadableStream,
): AsyncGenerator<SheetRow, void, undefined> {
  const parser = parse({
    bom: true,
    columns: (headings: string[]) => headings.map(nameOf),
    max_record_size: LONGEST_LINE,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  stream.on("error", (error) => parser.destroy(error));
  stream.pipe(parser);
  let row = 1;
  try {
    for await (const cells of parser) {
      row++;
      yield { place: { file, row }, cells: cells as Record<string, string> };
    }
  } catch (error) {
    const { code, message } = error as CsvError;
    if (!code?.startsWith("CSV_")) throw error;
    throw new Error(`${file} is no sheet behind row ${row}: ${message}`);
  }
}
