import { UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { expect, it, onTestFinished } from "vitest";
import { unitsPerSecond } from "../../../infra/operator/pace.ts";
import { environment } from "../../../lib/runtime/environment.ts";
import { documentClient } from "../../../lib/table/client.ts";
import { aDeployedTable, theEngine } from "../../support/process/operate.ts";
import { newContainer } from "../../support/setup.ts";

it("An operator's command takes half of what a table can do, and all of an engine on this machine", async () => {
  expect(await unitsPerSecond("read")).toBe(Number.POSITIVE_INFINITY);
  const here = theEngine();
  newContainer({ ...aDeployedTable(), DYNAMODB_ENDPOINT: undefined });
  onTestFinished(() => newContainer({ ...here, AWS_ENDPOINT_URL_DYNAMODB: undefined }));
  expect(await unitsPerSecond("read")).toBe(6000);
  expect(await unitsPerSecond("write")).toBe(2000);
  const OnDemandThroughput = { MaxReadRequestUnits: 1500, MaxWriteRequestUnits: 750 };
  await documentClient().send(new UpdateTableCommand({ TableName: environment().TABLE_NAME, OnDemandThroughput }));
  expect(await unitsPerSecond("read")).toBe(750);
  expect(await unitsPerSecond("write")).toBe(375);
});
