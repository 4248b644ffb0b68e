import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { endpoints } from "../../../functions/index.ts";
import { writeEvents } from "../../../infra/local/events.ts";
import { lambdaContext } from "../../support/http/invoke.ts";
import { aFolder } from "../../support/process/server-process.ts";
import { freshTable } from "../../support/setup.ts";
import { aUser } from "../../support/world/fixtures.ts";

const folder = aFolder();

function fileOf(name: string): string {
  return readFileSync(join(folder, `${name}.json`), "utf8");
}

describe("The event file", () => {
  beforeAll(() => writeEvents(folder));
  beforeEach(freshTable);

  it("gets no 5xx with the token of the owner", async () => {
    const { token } = await aUser("owner");
    for (const endpoint of endpoints) {
      const text = fileOf(endpoint.definition.name).replace("TOKEN", token);
      const { statusCode = 0, body = "" } = await endpoint(JSON.parse(text), lambdaContext());
      expect(statusCode, `${endpoint.definition.name}: ${body}`).toBeGreaterThanOrEqual(200);
      expect(statusCode, `${endpoint.definition.name}: ${body}`).toBeLessThan(500);
    }
  });

  it("passes through its background function without a failure", async () => {
    for (const each of backgroundFunctions) {
      expect(await each(JSON.parse(fileOf(each.definition.name)))).toEqual({ batchItemFailures: [] });
    }
  });
});
