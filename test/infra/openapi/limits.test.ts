import { describe, expect, it } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { documentedRequest } from "../../../infra/local/events.ts";
import { requestSchemas, type Schema } from "../../../infra/openapi/json-schemas.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";

// What docs/openapi.json says of a field of a request, the service checks: at a limit it accepts a value, beyond it it
// does not.

type Part = "body" | "params" | "query";
type Input = Record<Part, Record<string, unknown>>;

type Field = { endpoint: Endpoint; part: Part; path: string[]; schema: Schema; isRequired: boolean };

function fieldsIn(
  endpoint: Endpoint,
  part: Part,
  { properties = {}, required = [] }: Schema,
  at: string[] = [],
): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    { endpoint, part, path: [...at, name], schema, isRequired: required.includes(name) },
    ...fieldsIn(endpoint, part, schema, [...at, name]),
  ]);
}

const fields = endpoints.flatMap((endpoint) =>
  Object.entries(requestSchemas(endpoint.definition.request, endpoint.definition.name)).flatMap(([part, schema]) =>
    fieldsIn(endpoint, part as Part, schema),
  ),
);

const examples = new Map(
  endpoints.map((endpoint) => {
    const { body = {}, ...rest } = documentedRequest(endpoint.definition);
    return [endpoint, { body, ...rest }];
  }),
);

/** The example with another value in one field; without the field if the value is undefined. */
function inputWith({ endpoint, part, path }: Field, value: unknown): Input {
  const input = structuredClone(examples.get(endpoint)) as Input;
  const holder = path.slice(0, -1).reduce((at, name) => at[name] as Record<string, unknown>, input[part]);
  for (const other of { page: ["first", "after"], first: ["page"], after: ["page"] }[path[0] ?? ""] ?? [])
    delete input[part][other];
  const isText = part !== "body" && value !== undefined && value !== null;
  holder[path.at(-1) as string] = isText ? String(value) : value;
  if (value === undefined) delete holder[path.at(-1) as string];
  return input;
}

function parsed(field: Field, value: unknown) {
  return field.endpoint.definition.request.safeParse(inputWith(field, value));
}

/** Text of a length that a field accepts apart from its length. */
function textOf({ format, pattern = "" }: Schema, length: number): string {
  if (format === "email") return `${`a@${"x.".repeat(200)}`.slice(0, length - 4).replace(/\.$/, "x")}.com`;
  if (String(pattern).includes("[hH]")) return `https://${"x".repeat(length)}`.slice(0, length);
  return "x".repeat(length);
}

function typesOf({ type, anyOf }: Schema): string[] {
  return [type ?? (anyOf ?? []).map((each) => each.type ?? [])].flat(2);
}

/** Whether a field asks for the size of a page: one above the maximum is cut to it, another number is refused. */
function isPageSize({ path }: Field): boolean {
  return ["first", "limit"].includes(path.at(-1) ?? "");
}

function isRemovable({ schema }: Field): boolean {
  return String(schema.pattern).startsWith("^\\s*$|");
}

function trialsOf(field: Field): { good: unknown[]; bad: unknown[] } {
  const { schema, isRequired, part } = field;
  const { minLength, maxLength, minimum, maximum, enum: values, pattern } = schema as Record<string, never>;
  const list = schema.anyOf?.find(({ maxItems }) => maxItems !== undefined);
  const ids = (count: number) =>
    Array.from({ length: count }, (_, n) => `01990000-0000-7000-8000-${String(n).padStart(12, "0")}`);
  const isNullable = typesOf(schema).includes("null");
  return {
    good: [
      ...(maxLength === undefined ? [] : [textOf(schema, maxLength)]),
      ...(minLength === undefined || pattern === "^$" ? [] : [textOf(schema, minLength)]),
      ...(minimum === undefined ? [] : [minimum, minimum + 1]),
      ...(maximum === undefined ? [] : [maximum]),
      ...((values ?? []) as unknown[]).filter((value) => value !== null),
      ...(list ? [ids(list.maxItems as number)] : []),
      ...(isRequired ? [] : [undefined]),
      ...(isNullable && part === "body" ? [null] : []),
    ],
    bad: [
      ...(maxLength === undefined ? [] : [textOf(schema, maxLength + 1)]),
      ...(minLength === undefined ? [] : [textOf(schema, minLength - 1)]),
      ...(minimum === undefined ? [] : [minimum - 1, minimum + 0.5]),
      ...(maximum === undefined || isPageSize(field) ? [] : [maximum + 1]),
      ...(values === undefined ? [] : ["other"]),
      ...(pattern === undefined || isRemovable(field) ? [] : [" \t "]),
      ...(list ? [ids((list.maxItems as number) + 1)] : []),
      ...(isRequired ? [undefined] : []),
      ...(part === "body" ? [{ an: "object" }].filter(() => !schema.properties) : []),
      ...(part === "body" && !isNullable ? [null] : []),
    ],
  };
}

describe("The limits of the document", () => {
  const named = fields.map((field) => ({
    name: `${field.endpoint.definition.name} ${field.part}.${field.path.join(".")}`,
    field,
  }));

  it.each(named)("agree with the service: $name", ({ field }) => {
    const { good, bad } = trialsOf(field);
    const meta = "the document and the check disagree: see .meta() beside the check in lib/http/inputs.ts";
    expect(
      good.filter((value) => !parsed(field, value).success),
      `accepted by the document, refused by the service; ${meta}`,
    ).toEqual([]);
    expect(
      bad.filter((value) => parsed(field, value).success),
      `accepted by the service, refused by the document; ${meta}`,
    ).toEqual([]);
    const { maximum } = field.schema as { maximum?: number };
    if (maximum !== undefined && isPageSize(field)) {
      expect(parsed(field, maximum + 1), "a page size above the maximum is cut to it").toEqual(parsed(field, maximum));
    }
    const { default: fallback } = field.schema;
    if (fallback !== undefined && field.part === "body")
      expect(parsed(field, undefined)).toEqual(parsed(field, fallback));
  });
});

describe("A text without a visible character", () => {
  const texts = fields.filter(
    ({ part, path, schema: { type = [], maxLength, format } }) =>
      part === "body" &&
      [type].flat().includes("string") &&
      maxLength !== undefined &&
      format === undefined &&
      // It comes back byte for byte.
      path.at(-1) !== "contentMarkdown",
  );

  function valueIn(data: unknown, { part, path }: Field): unknown {
    return [part, ...path].reduce((at, name) => (at as Record<string, unknown>)[name], data);
  }

  it("is sent in many fields", () => {
    expect(texts.length).toBeGreaterThan(20);
  });

  it.each(texts.map((field) => ({ name: `${field.endpoint.definition.name} ${field.path.join(".")}`, field })))(
    "counts as empty or is refused: $name",
    ({ field }) => {
      for (const blank of ["   ", " \t\n ", "\u00a0\u3000", "\u200b"]) {
        const { success, data } = parsed(field, blank);
        if (success) expect(["", null, undefined], JSON.stringify(blank)).toContain(valueIn(data, field));
      }
    },
  );
});
