import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { answers, hiddenLoopback, startEngine } from "../../../../infra/local/engine/engine.ts";
import { refuseOpenEngine } from "../../../../infra/local/store.ts";
import { listen } from "../../../support/http/listen.ts";
import { aFolder } from "../../../support/process/server-process.ts";

describe.runIf(process.platform === "linux")("An engine", () => {
  it("fails to start on a port of another process", async () => {
    const port = await listen(createServer((_, response) => response.end("hello")));
    await expect(startEngine({ kind: "dynoxide", port })).rejects.toThrow(/dynoxide did not start: .*in use/);
  });

  it("gets a port of its own among eight that start in parallel, and ends when it is stopped", async () => {
    const engines = await Promise.all(Array.from({ length: 8 }, () => startEngine({ kind: "dynoxide" })));
    expect(new Set(engines.map(({ port }) => port)).size).toBe(8);
    await Promise.all(engines.map(({ stop }) => stop()));
    expect(await Promise.all(engines.map(({ endpoint }) => answers(endpoint)))).toEqual(Array(8).fill(false));
  });

  it("hides on an address of this machine that nobody can guess", async () => {
    const hosts = await Promise.all([hiddenLoopback(), hiddenLoopback()]);
    expect(new Set(hosts).size).toBe(2);
    for (const host of hosts) expect(host).toMatch(/^127\.\d+\.\d+\.\d+$/);
    const engine = await startEngine({ kind: "dynoxide", host: hosts[0] as string });
    expect(await answers(engine.endpoint)).toBe(true);
    expect(await answers(`http://127.0.0.1:${engine.port}`)).toBe(false);
    await engine.stop();
  });

  it("must not be reachable from the network, unless that is allowed", () => {
    expect(() => refuseOpenEngine({ isOpen: true }, undefined)).toThrow(/ALLOW_OPEN_ENGINE=1/);
    refuseOpenEngine({ isOpen: true }, "1");
    refuseOpenEngine({}, undefined);
  });

  it("fails with one line that says why it cannot use its data", async () => {
    const data = `${aFolder()}/missing`;
    const starting = startEngine({ kind: "dynoxide", data });
    await expect(starting).rejects.toThrow(/^The engine dynoxide did not start: [^\n]+$/);
  });
});
