import { fieldCommentsOf } from "./comments.ts";
import { type Field, fields } from "./fields.ts";

const ID = /^(id|by|(?!slug|googleAnalytics)\w+(Id|_id))$/;
const TIME = /(At|_at)$/;

function formatOf(name: string): Field {
  if (ID.test(name)) return { format: "uuid" };
  return TIME.test(name) ? { format: "date-time" } : {};
}

const used = new Set<string>();

const resourceFields = fieldCommentsOf("lib/http/resources/*.ts");

/** The doc comment of a field of a resource, or of the body, path or query of an endpoint. */
function commentOf(owner: string, name: string): string | undefined {
  if (!owner.includes("-")) return resourceFields[`${owner}.${name}`];
  const comments = fieldCommentsOf(`functions/${owner.replace("-", "/")}.ts`);
  // In an endpoint the constants that hold fields are not exported; the others are in its definition.
  return comments[`.${name}`] ?? comments[`handler.${name}`];
}

/** A field in the document: by its comment in the code, by its entry in `fields`, or only by what its name implies. */
export function fieldOf(owner: string, name: string): Field {
  const description = commentOf(owner, name);
  if (description !== undefined) return { ...formatOf(name), description };
  const key = [`${owner}.${name}`, name].find((each) => each in fields);
  if (key === undefined) return formatOf(name);
  used.add(key);
  const field = fields[key] ?? {};
  return typeof field === "string" ? { ...formatOf(name), description: field } : field;
}

/** The entries of `fields` that no field of the document has used. */
export function unusedFields(): string[] {
  return Object.keys(fields).filter((key) => !used.has(key));
}
