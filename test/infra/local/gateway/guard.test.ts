import { createServer } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import { createGateway } from "../../../../infra/local/gateway/gateway.ts";
import { type Guard, isLoopback, loopbackGuard } from "../../../../infra/local/gateway/guard.ts";
import { listen } from "../../../support/http/listen.ts";
import { answersIn, exchange, open, requestText, untilEnd } from "../../../support/http/raw-http.ts";
import { aBrowser, BROWSER, theBrowser } from "../../../support/process/browser.ts";
import { startServer } from "../../../support/process/server-process.ts";

function guard(allowedOrigins?: string, allowedHosts?: string): Guard {
  return loopbackGuard({ allowedOrigins, allowedHosts });
}
function asked(by: Guard, headers: { origin?: string; host?: string }): boolean {
  return by({ headers } as Parameters<Guard>[0]) === undefined;
}

describe("A service that listens on loopback", () => {
  const here = `http://localhost:5173 https://localhost http://127.0.0.1:3000 http://127.1.2.3 http://[::1]:8080
    http://portal.localhost HTTP://LOCALHOST`.split(/\s+/);
  const foreign = `http://evil.example:4590 https://evil.example null http://localhost.evil.example
    http://127.0.0.1.evil.example http://evil.example/localhost http://localhost@evil.example file://localhost
    chrome-extension://localhost http://192.168.0.7 http://0.0.0.0:3000`.split(/\s+/);

  it.each(here)("answers pages of %s", (origin) => {
    expect(asked(guard(), { origin, host: "localhost:3000" })).toBe(true);
  });

  it.each(["", ...foreign])("answers no pages of %j", (origin) => {
    expect(asked(guard(), { origin, host: "localhost:3000" })).toBe(false);
  });

  it.each(["localhost:3000", "127.0.0.1", "[::1]:3000", "LOCALHOST.:3000"])(
    "answers a call under the name %s",
    (host) => {
      expect(asked(guard(), { host })).toBe(true);
    },
  );

  const names = `evil.example:3000 localhost.evil.example 127.0.0.1.evil.example localhost:3000@evil.example
    192.168.0.7:3000 x@127.0.0.1 0x7f.1 evil.example/.localhost`.split(/\s+/);

  it.each(["", "a b", ...names])("answers no call under the name %j", (host) => {
    expect(asked(guard(), { host })).toBe(false);
  });

  it("answers a client without Origin and Host", () => {
    expect(asked(guard(), {})).toBe(true);
  });

  it("answers the pages and names in ALLOWED_ORIGINS and ALLOWED_HOSTS", () => {
    const more = guard("https://portal.example.com, null", "box.internal, 192.168.0.7");
    expect(asked(more, { origin: "https://Portal.example.com", host: "box.internal:3000" })).toBe(true);
    expect(asked(more, { origin: "null", host: "192.168.0.7:3000" })).toBe(true);
    expect(asked(more, { origin: "http://portal.example.com", host: "localhost" })).toBe(false);
    expect(asked(more, { origin: "https://portal.example.com", host: "evil.example" })).toBe(false);
    expect(asked(guard("*", "*"), { origin: "https://evil.example", host: "evil.example" })).toBe(true);
  });

  it("takes them as people write them", () => {
    const more = guard(
      "https://Portal.example.com/,http://portal.example.com:80",
      "https://box.internal/, team.test:3000",
    );
    expect(asked(more, { origin: "https://portal.example.com", host: "box.internal:3000" })).toBe(true);
    expect(asked(more, { origin: "http://portal.example.com", host: "team.test:3000" })).toBe(true);
    expect(asked(more, { origin: "https://portal.example.com:8443", host: "localhost" })).toBe(false);
  });

  it("does not start with what no browser can send", () => {
    for (const origin of ["portal.example.com", "localhost:8080", "https://portal.example.com/path"])
      expect(() => guard(origin)).toThrow(`not ${origin}`);
    expect(() => guard(undefined, "a b")).toThrow("ALLOWED_HOSTS must be");
  });

  it("listens on an address of this machine alone", () => {
    for (const host of ["127.0.0.1", "localhost", "::1", "127.8.0.1"]) expect(isLoopback(host), host).toBe(true);
    for (const host of ["0.0.0.0", "::", "192.168.0.7", "box.internal"]) expect(isLoopback(host), host).toBe(false);
  });
});

describe("The gateway with a guard", () => {
  let port: number;
  beforeAll(async () => {
    port = await listen(createGateway(endpoints, { guard: guard() }));
  });

  it.each([
    ["POST", "/api/v1/auth/setup"],
    ["OPTIONS", "/api/v1/posts"],
    ["GET", "/api/v1/boards/get"],
    ["GET", "/nothing"],
  ])("answers %s %s of a foreign page with a 403 that the page cannot read", async (method, path) => {
    // Neither by fetch nor by exchange: these answers are the local gateway's own, of which docs/openapi.json does not
    // know.
    const headers = ["Origin: http://evil.example", "Access-Control-Request-Method: POST"];
    const socket = await open(port);
    socket.write(requestText(`${method} ${path}`, headers));
    const [answer] = answersIn(await untilEnd(socket));
    expect(answer?.status).toBe(403);
    expect(Object.keys(answer?.headers ?? {}).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(JSON.parse(answer?.body ?? "")).toEqual({ message: "Origin is not this machine: see ALLOWED_ORIGINS" });
  });

  it("answers a foreign name with a 403, and keeps the connection", async () => {
    const foreign = 'POST /api/v1/auth/login HTTP/1.1\r\nHost: evil.example\r\ncontent-length: 13\r\n\r\n{"email":"x"}';
    const answers = await exchange(port, `${foreign}${requestText("GET /api/v1/auth/setup")}`);
    expect(answers.map(({ status }) => status)).toEqual([403, 200]);
  });
});

describe.skipIf(!BROWSER)("npm start", () => {
  it("accepts the setup from a page of this machine in a real browser, and refuses a foreign page", async () => {
    const server = await startServer({ options: ["--memory"] });
    const port = await listen(createServer((_, response) => response.setHeader("content-type", "text/html").end("")));
    const browser = await aBrowser("--host-resolver-rules=MAP evil.example 127.0.0.1");
    const setUpFrom = async (host: string): Promise<unknown> => {
      const page = await browser.newPage();
      await page.goto(`http://${host}:${port}/`);
      const init = { method: "POST", body: JSON.stringify({ email: "eve@example.com", password: "correct horse" }) };
      const call = `fetch("${server.baseUrl}/auth/setup", ${JSON.stringify(init)})`;
      return page.evaluate(`${call}.then(({ status }) => status, (error) => error.message)`);
    };
    expect(await setUpFrom("evil.example")).toBe("Failed to fetch");
    // Only the first setup is answered with a 201.
    expect(await setUpFrom("localhost")).toBe(201);
    await server.stop();
  });

  it("shows a page of another server of this machine the API, and nothing else that it serves", async () => {
    const server = await startServer({ options: ["--memory"] });
    const port = await listen(createServer((_, response) => response.setHeader("content-type", "text/html").end("")));
    const page = await (await theBrowser()).newPage();
    await page.goto(`http://localhost:${port}/`);
    const read = (path: string) => {
      const url = JSON.stringify(new URL(path, server.baseUrl));
      return page.evaluate(`fetch(${url}).then(({ status }) => status, (error) => error.message)`);
    };
    expect(await read("/api/v1/settings/site")).toBe(200);
    expect(await read("/api/v1/nowhere")).toBe(404);
    const others = [
      "/mails",
      "/",
      "/posts/one",
      "/setup",
      "/docs/",
      "/docs",
      "/openapi.json",
      "/robots.txt",
      "/nowhere",
    ];
    for (const path of others) expect(await read(path), path).toBe("Failed to fetch");
    await page.close();
    await server.stop();
  });
});
