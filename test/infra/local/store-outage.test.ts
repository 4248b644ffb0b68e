import { describe, expect, it } from "vitest";
import * as servers from "../../support/process/server-process.ts";

// Each endpoint in every kind of outage: test/functions/outage.test.ts.

describe.runIf(process.platform === "linux")("npm start", () => {
  it("answers 503 while its engine is killed, and starts it again with all its data", async () => {
    const DATA_DIR = servers.aFolder();
    const { baseUrl, stop } = await servers.startServer({ env: { DATA_DIR } });
    const token = await servers.signUp(baseUrl, "ada@example.com");
    const create = (title: string) => servers.call(baseUrl, "POST", "/posts", { token, body: { title } });
    const list = () => servers.call(baseUrl, "POST", "/posts/get", { token });
    await create("Before");
    const killed = servers.engineOf(DATA_DIR).pid;
    process.kill(killed, "SIGKILL");
    for (const { status, headers, body } of await Promise.all([list(), create("During the outage")])) {
      const failure = { code: "SERVER_ERROR", message: "Something went wrong on our side" };
      expect(status).toBe(503);
      expect(headers.get("retry-after")).toBe("1");
      expect(body).toEqual(failure);
    }
    await servers.eventually(async () => expect((await list()).status).toBe(200));
    // No request that was answered with a 503 has changed anything.
    expect((await list()).body.posts.map(({ title }: { title: string }) => title)).toEqual(["Before"]);
    expect((await create("After")).status).toBe(201);
    expect(servers.engineOf(DATA_DIR).pid).not.toBe(killed);
    expect(await stop()).toBe(0);
  });
});
