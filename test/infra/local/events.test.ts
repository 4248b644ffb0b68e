import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DynamoDBStreamEvent } from "aws-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { endpoints } from "../../../functions/index.ts";
import { EVENTS_FOLDER, EXAMPLES, eventFiles, exampleEvent, TOKEN } from "../../../infra/local/events.ts";
import { requiresToken } from "../../../lib/http/definition.ts";
import { lambdaContext } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { contract } from "../../support/world/contract.ts";
import { aBoard, aPost, aRoadmap, aUser } from "../../support/world/fixtures.ts";

function fileOf(name: string): string {
  return readFileSync(join(EVENTS_FOLDER, `${name}.json`), "utf8");
}

describe("the event files for sam local invoke", () => {
  beforeEach(freshTable);

  it("the event files are up to date (if not: npm run events)", () => {
    const files = eventFiles();
    expect(readdirSync(EVENTS_FOLDER).sort()).toEqual(Object.keys(files).sort());
    for (const [file, text] of Object.entries(files))
      expect(readFileSync(join(EVENTS_FOLDER, file), "utf8")).toBe(text);
  });

  it("an event without a token gets a 401 where one is required", async () => {
    const bearer = endpoints.filter(({ definition }) => requiresToken(definition));
    expect(bearer.length).toBeGreaterThanOrEqual(7);
    for (const endpoint of bearer) {
      const answer = await endpoint(JSON.parse(fileOf(endpoint.definition.name)), lambdaContext());
      expect(answer.statusCode, endpoint.definition.name).toBe(401);
    }
  });

  it("no event with a token of the owner gets a 5xx", async () => {
    const { token } = await aUser("owner");
    for (const endpoint of endpoints) {
      const text = fileOf(endpoint.definition.name).replace(TOKEN, token);
      const { statusCode = 0, body = "" } = await endpoint(JSON.parse(text), lambdaContext());
      expect(statusCode, `${endpoint.definition.name}: ${body}`).toBeGreaterThanOrEqual(200);
      expect(statusCode, `${endpoint.definition.name}: ${body}`).toBeLessThan(500);
    }
  });

  it("the event of a background function names a new item of each family that it takes", async () => {
    for (const each of backgroundFunctions) {
      const event: DynamoDBStreamEvent = JSON.parse(fileOf(each.definition.name));
      const families = each.definition.works.map(({ definition }) => definition.takes);
      expect(event.Records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S)).toEqual([...new Set(families)]);
      expect(await each(event)).toEqual({ batchItemFailures: [] });
    }
  });

  it("the events of the twelve succeed once their ids exist", async () => {
    const owner = await aUser("owner");
    for (const endpoint of contract) {
      const { definition } = endpoint;
      const { boardId } = await aBoard();
      const { roadmapId, url } = await aRoadmap();
      const { postId, slug } = await aPost(owner, { boardId, roadmapId });
      const email = `${definition.name}@example.com`;
      const event = exampleEvent(definition, { ...EXAMPLES, email, url, postId, slug }, owner.token);
      const { statusCode, body } = await endpoint(event, lambdaContext());
      expect(statusCode, `${definition.name}: ${body}`).toBe(definition.success);
    }
  });
});
