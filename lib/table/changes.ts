import type { Key } from "./keys.ts";
import { type Attributes, type Condition, type Part, update } from "./parts.ts";

// How a stored item becomes what it is to be: only what differs is written, on condition that it is still as it was read.

/** Whether two values have the same JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The fields of `wanted` whose values differ from the stored ones. A field that is undefined in `wanted` counts as absent. */
export function differing<T extends object>(stored: T, wanted: Partial<T>): Partial<T> {
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => !isSame(stored[name as keyof T], value)),
  ) as Partial<T>;
}

/** Whether there is nothing to change. */
export function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}

/** Condition: the item exists, and these fields of it have these values; a field that is undefined is absent. */
export function stillHas(fields: Attributes): Condition {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const comparisons = Object.entries(fields).map(([name, value]) =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}AsRead`,
  );
  return {
    if: ["attribute_exists(pk)", ...comparisons].join(" AND "),
    names: namesOf(fields),
    ...(given.length > 0 && { values: Object.fromEntries(given.map(([name, value]) => [`:${name}AsRead`, value])) }),
  };
}

/** Part: sets these fields of an item that exists, or for which a condition holds; a field that is undefined is removed. */
export function setFields(key: Key, fields: Attributes, condition: Condition = { if: "attribute_exists(pk)" }): Part {
  const names = Object.keys(fields);
  const set = names.filter((name) => fields[name] !== undefined);
  const removed = names.filter((name) => fields[name] === undefined);
  const expression = [
    ...(set.length > 0 ? [`SET ${set.map((name) => `#${name} = :${name}`).join(", ")}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(", ")}`] : []),
  ].join(" ");
  const values = { ...condition.values, ...Object.fromEntries(set.map((name) => [`:${name}`, fields[name]])) };
  return update(key, expression, {
    if: condition.if,
    names: { ...condition.names, ...namesOf(fields) },
    ...(!isEmpty(values) && { values }),
  });
}

function namesOf(fields: Attributes): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((name) => [`#${name}`, name]));
}
