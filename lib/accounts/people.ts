import * as z from "zod/mini";
import { key, personIn } from "../table/keys.ts";
import { type Part, put, remove } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { getFirst, getMany } from "../table/reads.ts";
import { folded } from "../values/words.ts";
import { type Group, groupOf, type Role } from "./roles.ts";

// An account is found by the start of its address, of its name and of its last name: it has a row for each of them. Who
// is in the team or suspended has one more.

type Named = { name: string; email: string };

/** The most rows that a search finds of an account. */
const MOST_ROWS = 3;

// In characters. An address may have 254, and a letter may fold into several.
const LONGEST_TEXT = 100;

function searchedForm(text: string): string {
  const spaced = folded(text).split(/\s+/).join(" ").trim();
  return [...spaced].slice(0, LONGEST_TEXT).join("");
}

function textsOf({ name, email }: Named): string[] {
  const whole = searchedForm(name);
  const lastName = whole.slice(whole.lastIndexOf(" ") + 1);
  return [...new Set([searchedForm(email), whole, lastName])].filter((text) => text !== "");
}

/** The text of the rows of a group. No name and no search begins like it: they lose the blanks around them. */
export function textOf(group: Group): string {
  return ` ${group}`;
}

/** The key of the row by which an account of a group is listed. */
export function groupRow(group: Group, userId: string) {
  return key.personRow(textOf(group), userId);
}

/** The keys of the rows by which an account is found. */
export function nameKeys(userId: string, user: Named) {
  return textsOf(user).map((text) => key.personRow(text, userId));
}

/** The keys of all rows of an account: also of the one by which it is listed. */
export function personKeys(userId: string, user: Named & { role: Role }) {
  const group = groupOf(user.role);
  return [...nameKeys(userId, user), ...(group ? [groupRow(group, userId)] : [])];
}

/** The parts that take an account from the group of a role to the one of another role. */
export function groupParts(userId: string, before: Role, after: Role): Record<string, Part> {
  const left = groupOf(before);
  const entered = groupOf(after);
  if (left === entered) return {};
  return {
    ...(left && { left: remove(groupRow(left, userId)) }),
    ...(entered && { entered: put(groupRow(entered, userId), {}) }),
  };
}

/** The parts that change the rows of the names of an account; without `before` it is new. */
export function personParts(userId: string, before: Named | undefined, after: Named): Record<string, Part> {
  const former = before ? textsOf(before) : [];
  const present = textsOf(after);
  const gone = former.filter((text) => !present.includes(text));
  const added = present.filter((text) => !former.includes(text));
  return Object.fromEntries([
    ...gone.map((text, n) => [`former row ${n}`, remove(key.personRow(text, userId))]),
    ...added.map((text, n) => [`row ${n}`, put(key.personRow(text, userId), {})]),
  ]);
}

/** How many accounts a search finds at most. */
const MOST_FOUND = 50;

const Row = z.pipe(
  z.object({ sk: z.string() }),
  z.transform(({ sk }) => personIn(sk)),
);

/** The accounts of which a text begins like the words, by the alphabet, each once. */
export async function idsOf(words: string): Promise<string[]> {
  const start = searchedForm(words);
  if (start === "") return [];
  const { items } = await getFirst(range.peopleRows(start), Row, MOST_FOUND * MOST_ROWS);
  return [...new Set(items)].slice(0, MOST_FOUND);
}

/** The ones of some accounts that are in a group, in the same order. */
export async function thoseIn(group: Group, userIds: string[]): Promise<string[]> {
  const rows = await getMany(
    userIds.map((userId) => groupRow(group, userId)),
    Row,
  );
  return userIds.filter((userId) => rows.includes(userId));
}
