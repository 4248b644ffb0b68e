import { createServer, type RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { httpHandler } from "../../../lib/runtime/http-handler.ts";
import { listen } from "../../support/http/listen.ts";

const handler = httpHandler({ connectionTimeout: 60_000, requestTimeout: 60_000 });

/** A request to a server that answers so. */
async function targetOf(answer: RequestListener) {
  const port = await listen(createServer(answer));
  return { protocol: "http:", hostname: "127.0.0.1", port, path: "/", method: "POST", headers: {}, body: "é" };
}

async function call(answer: RequestListener, options?: { requestTimeout: number }) {
  const { response } = await handler.handle(await targetOf(answer), options);
  return response as { statusCode: number; headers: object; body: Buffer };
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

  it("gives up a call in time while all connections are in use", async () => {
    const target = await targetOf(() => {});
    let ended = 0;
    for (let n = 0; n < 256; n++) handler.handle(target).catch(() => ended++);
    await expect(handler.handle(target, { requestTimeout: 100 })).rejects.toMatchObject({ name: "TimeoutError" });
    expect(ended).toBe(0);
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
