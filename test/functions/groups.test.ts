import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { endpoints, groups } from "../../functions/index.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import type { Group } from "../../lib/group.ts";
import { grantsOf, usesSigningSecret } from "../../lib/http/definition.ts";
import type { Verb } from "../../lib/table/access.ts";
import type { Family } from "../../lib/table/families.ts";
import { contract } from "../support/world/contract.ts";
import { expectWritten } from "../support/written.ts";

// docs/architecture.md#groups: what an endpoint shares a function with. IAM knows functions, so a group may do what one
// of its endpoints may.

/** The rights of an endpoint's function, were it alone: `FAMILY: verb`, and the signing secret. */
function rightsOf({ definition }: Endpoint): string[] {
  return [
    ...Object.entries(grantsOf(definition)).flatMap(([family, verbs]) => verbs.map((verb) => `${family}: ${verb}`)),
    ...(usesSigningSecret(definition) ? ["the signing secret"] : []),
  ];
}

const READS: Verb[] = ["get", "query"];
const CREDENTIALS: Family[] = ["CREDENTIALS", "TWO_FACTOR", "MAIL_TOKEN", "NOTES", "API_KEYS"];

/** Rights that an endpoint which answers without a token may have only where it needs them itself. */
function isReserved(right: string): boolean {
  const [family = "", verb] = right.split(": ");
  return verb === undefined || !READS.includes(verb as Verb) || CREDENTIALS.includes(family as Family);
}

/** The reserved rights that a group gives to endpoints which answer without a token and do not need them. */
function giftsIn({ endpoints }: Group): string[] {
  return endpoints
    .filter(({ definition }) => definition.access !== "bearer")
    .flatMap((open) => {
      const own = rightsOf(open);
      const given = endpoints.flatMap(rightsOf).filter((right) => isReserved(right) && !own.includes(right));
      return given.map((right) => `${open.definition.name}: ${right}`);
    });
}

const PAGE = "docs/architecture.md";

/** The rows of docs/architecture.md#groups: the functions that several endpoints share. */
function groupRows(): string {
  return groups
    .filter(({ name, endpoints: [first] }) => name !== first?.definition.name)
    .map((group) => {
      const members = group.endpoints.map(({ definition }) => definition.name);
      return `| \`${group.name}\` | ${members.join(", ")} |\n`;
    })
    .join("");
}

describe("The list of groups", () => {
  it("is the table in docs/architecture.md", () => {
    const page = readFileSync(PAGE, "utf8");
    const [, rows = ""] = /^\| Function \| Endpoints \|\n\|---\|---\|\n((?:\|.*\n)+)/m.exec(page) ?? [];
    expect(rows).not.toBe("");
    expectWritten(PAGE, page.replace(rows, groupRows()));
  });

  it("names each endpoint once, and gives each endpoint of docs/contract.md a function of its own", () => {
    expect(new Set(endpoints).size).toBe(endpoints.length);
    for (const endpoint of contract) expect(groups.map((group) => group.endpoints)).toContainEqual([endpoint]);
  });

  it.each(groups)("gives endpoints without a token neither writes nor credentials through the group $name", (group) => {
    expect(giftsIn(group), "take the endpoint into another group of functions/index.ts, or leave it alone").toEqual([]);
  });
});
