// npm run events: writes an event of each endpoint and background function for `sam local invoke`.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { APIGatewayProxyEventV2, DynamoDBStreamEvent } from "aws-lambda";
import * as z from "zod/mini";
import { backgroundFunctions } from "../../functions/background/index.ts";
import { endpoints } from "../../functions/index.ts";
import type { BackgroundDefinition } from "../../lib/background.ts";
import { type Definition, requiresToken } from "../../lib/http/definition.ts";
import { BASE_PATH, routeKeyOf } from "../../lib/http/routes.ts";
import { type Family, partitions } from "../../lib/table/keys.ts";
import { readCommandLine } from "../usage.ts";

/** The folder of the event files. */
export const EVENTS_FOLDER = join(import.meta.dirname, "../../dist/events");

/** Values by field name; an id by the name of its resource (`postId`). */
type Examples = Record<string, unknown>;

const EXAMPLE_ID = "01990000-0000-7000-8000-000000000000";

/** The values in the event files. */
export const EXAMPLES: Examples = {
  email: "ada@example.com",
  password: "correct horse",
  name: "Ada",
  title: "Dark mode",
  contentMarkdown: "My eyes hurt at **night**.",
  slug: "dark-mode-0000000000000000000000000",
  url: "feedback",
  color: "00aaff",
  page: 1,
  created: "desc",
  visibility: "public",
  role: "moderator",
  status: "planned",
  statuses: [
    { id: "open", name: "Open", color: "64748b", kind: "open" },
    { id: "planned", name: "Planned", color: "3b82f6", kind: "planned" },
  ],
  token: "the-token-of-the-mail",
  postId: EXAMPLE_ID,
  boardId: EXAMPLE_ID,
  roadmapId: EXAMPLE_ID,
  userId: EXAMPLE_ID,
  keyId: EXAMPLE_ID,
  webhookId: EXAMPLE_ID,
  events: ["post.created"],
  scopes: ["post:create"],
};

// Optional fields that an example shows all the same.
const SHOWN = new Set(["name", "title", "contentMarkdown", "page", "created", "visibility"]);

type Schema = {
  type?: string | string[];
  pattern?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
};

/** A value that a schema accepts: the example of that field name, or else the simplest value of its type. */
function exampleOf(schema: Schema, name: string, examples: Examples): unknown {
  const { type, pattern, anyOf, properties, required = [] } = schema;
  if (properties) {
    const shown = Object.entries(properties).filter(([field]) => required.includes(field) || SHOWN.has(field));
    return Object.fromEntries(shown.map(([field, schema]) => [field, exampleOf(schema, field, examples)]));
  }
  if (pattern?.includes("[hH]")) return "https://example.com/feedback";
  if (name in examples && type !== "boolean") return examples[name];
  if (schema.enum) return schema.enum[0];
  if (anyOf?.[0]) return exampleOf(anyOf[0], name, examples);
  const simplest: Record<string, unknown> = { number: 1, integer: 1, boolean: true, array: [] };
  return simplest[[type].flat()[0] ?? ""] ?? "example";
}

type Parts = { body?: unknown; params?: Record<string, unknown>; query?: Record<string, unknown> };

/** An input that an endpoint accepts, as far as its schema and the names of its fields tell. */
function inputOf({ request, path }: Definition, examples: Examples): Parts {
  const schema = z.toJSONSchema(request, { io: "input", unrepresentable: "any" }) as Schema;
  // A field `id` is the id of the resource that the path begins with.
  const id = examples[`${path.split("/")[1]?.replace(/s$/, "")}Id`];
  return exampleOf({ ...schema, required: ["body", "params", "query"] }, "", { id, ...examples }) as Parts;
}

function texts(values: Record<string, unknown> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** The event of a request to an endpoint, with example values and a token: a placeholder for the event files. */
export function exampleEvent(
  definition: Definition,
  examples: Examples = EXAMPLES,
  token = "TOKEN",
): APIGatewayProxyEventV2 {
  const { method, path } = definition;
  const input = inputOf(definition, examples);
  const [params, query] = [texts(input.params), texts(input.query)];
  const rawPath = `${BASE_PATH}${path}`.replace(/\{(\w+)\+?\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const routeKey = routeKeyOf(definition);
  return {
    version: "2.0",
    routeKey,
    rawPath,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: {
      accept: "application/json",
      ...(requiresToken(definition) && { authorization: `Bearer ${token}` }),
      ...(input.body !== undefined && { "content-type": "application/json" }),
      host: "api.example.com",
    },
    ...(Object.keys(query).length > 0 && { queryStringParameters: query }),
    requestContext: {
      accountId: "123456789012",
      apiId: "example",
      domainName: "api.example.com",
      domainPrefix: "api",
      http: { method, path: rawPath, protocol: "HTTP/1.1", sourceIp: "203.0.113.7", userAgent: "example" },
      requestId: "example",
      routeKey,
      stage: "$default",
      time: "01/Jan/2026:00:00:00 +0000",
      timeEpoch: 1_767_225_600_000,
    },
    ...(Object.keys(params).length > 0 && { pathParameters: params }),
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    isBase64Encoded: false,
  };
}

/** The event of a new item of each family that a background function takes. */
export function exampleStreamEvent(
  { works }: BackgroundDefinition,
  ids: Partial<Record<Family, string>> = {},
): DynamoDBStreamEvent {
  return {
    Records: [...new Set(works.map(({ definition: { takes } }) => takes))].map((takes, at) => ({
      eventName: "INSERT",
      eventSource: "aws:dynamodb",
      dynamodb: {
        Keys: { pk: { S: partitions[takes] }, sk: { S: ids[takes] ?? EXAMPLE_ID } },
        SequenceNumber: String(at + 1),
      },
    })),
  };
}

/** Writes the event files anew. */
export function writeEvents(folder = EVENTS_FOLDER): void {
  const events = [
    ...endpoints.map(({ definition }) => [definition.name, exampleEvent(definition)] as const),
    ...backgroundFunctions.map(({ definition }) => [definition.name, exampleStreamEvent(definition)] as const),
  ];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, event] of events) {
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(event, undefined, 2)}\n`);
  }
}

if (import.meta.main) {
  readCommandLine("npm run events");
  writeEvents();
  console.log(EVENTS_FOLDER);
}
