import { createServer, type RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { httpHandler } from "../../../lib/runtime/http-handler.ts";
import { listen } from "../../support/http/listen.ts";

const handler = httpHandler({ connectionTimeout: 60_000, requestTimeout: 60_000 });

/** Sends a request to a server that answers so. */
async function call(answer: RequestListener, options?: { requestTimeout: number }) {
  const target = { protocol: "http:", hostname: "127.0.0.1", port: await listen(createServer(answer)), path: "/" };
  const request = { ...target, method: "POST", headers: {}, body: "é" };
  return (await handler.handle(request, options)).response as { statusCode: number; headers: object; body: Buffer };
}

describe("httpHandler", () => {
  it("sends the body, and returns status, headers and body of the answer", async () => {
    const { statusCode, headers, body } = await call(async (request, response) => {
      const sent = await request.toArray();
      response.writeHead(400, { "x-amzn-requestid": "one" }).end(Buffer.concat(sent));
    });
    expect([statusCode, `${body}`]).toEqual([400, "é"]);
    expect(headers).toMatchObject({ "x-amzn-requestid": "one" });
  });

  it("fails with a network error where an answer breaks off", async () => {
    const broken = call((_, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("half", () => response.destroy());
    });
    await expect(broken).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it.each([
    ["no answer comes", () => {}],
    [
      "an answer stops in the middle",
      (_, response) => void response.writeHead(200, { "content-length": 9 }).write("a"),
    ],
  ] as [string, RequestListener][])("gives up a call at its time limit where %s", async (_, answer) => {
    await expect(call(answer, { requestTimeout: 100 })).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
