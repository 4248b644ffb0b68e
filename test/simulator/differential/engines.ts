import type { Database } from "../model/database.ts";
import { StoreError } from "../model/errors.ts";
import { execute } from "../model/operations/index.ts";
import { FIXED_SIGNATURE } from "../requests.ts";

export type Command = { operation: string; input: Record<string, unknown> };

export type Reply = { status: number; body: Record<string, unknown> };

export type Store = { send: (command: Command) => Promise<Reply> };

/** The model, carrying out one command after the other. */
export function modelStore(database: Database): Store {
  return {
    send: async ({ operation, input }) => {
      try {
        // By way of JSON, as over the wire.
        const body = execute(database, operation, JSON.parse(JSON.stringify(input)));
        return { status: 200, body: JSON.parse(JSON.stringify(body)) };
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return { status: error.status, body: error.body() };
      }
    },
  };
}

async function call(endpoint: string, operation: string, input: object): Promise<Reply> {
  const own = { "content-type": "application/x-amz-json-1.0", "x-amz-target": `DynamoDB_20120810.${operation}` };
  const headers = { ...FIXED_SIGNATURE, ...own };
  const answer = await fetch(endpoint, { method: "POST", headers, body: JSON.stringify(input) });
  return { status: answer.status, body: (await answer.json()) as Reply["body"] };
}

/** A real engine with an empty table, which `stop` deletes. */
export async function engineStore(
  name: string,
  endpoint: string,
  table: string,
): Promise<Store & { stop: () => Promise<Reply> }> {
  const input = {
    TableName: table,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "sk", AttributeType: "S" },
    ],
  };
  const { status, body } = await call(endpoint, "CreateTable", input);
  if (status !== 200) throw new Error(`${name} makes no table: ${JSON.stringify(body)}`);
  return {
    send: (sent) => call(endpoint, sent.operation, sent.input),
    stop: () => call(endpoint, "DeleteTable", { TableName: table }),
  };
}
