import * as z from "zod/mini";
import { nameKeys } from "../accounts/people.ts";
import { stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { check, put } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get } from "../table/reads.ts";
import type { Migration, StoredItem, Transaction } from "./migration.ts";

// Accounts get the rows by which they are found.

const AnyItem = z.looseObject({});
const Named = z.object({ name: z.string(), email: z.string() });

async function missingRows({ sk: userId }: StoredItem): Promise<Transaction[]> {
  const user = await get(key.user(userId), Named);
  if (!user) return [];
  const rows = nameKeys(userId, user);
  const stored = await Promise.all(rows.map((row) => get(row, AnyItem)));
  const missing = rows.filter((_, n) => !stored[n]);
  if (missing.length === 0) return [];
  const parts = missing.map((row, n) => [`row ${n}`, put(row, {})]);
  return [
    { user: check(key.user(userId), stillHas({ name: user.name, email: user.email })), ...Object.fromEntries(parts) },
  ];
}

export const peopleRows: Migration = {
  title: "find people by name and address",
  table: { USERS: ["query"], USER: ["get", "check"], PEOPLE: ["get", "put"] },
  walks: [{ range: range.userRows(), change: missingRows }],
};
