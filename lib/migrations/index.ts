import type { TableAccess, Verb } from "../table/access.ts";
import type { Family } from "../table/keys.ts";
import type { Migration } from "./migration.ts";

/** All migrations: the n-th one brings the table from version n - 1 to version n. Only add to the end. */
export const migrations: readonly Migration[] = [];

/** What migrations, and the record of their progress, do to which key families. */
export function accessOf(list: readonly Migration[]): TableAccess {
  // Without a migration there is no progress to store.
  const access: { [F in Family]?: readonly Verb[] } = { MODEL: list.length > 0 ? ["get", "put"] : ["get"] };
  for (const [family, verbs] of list.flatMap(({ table }) => Object.entries(table) as [Family, readonly Verb[]][])) {
    access[family] = [...new Set([...(access[family] ?? []), ...verbs])];
  }
  return access;
}
