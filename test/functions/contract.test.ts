import { describe, expect, it } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { codesOf, requiresToken } from "../../lib/http/definition.ts";
import { errorCatalogue } from "../../lib/runtime/errors.ts";
import { statusOfCode } from "../support/http/invoke.ts";
import { contract } from "../support/world/contract.ts";
import { endpointsWithExample } from "../support/world/examples.ts";

// docs/contract.md, typed in by hand: first the codes that its table of endpoints lists, behind `|` the further codes
// of this endpoint. Codes of all endpoints are `everywhere` and `withBearer`.
const table = `
 1  POST    /auth/signup              no   201  MAIL_CONFIG_MISSING SERVER_ERROR | EMAIL_INVALID PASSWORD_MISSING SIGNUP_NOT_ALLOWED USER_EXISTS
 2  POST    /auth/setup               no   201  EMAIL_INVALID SETUP_COMPLETED MAIL_CONFIG_MISSING SERVER_ERROR | PASSWORD_MISSING USER_EXISTS
 3  POST    /posts/get                no   200  SERVER_ERROR
 4  POST    /posts/slug               no   200  POST_NOT_FOUND SERVER_ERROR
 5  POST    /votes                    yes  201  NOT_ENOUGH_PERMISSION POST_NOT_FOUND VOTE_EXISTS SERVER_ERROR
 6  DELETE  /votes                    yes  200  NOT_ENOUGH_PERMISSION POST_NOT_FOUND SERVER_ERROR
 7  GET     /roadmaps                 yes  200  VALIDATION_ERROR SERVER_ERROR
 8  GET     /roadmaps/search/{name}   yes  200  NOT_ENOUGH_PERMISSION SERVER_ERROR
 9  GET     /roadmaps/{url}           no   200  ROADMAP_ID_OR_URL_MISSING SERVER_ERROR
10  POST    /posts                    yes  201  NOT_ENOUGH_PERMISSION SERVER_ERROR | BOARD_NOT_FOUND USER_NOT_FOUND
11  DELETE  /posts                    yes  204  NOT_ENOUGH_PERMISSION POST_NOT_FOUND SERVER_ERROR
12  GET     /boards                   yes  200  SERVER_ERROR
`;

const everywhere = ["SERVER_ERROR", "VALIDATION_ERROR", "PAYLOAD_TOO_LARGE", "TOO_MANY_REQUESTS"];
const withBearer = ["INVALID_AUTH_HEADER", "INVALID_AUTH_HEADER_FORMAT", "INVALID_TOKEN"];

// Codes that depend on a setting or a header; docs/contract.md does not list them.
const bySettings: Record<string, string[]> = {
  "POST /auth/setup": ["NOT_ENOUGH_PERMISSION"],
  "POST /votes": ["EMAIL_NOT_VERIFIED", "IDEMPOTENCY_KEY_REUSED"],
  "POST /posts": ["EMAIL_NOT_VERIFIED", "IDEMPOTENCY_KEY_REUSED"],
};

const rows = table
  .trim()
  .split("\n")
  .map((line) => {
    const [number, method, path = "", bearer, status, ...errors] = line.trim().split(/\s+/);
    return { number: Number(number), method, path, bearer, status: Number(status), errors };
  });

describe("The list of the contract's endpoints", () => {
  it("follows the order of docs/contract.md", () => {
    // The greedy parameter is our notation of {name}, so that a slash can be searched.
    const built = contract.map(({ definition }) => [definition.method, definition.path.replace("+}", "}")]);
    expect(built).toEqual(rows.map(({ method, path }) => [method, path]));
  });

  it.each(rows)("agrees with row $number: $method $path", ({ number, method, path, bearer, status, errors }) => {
    const definition = contract[number - 1]?.definition;
    if (!definition) throw new Error(`no endpoint ${number}`);
    expect(requiresToken(definition)).toBe(bearer === "yes");
    // docs/contract.md#tokens: endpoints 3, 4 and 9.
    expect(definition.access === "optional").toBe([3, 4, 9].includes(number));
    expect(definition.success).toBe(status);
    // docs/contract.md#roles: where a permission is required.
    expect(definition.permission !== undefined).toBe([5, 6, 8, 10, 11].includes(number));
    const expected = new Set([...errors.filter((each) => each !== "|"), ...everywhere]);
    if (bearer === "yes") for (const code of withBearer) expected.add(code);
    const codes = new Set<string>(codesOf(definition));
    for (const code of bySettings[`${method} ${path}`] ?? []) expect(codes.delete(code)).toBe(true);
    expect([...codes].sort()).toEqual([...expected].sort());
  });
});

describe("The catalogue of errors", () => {
  it("gives every documented code its status", () => {
    const statuses = Object.entries(errorCatalogue).map(([code, { status }]) => [code, status]);
    expect(Object.fromEntries(statuses)).toMatchObject(statusOfCode);
  });

  it("explains each code in a sentence", () => {
    for (const [code, { message }] of Object.entries(errorCatalogue)) {
      expect([code, message]).toEqual([code, expect.stringMatching(/^[A-Z][^_]{5,80}[^.]$/)]);
    }
  });
});

const NEW_ENDPOINT = `without an example no security or cost suite runs over these. A new endpoint needs
  a request with every field in test/support/world/examples.ts,
  further requests in test/support/world/exercises.ts if that one does not use every right of the definition,
  its plan in test/cost/plans.ts, its own tests below test/functions/,
  npm run docs, and the numbers of endpoints and resources in docs/deploy.md.
  CONTRIBUTING.md, "How to add an endpoint", has the whole list`;

describe("The endpoint table", () => {
  it("gives each endpoint a name and a route of its own", () => {
    const names = endpoints.map(({ definition }) => definition.name);
    const routes = endpoints.map(({ definition: { method, path } }) => `${method} ${path.replace(/\{\w+/g, "{")}`);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it("finds an example request for every endpoint", () => {
    const exampled = endpointsWithExample.map(({ name }) => name);
    const missing = endpoints.map(({ definition }) => definition.name).filter((name) => !exampled.includes(name));
    expect(missing, NEW_ENDPOINT).toEqual([]);
  });
});
