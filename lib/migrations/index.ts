import { mergeAccess, type TableAccess, withFence } from "../table/access.ts";
import { statusLists } from "./4-status-lists.ts";
import { peopleRows } from "./5-people.ts";
import { follows } from "./6-follows.ts";
import { groups } from "./7-groups.ts";
import type { Migration } from "./migration.ts";

/** The version of a table before all migrations. Tables of versions 1 to 3 are older than the first release. */
export const FIRST_VERSION = 4;

/** All migrations: each brings the table from a version to the next one. Only add to the end. */
export const migrations: readonly Migration[] = [statusLists, peopleRows, follows, groups];

export function migrationFrom(version: number): Migration | undefined {
  return migrations[version - FIRST_VERSION];
}

export function newestVersion(): number {
  return FIRST_VERSION + migrations.length;
}

/** What migrations, and the record of their progress, do to which key families. */
export function accessOf(list: readonly Migration[]): TableAccess {
  // Progress is stored by migrations only.
  const model: TableAccess = { MODEL: list.length > 0 ? ["get", "put"] : ["get"] };
  return withFence(mergeAccess([model, ...list.map(({ table }) => table)]));
}
