// Units as DynamoDB charges them: a read unit for each begun 4 KB, a write unit for each begun KB.

const READ_UNIT = 4096;
const WRITE_UNIT = 1024;

/** Read units for so many bytes; half of them without strong consistency, twice as many in a transaction. */
export function readUnits(bytes: number, kind: "strong" | "eventual" | "transaction"): number {
  const units = Math.max(1, Math.ceil(bytes / READ_UNIT));
  if (kind === "strong") return units;
  return kind === "eventual" ? units / 2 : units * 2;
}

/** Write units for an item: its larger size before and after counts; twice as many in a transaction. */
export function writeUnits(before: number, after: number, inTransaction: boolean): number {
  return Math.max(1, Math.ceil(Math.max(before, after) / WRITE_UNIT)) * (inTransaction ? 2 : 1);
}

/** What `ReturnConsumedCapacity` asks for. */
export function consumed(wanted: unknown, table: string, units: number, more: object = {}): object {
  return wanted === "TOTAL" || wanted === "INDEXES"
    ? {
        ConsumedCapacity: {
          TableName: table,
          CapacityUnits: units,
          ...more,
          ...(wanted === "INDEXES" && { Table: { CapacityUnits: units } }),
        },
      }
    : {};
}
