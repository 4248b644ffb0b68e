import fc from "fast-check";
import type { Command } from "./engines.ts";

// Commands for the model and the engines: few keys and few attribute names, so that they meet; all types under all names, so that
// what does not fit is asked for too.

const TABLE = "table";

function small(limit: number) {
  return fc.integer({ min: 0, max: limit - 1 });
}

const number = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -9, max: 20 }).map(String) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: -20, max: 20 }))
      .map(([a, e]) => `${a}e${e}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "1.50",
      "0.1",
      "-0",
      "007",
      "12345678901234567890123456789012345678",
      "1E125",
      "-1E-130",
    ),
  },
);

const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("", "a", "b", "ab", "abc", "ba") },
  { weight: 1, arbitrary: fc.constantFrom("ä", "\u{1f600}", "\uff61", "x".repeat(50)) },
);

const bytes = fc.constantFrom("", "YQ==", "YWI=", "/w==");

function setOf<T>(member: fc.Arbitrary<T>) {
  return fc.uniqueArray(member, { minLength: 1, maxLength: 3 });
}

const scalar = fc.oneof(
  { weight: 4, arbitrary: fc.record({ N: number }) },
  { weight: 4, arbitrary: fc.record({ S: text }) },
  { weight: 1, arbitrary: fc.record({ B: bytes }) },
  { weight: 1, arbitrary: fc.record({ BOOL: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ NULL: true }) },
);

const members = fc.constantFrom("a", "b", "c");

const value: fc.Arbitrary<object> = fc.letrec<{ value: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 10, arbitrary: scalar },
    { weight: 1, arbitrary: fc.record({ SS: setOf(text) }) },
    { weight: 1, arbitrary: fc.record({ NS: setOf(fc.integer({ min: 0, max: 5 }).map(String)) }) },
    { weight: 1, arbitrary: fc.record({ BS: setOf(bytes) }) },
    { weight: 3, arbitrary: fc.record({ L: fc.array(tie("value"), { maxLength: 4 }) }) },
    { weight: 3, arbitrary: fc.record({ M: fc.dictionary(members, tie("value"), { maxKeys: 3 }) }) },
  ),
})).value;

// Names that conditions and updates speak of; some need a placeholder.
const attribute = fc.constantFrom("n", "s", "l", "m", "ss", "x", "count", "a.b");

// Mostly of the type that the name says.
const typical = fc.record(
  {
    n: fc.record({ N: number }),
    s: fc.record({ S: text }),
    l: fc.record({ L: fc.array(value, { maxLength: 4 }) }),
    m: fc.record({ M: fc.dictionary(members, value, { maxKeys: 3 }) }),
    ss: fc.record({ SS: setOf(text) }),
    count: fc.record({ N: number }),
  },
  { requiredKeys: ["n", "l"] },
);

const attributes = fc.oneof(
  { weight: 3, arbitrary: typical },
  { weight: 1, arbitrary: fc.dictionary(attribute, value, { maxKeys: 6 }) },
);

// Most commands meet one of two items.
const partition = fc.constantFrom("p", "p", "p", "q");
const sort = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("a", "b") },
  { weight: 2, arbitrary: fc.constantFrom("bb", "c", "ä", "\u{1f600}", "\uff61") },
);
const key = fc.record({ pk: partition.map((S) => ({ S })), sk: sort.map((S) => ({ S })) });

/** An expression under construction: its text, and what its placeholders mean. */
type Draft = { text: string; names: Record<string, string>; values: Record<string, object> };

function join(drafts: Draft[], text: (texts: string[]) => string): Draft {
  return {
    text: text(drafts.map((draft) => draft.text)),
    names: Object.assign({}, ...drafts.map(({ names }) => names)),
    values: Object.assign({}, ...drafts.map(({ values }) => values)),
  };
}

const BARE = /^[a-z]+$/;
const RESERVED = new Set(["count"]);

function nameDraft(name: string): Draft {
  if (BARE.test(name) && !RESERVED.has(name)) return { text: name, names: {}, values: {} };
  const placeholder = `#${name.replace(/\W/g, "_")}`;
  return { text: placeholder, names: { [placeholder]: name }, values: {} };
}

const step = fc.oneof(
  members.map((name) => `.${name}`),
  small(5).map((index) => `[${index}]`),
);

const path: fc.Arbitrary<Draft> = fc
  .tuple(
    attribute.map(nameDraft),
    fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(step, { minLength: 1, maxLength: 2 })),
  )
  .map(([draft, steps]) => ({ ...draft, text: draft.text + steps.join("") }));

const keyPath = fc.constantFrom("pk", "sk").map((text): Draft => ({ text, names: {}, values: {} }));

// Placeholders are named after what they hold, so that one name never means two values.
const placeholders = new Map<string, string>();

function valueDraft(given: object): Draft {
  const json = JSON.stringify(given);
  const placeholder = placeholders.get(json) ?? `:v${placeholders.size}`;
  placeholders.set(json, placeholder);
  return { text: placeholder, names: {}, values: { [placeholder]: given } };
}

const literal = value.map(valueDraft);

const operand = fc.oneof(
  { weight: 4, arbitrary: path },
  { weight: 4, arbitrary: literal },
  { weight: 1, arbitrary: path.map((draft) => ({ ...draft, text: `size(${draft.text})` })) },
  { weight: 1, arbitrary: keyPath },
);

// What has an order, but for a few.
const ordered = fc.oneof(
  { weight: 12, arbitrary: path },
  { weight: 12, arbitrary: fc.oneof(fc.record({ N: number }), fc.record({ S: text })).map(valueDraft) },
  { weight: 1, arbitrary: operand },
);

function comparison(one: fc.Arbitrary<Draft>, ...signs: string[]) {
  return fc
    .tuple(one, fc.constantFrom(...signs), one)
    .map(([a, sign, b]) => join([a, b], ([left, right]) => `${left} ${sign} ${right}`));
}

const simple = fc.oneof(
  { weight: 3, arbitrary: comparison(operand, "=", "<>") },
  { weight: 4, arbitrary: comparison(ordered, "<", "<=", ">", ">=") },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom("attribute_exists", "attribute_not_exists"), fc.oneof(path, keyPath))
      .map(([name, a]) => ({ ...a, text: `${name}(${a.text})` })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("begins_with", "contains"), fc.oneof(path, keyPath), ordered)
      .map(([name, a, b]) => join([a, b], ([left, right]) => `${name}(${left}, ${right})`)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(path, fc.constantFrom("S", "N", "L", "M", "SS", "NULL"))
      .map(([a, type]) => join([a, valueDraft({ S: type })], ([left, right]) => `attribute_type(${left}, ${right})`)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(ordered, ordered, ordered)
      .map((all) => join(all, ([a, low, high]) => `${a} BETWEEN ${low} AND ${high}`)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(path, fc.array(literal, { minLength: 1, maxLength: 3 }))
      .map(([a, all]) => join([a, ...all], ([left, ...choices]) => `${left} IN (${choices.join(", ")})`)),
  },
);

const condition: fc.Arbitrary<Draft> = fc.letrec<{ condition: Draft }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 6, arbitrary: simple },
    { weight: 1, arbitrary: tie("condition").map((a) => ({ ...a, text: `NOT (${a.text})` })) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(tie("condition"), fc.constantFrom("AND", "OR"), simple)
        .map(([a, word, b]) => join([a, b], ([left, right]) => `(${left}) ${word} ${right}`)),
    },
  ),
})).condition;

function named(...names: string[]) {
  return fc.constantFrom(...names).map(nameDraft);
}
function anyOr(fitting: fc.Arbitrary<Draft>) {
  return fc.oneof({ weight: 2, arbitrary: fitting }, { weight: 1, arbitrary: path });
}

const calculated = fc
  .tuple(anyOr(named("n", "count")), fc.constantFrom("+", "-"), number)
  .map(([a, sign, N]) => join([a, valueDraft({ N })], ([left, right]) => `${left} ${sign} ${right}`));

const appended = fc
  .tuple(anyOr(named("l")), fc.array(scalar, { maxLength: 2 }), fc.boolean())
  .map(([a, L, isFirst]) =>
    join([a, valueDraft({ L })], ([list = "", more = ""]) =>
      isFirst ? `list_append(${list}, ${more})` : `list_append(${more}, ${list})`,
    ),
  );

const term = fc.oneof(
  { weight: 5, arbitrary: literal },
  { weight: 4, arbitrary: path },
  { weight: 2, arbitrary: fc.tuple(path, literal).map((all) => join(all, ([a, b]) => `if_not_exists(${a}, ${b})`)) },
  { weight: 3, arbitrary: calculated },
  { weight: 2, arbitrary: appended },
);

const addend = fc.oneof(
  { weight: 4, arbitrary: fc.record({ N: number }) },
  { weight: 1, arbitrary: fc.record({ SS: setOf(text) }) },
  { weight: 1, arbitrary: fc.record({ NS: setOf(fc.integer({ min: 0, max: 5 }).map(String)) }) },
  { weight: 1, arbitrary: scalar },
);

const subset = fc.oneof(
  { weight: 3, arbitrary: fc.record({ SS: setOf(text) }) },
  { weight: 1, arbitrary: fc.record({ NS: setOf(fc.integer({ min: 0, max: 5 }).map(String)) }) },
);

const place = small(4).map((index): Draft => ({ text: `l[${index}]`, names: {}, values: {} }));

const sections = {
  SET: fc.tuple(path, term).map((all) => join(all, ([a, b]) => `${a} = ${b}`)),
  REMOVE: fc.oneof({ weight: 2, arbitrary: path }, { weight: 1, arbitrary: place }),
  ADD: fc.tuple(path, addend.map(valueDraft)).map((all) => join(all, ([a, b]) => `${a} ${b}`)),
  DELETE: fc.tuple(path, subset.map(valueDraft)).map((all) => join(all, ([a, b]) => `${a} ${b}`)),
};

const section = fc
  .constantFrom("SET", "SET", "SET", "REMOVE", "ADD", "DELETE")
  .chain((name) =>
    fc
      .array(sections[name as keyof typeof sections], { minLength: 1, maxLength: 2 })
      .map((all) => join(all, (texts) => `${name} ${texts.join(", ")}`)),
  );

const update = fc
  .uniqueArray(section, { minLength: 1, maxLength: 2, selector: ({ text: said }) => said.split(" ")[0] })
  .map((all) => join(all, (texts) => texts.join(" ")));

function withPlaceholders(input: object, drafts: Draft[]): Record<string, unknown> {
  const { names, values } = join(drafts, () => "");
  return {
    TableName: TABLE,
    ...input,
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

const onFailure = fc.constantFrom({}, { ReturnValuesOnConditionCheckFailure: "ALL_OLD" });

function perhaps<T>(arbitrary: fc.Arbitrary<T>) {
  return fc.option(arbitrary, { nil: undefined });
}

function conditional(input: object, on: object, given: Draft | undefined, others: Draft[] = []) {
  return withPlaceholders(
    { ...input, ...(given && { ConditionExpression: given.text, ...on }) },
    given ? [...others, given] : others,
  );
}

const writes = {
  Put: fc
    .tuple(key, attributes, perhaps(condition), onFailure)
    .map(([at, item, given, on]) => conditional({ Item: { ...item, ...at } }, on, given)),
  Update: fc
    .tuple(key, update, perhaps(condition), onFailure)
    .map(([Key, change, given, on]) => conditional({ Key, UpdateExpression: change.text }, on, given, [change])),
  Delete: fc.tuple(key, perhaps(condition), onFailure).map(([Key, given, on]) => conditional({ Key }, on, given)),
  ConditionCheck: fc.tuple(key, condition, onFailure).map(([Key, given, on]) => conditional({ Key }, on, given)),
};

function single(name: "Put" | "Update" | "Delete", returns: string[]) {
  return fc
    .tuple(writes[name], fc.constantFrom(...returns))
    .map(([input, ReturnValues]): Command => ({ operation: `${name}Item`, input: { ...input, ReturnValues } }));
}

const part = fc
  .constantFrom("Put", "Update", "Update", "Delete", "ConditionCheck")
  .chain((name) => writes[name as keyof typeof writes].map((input) => ({ [name]: input })));

/** Mostly parts that name different items. */
const transaction = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts): Command => {
  const seen = new Set<string>();
  const different = parts.filter((each) => {
    const [input] = Object.values(each) as [{ Key?: object; Item?: { pk: object; sk: object } }];
    const at = JSON.stringify(input.Key ?? { pk: input.Item?.pk, sk: input.Item?.sk });
    return !seen.has(at) && seen.add(at);
  });
  return { operation: "TransactWriteItems", input: { TransactItems: different } };
});

const strong = { ConsistentRead: true };

const get = key.map((Key): Command => ({ operation: "GetItem", input: { TableName: TABLE, Key, ...strong } }));

const batchGet = fc
  .uniqueArray(key, { minLength: 1, maxLength: 5, selector: (each) => JSON.stringify(each) })
  .map((Keys): Command => ({ operation: "BatchGetItem", input: { RequestItems: { [TABLE]: { Keys, ...strong } } } }));

const transactGet = fc.uniqueArray(key, { minLength: 1, maxLength: 4, selector: (each) => JSON.stringify(each) }).map(
  (keys): Command => ({
    operation: "TransactGetItems",
    input: { TransactItems: keys.map((Key) => ({ Get: { TableName: TABLE, Key } })) },
  }),
);

const sortRange = fc.oneof(
  fc.constant({ text: "", values: {} }),
  fc
    .tuple(fc.constantFrom("=", "<", "<=", ">", ">="), sort)
    .map(([sign, S]) => ({ text: ` AND sk ${sign} :s`, values: { ":s": { S } } })),
  fc
    .tuple(sort, sort)
    .map(([a, b]) => ({ text: " AND sk BETWEEN :s AND :t", values: { ":s": { S: a }, ":t": { S: b } } })),
  sort.map((S) => ({ text: " AND begins_with(sk, :s)", values: { ":s": { S } } })),
);

const query = fc
  .tuple(partition, sortRange, perhaps(fc.integer({ min: 1, max: 4 })), fc.boolean(), perhaps(sort), perhaps(simple))
  .map(([S, range, Limit, ScanIndexForward, start, filter]): Command => {
    const filtered = filter && !/\b[ps]k\b/.test(filter.text) ? filter : undefined;
    const given = withPlaceholders({}, filtered ? [filtered] : []);
    return {
      operation: "Query",
      input: {
        ...given,
        ...strong,
        KeyConditionExpression: `pk = :p${range.text}`,
        ExpressionAttributeValues: { ...(given.ExpressionAttributeValues as object), ":p": { S }, ...range.values },
        ScanIndexForward,
        ...(Limit !== undefined && { Limit }),
        ...(filtered && { FilterExpression: filtered.text }),
        // Mostly within the range.
        ...(start !== undefined &&
          (range.text === "" || start === "bb") && { ExclusiveStartKey: { pk: { S }, sk: { S: start } } }),
      },
    };
  });

const RETURNS = ["NONE", "NONE", "ALL_OLD"];

/** Any command. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: single("Put", RETURNS) },
  { weight: 8, arbitrary: single("Update", [...RETURNS, "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"]) },
  { weight: 2, arbitrary: single("Delete", RETURNS) },
  { weight: 2, arbitrary: get },
  { weight: 3, arbitrary: query },
  { weight: 1, arbitrary: batchGet },
  { weight: 4, arbitrary: transaction },
  { weight: 1, arbitrary: transactGet },
);
