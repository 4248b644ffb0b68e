import type { AuditEntry, ChangedValue } from "../http/resources/audit.ts";
import { cellOf } from "./cells.ts";

// Records of the audit log as rows of a sheet, or as lines for programs.

const COLUMNS = [
  "createdAt",
  "action",
  "by",
  "byName",
  "role",
  "key",
  "item",
  "itemName",
  "account",
  "accountName",
  "to",
  "toName",
  "changed",
  "recordId",
  "values",
] as const satisfies (keyof AuditEntry)[];

/** A changed value, such as "roadmapId: Later > Next", by the names that there still are. */
function valueText({ field, from, fromName, to, toName }: ChangedValue): string {
  return `${field}: ${fromName ?? from ?? ""} > ${toName ?? to ?? ""}`;
}

function rowOf({ values = [], ...entry }: AuditEntry): string {
  const cells = { ...entry, values: values.map(valueText).join("; ") };
  return COLUMNS.map((column) => cellOf([cells[column] ?? ""].flat().join(" "))).join(",");
}

export const auditFormats = ["csv", "jsonl"] as const;

/** The text of a page; the first page of a sheet begins with the names of its columns. */
export function auditText(entries: AuditEntry[], format: (typeof auditFormats)[number], isFirst: boolean): string {
  if (format === "jsonl") return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  const rows = entries.map(rowOf);
  return [...(isFirst ? [COLUMNS.join(",")] : []), ...rows].map((row) => `${row}\r\n`).join("");
}
