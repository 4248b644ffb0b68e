import { join } from "node:path";
import { type ErrorCode, errorCatalogue } from "../../lib/runtime/errors.ts";
import { handWritten, MARKER, type openApiDocument } from "./document.ts";
import { whenOf } from "./errors.ts";
import { type Schema, withoutNull } from "./json-schemas.ts";

// docs/api.md below its marker: the document as a page to read where there is no browser.

/** The page as it is kept. */
export const API_FILE = join(import.meta.dirname, "../../docs/api.md");

type Document = ReturnType<typeof openApiDocument>;
type Media = { schema: Schema; example?: unknown };
type Content = { "application/json": Media };
type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: Schema;
  example?: unknown;
};
type Operation = {
  tags: string[];
  summary: string;
  description?: string;
  security: object[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { $ref?: string; content?: Content }>;
};

const WIDTH = 112;

/** Prose in lines of a readable length; lists and tables stay as they are. */
function wrapped(text: string): string {
  return text
    .split("\n\n")
    .map((paragraph) => (/^[-|]/.test(paragraph) ? paragraph : wrappedParagraph(paragraph)))
    .join("\n\n");
}

function wrappedParagraph(paragraph: string): string {
  const lines: string[] = [];
  for (const word of paragraph.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}

function nameOf(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}

/** The type of a field in a few characters, with its limits. */
function typeOf(schema: Schema): string {
  const { $ref, anyOf, type, items, format } = schema;
  if ($ref) return `[${nameOf($ref)}](#${nameOf($ref).toLowerCase()})`;
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  if (items) return `array of ${typeOf(items)}${schema.maxItems === undefined ? "" : `, at most ${schema.maxItems}`}`;
  const names = [type ?? "any"].flat().map((each) => (each === "string" && format ? format : each));
  return [names.join(" or "), ...limitsOf(schema)].join(", ");
}

function limitsOf({ minLength, maxLength, minimum, maximum, enum: values, default: fallback }: Schema): string[] {
  return [
    ...(values ? [values.map((value) => `\`${value}\``).join(" ")] : []),
    ...(maxLength === undefined ? [] : [`${minLength ? `${minLength} to` : "at most"} ${maxLength} characters`]),
    ...(minimum === undefined ? [] : [`${minimum} ${maximum === undefined ? "or more" : `to ${maximum}`}`]),
    ...(fallback === undefined ? [] : [`by default ${fallback}`]),
  ];
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function fieldRows({ properties = {}, required = [] }: Schema, prefix = ""): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    [
      `\`${prefix}${name}\`${required.includes(name) ? "" : "?"}`,
      // That null counts as absent is said once, above.
      typeOf(required.includes(name) ? schema : withoutNull(schema)),
      String(schema.description ?? ""),
    ],
    ...(schema.properties ? fieldRows(schema, `${prefix}${name}.`) : []),
  ]);
}

function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

function requestText(method: string, path: string, { parameters = [], requestBody, security }: Operation): string {
  const examples = parameters.filter(({ example }) => example !== undefined);
  const query = examples.filter((each) => each.in === "query").map(({ name, example }) => `${name}=${example}`);
  const target = examples
    .filter((each) => each.in === "path")
    .reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))), path);
  const body = requestBody?.content["application/json"].example;
  return [
    `${method} ${target}${query.length > 0 ? `?${query.join("&")}` : ""}`,
    ...(security.length > 0 ? ["Authorization: Bearer <token>"] : []),
    ...(body === undefined ? [] : ["", json(body)]),
  ].join("\n");
}

const TOKENS: Record<string, string> = { "[]": "No token.", "[{},{}]": "Token: optional.", "[{}]": "Token: required." };

function tokenText(security: object[]): string {
  return TOKENS[JSON.stringify(security).replace(/"bearer":\[\]/g, "")] ?? "Token: required.";
}

// What every endpoint may answer with is said once, above.
const EVERYWHERE = / (SERVER_ERROR|PAYLOAD_TOO_LARGE)$/;

function endpointText(method: string, path: string, operation: Operation): string {
  const { parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content["application/json"];
  const [status = "", success] = Object.entries(responses).find(([each]) => each < "300") ?? [];
  const content = success?.content?.["application/json"];
  const errors = Object.entries(responses)
    .filter(([each]) => each >= "300")
    .flatMap(([each, { $ref = "" }]) =>
      nameOf($ref)
        .split(".")
        .slice(1)
        .map((name) => `${each} ${name}`),
    )
    .filter((error) => !EVERYWHERE.test(error));
  const inputs = [
    ...parameters.map(({ name, required, schema, description }) => [
      `\`${name}\`${required ? "" : "?"}`,
      typeOf(schema),
      description,
    ]),
    ...(body ? fieldRows(body.schema) : []),
  ];
  return [
    `### ${method} ${path}`,
    wrapped([`${operation.summary}.`, operation.description ?? ""].filter((each) => each !== "").join("\n\n")),
    ...(inputs.length > 0 ? [table(["Input", "Type", "Meaning"], inputs)] : []),
    code("http", requestText(method, path, operation)),
    content ? `Answer ${status}:` : `Answer ${status}, without a body.`,
    ...(content ? [code("json", json(content.example))] : []),
    wrapped(`${tokenText(operation.security)}${errors.length > 0 ? ` Errors: ${errors.join(", ")}.` : ""}`),
  ].join("\n\n");
}

function operationsOf({ paths }: Document): { method: string; path: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as Operation,
    })),
  );
}

function errorsText(): string {
  const rows = Object.entries(errorCatalogue).map(([name, { status }]) => [
    name,
    name === "SERVER_ERROR" ? "500, 503" : String(status),
    whenOf[name as ErrorCode],
  ]);
  return ["## Error codes", table(["Code", "Status", "When"], rows)].join("\n\n");
}

function resourcesText({ components }: Document): string {
  return [
    "## Resources",
    ...Object.entries(components.schemas as Record<string, Schema>).flatMap(([name, schema]) => [
      `### ${name}`,
      wrapped(String(schema.description)),
      table(["Field", "Type", "Meaning"], fieldRows(schema)),
    ]),
  ].join("\n\n");
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** The whole text of docs/api.md: the part that is written by hand, then every endpoint, error and resource of the document. */
export function apiText(document: Document): string {
  const operations = operationsOf(document);
  const tags = document.tags as { name: string; description: string }[];
  const groups = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return [
      `## ${name}`,
      description,
      own.map(({ method, path }) => `- [${method} ${path}](#${anchorOf(`${method} ${path}`)})`).join("\n"),
      ...own.map(({ method, path, operation }) => endpointText(method, path, operation)),
    ].join("\n\n");
  });
  return `${[handWritten(), MARKER, errorsText(), ...groups, resourcesText(document)].join("\n\n")}\n`;
}
