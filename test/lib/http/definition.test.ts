import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { endpoints } from "../../../functions/index.ts";
import { defineEndpoint, type Endpoint } from "../../../lib/endpoint.ts";

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

describe("A definition that contradicts itself", () => {
  it("fails to compile: permission without bearer, unlisted code, write outside of a transaction, replay, trace, audit", () => {
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
    const table = { POSTS: ["get"], USER: ["get", "update"] } as const;
    const trace = () => ({});
    defineEndpoint({ ...fields, access: "bearer", table, trace, audit: "post.updated" });
    // @ts-expect-error 'trace' is missing: the log does not say what changes.
    defineEndpoint({ ...fields, access: "bearer", table, audit: "post.updated" });
    // @ts-expect-error 'audit' is missing: the audit log has no word for the change.
    defineEndpoint({ ...fields, access: "bearer", table, trace });
    // @ts-expect-error Nothing changes.
    defineEndpoint({ ...fields, access: "bearer", audit: "post.updated" });
    // @ts-expect-error Nobody is known to have changed it.
    defineEndpoint({ ...fields, access: "public", table, trace, audit: "post.updated" });
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
    (query) =>
      request.safeParse({
        body: { url: "https://127.0.0.2/", issuer: "https://127.0.0.2/", email: "?" },
        params: {},
        query,
      }).error?.issues ?? [],
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
