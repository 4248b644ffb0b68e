// npm run events: writes an event file of each function for `sam local invoke`, made from the definitions.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { APIGatewayProxyEventV2, DynamoDBStreamEvent } from "aws-lambda";
import * as z from "zod";
import { backgroundFunctions } from "../../functions/background/index.ts";
import { BASE_PATH, endpoints } from "../../functions/index.ts";
import type { BackgroundDefinition } from "../../lib/background.ts";
import { partitions } from "../../lib/data/keys.ts";
import { type Definition, requiresToken } from "../../lib/http/definition.ts";
import { readCommandLine } from "../usage.ts";

/** Where the event files stand. */
export const EVENTS_FOLDER = join(import.meta.dirname, "events");

/** What stands in the event files where a caller's token belongs. */
export const TOKEN = "TOKEN";

/** Values of fields by their name; ids by the name of what they name. */
export type Examples = Record<string, unknown>;

const SOME_ID = "01990000-0000-7000-8000-000000000000";

/** A value for each field whose name says what it takes. */
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
  token: "the-token-of-the-mail",
  postId: SOME_ID,
  boardId: SOME_ID,
  roadmapId: SOME_ID,
  userId: SOME_ID,
};

// What a schema leaves open and an example shows all the same.
const SHOWN = new Set(["name", "title", "contentMarkdown", "page", "created", "visibility"]);

type Schema = {
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
};

/** What a schema takes, with examples by field name, else the simplest value of its type. */
const exampleOf = (schema: Schema, name: string, examples: Examples): unknown => {
  const { type, anyOf, properties, required = [] } = schema;
  if (properties) {
    const shown = Object.entries(properties).filter(([field]) => required.includes(field) || SHOWN.has(field));
    return Object.fromEntries(shown.map(([field, each]) => [field, exampleOf(each, field, examples)]));
  }
  if (name in examples) return examples[name];
  if (schema.enum) return schema.enum[0];
  if (anyOf?.[0]) return exampleOf(anyOf[0], name, examples);
  const simplest: Record<string, unknown> = { number: 1, integer: 1, boolean: true, array: [] };
  return simplest[[type].flat()[0] ?? ""] ?? "example";
};

type Parts = { body?: unknown; params?: Record<string, unknown>; query?: Record<string, unknown> };

/** An input that an endpoint takes, as far as its schema and the names of its fields tell. */
const inputOf = ({ request, path }: Definition, examples: Examples): Parts => {
  const schema = z.toJSONSchema(request, { io: "input", unrepresentable: "any" }) as Schema;
  // `id` is the id of what the route is about.
  const id = examples[`${path.split("/")[1]?.replace(/s$/, "")}Id`];
  return exampleOf({ ...schema, required: ["body", "params", "query"] }, "", { id, ...examples }) as Parts;
};

const texts = (values: Record<string, unknown> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

/** An event for an endpoint as the gateway would make it, with example values and a caller's token. */
export const exampleEvent = (
  definition: Definition,
  examples: Examples = EXAMPLES,
  token = TOKEN,
): APIGatewayProxyEventV2 => {
  const { method, path } = definition;
  const input = inputOf(definition, examples);
  const [params, query] = [texts(input.params), texts(input.query)];
  const rawPath = `${BASE_PATH}${path}`.replace(/\{(\w+)\+?\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const routeKey = `${method} ${BASE_PATH}${path}`;
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
    requestContext: requestContextOf(method, rawPath, routeKey),
    ...(Object.keys(params).length > 0 && { pathParameters: params }),
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    isBase64Encoded: false,
  };
};

const requestContextOf = (
  method: string,
  path: string,
  routeKey: string,
): APIGatewayProxyEventV2["requestContext"] => ({
  accountId: "123456789012",
  apiId: "example",
  domainName: "api.example.com",
  domainPrefix: "api",
  http: { method, path, protocol: "HTTP/1.1", sourceIp: "203.0.113.7", userAgent: "example" },
  requestId: "example",
  routeKey,
  stage: "$default",
  time: "01/Jan/2026:00:00:00 +0000",
  timeEpoch: 1_767_225_600_000,
});

/** An event for a background function: one new item of the family that it takes. */
export const exampleStreamEvent = ({ takes }: BackgroundDefinition, sk = SOME_ID): DynamoDBStreamEvent => ({
  Records: [
    {
      eventName: "INSERT",
      eventSource: "aws:dynamodb",
      dynamodb: { Keys: { pk: { S: partitions[takes].replace("*", sk) }, sk: { S: sk } }, SequenceNumber: "1" },
    },
  ],
});

/** The text of every event file, by its name. */
export const eventFiles = (): Record<string, string> =>
  Object.fromEntries(
    [
      ...endpoints.map(({ definition }) => [definition.name, exampleEvent(definition)] as const),
      ...backgroundFunctions.map(({ definition }) => [definition.name, exampleStreamEvent(definition)] as const),
    ].map(([name, event]) => [`${name}.json`, `${JSON.stringify(event, undefined, 2)}\n`]),
  );

if (import.meta.main) {
  readCommandLine("npm run events");
  mkdirSync(EVENTS_FOLDER, { recursive: true });
  const files = eventFiles();
  for (const stale of readdirSync(EVENTS_FOLDER).filter((file) => !(file in files))) rmSync(join(EVENTS_FOLDER, stale));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(EVENTS_FOLDER, file), text);
}
