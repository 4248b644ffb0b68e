import { startEngine } from "../../infra/local/engine/engine.ts";

/** With DB_ENGINE=dynamodb-local all test files share one DynamoDB Local; otherwise each starts a dynoxide of its own. */
export default async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env.DB_ENGINE !== "dynamodb-local") return undefined;
  const engine = await startEngine({ kind: "dynamodb-local" });
  process.env.TEST_DYNAMODB_ENDPOINT = engine.endpoint;
  return engine.stop;
};
