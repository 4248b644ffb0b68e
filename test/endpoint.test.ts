import { existsSync, globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { endpoints } from "../functions/index.ts";
import { definitionOf, missingRows, runsOf } from "./endpoint.ts";

describe("npm test -- --endpoint", () => {
  it("misses no row of an endpoint that is there", () => {
    expect(endpoints.flatMap(({ definition }) => missingRows(definition))).toEqual([]);
  });

  it("names each file in which an endpoint lacks a row", () => {
    const definition = { ...definitionOf("posts-create"), name: "posts-teleport", path: "/teleport" } as const;
    const { contract: _, ...isNew } = definition;
    expect(missingRows(isNew).map((row) => row.split(" ")[0])).toEqual([
      "test/support/world/examples.ts",
      "test/functions/",
      "test/simulation/clients/",
      "docs/openapi.json",
      "docs/api.md",
      "docs/costs.md",
      "test/cost/example-plans.txt",
    ]);
  });

  it("refuses a name that no endpoint has", () => {
    expect(() => definitionOf("posts-teleport")).toThrow("no endpoint is named posts-teleport");
  });

  it("runs files that exist, the endpoint's own among them", () => {
    const words = runsOf("votes-add").flatMap((run) => run.filter((word) => word.startsWith("test/")));
    for (const word of words) expect(globSync(`${word}*`).length + Number(existsSync(word)), word).toBeGreaterThan(0);
    expect(words).toContain("test/functions/votes/concurrent.test.ts");
  });
});
