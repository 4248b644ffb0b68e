import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { httpHandler } from "../../../lib/runtime/http-handler.ts";
import { listen } from "../../support/http/listen.ts";

const handler = httpHandler({ connectionTimeout: 60_000, requestTimeout: 60_000 });

describe("httpHandler", () => {
  it("gives up a call in time while all connections are in use", async () => {
    const port = await listen(createServer(() => {}));
    const target = {
      protocol: "http:",
      hostname: "127.0.0.1",
      port,
      path: "/",
      method: "POST",
      headers: {},
      body: "é",
    };
    let ended = 0;
    for (let n = 0; n < 256; n++) handler.handle(target).catch(() => ended++);
    await expect(handler.handle(target, { requestTimeout: 100 })).rejects.toMatchObject({ name: "TimeoutError" });
    expect(ended).toBe(0);
  });
});
