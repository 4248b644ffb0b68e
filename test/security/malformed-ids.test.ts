import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { requestSchemas, type Schema } from "../../infra/openapi/json-schemas.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { cursorOf } from "../../lib/http/pages.ts";
import type { ErrorCode } from "../../lib/runtime/errors.ts";
import { newId } from "../../lib/values/ids.ts";
import { invoke, type Request, refusal, success } from "../support/http/invoke.ts";
import { writesIn } from "../support/store/calls.ts";
import { aWorld, codeOf, endpointsWithExample, goodRequest, type World } from "../support/world/examples.ts";
import { aPost } from "../support/world/fixtures.ts";

// Each id, cursor and list of words in a body or a query, found in the definitions: a malformed one never means more
// than a right one.

type Field = { endpoint: Endpoint; part: "body" | "query"; name: string; schema: Schema };

const fields: Field[] = endpointsWithExample.flatMap(({ endpoint }) => {
  const schemas = requestSchemas(endpoint.definition.request, endpoint.definition.name);
  return (["body", "query"] as const).flatMap((part) =>
    Object.entries(schemas[part]?.properties ?? {}).map(([name, schema]) => ({ endpoint, part, name, schema })),
  );
});

function isId({ schema }: Field): boolean {
  return [schema, ...(schema.anyOf ?? [])].some(({ format }) => format === "uuid");
}

function isCursor({ name, schema }: Field): boolean {
  return name === "after" && schema.format !== "uuid";
}

function isList({ part, schema }: Field): boolean {
  return part === "query" && [schema.type].flat().includes("array");
}

/** Whether a list shows only what has this id. */
function isFilter({ endpoint, name }: Field): boolean {
  const { name: endpointName } = endpoint.definition;
  if (endpointName === "users-list") return name === "userId";
  return /^posts-(list|search|similar)$/.test(endpointName) && /^(boardId|roadmapId|tag)$/.test(name);
}

function named(chosen: Field[]) {
  return chosen.map((field) => ({ title: `${field.endpoint.definition.name} ${field.part}.${field.name}`, field }));
}

let world: World;

beforeAll(async () => {
  world = await aWorld();
  await aPost(world.author, { title: "A dark mode" });
});

async function answerTo({ endpoint, part, name }: Field, value: unknown) {
  const request = await goodRequest(endpoint, world);
  const given = { ...(request[part] as object), [name]: value };
  return invoke(endpoint, { ...request, [part]: given } as Request);
}

/** Posts answer a malformed id of a board or roadmap like one of a thing that does not exist. */
function refusalOf({ endpoint, part, name }: Field): ErrorCode {
  const isPlace = /^posts-(create|update|set-status)$/.test(endpoint.definition.name);
  if (isPlace && name === "boardId") return "BOARD_NOT_FOUND";
  if (isPlace && name === "roadmapId") return "ROADMAP_ID_OR_URL_MISSING";
  return codeOf(endpoint, `${part}.${name}`);
}

/** A list as the endpoint reads it. */
function parsed({ endpoint, name }: Field, value: string | undefined): unknown {
  const query = endpoint.definition.request.shape.query as z.ZodMiniType<Record<string, unknown>>;
  return query.parse({ [name]: value })[name];
}

const id = newId();
const malformed = ["x", "", " ", "null", id.slice(1), `${id}0`, ` ${id}`, id.replaceAll("-", ""), `${id},${id}`, "%00"];

const cursors = [
  ...malformed,
  cursorOf([]),
  cursorOf(["x"]),
  cursorOf(["0", id]),
  `${cursorOf([1, id])}=`,
  "W10",
  "{}",
];

describe("A malformed id", () => {
  it.each(named(fields.filter((field) => isId(field) && !isFilter(field))))(
    "gets its code: $title",
    async ({ field }) => {
      for (const value of malformed) {
        const reply = await answerTo(field, value);
        refusal(reply, refusalOf(field));
        expect(writesIn(reply)).toEqual([]);
      }
    },
  );

  it.each(named(fields.filter(isFilter)))("matches nothing in a filter: $title", async ({ field }) => {
    for (const value of malformed) {
      const { results, posts } = success(await answerTo(field, value), 200);
      expect(results ?? posts).toEqual([]);
    }
  });
});

describe("A malformed cursor", () => {
  it.each(named(fields.filter(isCursor)))("gets VALIDATION_ERROR: $title", async ({ field }) => {
    for (const value of cursors) refusal(await answerTo(field, value), "VALIDATION_ERROR", `${field.part}.after`);
  });
});

describe("A list of words in a query", () => {
  it.each(named(fields.filter(isList)))("follows the one rule: $title", async ({ field }) => {
    const words = field.schema.items?.enum as string[];
    const first = words[0] as string;
    const byDefault = parsed(field, undefined);
    expect(parsed(field, words.join(","))).toEqual(new Set(words));
    for (const same of [first, first.toUpperCase(), ` ${first} `, `${first},`, `,${first},,${first}`]) {
      expect(parsed(field, same), same).toEqual(new Set([first]));
    }
    for (const none of ["", ",", " , "]) expect(parsed(field, none), none).toEqual(byDefault);
    for (const unknown of ["other", `${first},other`, `${first};`, `${first}\n${first}`, "*"]) {
      refusal(await answerTo(field, unknown), "VALIDATION_ERROR", `query.${field.name}`);
    }
  });
});
