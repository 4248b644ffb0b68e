import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { codesOf, requiresToken } from "../../lib/http/definition.ts";
import { type ErrorCode, errorCatalogue } from "../../lib/runtime/errors.ts";
import { contract } from "../support/world/contract.ts";
import { endpointsWithExample } from "../support/world/examples.ts";

// The definitions against the tables of docs/contract.md, which never changes.

const document = readFileSync("docs/contract.md", "utf8");

/** The cells of the first table below a heading, without its head. */
function rowsBelow(heading: string): string[][] {
  const [, section = ""] = document.split(new RegExp(`^#+ ${heading}$`, "m"));
  const [, table = ""] = /^(\|[\s\S]*?)\n\n/m.exec(section) ?? [];
  const rows = table.split("\n").map((line) => line.split("|").slice(1, -1));
  return rows.slice(2).map((cells) => cells.map((cell) => cell.trim()));
}

function listed(cell = ""): string[] {
  return cell.split(", ").filter((word) => word !== "");
}

const rows = rowsBelow("Endpoints").map(([number, link = "", token, status, codes]) => {
  const route = /\[(.+)\]/.exec(link)?.[1] ?? "";
  return { number: Number(number), route, token, status: Number(status), codes: listed(codes) };
});
const errors = rowsBelow("Errors");

const everywhere = "SERVER_ERROR VALIDATION_ERROR PAYLOAD_TOO_LARGE TOO_MANY_REQUESTS".split(" ");
const withToken = "INVALID_AUTH_HEADER INVALID_AUTH_HEADER_FORMAT INVALID_TOKEN".split(" ");

// Codes that the rows of the endpoints do not list, some of which depend on a setting or a header.
const further: Record<string, string> = {
  "POST /auth/signup": "EMAIL_INVALID PASSWORD_MISSING SIGNUP_NOT_ALLOWED USER_EXISTS",
  "POST /auth/setup": "PASSWORD_MISSING USER_EXISTS NOT_ENOUGH_PERMISSION",
  "POST /votes": "EMAIL_NOT_VERIFIED IDEMPOTENCY_KEY_REUSED",
  "POST /posts": "BOARD_NOT_FOUND USER_NOT_FOUND EMAIL_NOT_VERIFIED IDEMPOTENCY_KEY_REUSED",
};

describe("docs/contract.md", () => {
  it("lists the endpoints with the flag `contract` in their order", () => {
    // The greedy parameter is our notation of {name}, so that a slash can be searched.
    const built = contract.map(({ definition: { method, path } }) => `${method} ${path.replace("+}", "}")}`);
    expect(built).toEqual(rows.map(({ route }) => route));
  });

  it.each(rows)("agrees with the definition in row $number: $route", ({ number, route, token, status, codes }) => {
    const definition = contract[number - 1]?.definition;
    if (!definition) throw new Error(`no endpoint ${number}`);
    expect(requiresToken(definition)).toBe(token === "yes");
    // docs/contract.md#tokens: endpoints 3, 4 and 9.
    expect(definition.access === "optional").toBe([3, 4, 9].includes(number));
    expect(definition.success).toBe(status);
    // docs/contract.md#roles: where a permission is required.
    expect(definition.permission !== undefined).toBe([5, 6, 8, 10, 11].includes(number));
    const more = [...everywhere, ...(token === "yes" ? withToken : []), ...(further[route]?.split(" ") ?? [])];
    expect([...codesOf(definition)].sort()).toEqual([...new Set([...codes, ...more])].sort());
  });

  it("lists every code of these endpoints with its status, and the endpoints that list it", () => {
    const all = new Set(contract.flatMap(({ definition }) => [...codesOf(definition)]));
    expect([...new Set(errors.map(([code]) => code))].sort()).toEqual([...all].sort());
    for (const [code = "", status, , where] of errors) {
      const known = status === "503" ? 503 : errorCatalogue[code as ErrorCode].status;
      const from = rows.filter(({ codes }) => codes.includes(code)).map(({ number }) => number);
      expect(status, code).toBe(`${known}`);
      expect(where, code).toEqual(from.length === rows.length ? "all" : from.join(", "));
    }
  });
});

const NEW_ENDPOINT = `without an example no security or cost suite runs over these. A new endpoint needs
  a request with every field in test/support/world/examples.ts,
  further requests in test/support/world/exercises.ts if that one does not use every right of the definition,
  its own tests below test/functions/, and npm run docs.
  CONTRIBUTING.md, "How to add an endpoint", has the whole list`;

describe("The endpoint table", () => {
  it("finds an example request for every endpoint", () => {
    const exampled = endpointsWithExample.map(({ name }) => name);
    const missing = endpoints.map(({ definition }) => definition.name).filter((name) => !exampled.includes(name));
    expect(missing, NEW_ENDPOINT).toEqual([]);
  });
});
