import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { DOCUMENT_FILE } from "../../../infra/openapi/page.ts";
import { BASE_PATH } from "../../../lib/http/routes.ts";

// Every answer of every test is held against docs/openapi.json: its status, its code, its fields, their formats.

type Operation = { responses: Record<string, { $ref?: string; content?: object }> };
type Document = { paths: Record<string, Record<string, Operation>>; components: { responses: Record<string, object> } };

/** The same schemas, closed: a field that the document does not name is an error. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, closed(each)]);
  return Object.fromEntries("properties" in value ? [...entries, ["additionalProperties", false]] : entries);
}

function load() {
  const document = JSON.parse(readFileSync(DOCUMENT_FILE, "utf8")) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat("password", true);
  ajv.addSchema({ ...(closed(document) as object), $id: "openapi" });
  const validators = new Map<string, ValidateFunction | undefined>();
  return { document, ajv, validators };
}

// Once a process, which may run many files.
const global = globalThis as { documentOfAnswers?: ReturnType<typeof load>; plainFetch?: typeof fetch };

function loaded(): ReturnType<typeof load> {
  global.documentOfAnswers ??= load();
  return global.documentOfAnswers;
}

function pointer(...parts: string[]): string {
  return parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
}

/** Where the schema of an answer is; undefined for an answer without a body. */
function schemaOf(document: Document, path: string, method: string, status: number): string | undefined {
  const operation = document.paths[path]?.[method];
  if (!operation) throw new Error(`docs/openapi.json has no ${method.toUpperCase()} ${path}: run npm run docs`);
  const answer = operation.responses[status];
  if (!answer) throw new Error(`docs/openapi.json has no ${status} for ${method.toUpperCase()} ${path}`);
  const JSON_SCHEMA = ["content", "application/json", "schema"];
  const name = answer.$ref?.split("/").at(-1);
  if (name) return `openapi#/${pointer("components", "responses", name, ...JSON_SCHEMA)}`;
  return answer.content && `openapi#/${pointer("paths", path, method, "responses", String(status), ...JSON_SCHEMA)}`;
}

let looksAtFormats = true;

/** From now on in this file, the text of a field may have any form: for tests that break what is stored. */
export function overlookFormats(): void {
  looksAtFormats = false;
}

function isOfForm({ errors }: ValidateFunction): boolean {
  return looksAtFormats || !errors?.some(({ keyword }) => keyword === "format" || keyword === "pattern");
}

const UNKNOWN = "an answer that docs/openapi.json does not know";

/** A form follows from a field's name, unless a row has another one. */
function cureOf(validate: ValidateFunction | undefined): string {
  const isForm = validate?.errors?.some(({ keyword }) => keyword === "format");
  return isForm ? "a row `<resource>.<field>` in infra/openapi/fields.ts sets the form" : "npm run docs";
}

/** Checks an answer against the document; throws an Error that names the difference. */
export function checkAnswer(route: { method: string; path: string }, status: number, text: string): void {
  const { document, ajv, validators } = loaded();
  const method = route.method.toLowerCase();
  const path = route.path.replace("+}", "}");
  const key = `${method} ${path} ${status}`;
  if (!validators.has(key)) {
    const schema = schemaOf(document, path, method, status);
    validators.set(key, schema === undefined ? undefined : ajv.getSchema(schema));
  }
  const validate = validators.get(key);
  const isRight = validate ? validate(JSON.parse(text)) : text === "";
  if (isRight || (validate && !isOfForm(validate))) return;
  const problems = validate ? ajv.errorsText(validate.errors) : "it has a body";
  throw new Error(`${UNKNOWN} (${cureOf(validate)}): ${key}: ${problems}: ${text}`);
}

/** Checks a message to a webhook against the document; throws an Error that names the difference. */
export function checkMessage({ type, ...message }: { type: string }): void {
  const { ajv } = loaded();
  const parts = ["webhooks", type, "post", "requestBody", "content", "application/json", "schema"];
  const validate = ajv.getSchema(`openapi#/${pointer(...parts)}`);
  if (validate?.({ type, ...message })) return;
  throw new Error(`a message that docs/openapi.json does not know: ${type}: ${ajv.errorsText(validate?.errors)}`);
}

/** Whether a path fits a template, and how specific the template is: the fewer parameters, the better. */
function fits(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(/\{name\}$/, ".+").replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
}

/** Checks an answer to `fetch`; routes outside of the document pass. */
export function checkHttpAnswer(method: string, target: string, status: number, text: string): void {
  const { paths } = loaded().document;
  const path = target.replace(/^https?:\/\/[^/]+/, "").split("?")[0] ?? "";
  if (!path.startsWith(`${BASE_PATH}/`)) return;
  const [template] = Object.keys(paths)
    .filter((each) => method.toLowerCase() in (paths[each] ?? {}) && fits(each, path.slice(BASE_PATH.length)))
    .sort((a, b) => a.split("{").length - b.split("{").length);
  if (template) checkAnswer({ method, path: template }, status, text);
}

/** Checks every answer that `fetch` gets from now on. */
export function watchFetch(): void {
  global.plainFetch ??= fetch;
  const { plainFetch } = global;
  globalThis.fetch = async (input, init) => {
    const response = await plainFetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    const method = init?.method ?? (input instanceof Request ? input.method : "GET");
    if (method !== "HEAD" && method !== "OPTIONS") {
      checkHttpAnswer(method, url, response.status, await response.clone().text());
    }
    return response;
  };
}
