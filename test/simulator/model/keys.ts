import { badParameter, badShape, invalid } from "./errors.ts";
import type { Key, Table } from "./table.ts";
import { canonicalValue, type Item, typeOf, type Value } from "./values.ts";

const LONGEST_PARTITION = 2048;
const LONGEST_SORT = 1024;

function checkText(table: Table, name: string, text: string): void {
  if (text === "") {
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  }
  const bytes = Buffer.byteLength(text);
  if (name === table.keys.partition && bytes > LONGEST_PARTITION) {
    throw badParameter(`Size of hashkey has exceeded the maximum size limit of${LONGEST_PARTITION} bytes`);
  }
  if (name === table.keys.sort && bytes > LONGEST_SORT) {
    throw badParameter(`Aggregated size of all range keys has exceeded the size limit of ${LONGEST_SORT} bytes`);
  }
}

/** Reads the parameter that names an item: its two key attributes and nothing else. */
export function keyOf(
  table: Table,
  given: unknown,
  mismatch = "The provided key element does not match the schema",
): Key {
  if (typeof given !== "object" || given === null) {
    throw badShape("Value null at 'key' failed to satisfy constraint: Member must not be null");
  }
  const attributes = given as Record<string, unknown>;
  const text = (name: string): string => {
    const value = name in attributes ? canonicalValue(attributes[name]) : undefined;
    if (!value || !("S" in value)) throw invalid(mismatch);
    checkText(table, name, value.S);
    return value.S;
  };
  if (Object.keys(attributes).length !== 2) throw invalid(mismatch);
  return { partition: text(table.keys.partition), sort: text(table.keys.sort) };
}

/** The key of a whole item that came in. */
export function keyOfItem(table: Table, item: Item): Key {
  const text = (name: string): string => {
    const value = Object.hasOwn(item, name) ? (item[name] as Value) : undefined;
    if (!value) throw badParameter(`Missing the key ${name} in the item`);
    if (!("S" in value)) throw badParameter(`Type mismatch for key ${name} expected: S actual: ${typeOf(value)}`);
    checkText(table, name, value.S);
    return value.S;
  };
  return { partition: text(table.keys.partition), sort: text(table.keys.sort) };
}

/** A key as an answer names it. */
export function keyAttributes({ keys }: Table, { partition, sort }: Key): Item {
  return {
    [keys.partition]: { S: partition },
    [keys.sort]: { S: sort },
  };
}
