import type { Head, OwnRow } from "./form.ts";
import { secretFields } from "./secret-fields.ts";

/** The first line of an export. */
export function headLine(withCredentials: boolean): string {
  const head: Head = { kind: "export", version: 1, ...(withCredentials && { credentials: true }) };
  return `${JSON.stringify(head)}\n`;
}

/** The line of a row. Without credentials it leaves out also who is of the team. */
export function lineOf(row: OwnRow, withCredentials: boolean): string {
  const text = JSON.stringify(row, (field, value) => (!withCredentials && secretFields.has(field) ? undefined : value));
  return `${text}\n`;
}
