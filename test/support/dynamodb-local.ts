import type { TestProject } from "vitest/node";
import { startEngine } from "../../infra/local/engine/engine.ts";

/** Starts one DynamoDB Local for all test files of a project. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const engine = await startEngine({ kind: "dynamodb-local" });
  project.provide("engines", [engine.endpoint]);
  return engine.stop;
};
