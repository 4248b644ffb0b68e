import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import type { Endpoint } from "../../lib/endpoint.ts";
import { codesOf, takesIfMatch } from "../../lib/http/definition.ts";
import { newId } from "../../lib/values/ids.ts";
import { invoke, type Reply, type Request, refusal, success } from "../support/http/invoke.ts";
import { writesIn } from "../support/store/calls.ts";
import { aWorld, codeOf, endpointsWithExample, goodRequest, type World } from "../support/world/examples.ts";
import { generated } from "../support/world/generated.ts";
import { anyString } from "./any-string.ts";

// docs/guarantees.md#promises: any value in any field gives a 4xx or a correct answer, never a 5xx, and a 4xx stores
// nothing.

let world: World;
beforeAll(async () => {
  world = await aWorld();
});

type Part = "body" | "params" | "query";
/** A field of a request: its path, and the value that the example has there. */
type Field = { part: Part; path: string[]; value: unknown };

const parts: Part[] = ["body", "params", "query"];
function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsIn(part: Part, value: unknown, path: string[] = []): Field[] {
  return isPlain(value)
    ? [
        ...(path.length > 0 ? [{ part, path, value }] : []),
        ...Object.entries(value).flatMap(([name, each]) => fieldsIn(part, each, [...path, name])),
      ]
    : [{ part, path, value }];
}

function fieldsOf(request: Request): Field[] {
  return parts.flatMap((part) => (request[part] === undefined ? [] : fieldsIn(part, request[part])));
}

function withValue(request: Request, { part, path }: Field, value: unknown): Request {
  const changed = structuredClone(request[part]) as Record<string, unknown>;
  let at = changed;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[path.at(-1) as string] = value;
  return { ...request, [part]: changed };
}

function nameOf({ part, path }: Field): string {
  return [part, ...path].join(".");
}

/** The request that every test of an endpoint starts from: it is refused each time, so that one does for all. */
const kept = new Map<Endpoint, Request>();
async function goodOf(endpoint: Endpoint): Promise<Request> {
  const request = kept.get(endpoint) ?? (await goodRequest(endpoint, world));
  kept.set(endpoint, request);
  return request;
}

function refused(endpoint: Endpoint, field: Field, reply: Reply): void {
  const name = nameOf(field);
  refusal(reply, codeOf(endpoint, name), name);
  expect(writesIn(reply)).toEqual([]);
}

const withInput = endpointsWithExample.filter(
  ({ endpoint }) => Object.keys(endpoint.definition.request.shape).length > 0,
);

/** Values of other types than the example's; no digits, since a number may come as a decimal string. */
function wrongTypes(value: unknown): unknown[] {
  if (typeof value === "string") return [true, 1.5, 0, {}, [[]], { toString: "x" }];
  if (typeof value === "number") return [true, "abc", {}, [], "1.5"];
  if (typeof value === "boolean") return ["true", 1, "", {}, []];
  if (Array.isArray(value) && value.length === 0) return [true, 1.5, "text", {}];
  return [true, 1.5, "text", []];
}

const controls = ["a\u0000b", "\u0001", "\u001b[31m", "\u007f", "\u0085", "x\ud800", "\udc00x", "\ud800\ud800"];

describe("an example request", () => {
  it.each(withInput)("holds every field of the request: $name", async ({ endpoint }) => {
    const request = await goodOf(endpoint);
    for (const part of parts) {
      const schema = endpoint.definition.request.shape[part] as z.ZodMiniObject | undefined;
      const given = Object.keys((request[part] as object | undefined) ?? {});
      const fields = Object.keys(schema?.shape ?? {});
      // A page by number excludes a page by cursor.
      const isByCursor = fields.includes("after") && given.includes("first");
      const names = fields.filter((name) => name !== "page" || !isByCursor);
      // A missing one would not be tested here: give it in test/support/world/examples.ts.
      expect([part, ...given.sort()]).toEqual([part, ...names.sort()]);
    }
  });
});

describe("a value of a wrong type", () => {
  it.each(withInput)("fails in every body field of $name with the name of the field", async ({ endpoint }) => {
    const request = await goodOf(endpoint);
    for (const field of fieldsOf(request).filter(({ part }) => part === "body")) {
      for (const value of wrongTypes(field.value)) {
        const reply = await invoke(endpoint, withValue(request, field, value));
        // None at all: it takes all tags from the post, or all words or blocked domains from the rules.
        if (/^body\.(tags|words|blockedMailDomains)$/.test(nameOf(field)) && Array.isArray(value)) continue;
        const isMissing = nameOf(field) === "body.password" && typeof field.value === "string" && value === "";
        if (isMissing) refusal(reply, "PASSWORD_MISSING");
        else refused(endpoint, field, reply);
      }
    }
  });
});

describe("an id that names nothing", () => {
  const optional = ["body.authorId", "body.parent_id", "body.status", "body.before", "body.moveTo"];
  const isOfId = (endpoint: Endpoint, field: Field) => /_NOT_FOUND$|_MISSING$/.test(codeOf(endpoint, nameOf(field)));

  it.each(withInput)("fails in every field of $name with the code of the field", async ({ endpoint }) => {
    const request = await goodOf(endpoint);
    for (const field of fieldsOf(request).filter((field) => isOfId(endpoint, field))) {
      // The path of a comment names its post too, and the comment is looked up.
      if (field.part === "params" && field.path[0] === "postId" && request.params?.commentId) continue;
      const absent = field.part === "body" && !optional.includes(nameOf(field)) ? ["", " ", null, undefined] : [];
      for (const value of [newId(), "no id", "%", "__proto__", "x".repeat(1000), ...absent]) {
        refused(endpoint, field, await invoke(endpoint, withValue(request, field, value)));
      }
    }
  });
});

describe("a control character or a lone surrogate", () => {
  const takesPresent = ["auth-log-in", "users-change-password"];

  it.each(withInput)("fails in every text of the body of $name with the name of the field", async ({ endpoint }) => {
    const request = await goodOf(endpoint);
    for (const field of fieldsOf(request).filter(({ part, value }) => part === "body" && typeof value === "string")) {
      for (const text of controls) {
        const reply = await invoke(endpoint, withValue(request, field, text));
        // A password may hold any well-formed text; these are refused for their length, and as a present one because
        // they are wrong.
        const isTried = nameOf(field) === "body.password" && takesPresent.includes(endpoint.definition.name);
        if (isTried && text.isWellFormed()) refusal(reply, "INCORRECT_PASSWORD");
        else refused(endpoint, field, reply);
      }
    }
  });

  it.each(withInput)("fails in path and query of $name with a code of the definition", async ({ endpoint }) => {
    const request = await goodOf(endpoint);
    for (const field of fieldsOf(request).filter(({ part }) => part !== "body")) {
      for (const text of controls.filter((each) => each.isWellFormed())) {
        const reply = await invoke(endpoint, withValue(request, field, text));
        expect(reply.status).toBeGreaterThanOrEqual(400);
        refusal(reply, reply.body.code);
        expect([...codesOf(endpoint.definition)]).toContain(reply.body.code);
      }
    }
  });
});

/** Fails unless a reply is the success of the definition or one of its codes, below 500. */
function isDecided(endpoint: Endpoint, reply: Reply): void {
  if (reply.status < 400) return void success(reply, endpoint.definition.success);
  refusal(reply, reply.body.code);
  expect(reply.status).toBeLessThan(500);
  expect([...codesOf(endpoint.definition)]).toContain(reply.body.code);
  if (reply.status !== 400) return;
  expect(writesIn(reply)).toEqual([]);
}

const words = `null undefined true NaN 0 -1 1e9 1e400 0x10 1/0 $ne #pk :pk pk USER#x ../../etc/passwd %00 %2e%2e <script>
  {{7*7}} #{7*7} \u202e \ufeff \u2028 İ ß \u212a __proto__ constructor toString`;
const numbers = [-0, 0, 1, -1, 0.1, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324];
const others = [null, true, false, [], {}, [[]], [null], Array(100).fill("x")];
const objects = [{ $gt: "" }, { S: "x" }, { length: 1e9 }];
const texts = ["", " ", "' OR '1'='1", "9".repeat(400), "ﷺ".repeat(50), "Z\u0351\u036b".repeat(80), "😀".repeat(130)];
const nasty = fc.constantFrom<unknown>(...words.split(/[ \n]+/), ...texts, ...numbers, ...others, ...objects);
const anything = fc.oneof(
  nasty,
  anyString(40),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.array(fc.nat(0xffff), { maxLength: 5 }).map((units) => String.fromCharCode(...units)),
  fc.double(),
  fc.integer(),
  fc.uuid(),
  fc.jsonValue({ maxDepth: 3 }),
);

const anyBody = fc.oneof(
  fc.json({ maxDepth: 5 }),
  anyString(200),
  fc.dictionary(fc.string(), anything).map((value) => JSON.stringify(value)),
);
const anyText = fc.oneof(anyString(80), fc.string({ maxLength: 80 }), fc.uuid());
const anyHeader = fc.oneof(
  anyText,
  anyText.map(JSON.stringify),
  fc.array(anyText).map(String),
  fc.constantFrom("*", "", '""'),
);

/** A value as it comes by path and query: well-formed text. */
function asText(value: unknown): string {
  return (typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)).toWellFormed();
}

describe("a random request", () => {
  for (const { name, endpoint } of withInput) {
    generated(`gets a code of the definition for any value in any field of ${name}`, async ({ seed, times }) => {
      const request = await goodOf(endpoint);
      const fields = fieldsOf(request);
      const changes = fc.array(fc.tuple(fc.constantFrom(...fields), anything), { minLength: 1, maxLength: 3 });
      // Seldom drawn: what JavaScript itself cannot make a text of.
      const noText = fields.map((field): [[Field, unknown][]] => [[[field, { toString: "x", valueOf: [] }]]]);
      await fc.assert(
        fc.asyncProperty(changes, async (list) => {
          let changed = request;
          for (const [field, value] of list) {
            changed = withValue(
              { ...changed, [field.part]: request[field.part] },
              field,
              field.part === "body" ? value : asText(value),
            );
          }
          isDecided(endpoint, await invoke(endpoint, changed));
        }),
        { seed, numRuns: times(60), examples: noText },
      );
    });

    generated(`gets a code of the definition for any body of ${name}`, async ({ seed, times }) => {
      const { token, params, query } = await goodOf(endpoint);
      const rest = { token, ...(params && { params }), ...(query && { query }) };
      await fc.assert(
        fc.asyncProperty(anyBody, async (text) => isDecided(endpoint, await invoke(endpoint, { ...rest, body: text }))),
        { seed, numRuns: times(40) },
      );
    });

    const { idempotency } = endpoint.definition;
    if (!idempotency && !takesIfMatch(endpoint.definition)) continue;
    generated(
      `gets a code of the definition for any Idempotency-Key and If-Match of ${name}`,
      async ({ seed, times }) => {
        const request = await goodOf(endpoint);
        await fc.assert(
          fc.asyncProperty(anyHeader, anyHeader, async (key, tags) => {
            const headers = { "idempotency-key": key, "if-match": tags };
            isDecided(endpoint, await invoke(endpoint, { ...request, headers }));
          }),
          { seed, numRuns: times(60) },
        );
      },
    );
  }
});
