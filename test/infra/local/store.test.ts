import { createServer, type RequestListener } from "node:http";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { openStore, requireStore } from "../../../infra/local/store.ts";
import { listen } from "../../support/http/listen.ts";
import { losePatience } from "../../support/patience.ts";
import { newContainer } from "../../support/setup.ts";

let own: Record<string, string | undefined>;
beforeAll(() => {
  const { DYNAMODB_ENDPOINT, TABLE_NAME } = process.env;
  own = { DYNAMODB_ENDPOINT, TABLE_NAME };
  losePatience();
});
afterEach(() => newContainer(own));

const shutdown = { add() {}, run: async () => {}, isRunning: () => false };

function open(endpoint: string): Promise<string> {
  newContainer({ DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: "feedback-board" });
  return openStore(undefined, shutdown);
}

describe("The store at DYNAMODB_ENDPOINT", () => {
  it("may begin to answer after the start", async () => {
    const server = createServer((_, response) => void response.writeHead(404).end());
    server.once("connection", (socket) => socket.destroy());
    const opening = open(`http://127.0.0.1:${await listen(server)}`);
    await expect(opening).rejects.toThrow("does not answer as DynamoDB does");
  });

  it.each([
    ["says nothing", (endpoint) => requireStore(endpoint, 0), () => {}],
    ["is a web site", open, (_, response) => void response.writeHead(404).end("<html>not\nfound</html>")],
  ] as [string, typeof open, RequestListener][])("fails in one line if it %s", async (_, use, listener) => {
    const endpoint = `http://127.0.0.1:${await listen(createServer(listener))}`;
    await expect(use(endpoint)).rejects.toThrow(new RegExp(`^[^\\n]*${endpoint}[^\\n]*$`));
  });
});
