import diagnostics from "node:diagnostics_channel";
import type { LookupAddress, lookup } from "node:dns";
import * as http from "node:http";
import type { Socket } from "node:net";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isRefused } from "../../../lib/outgoing/addresses.ts";
import { call } from "../../../lib/outgoing/door.ts";
import { mayCall } from "../../../lib/outgoing/urls.ts";
import { listen } from "../../support/http/listen.ts";
import { newContainer } from "../../support/setup.ts";

const sent = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" } as const;

function post(url: string, timeoutMs = 5000, resolve?: typeof lookup) {
  return call({ ...sent, url, timeoutMs, mostBytes: 1024, ...(resolve && { resolve }) });
}

function read(url: string, mostBytes: number) {
  return call({ method: "GET", url, headers: {}, timeoutMs: 5000, mostBytes, readsText: true });
}

const requests: { path: string; body: string }[] = [];
const answers: Record<string, (response: http.ServerResponse) => void> = {
  "/moved": (response) => response.writeHead(302, { location: "/" }).end(),
  "/upgraded": (response) =>
    void response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
  "/endless": (response) => {
    const timer = setInterval(() => response.write("x".repeat(600)), 1);
    response.on("close", () => clearInterval(timer));
  },
  "/silent": () => {},
  "/cut": (response) => {
    response.writeHead(200, { "content-length": "10" }).write("half");
    setTimeout(() => response.socket?.destroy(), 5);
  },
  "/busy": (response) => response.writeHead(429, { "retry-after": "120" }).end("later"),
};
let port = 0;
let connections = 0;
let attempts: string[] = [];

beforeAll(async () => {
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    requests.push({ path: request.url ?? "", body });
    (answers[request.url ?? ""] ?? (() => response.end("ok")))(response);
  });
  server.on("connection", () => connections++);
  port = await listen(server);
  diagnostics.subscribe("net.client.socket", (message) => {
    const { socket } = message as { socket: Socket };
    socket.on("connectionAttempt", (address: string) => {
      attempts.push(address);
      if (address === PUBLIC) setImmediate(() => socket.destroy(new Error("this address belongs to nobody")));
    });
  });
});

beforeEach(() => {
  requests.length = 0;
  connections = 0;
  attempts = [];
  newContainer({ WEBHOOK_PRIVATE_TARGETS: "off" });
});

/** Resolves a name as its owner's server would: each call has the next answer. */
function answering(...found: string[][]) {
  const asked: string[] = [];
  const resolve = (name: string, _: unknown, done: (error: null, addresses: LookupAddress[]) => void) => {
    const addresses = found[Math.min(asked.length, found.length - 1)] ?? [];
    asked.push(name);
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  return { asked, resolve: resolve as typeof lookup };
}

// A public address that was never given to anybody.
const PUBLIC = "2d00::1";

const NOT_PUBLIC = [
  ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254"],
  ...["169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1"],
  ...["192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1"],
  ...["255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:7f00:1"],
  ...["::ffff:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::"],
  ...["3fff::1", "4000::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%lo", "fec0::1", "ff02::1"],
];

describe("the door", () => {
  it.each(NOT_PUBLIC)("connects to nothing for a name with the address %s", async (address) => {
    for (const found of [[address], [PUBLIC, address]]) {
      const { asked, resolve } = answering(found);
      const { reason } = await post(`https://hook.example:${port}/`, undefined, resolve);
      expect(reason).toBe("The host has an address that is not public");
      expect(asked).toEqual(["hook.example"]);
    }
    expect(attempts).toEqual([]);
    expect(connections).toBe(0);
  });

  it("refuses no public address", () => {
    expect(["8.8.8.8", "100.128.0.1", "172.32.0.1", "2606:4700::1111", PUBLIC].filter(isRefused)).toEqual([]);
  });

  it("asks once for a name, and connects to the address that was checked, whatever the name is later", async () => {
    const { asked, resolve } = answering([PUBLIC], ["127.0.0.1"]);
    const { reason } = await post(`https://hook.example:${port}/`, undefined, resolve);
    expect(reason).toEqual(expect.any(String));
    expect(asked).toEqual(["hook.example"]);
    expect(attempts).toEqual([PUBLIC]);
    expect(connections).toBe(0);
  });

  it.each([
    ["ftp://hook.example/", "a scheme that is not https"],
    ["http://hook.example/", "http"],
    ["https://user@hook.example/", "a user name"],
    ["https://:password@hook.example/", "a password"],
    ["https://hook.example:80/", "a port below 1024"],
    ["https://hook.example:0/", "the port 0"],
    ["https://8.8.8.8/", "an address"],
    ["https://2130706433/", "an address as a number"],
    ["https://0x7f.1/", "an address in hexadecimal"],
    ["https://１２７.0.0.1/", "an address in wide digits"],
    ["https://127.0.0.1./", "an address with a dot at its end"],
    ["https://[::1]/", "an IPv6 address"],
    ["https://[::ffff:8.8.8.8]/", "an IPv4 address in IPv6"],
    ["http://127.0.0.1:4000/", "this machine"],
    ["https:// /", "no host"],
  ])("refuses the url %s: %s", async (url) => {
    expect(mayCall(url)).toBe(false);
    expect(await post(url)).toEqual({ reason: "The url is not allowed" });
  });

  it("admits https with a host name, on port 443 or above 1023", () => {
    const admitted = ["https://hook.example/a?b=c", "https://hook.example:443/", "https://hook.example:1024/"];
    expect(admitted.filter(mayCall)).toEqual(admitted);
  });
});

describe("the door to this machine, with WEBHOOK_PRIVATE_TARGETS=on", () => {
  beforeEach(() => newContainer({ WEBHOOK_PRIVATE_TARGETS: "on" }));

  const to = (path: string, timeoutMs?: number) => post(`http://127.0.0.1:${port}${path}`, timeoutMs);

  it("posts the body, and returns status and retry-after of the answer", async () => {
    const ms = expect.any(Number);
    expect(await to("/")).toEqual({ status: 200, ms, retryAfterMs: 0 });
    expect(await to("/busy")).toEqual({ status: 429, ms, retryAfterMs: 120_000 });
    expect(requests).toEqual([
      { path: "/", body: "{}" },
      { path: "/busy", body: "{}" },
    ]);
  });

  it("follows no redirect", async () => {
    expect((await to("/moved")).status).toBe(302);
    expect(requests.map(({ path }) => path)).toEqual(["/moved"]);
  });

  it("treats a switch of protocols as the answer", async () => {
    expect((await to("/upgraded")).status).toBe(101);
  });

  it("reads an endless answer no further than 1 KB", async () => {
    expect((await to("/endless")).status).toBe(200);
  });

  it("returns the text of an answer, and none of one that is too long or was cut off", async () => {
    const { status, text } = await read(`http://127.0.0.1:${port}/`, 2);
    expect(status).toBe(200);
    expect(text).toBe("ok");
    expect(requests).toEqual([{ path: "/", body: "" }]);
    expect(await read(`http://127.0.0.1:${port}/`, 1)).toEqual({ reason: "The answer is too long" });
    expect(await read(`http://127.0.0.1:${port}/endless`, 5000)).toEqual({ reason: "The answer is too long" });
    expect(await read(`http://127.0.0.1:${port}/cut`, 5000)).toEqual({ reason: "The host ended the connection" });
  });

  it("gives up a receiver that does not answer, and one that does not listen", async () => {
    expect(await to("/silent", 2)).toEqual({ reason: "No answer in time" });
    expect(await post("http://127.0.0.1:1/")).toEqual({ reason: "The host refuses connections" });
  });

  it("uses no proxy of the environment", async () => {
    let proxied = 0;
    const proxy = `http://127.0.0.1:${await listen(http.createServer((_, response) => response.end(`${proxied++}`)))}`;
    const restore = http.setGlobalProxyFromEnv({ http_proxy: proxy, https_proxy: proxy });
    try {
      await new Promise((done) => http.get(`http://127.0.0.1:${port}/by-proxy`, done));
      expect(proxied).toBe(1);
      expect((await to("/direct")).status).toBe(200);
    } finally {
      restore();
    }
    expect(proxied).toBe(1);
    expect(requests.map(({ path }) => path)).toEqual(["/direct"]);
  });

  it("still refuses other private addresses", async () => {
    expect(["http://10.0.0.1:4000/", "http://127.0.0.2/", "http://hook.example/"].filter(mayCall)).toEqual([]);
    const { resolve } = answering(["127.0.0.1"]);
    const { reason } = await post(`https://hook.example:${port}/`, undefined, resolve);
    expect(reason).toBe("The host has an address that is not public");
  });
});
