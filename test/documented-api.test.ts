import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Endpoint } from "../lib/endpoint.ts";
import { codesOf, requiresToken } from "../lib/http/definition.ts";
import { type ErrorCode, errorCatalogue } from "../lib/runtime/errors.ts";
import { contract } from "./support/world/contract.ts";

function documentOf(file: string): string {
  return readFileSync(join(import.meta.dirname, "..", file), "utf8");
}

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
  const document = documentOf("docs/contract.md");
  const rows = rowsBelow(document, "Endpoints");
  const errors = rowsBelow(document, "Errors");

  it("lists the endpoints with the flag `contract` in their order", () => {
    expect(rows.map(([, link]) => /\[(.+)\]/.exec(link ?? "")?.[1])).toEqual(contract.map(routeOf));
  });

  it.each(rows)("agrees in row %s with the endpoint %s: token, status, codes", (number, _, token, status, codes) => {
    const { definition } = contract[Number(number) - 1] as Endpoint;
    expect(requiresToken(definition)).toBe(token === "yes");
    expect(Number(status)).toBe(definition.success);
    expect(listed(codes).filter((code) => !codesOf(definition).has(code as ErrorCode))).toEqual([]);
  });

  it("says of each code which endpoints list it", () => {
    for (const [code = "", , , where = ""] of errors) {
      const from = rows.filter(([, , , , codes]) => listed(codes).includes(code)).map(([number]) => number);
      expect([code, where]).toEqual([code, from.length === rows.length ? "all" : from.join(", ")]);
    }
  });

  it("lists every code of these endpoints with its status", () => {
    const codes = new Set(contract.flatMap(({ definition }) => [...codesOf(definition)]));
    expect([...new Set(errors.map(([code]) => code))].sort()).toEqual([...codes].sort());
    for (const [code, status] of errors.filter(([, status]) => status !== "503")) {
      expect([code, Number(status)]).toEqual([code, errorCatalogue[code as ErrorCode].status]);
    }
  });
});
