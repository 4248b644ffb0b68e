import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { endpoints, groups } from "../../functions/index.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { defineGroup, type Group } from "../../lib/group.ts";
import { grantsOf, usesSigningSecret } from "../../lib/http/definition.ts";
import type { Verb } from "../../lib/table/access.ts";
import type { Family } from "../../lib/table/keys.ts";
import { endpointNamed, eventOf, lambdaContext } from "../support/http/invoke.ts";
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
function giftsIn({ endpoints }: Pick<Group, "endpoints">): string[] {
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

const ofBoards = ["boards-browse", "boards-by-url", "boards-search"].map(endpointNamed);

describe("The list of groups", () => {
  it("agrees with the table in docs/architecture.md", () => {
    const shared = groups.filter(({ name }) => !endpoints.some(({ definition }) => definition.name === name));
    const members = ({ endpoints }: Group) => endpoints.map(({ definition }) => definition.name);
    expect(documented).toEqual(shared.map((group) => [group.name, ...members(group)]));
  });

  it("names each endpoint once, and gives each endpoint of docs/contract.md a function of its own", () => {
    expect(new Set(endpoints).size).toBe(endpoints.length);
    for (const endpoint of contract) expect(groups.map((group) => group.endpoints)).toContainEqual([endpoint]);
  });

  it("gives each function a unique name, and an endpoint's name only to a function of that endpoint alone", () => {
    const names = groups.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const group of groups) {
      const members = group.endpoints.map(({ definition }) => definition.name);
      if (endpoints.some(({ definition }) => definition.name === group.name)) expect(members).toEqual([group.name]);
    }
  });

  it.each(groups)("gives endpoints without a token neither writes nor credentials through the group $name", (group) => {
    expect(giftsIn(group), "take the endpoint into another group of functions/index.ts, or leave it alone").toEqual([]);
  });

  it("would notice a public reader in a group with credentials, writes or the signing secret", () => {
    expect(giftsIn({ endpoints: ["settings-site", "auth-log-in"].map(endpointNamed) })).toEqual(
      expect.arrayContaining(["settings-site: CREDENTIALS: get", "settings-site: the signing secret"]),
    );
    expect(giftsIn({ endpoints: ["boards-browse", "boards-create"].map(endpointNamed) })).toContain(
      "boards-browse: CATALOGUE: put",
    );
    expect(
      giftsIn({ endpoints: ["auth-password-validate-token", "auth-email-validate"].map(endpointNamed) }),
    ).toContain("auth-password-validate-token: MAIL_TOKEN: delete");
    expect(giftsIn({ endpoints: ofBoards })).toEqual([]);
  });
});

describe("The function of a group", () => {
  const group = defineGroup("some-boards", ofBoards);

  it("names an unknown route in its error", async () => {
    await expect(group(eventOf(endpointNamed("boards-create"), {}), lambdaContext())).rejects.toThrow(
      "some-boards has no endpoint for the route POST /api/v1/boards",
    );
  });
});
