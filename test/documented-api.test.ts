import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { beyond, contract, endpoints } from "../functions/index.ts";
import { may } from "../lib/auth/permissions.ts";
import type { Endpoint } from "../lib/endpoint.ts";
import { codesOf, requiresToken } from "../lib/http/definition.ts";
import * as schemas from "../lib/http/schemas.ts";
import { type ErrorCode, errorCatalogue } from "../lib/runtime/errors.ts";

// The tables of docs/api.md, docs/contract.md and docs/decisions.md against the endpoint table and the catalogue of errors.

const documentOf = (file: string): string => readFileSync(join(import.meta.dirname, "..", file), "utf8");

/** The rows of the tables below a heading, cell by cell, without their head. */
const rowsBelow = (document: string, heading: string): string[][] => {
  const [, section = ""] = document.split(new RegExp(`^#+ ${heading}$`, "m"));
  return (section.split(/^#+ /m)[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter(([first = ""]) => !/^-*$/.test(first))
    .slice(1);
};

const listed = (cell = ""): string[] => cell.split(", ").filter((word) => word !== "");

const routeOf = ({ definition: { method, path } }: Endpoint): string => `${method} ${path.replace("+}", "}")}`;

const api = documentOf("docs/api.md");
const groups = ["Accounts", "Users", "Site settings", "Boards", "Roadmaps", "Posts and votes"];

/** What an endpoint's own row need not say, because its other cells say it. */
const impliedCodes = ({ definition: { access } }: Endpoint): Set<string> =>
  new Set([
    ...["SERVER_ERROR", "PAYLOAD_TOO_LARGE", "VALIDATION_ERROR"],
    ...(access.startsWith("bearer") ? ["INVALID_AUTH_HEADER", "INVALID_AUTH_HEADER_FORMAT", "INVALID_TOKEN"] : []),
  ]);

const tokenOf = ({ definition: { access, permission } }: Endpoint): string => {
  if (access === "public") return "no";
  if (access === "optional") return "optional";
  return permission && !may("moderator", permission) ? "owner" : "yes";
};

type Shape = Record<string, z.ZodType>;
const shapeOf = (schema: z.ZodType | undefined): Shape => (schema as { shape?: Shape } | undefined)?.shape ?? {};

/** The fields of the body and the query, `name?` for those that may be absent. */
const fieldsOf = ({ definition: { request } }: Endpoint): string[] =>
  Object.entries({ ...shapeOf(request.shape.body), ...shapeOf(request.shape.query) }).map(
    ([name, schema]) => `${name}${schema.safeParse(undefined).success ? "?" : ""}`,
  );

const PAGING = ["page_info", "total_count", "total_pages"];

/** The fields that a success always has; those of Paging only where the row does not say Paging. */
const answeredBy = ({ definition: { response } }: Endpoint, cell: string): string[] =>
  Object.entries(shapeOf(response))
    .filter(
      ([name, schema]) => !schema.safeParse(undefined).success && !(cell.includes("Paging") && PAGING.includes(name)),
    )
    .map(([name]) => name);

describe("docs/api.md", () => {
  const rows = new Map(
    ["The contract", ...groups].flatMap((group) => rowsBelow(api, group)).map((row) => [row[0], row]),
  );

  it("has a row for every endpoint, and no other", () => {
    expect([...rows.keys()].sort()).toEqual(endpoints.map(routeOf).sort());
    expect(rowsBelow(api, "The contract").map(([route]) => route)).toEqual(contract.map(routeOf));
    expect(rows.size).toBe(contract.length + beyond.length);
  });

  it.each(endpoints.map((endpoint) => ({ route: routeOf(endpoint), endpoint })))("$route", ({ route, endpoint }) => {
    const row = rows.get(route);
    if (!row) throw new Error(`docs/api.md has no row for ${route}: add one`);
    const [, token, fields = "", success = "", codes] = row;
    expect(token).toBe(tokenOf(endpoint));
    expect([...fields.matchAll(/`(\w+\??)/g)].map(([, field]) => field).sort()).toEqual(fieldsOf(endpoint).sort());
    expect(Number(success.slice(0, 3))).toBe(endpoint.definition.success);
    for (const name of answeredBy(endpoint, success)) expect(success).toMatch(new RegExp(`\\b${name}\\b`));
    const implied = impliedCodes(endpoint);
    const own = [...codesOf(endpoint.definition)].filter((code) => !implied.has(code));
    expect(listed(codes).sort()).toEqual(own.sort());
  });

  it("has the fields of every resource", () => {
    // The names of the document that are not those of the code.
    const { RoadmapSummary: Roadmap, RoadmapListItem: RoadmapItem, CursorPaging: Paging } = schemas;
    const built: Record<string, z.ZodType> = { ...schemas, Roadmap, RoadmapItem, Paging };
    const block = /```ts\n([\s\S]*?)```/.exec(api)?.[1] ?? "";
    const documented = new Map<string, string[]>();
    for (const [, name = "", base, fields = ""] of block.matchAll(/^(\w+) +(?:(\w+) \+ )?\{([^}]*)\}/gm)) {
      const own = fields.split(",").map((field) => field.replace(/\??:.*/s, "").trim());
      documented.set(name, [...(documented.get(base ?? "") ?? []), ...own]);
    }
    for (const [name, fields] of documented) {
      expect([name, fields.sort()]).toEqual([name, Object.keys(shapeOf(built[name])).sort()]);
    }
    expect(documented.size).toBeGreaterThan(15);
  });

  it("has every error code with its status", () => {
    const statuses = rowsBelow(api, "Errors").map(([code, status]) => [code, Number(status?.split(",")[0])]);
    const built = Object.entries(errorCatalogue).map(([code, { status }]) => [code, status]);
    expect(statuses.sort()).toEqual(built.sort());
  });
});

describe("docs/contract.md", () => {
  const rows = rowsBelow(documentOf("docs/contract.md"), "Endpoints");

  it("lists the twelve in their order", () => {
    expect(rows.map(([, link]) => /\[(.+)\]/.exec(link ?? "")?.[1])).toEqual(contract.map(routeOf));
  });

  it.each(rows)("row %s: %s", (number, _, token, codes) => {
    const { definition } = contract[Number(number) - 1] as Endpoint;
    expect(requiresToken(definition)).toBe(token === "yes");
    expect(listed(codes).filter((code) => !codesOf(definition).has(code as ErrorCode))).toEqual([]);
  });

  it("says of each code which endpoints it comes from, as their rows do", () => {
    for (const [code = "", , where] of rowsBelow(documentOf("docs/contract.md"), "Errors")) {
      const from = rows.filter(([, , , codes]) => listed(codes).includes(code)).map(([number]) => number);
      expect([code, where]).toEqual([code, from.length === rows.length ? "all" : from.join(", ")]);
    }
  });
});

describe("docs/decisions.md", () => {
  const decisions = documentOf("docs/decisions.md");

  it("has the status of every success of the contract", () => {
    const statuses = rowsBelow(decisions, "Status of success").map(([route, status]) => [route, Number(status)]);
    expect(statuses).toEqual(contract.map((endpoint) => [routeOf(endpoint), endpoint.definition.success]));
  });

  it("has every code that the twelve may answer with, with its status", () => {
    const codes = new Set(contract.flatMap(({ definition }) => [...codesOf(definition)]));
    const rows = rowsBelow(decisions, "Errors").map(([code = "", status]) => [
      code.split(" ")[0],
      Number.parseInt(status ?? "", 10),
    ]);
    const statusOf = (code: ErrorCode): number => errorCatalogue[code].status;
    expect([...new Set(rows.map(([code]) => code))].sort()).toEqual([...codes].sort());
    for (const [code, status] of rows) {
      if (status !== 503) expect([code, status]).toEqual([code, statusOf(code as ErrorCode)]);
    }
  });
});
