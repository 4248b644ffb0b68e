import { existsSync, globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { endpoints } from "../functions/index.ts";
import { definitionOf, missingRows, runsOf } from "./endpoint.ts";

// npm test -- --endpoint <name>.

describe("The rows of an endpoint", () => {
  it("are complete for every endpoint", () => {
    expect(endpoints.flatMap(({ definition }) => missingRows(definition))).toEqual([]);
  });

  it("are missed in each file that lists endpoints", () => {
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

  it("are not looked for under a name that no endpoint has", () => {
    expect(() => definitionOf("posts-teleport")).toThrow("no endpoint is named posts-teleport");
  });
});

describe("The tests of an endpoint", () => {
  it("are in files that exist, its own among them", () => {
    const words = runsOf("votes-add").flatMap((run) => run.filter((word) => word.startsWith("test/")));
    for (const word of words) expect(globSync(`${word}*`).length + Number(existsSync(word)), word).toBeGreaterThan(0);
    expect(words).toContain("test/functions/votes/concurrent.test.ts");
  });
});
