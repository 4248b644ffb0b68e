import { readFileSync } from "node:fs";
import { join } from "node:path";
import { contract, endpoints } from "../../functions/index.ts";
import { BASE_PATH } from "../../lib/http/routes.ts";
import packageJson from "../../package.json" with { type: "json" };
import { resourceSchemas } from "./json-schemas.ts";
import { type Exchange, errorAnswers, operationOf, pathOf, successHeaders } from "./operations.ts";

// The OpenAPI document: made from the endpoint table, the doc comments of the endpoints and of the resources, fields.ts and errors.ts.

const root = join(import.meta.dirname, "../..");

/** The line of docs/api.md below which all is written by `npm run docs`. */
export const MARKER = "<!-- npm run docs writes everything below this line. -->";

/** The part of docs/api.md that is written by hand: what holds of all endpoints. */
export function handWritten(): string {
  return (readFileSync(join(root, "docs/api.md"), "utf8").split(MARKER)[0] ?? "").trimEnd();
}

/** The same without its title, and without links to other files, which the document does not have beside it. */
function generalText(): string {
  return handWritten()
    .replace(/^# .*\n+/, "")
    .replace(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, "$1");
}

const CONTRACT = "Contract";

// What lies beyond the contract, by the folder in functions/ that it lies in.
const GROUPS: Record<string, string> = {
  keys: "Keys for programs",
  auth: "Accounts",
  settings: "Site settings",
  votes: "Posts and votes",
  posts: "Posts and votes",
  comments: "Comments",
};

function capitalised(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}

function groupOf(name: string): string {
  const [folder = ""] = name.split("-");
  return GROUPS[folder] ?? capitalised(folder);
}

/** The tag of each endpoint: the contract, or the group beyond it. */
export function tagOf(endpoint: (typeof endpoints)[number]): string {
  return contract.includes(endpoint) ? CONTRACT : groupOf(endpoint.definition.name);
}

function tagsOf(): object[] {
  return [...new Set(endpoints.map(tagOf))].map((name) => ({
    name,
    description:
      name === CONTRACT
        ? "The twelve endpoints that are fixed: what existing clients of feedback portals rely on."
        : `Beyond the contract: ${name.toLowerCase()}.`,
  }));
}

/** The whole document. `examples` holds an exchange of each endpoint, by its name. */
export function openApiDocument(examples: Record<string, Exchange> = {}) {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const { method, name } = endpoint.definition;
    const path = pathOf(endpoint.definition);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(endpoint, tagOf(endpoint), examples[name]) };
  }
  return withoutUnused({
    openapi: "3.1.1",
    info: {
      title: "Feedback Board",
      version: packageJson.version,
      summary: packageJson.description,
      description: generalText(),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: BASE_PATH, description: "The host that this document comes from." }],
    tags: tagsOf(),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "`authToken` of the answer to signup, setup or login, a JWT; or an API key, the `secret` of the answer to POST /keys.",
        },
      },
      headers: {
        ...successHeaders,
        RetryAfter: { description: "Seconds after which to try again.", schema: { type: "integer", minimum: 1 } },
      },
      schemas: {
        ...resourceSchemas(),
        InputProblem: {
          title: "InputProblem",
          description: "What is wrong with a field of the input.",
          type: "object",
          properties: {
            path: { type: "string", description: "The field: `body.title`, `query.first`." },
            code: { type: "string", description: "The kind of problem." },
            message: { type: "string", description: "The problem, in English." },
          },
          required: ["path", "code", "message"],
        },
      },
      responses: errorAnswers(endpoints),
    },
  });
}

/** The document without resources that nothing refers to. */
function withoutUnused<D extends { components: { schemas: object } }>(document: D): D {
  const text = JSON.stringify(document);
  const isUsed = ([name]: [string, unknown]): boolean => text.includes(`"#/components/schemas/${name}"`);
  const schemas = Object.fromEntries(Object.entries(document.components.schemas).filter(isUsed));
  return { ...document, components: { ...document.components, schemas } };
}

/** The text of the document. */
export function textOf(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
