import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { endpoints } from "../../../functions/index.ts";
import { defineEndpoint, type Endpoint } from "../../../lib/endpoint.ts";
import { codesOf, grantsOf, requiresToken, usesSigningSecret } from "../../../lib/http/definition.ts";
import { PostId } from "../../../lib/http/inputs.ts";

const fields = {
  name: "things-get",
  route: "GET /things",
  request: z.object({}),
  success: 200,
  response: z.object({}),
  errors: [],
  table: {},
  handle: async () => ({}),
} as const;
function limit() {
  return { counts: [], whenStoreFails: "refuse" as const };
}
function trace() {
  return { item: "thing" };
}

const always = ["PAYLOAD_TOO_LARGE", "SERVER_ERROR"];
const counting = { RATE: ["updateAlone"] };
const lookUp = { USER: ["get"], API_KEYS: ["get"], KEY_USES: ["updateAlone"], ...counting };
const withToken = ["INVALID_AUTH_HEADER", "INVALID_AUTH_HEADER_FORMAT", "INVALID_TOKEN", "TOO_MANY_REQUESTS"];

describe("A definition", () => {
  const request = z.object({ body: z.object({ postId: PostId }) });
  const implied: [what: string, Endpoint, codes: string[], grants: object][] = [
    ["public access", defineEndpoint({ ...fields, access: "public" }), [], {}],
    ["optional access", defineEndpoint({ ...fields, access: "optional" }), ["TOO_MANY_REQUESTS"], lookUp],
    ["no access of its own", defineEndpoint(fields), withToken, lookUp],
    [
      "bearer access that public reads open",
      defineEndpoint({ ...fields, access: "bearer unless public reads" }),
      withToken,
      lookUp,
    ],
    [
      "a permission",
      defineEndpoint({ ...fields, access: "bearer", permission: "post:create" }),
      [...withToken, "NOT_ENOUGH_PERMISSION"],
      lookUp,
    ],
    ["mail", defineEndpoint({ ...fields, access: "public", requires: "mail" }), ["MAIL_CONFIG_MISSING"], {}],
    [
      "input and errors of its own",
      defineEndpoint({ ...fields, access: "public", request, errors: ["POST_NOT_FOUND"] }),
      ["VALIDATION_ERROR", "POST_NOT_FOUND"],
      {},
    ],
    ["a limit", defineEndpoint({ ...fields, access: "public", limit }), ["TOO_MANY_REQUESTS"], counting],
    [
      "a table of its own",
      defineEndpoint({ ...fields, access: "bearer", table: { USER: ["get", "put"], POSTS: ["get"] }, trace }),
      withToken,
      { ...lookUp, USER: ["get", "put"], POSTS: ["get"] },
    ],
    [
      "refusing API keys",
      defineEndpoint({ ...fields, access: "bearer", refusesKeys: true, table: { API_KEYS: ["query"] } }),
      [...withToken, "KEY_NOT_ALLOWED"],
      { USER: ["get"], API_KEYS: ["get", "query"], ...counting },
    ],
  ];

  it.each(implied)("implies error codes and rights to the table by %s", (_, { definition }, codes, grants) => {
    expect([...codesOf(definition)].sort()).toEqual([...always, ...codes].sort());
    expect(grantsOf(definition)).toEqual(grants);
  });

  it("implies the right to read the signing secret if the function verifies or issues tokens", () => {
    expect(usesSigningSecret({ access: "public" })).toBe(false);
    expect(usesSigningSecret({ access: "public", issuesTokens: true })).toBe(true);
    for (const access of ["optional", "bearer", "bearer unless public reads"] as const) {
      expect(usesSigningSecret({ access })).toBe(true);
      expect(requiresToken({ access })).toBe(access !== "optional");
    }
  });
});

describe("A definition that contradicts itself", () => {
  it("fails to compile: permission without bearer, unlisted code, write outside of a transaction, replay, trace", () => {
    // @ts-expect-error A permission needs an account.
    defineEndpoint({ ...fields, access: "optional", permission: "post:create" });
    // @ts-expect-error Public reads would admit callers without a role.
    defineEndpoint({ ...fields, access: "bearer unless public reads", permission: "roadmap:read" });
    // @ts-expect-error The definition lists no errors.
    defineEndpoint({ ...fields, access: "public", handle: async ({ fail }) => Promise.reject(fail("POST_NOT_FOUND")) });
    // @ts-expect-error 'RATE' does not exist: the limit implies it.
    defineEndpoint({ ...fields, access: "public", limit, table: { RATE: ["updateAlone"] } });
    // @ts-expect-error
    defineEndpoint({ ...fields, access: "public", table: { USER: ["putAlone"] } });
    // @ts-expect-error 'trace' is missing: the log does not say what changes.
    defineEndpoint({ ...fields, access: "bearer", table: { POSTS: ["get"], USER: ["get", "update"] } });
    defineEndpoint({ ...fields, access: "bearer", table: { POSTS: ["get"], OUTBOX: ["put"] } });
    const response = z.object({ id: z.string() });
    defineEndpoint({ ...fields, access: "bearer", response, handle: async ({ caller }) => ({ id: caller.userId }) });
    const access = "bearer unless public reads";
    const idempotency = z.object({ id: z.string() });
    // @ts-expect-error 'replay' is missing.
    defineEndpoint({ ...fields, access: "bearer", idempotency });
    // @ts-expect-error 'replay' does not exist: without `idempotency` no call is repeated.
    defineEndpoint({ ...fields, access: "bearer", replay: async () => ({}) });
    // @ts-expect-error 'caller' is possibly 'undefined'.
    defineEndpoint({ ...fields, access, response, handle: async ({ caller }) => ({ id: caller.userId }) });
  });
});

function codesOfSchemas({ definition: { request } }: Endpoint): string[] {
  const { shape = {} } = (request.shape.query ?? {}) as { shape?: object };
  const misused = Object.fromEntries(Object.keys(shape).map((name) => [name, "?"]));
  const issues = [{}, misused].flatMap(
    (query) => request.safeParse({ body: { url: "https://127.0.0.1/" }, params: {}, query }).error?.issues ?? [],
  );
  return issues.flatMap((issue) => (issue.code === "custom" && issue.params?.code) || []);
}

function codesOfModule({ definition: { name } }: Endpoint): string[] {
  const source = readFileSync(`functions/${name.replace("-", "/")}.ts`, "utf8");
  return [...source.matchAll(/\bfail\("(\w+)"[,)]/g)].map(([, code = ""]) => code);
}

describe("The list of errors in a definition", () => {
  it.each(endpoints.map((endpoint) => ({ name: endpoint.definition.name, endpoint })))(
    "names exactly the codes that the module and the schemas throw: $name",
    ({ endpoint }) => {
      const thrown = new Set([...codesOfModule(endpoint), ...codesOfSchemas(endpoint)]);
      const hint = "list what fail() and the schemas throw; what else the definition implies, codesOf adds";
      expect([...endpoint.definition.errors].sort(), hint).toEqual([...thrown].sort());
    },
  );
});
