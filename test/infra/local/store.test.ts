import { createServer, type RequestListener } from "node:http";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../../infra/local/store.ts";
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
  it.each([
    ["localhost:8000", "DYNAMODB_ENDPOINT is not a URL: localhost:8000"],
    ["http://127.0.0.1:1", "Nothing answers at DYNAMODB_ENDPOINT http://127.0.0.1:1"],
  ])("must not be %s", async (endpoint, line) => {
    await expect(open(endpoint)).rejects.toThrow(line);
  });

  it.each([
    ["says nothing", () => {}],
    ["is a web site", (_, response) => void response.writeHead(404).end("<html>not\nfound</html>")],
  ] as [string, RequestListener][])("fails in one line if it %s", async (_, listener) => {
    const endpoint = `http://127.0.0.1:${await listen(createServer(listener))}`;
    await expect(open(endpoint)).rejects.toThrow(new RegExp(`^[^\\n]*${endpoint}[^\\n]*$`));
  });
});
