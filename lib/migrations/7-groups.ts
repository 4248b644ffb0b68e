import * as z from "zod/mini";
import { groupRow } from "../accounts/people.ts";
import { groupOf, Role } from "../accounts/roles.ts";
import { stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { check, put } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get } from "../table/reads.ts";
import type { Migration, StoredItem, Transaction } from "./migration.ts";

// Accounts of the team and suspended ones get the rows by which they are listed.

const Ranked = z.object({ role: Role });

async function missingRow({ sk: userId }: StoredItem): Promise<Transaction[]> {
  const user = await get(key.user(userId), Ranked);
  const group = user && groupOf(user.role);
  if (!group) return [];
  return [{ user: check(key.user(userId), stillHas(user)), row: put(groupRow(group, userId), {}) }];
}

export const groups: Migration = {
  title: "list the team and suspended accounts",
  table: { USERS: ["query"], USER: ["get", "check"], PEOPLE: ["put"] },
  walks: [{ range: range.userRows(), change: missingRow }],
};
