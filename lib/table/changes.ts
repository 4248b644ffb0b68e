import type { Key } from "./keys.ts";
import { type Attributes, type Condition, type Part, remove, update } from "./parts.ts";
import { type Update, updateAlone } from "./single-writes.ts";
import { EXPIRY_ATTRIBUTE, nowInSeconds } from "./table-shape.ts";

// A change of a stored item writes the fields that differ, on condition that the item has not changed since the read.
// In every change a field that is absent stays, and a field that is undefined is removed. `changeIn`
// (lib/http/inputs.ts) makes a change from a body.

/** Compares as JSON: the order of fields counts, and a field that is undefined equals an absent one. */
export function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The given fields whose values differ from the stored ones. An undefined field equals an absent one. */
export function differences<T extends object>(stored: T, given: Partial<T>): Partial<T> {
  const changed = Object.entries(given).filter(([name, value]) => !isEqual(stored[name as keyof T], value));
  return Object.fromEntries(changed) as Partial<T>;
}

/** Whether a change or a set of attributes has no fields. */
export function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}

/** Condition: the item exists and has these values; a field that is undefined must be absent. */
export function stillHas(fields: Attributes): Condition {
  // Not `:name`: a change of the same field has that one beside it.
  const comparisons = Object.entries(fields).map(([name, value]) =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}Before`,
  );
  const values = placeholders(definedIn(fields), (name) => `:${name}Before`);
  return {
    if: ["attribute_exists(pk)", ...comparisons].join(" AND "),
    names: namesOf(fields),
    ...(!isEmpty(values) && { values }),
  };
}

/** A list as items store it: an empty one is absent. */
export function stored<L extends readonly unknown[]>(list: L): L | undefined {
  return list.length > 0 ? list : undefined;
}

const EXISTS: Partial<Condition> = { if: "attribute_exists(pk)" };

/** Part: sets these fields of an item, by default of one that exists; a field that is undefined is removed. */
export function setFields(key: Key, fields: Attributes, condition = EXISTS): Part {
  return update(key, ...setting(fields, condition));
}

/** Does outside of a transaction what a part of `setFields` does in one. */
export function setAlone(key: Key, fields: Attributes, condition = EXISTS): Promise<Update> {
  return updateAlone(key, ...setting(fields, condition));
}

/** Part: removes an item, on condition that it is there and has not expired. */
export function useUp(key: Key): Part {
  return remove(key, {
    if: "attribute_exists(pk) AND #expiry > :now",
    names: { "#expiry": EXPIRY_ATTRIBUTE },
    values: { ":now": nowInSeconds() },
  });
}

function setting(fields: Attributes, condition: Partial<Condition>): [expression: string, Partial<Condition>] {
  const defined = definedIn(fields);
  const set = Object.keys(defined).map((name) => `#${name} = :${name}`);
  const removed = Object.keys(fields).filter((name) => !(name in defined));
  const clauses = [
    ...(set.length > 0 ? [`SET ${set.join(", ")}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(", ")}`] : []),
  ];
  const values = { ...condition.values, ...placeholders(defined, (name) => `:${name}`) };
  const names = { ...condition.names, ...namesOf(fields) };
  return [clauses.join(" "), { ...condition, names, ...(!isEmpty(values) && { values }) }];
}

function definedIn(fields: Attributes): Attributes {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function placeholders(fields: Attributes, rename: (name: string) => string): Attributes {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value]));
}

function namesOf(fields: Attributes): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((name) => [`#${name}`, name]));
}
