import * as z from "zod/mini";
import * as resources from "../../lib/http/resources.ts";
import { commentsOf } from "./comments.ts";
import { fieldOf } from "./field-of.ts";

/** A JSON Schema of the document, draft 2020-12. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  [keyword: string]: unknown;
};

type Options = NonNullable<Parameters<typeof z.toJSONSchema>[1]>;

/**
 * Restores what zod's conversion loses: a default behind a transformation, and the type that `meta` states for a union.
 */
const restoreMeta: NonNullable<Options["override"]> = ({ zodSchema, jsonSchema }) => {
  const meta = z.globalRegistry.get(zodSchema as unknown as z.ZodMiniType);
  if (meta?.default !== undefined) jsonSchema.default = meta.default as never;
  if (meta?.type !== undefined) delete jsonSchema.anyOf;
};

const NULL = "null";
function isNull({ type }: Schema): boolean {
  return type === NULL;
}

// Of a text with something to see.
const VISIBLE = "\\S";

/** The schema of a text that blanks remove: they need not meet its limits. */
function removable({ minLength, pattern, ...limits }: Schema): Schema {
  return pattern === undefined || pattern === VISIBLE ? limits : { ...limits, pattern: `^\\s*$|${pattern}` };
}

/** The same schema in its shortest form: no nested alternatives, and `type: [string, null]` instead of two schemas. */
function simplified(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (!anyOf) return schema;
  // An optional value that is absent has no default of its own.
  const flat = anyOf.flatMap(({ default: _, ...each }) =>
    each.anyOf && Object.keys(each).length === 1 ? each.anyOf : [each as Schema],
  );
  const others = flat.filter((each) => !isNull(each) && each.const !== "");
  const [only] = others;
  const isNullable = flat.some(isNull);
  if (others.length !== 1 || !only?.type) {
    return { ...rest, anyOf: isNullable ? [...others, { type: NULL }] : others };
  }
  const kept = flat.some((each) => each.const === "") ? removable(only) : only;
  if (!isNullable) return { ...kept, ...rest };
  const values = only.enum && { enum: [...new Set([...only.enum, null])] };
  return { ...kept, ...rest, type: [...new Set([only.type, NULL].flat())], ...values };
}

/** Without the alternative null, which a query cannot express. */
export function withoutNull(schema: Schema): Schema {
  const { type, enum: values, ...rest } = schema;
  const types = [type ?? []].flat().filter((each) => each !== NULL);
  const { anyOf, ...own } = rest;
  return {
    ...own,
    ...(anyOf && { anyOf: anyOf.filter((each) => !isNull(each)) }),
    ...(types.length > 0 && { type: types.length === 1 ? (types[0] as string) : types }),
    ...(values && { enum: values.filter((value) => value !== null) }),
  };
}

/** Walks a schema from the inside out. */
function mapped(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const { properties, items, anyOf, ...rest } = schema;
  return change({
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, mapped(each, change)])),
    }),
    ...(items && { items: mapped(items, change) }),
    ...(anyOf && { anyOf: anyOf.map((each) => mapped(each, change)) }),
  });
}

/** Adds descriptions to fields and, in answers only, formats and limits. */
function described(schema: Schema, owner: string, io: "input" | "output"): Schema {
  return mapped(schema, (each) => {
    if (!each.properties) return each;
    const properties = Object.entries(each.properties).map(([name, property]) => {
      const { description, ...limits } = fieldOf(owner, name);
      return [name, { ...property, ...(io === "output" && limits), ...(description && { description }) }];
    });
    return { ...each, properties: Object.fromEntries(properties) };
  });
}

/** The JSON Schemas of a request, by its parts: `params`, `query`, `body`. */
export function requestSchemas(request: z.ZodMiniType, owner: string): Record<string, Schema> {
  const schema = z.toJSONSchema(request, { io: "input", unrepresentable: "any", override: restoreMeta }) as Schema;
  const parts = Object.entries(mapped(schema, simplified).properties ?? {});
  return Object.fromEntries(parts.map(([name, part]) => [name, described(part, owner, "input")]));
}

// The exported schemas of lib/http/resources/, each a component of its name.
const schemas = Object.entries(resources).flatMap(([id, schema]) =>
  schema instanceof z.ZodMiniType ? [{ id, schema }] : [],
);
const components = z.registry<{ id: string }>();
for (const { id, schema } of schemas) components.add(schema, { id });

function toComponents(schema: Schema): Schema {
  return mapped(schema, ({ additionalProperties, $ref, ...rest }) =>
    $ref ? { ...rest, $ref: $ref.replace("#/$defs/", "#/components/schemas/") } : rest,
  );
}

function outputOf(schema: z.ZodMiniType): Schema & { $defs?: Record<string, Schema> } {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "output", metadata: components }) as Schema;
  return rest;
}

/** The schema of a success body; the resources in it are references to components. */
export function responseSchema(response: z.ZodMiniType, owner: string): Schema {
  const { $defs, ...schema } = outputOf(response);
  return described(toComponents(mapped(schema, simplified)), owner, "output");
}

/** The schemas of all resources, by name. A field may be added to a resource at any time, so none is closed. */
export function resourceSchemas(): Record<string, Schema> {
  const comments = commentsOf("lib/http/resources/*.ts");
  return Object.fromEntries(
    schemas.map(({ id: name, schema }) => {
      const own = outputOf(schema).$defs?.[name] as Schema;
      const whole = described(toComponents(mapped(own, simplified)), name, "output");
      return [name, { title: name, description: comments[name], ...whole }];
    }),
  );
}
