import { type Reply, rawCall } from "../../support/store/raw-calls.ts";
import type { Database } from "../model/database.ts";
import { StoreError } from "../model/errors.ts";
import { execute } from "../model/operations/index.ts";

/** One request: the operation's name and its input, as they go over the wire. */
export type Command = { operation: string; input: Record<string, unknown> };

/** Somebody who carries out commands. */
export type Store = { name: string; send: (command: Command) => Promise<Reply>; stop: () => Promise<void> };

/** The model, carrying out one command after the other. */
export function modelStore(database: Database): Store {
  return {
    name: "model",
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
    stop: async () => {},
  };
}

/** A real engine with an empty table, which `stop` deletes. */
export async function engineStore(name: string, endpoint: string, table: string): Promise<Store> {
  const store: Store = {
    name,
    send: ({ operation, input }) => rawCall(endpoint, operation, input),
    stop: async () => {
      await rawCall(endpoint, "DeleteTable", { TableName: table });
    },
  };
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
  const { status, body } = await store.send({ operation: "CreateTable", input });
  if (status !== 200) throw new Error(`${name} makes no table: ${JSON.stringify(body)}`);
  return store;
}
