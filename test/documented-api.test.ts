import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Endpoint } from "../lib/endpoint.ts";
import { codesOf, requiresToken } from "../lib/http/definition.ts";
import { type ErrorCode, errorCatalogue } from "../lib/runtime/errors.ts";
import { contract } from "./support/world/contract.ts";

// The tables of docs/contract.md and docs/decisions.md against the endpoint table and the catalogue of errors. docs/api.md is written by
// npm run docs: test/infra/openapi/document.test.ts

function documentOf(file: string): string {
  return readFileSync(join(import.meta.dirname, "..", file), "utf8");
}

/** The rows of the tables below a heading, cell by cell, without their head. */
function rowsBelow(document: string, heading: string): string[][] {
  const [, section = ""] = document.split(new RegExp(`^#+ ${heading}$`, "m"));
  return (section.split(/^#+ /m)[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter(([first = ""]) => !/^-*$/.test(first))
    .slice(1);
}

function listed(cell = ""): string[] {
  return cell.split(", ").filter((word) => word !== "");
}

function routeOf({ definition: { method, path } }: Endpoint): string {
  return `${method} ${path.replace("+}", "}")}`;
}

describe("docs/contract.md", () => {
  const rows = rowsBelow(documentOf("docs/contract.md"), "Endpoints");

  it("lists the endpoints with the flag `contract`, in their order", () => {
    expect(rows.map(([, link]) => /\[(.+)\]/.exec(link ?? "")?.[1])).toEqual(contract.map(routeOf));
  });

  it.each(rows)("says in row %s what %s requires and answers", (number, _, token, codes) => {
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

  it("has the status of every success", () => {
    const statuses = rowsBelow(decisions, "Status of success").map(([route, status]) => [route, Number(status)]);
    expect(statuses).toEqual(contract.map((endpoint) => [routeOf(endpoint), endpoint.definition.success]));
  });

  it("has every code of these endpoints with its status", () => {
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
