// npm run events: writes an event of each endpoint and background function for `sam local invoke`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { APIGatewayProxyEventV2, DynamoDBStreamEvent } from "aws-lambda";
import { backgroundFunctions } from "../../functions/background/index.ts";
import { endpoints } from "../../functions/index.ts";
import { type BackgroundDefinition, takenBy } from "../../lib/background.ts";
import { type Definition, requiresToken } from "../../lib/http/definition.ts";
import { BASE_PATH, routeKeyOf } from "../../lib/http/routes.ts";
import { type Family, partitions } from "../../lib/table/families.ts";
import { pathOf } from "../openapi/operations.ts";
import { DOCUMENT_FILE } from "../openapi/page.ts";
import { readCommandLine } from "../usage.ts";
import { eventOf } from "./gateway/event.ts";

const EVENTS_FOLDER = join(import.meta.dirname, "../../dist/events");

const EXAMPLE_ID = "01990000-0000-7000-8000-000000000000";

/** The parts of an operation of docs/openapi.json that hold its example. */
type Operation = {
  parameters?: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: { "application/json": { example: Record<string, unknown> } } };
};

/** The example request of an endpoint in docs/openapi.json. */
export function documentedRequest(definition: Pick<Definition, "method" | "path">) {
  const { paths } = JSON.parse(readFileSync(DOCUMENT_FILE, "utf8"));
  const { parameters = [], requestBody }: Operation = paths[pathOf(definition)][definition.method.toLowerCase()];
  const valuesIn = (place: string): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((each) => each.in === place && each.example !== undefined)
        .map(({ name, example }) => [name, String(example)]),
    );
  const body = requestBody?.content["application/json"].example;
  return { body, params: valuesIn("path"), query: valuesIn("query") };
}

/** The event of the documented example of an endpoint; a caller's token takes the place of TOKEN. */
function exampleEvent(definition: Definition): APIGatewayProxyEventV2 {
  const { body, params, query } = documentedRequest(definition);
  const path = definition.path.replace(/\{(\w+)\+?\}/g, (_, name) => encodeURIComponent(params[name] ?? ""));
  const token = requiresToken(definition) ? ["authorization", "Bearer TOKEN"] : [];
  const request = {
    method: definition.method,
    url: `${BASE_PATH}${path}?${new URLSearchParams(query)}`,
    httpVersion: "1.1",
    rawHeaders: ["host", "api.example.com", "content-type", "application/json", ...token],
    socket: { remoteAddress: "203.0.113.7" },
  };
  const found = { route: routeKeyOf(definition), parameters: params };
  return eventOf(request, found, Buffer.from(body ? JSON.stringify(body) : ""));
}

/** An event of the stream with one new item for each kind of work of a background function. */
export function exampleStreamEvent(
  { works }: BackgroundDefinition,
  ids: Partial<Record<Family, string>> = {},
): DynamoDBStreamEvent {
  return {
    Records: [...new Set(takenBy(works))].map((family, at) => ({
      eventName: "INSERT",
      eventSource: "aws:dynamodb",
      dynamodb: {
        Keys: { pk: { S: partitions[family] }, sk: { S: ids[family] ?? EXAMPLE_ID } },
        SequenceNumber: String(at + 1),
      },
    })),
  };
}

/** Writes an example event of each function to a file, for `sam local invoke`. */
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
