import fc from "fast-check";
import type { Command } from "./engines.ts";

// Commands for the model and the engines: few keys and few attribute names, so that they meet; values of all types
// under all names, so that some changes do not fit. Expressions have every form that the model knows.

const TABLE = "table";

const number = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -3, max: 6 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom("1000", "-7000", "12345678901234567890123456789012345678", "9".repeat(38)) },
);

const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("", "a", "b", "ab", "abc", "ba") },
  { weight: 1, arbitrary: fc.constantFrom("ä", "\u{1f600}", "\uff61", "x".repeat(50)) },
);

const members = fc.constantFrom("a", "b", "c");

const set = fc.uniqueArray(members, { minLength: 1, maxLength: 3 }).map((texts) => ({ SS: texts }));

const value: fc.Arbitrary<object> = fc.letrec<{ value: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 4, arbitrary: fc.record({ N: number }) },
    { weight: 4, arbitrary: fc.record({ S: text }) },
    { weight: 1, arbitrary: fc.record({ B: fc.constantFrom("", "YQ==", "/w==") }) },
    { weight: 1, arbitrary: fc.record({ BOOL: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constant({ NULL: true }) },
    { weight: 1, arbitrary: set },
    { weight: 2, arbitrary: fc.record({ L: fc.array(tie("value"), { maxLength: 4 }) }) },
    { weight: 3, arbitrary: fc.record({ M: fc.dictionary(members, tie("value"), { maxKeys: 3 }) }) },
  ),
})).value;

const attribute = fc.constantFrom("n", "s", "m", "x", "count", "set");

// Mostly of the type that the name says.
const attributes = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      {
        n: fc.record({ N: number }),
        s: fc.record({ S: text }),
        m: fc.record({ M: fc.dictionary(members, value, { maxKeys: 3 }) }),
        count: fc.record({ N: number }),
        set,
      },
      { requiredKeys: ["n", "m"] },
    ),
  },
  { weight: 1, arbitrary: fc.dictionary(attribute, value, { maxKeys: 5 }) },
);

// Most commands meet one of two items.
const partition = fc.constantFrom("p", "p", "p", "q");
const sort = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("a", "b") },
  { weight: 2, arbitrary: fc.constantFrom("bb", "c", "ä", "\u{1f600}", "\uff61") },
);
const key = fc.record({ pk: partition.map((S) => ({ S })), sk: sort.map((S) => ({ S })) });

/** An expression under construction: its text, and the meaning of its placeholders. */
type Draft = { text: string; names: Record<string, string>; values: Record<string, object> };

function join(drafts: Draft[], write: (...texts: string[]) => string): Draft {
  return {
    text: write(...drafts.map(({ text }) => text)),
    names: Object.assign({}, ...drafts.map(({ names }) => names)),
    values: Object.assign({}, ...drafts.map(({ values }) => values)),
  };
}

function pathTo(name: string, member?: string): Draft {
  const names = { [`#${name}`]: name, ...(member !== undefined && { [`#${member}`]: member }) };
  return { text: Object.keys(names).join("."), names, values: {} };
}

// Mostly of the type that fits.
const numberPath = fc.constantFrom("n", "count").map((name) => pathTo(name));
const topPath = attribute.map((name) => pathTo(name));
const path = fc.oneof(
  { weight: 4, arbitrary: topPath },
  { weight: 4, arbitrary: members.map((member) => pathTo("m", member)) },
  { weight: 1, arbitrary: fc.tuple(attribute, members).map(([name, member]) => pathTo(name, member)) },
);

// Placeholders are named after their contents, so that one name never means two values.
const placeholders = new Map<string, string>();

function valueDraft(given: object): Draft {
  const json = JSON.stringify(given);
  const placeholder = placeholders.get(json) ?? `:v${placeholders.size}`;
  placeholders.set(json, placeholder);
  return { text: placeholder, names: {}, values: { [placeholder]: given } };
}

const literal = value.map(valueDraft);
const numeral = fc.record({ N: number }).map(valueDraft);
const texts = set.map(valueDraft);
const setPath = fc.oneof({ weight: 6, arbitrary: fc.constant(pathTo("set")) }, { weight: 1, arbitrary: topPath });
const size = fc.constantFrom("m", "set").map((name) => ({ ...pathTo(name), text: `size(#${name})` }));
const ordered = fc.oneof(fc.record({ N: number }), fc.record({ S: text })).map(valueDraft);

function comparison(left: fc.Arbitrary<Draft>, signs: string[], right: fc.Arbitrary<Draft>) {
  return fc
    .tuple(left, fc.constantFrom(...signs), right)
    .map(([a, sign, b]) => join([a, b], (one, other) => `${one} ${sign} ${other}`));
}

const simple = fc.oneof(
  { weight: 1, arbitrary: comparison(path, ["="], literal) },
  { weight: 3, arbitrary: comparison(numberPath, ["=", "<", "<=", ">=", ">"], numeral) },
  { weight: 1, arbitrary: comparison(path, ["<", "<=", ">=", ">"], ordered) },
  { weight: 1, arbitrary: comparison(size, ["=", "<=", ">"], numeral) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom("attribute_exists", "attribute_not_exists"), path)
      .map(([name, draft]) => ({ ...draft, text: `${name}(${draft.text})` })),
  },
);

const condition: fc.Arbitrary<Draft> = fc.letrec<{ condition: Draft }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 6, arbitrary: simple },
    {
      weight: 4,
      arbitrary: fc
        .tuple(simple, fc.constantFrom("AND", "OR"), tie("condition"), fc.constantFrom("AND", "OR"), simple)
        .map(([a, one, b, other, c]) => join([a, b, c], (x, y, z) => `${x} ${one} (${y}) ${other} ${z}`)),
    },
  ),
})).condition;

/** A change of an update: the clause that it belongs to, and its text there. */
type Change = { clause: "SET" | "REMOVE" | "ADD" | "DELETE"; path: Draft; draft: Draft };

const changes: fc.Arbitrary<Change>[] = [
  fc.tuple(path, literal).map(([path, value]) => ({
    clause: "SET",
    path,
    draft: join([path, value], (to, from) => `${to} = ${from}`),
  })),
  topPath.map((path) => ({ clause: "REMOVE", path, draft: path })),
  path.map((path) => ({ clause: "REMOVE", path, draft: path })),
  fc.tuple(fc.oneof({ weight: 4, arbitrary: numberPath }, path), numeral).map(([path, value]) => ({
    clause: "ADD",
    path,
    draft: join([path, value], (to, n) => `${to} ${n}`),
  })),
  fc.tuple(fc.constantFrom("ADD", "DELETE"), setPath, texts).map(([clause, path, value]) => ({
    clause,
    path,
    draft: join([path, value], (of, some) => `${of} ${some}`),
  })),
];

const update = fc
  .uniqueArray(fc.oneof(...changes), { minLength: 1, maxLength: 3, selector: ({ path }) => path.text })
  .map((all) => {
    const clauses = Map.groupBy(all, ({ clause }) => clause);
    const drafts = [...clauses].map(([clause, of]) =>
      join(
        of.map(({ draft }) => draft),
        (...texts) => `${clause} ${texts.join(", ")}`,
      ),
    );
    return join(drafts, (...texts) => texts.join(" "));
  });

const onFailure = fc.constantFrom({}, { ReturnValuesOnConditionCheckFailure: "ALL_OLD" });
const maybe = fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: condition });

function input(parameters: object, on: object, given: Draft | undefined, others: Draft[] = []) {
  const { names, values } = join(given ? [...others, given] : others, () => "");
  return {
    TableName: TABLE,
    ...parameters,
    ...(given && { ConditionExpression: given.text, ...on }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

const writes = {
  Put: fc
    .tuple(key, attributes, maybe, onFailure)
    .map(([at, item, given, on]) => input({ Item: { ...item, ...at } }, on, given)),
  Update: fc
    .tuple(key, update, maybe, onFailure)
    .map(([Key, change, given, on]) => input({ Key, UpdateExpression: change.text }, on, given, [change])),
  Delete: fc.tuple(key, maybe, onFailure).map(([Key, given, on]) => input({ Key }, on, given)),
  ConditionCheck: fc.tuple(key, condition, onFailure).map(([Key, given, on]) => input({ Key }, on, given)),
};

function single(name: "Put" | "Update" | "Delete") {
  return writes[name].map((parameters): Command => ({ operation: `${name}Item`, input: parameters }));
}

const part = fc
  .constantFrom("Put", "Update", "Update", "Delete", "ConditionCheck")
  .chain((name) => writes[name as keyof typeof writes].map((parameters) => ({ [name]: parameters })));

function target(part: object): string {
  const [{ Key, Item }] = Object.values(part) as [{ Key?: object; Item?: { pk: object; sk: object } }];
  return JSON.stringify(Key ?? { pk: Item?.pk, sk: Item?.sk });
}

const transaction = fc
  .uniqueArray(part, { minLength: 1, maxLength: 4, selector: target })
  .map((TransactItems): Command => ({ operation: "TransactWriteItems", input: { TransactItems } }));

const get = key.map(
  (Key): Command => ({ operation: "GetItem", input: { TableName: TABLE, Key, ConsistentRead: true } }),
);

const batchGet = fc.uniqueArray(key, { minLength: 1, maxLength: 5, selector: (each) => JSON.stringify(each) }).map(
  (Keys): Command => ({
    operation: "BatchGetItem",
    input: { RequestItems: { [TABLE]: { Keys, ConsistentRead: true } } },
  }),
);

// Often the whole partition.
const range = fc.oneof(fc.constant(["a", "\u{1f600}"]), fc.tuple(sort, sort));

const query = fc.tuple(partition, range, fc.option(fc.integer({ min: 1, max: 4 })), fc.boolean(), fc.option(sort)).map(
  ([S, [from, to], Limit, ScanIndexForward, start]): Command => ({
    operation: "Query",
    input: {
      TableName: TABLE,
      ConsistentRead: true,
      KeyConditionExpression: "pk = :p AND sk BETWEEN :s AND :t",
      ExpressionAttributeValues: { ":p": { S }, ":s": { S: from }, ":t": { S: to } },
      ScanIndexForward,
      ...(Limit !== null && { Limit }),
      ...(start !== null && { ExclusiveStartKey: { pk: { S }, sk: { S: start } } }),
    },
  }),
);

export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: single("Put") },
  { weight: 8, arbitrary: single("Update") },
  { weight: 2, arbitrary: single("Delete") },
  { weight: 3, arbitrary: get },
  { weight: 3, arbitrary: query },
  { weight: 1, arbitrary: batchGet },
  { weight: 4, arbitrary: transaction },
);
