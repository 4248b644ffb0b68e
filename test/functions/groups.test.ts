import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { endpoints, groups } from "../../functions/index.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import type { Group } from "../../lib/group.ts";
import { grantsOf, usesSigningSecret } from "../../lib/http/definition.ts";
import type { Verb } from "../../lib/table/access.ts";
import type { Family } from "../../lib/table/keys.ts";
import { contract } from "../support/world/contract.ts";

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
const CREDENTIALS: Family[] = ["CREDENTIALS", "MAIL_TOKEN", "NOTES", "API_KEYS"];

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

/** The rows of docs/architecture.md#groups: the functions that several endpoints may share. */
const [, section = ""] = /^## Groups$([\s\S]*?)^## /m.exec(readFileSync("docs/architecture.md", "utf8")) ?? [];
const documented = [...section.matchAll(/^\| `([\w-]+)` \| ([\w, -]+) \|$/gm)].map(([, name, members = ""]) => [
  name,
  ...members.split(", "),
]);

describe("The list of groups", () => {
  it("agrees with the table in docs/architecture.md", () => {
    const shared = groups.filter((group) => group.name !== group.endpoints[0]?.definition.name);
    const members = ({ endpoints }: Group) => endpoints.map(({ definition }) => definition.name);
    expect(documented).toEqual(shared.map((group) => [group.name, ...members(group)]));
  });

  it("names each endpoint once, and gives each endpoint of docs/contract.md a function of its own", () => {
    expect(new Set(endpoints).size).toBe(endpoints.length);
    for (const endpoint of contract) expect(groups.map((group) => group.endpoints)).toContainEqual([endpoint]);
  });

  it.each(groups)("gives endpoints without a token neither writes nor credentials through the group $name", (group) => {
    expect(giftsIn(group), "take the endpoint into another group of functions/index.ts, or leave it alone").toEqual([]);
  });
});
