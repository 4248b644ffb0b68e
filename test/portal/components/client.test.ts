import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientAt } from "../../../portal/client.ts";

// Real requests to a server that answers as it is told.

let asked: Pick<IncomingMessage, "method" | "url" | "headers"> & { body: string };
let told: { status: number; body: string };

const server = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  asked = { method: request.method, url: request.url, headers: request.headers, body };
  response.writeHead(told.status).end(told.body);
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

let session: string | undefined;

function client() {
  const { port } = server.address() as AddressInfo;
  return clientAt(`http://127.0.0.1:${port}/v1`, () => ({ token: session, language: "pt" }), {
    "x-portal-viewer": "192.0.2.1",
  });
}

it("fills in the path, asks for what is given, and sends the session and the language of this moment", async () => {
  told = { status: 200, body: "{}" };
  session = "abc";
  const query = { first: 20, after: undefined } as { first: number };
  await client().GET("/posts/{postId}/votes", { params: { path: { postId: "a/b?" }, query } });
  expect(asked.url).toBe("/v1/posts/a%2Fb%3F/votes?first=20");
  const sent = { authorization: "Bearer abc", "accept-language": "pt", "x-portal-viewer": "192.0.2.1" };
  expect(asked.headers).toMatchObject(sent);
  expect(asked.headers).not.toHaveProperty("content-type");
  const types: ("comment" | "status")[] = ["comment", "status"];
  await client().GET("/posts/{postId}/activity", { params: { path: { postId: "1" }, query: { type: types } } });
  expect(asked.url).toBe("/v1/posts/1/activity?type=comment&type=status");
});

it("sends a body as JSON, and no session that is not there", async () => {
  told = { status: 201, body: '{"made":true}' };
  session = undefined;
  const { data } = await client().POST("/posts/slug", { body: { slug: "é" } });
  expect(asked.headers["content-type"]).toBe("application/json");
  expect(asked.headers).not.toHaveProperty("authorization");
  expect(asked.body).toBe('{"slug":"é"}');
  expect(data).toEqual({ made: true });
});

it("returns what a service, or a gateway in its own words, says of a failure", async () => {
  told = { status: 404, body: '{"code":"POST_NOT_FOUND"}' };
  const ofService = await client().POST("/posts/slug", { body: { slug: "none" } });
  expect(ofService.error).toEqual({ code: "POST_NOT_FOUND" });
  expect(ofService.data).toBeUndefined();
  told = { status: 503, body: "<h1>Busy</h1>" };
  const ofGateway = await client().POST("/posts/slug", { body: { slug: "none" } });
  expect(ofGateway.error).toBe("<h1>Busy</h1>");
});

it("returns nothing of an empty answer, and throws where a good one is broken off", async () => {
  told = { status: 204, body: "" };
  const empty = await client().POST("/posts/slug", { body: { slug: "none" } });
  expect(empty.data).toBeUndefined();
  expect(empty.response.ok).toBe(true);
  told = { status: 200, body: '{"post":' };
  await expect(client().POST("/posts/slug", { body: { slug: "none" } })).rejects.toThrow(SyntaxError);
});
