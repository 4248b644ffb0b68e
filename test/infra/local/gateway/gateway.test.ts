import { setTimeout as sleep } from "node:timers/promises";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { beforeAll, describe, expect, it } from "vitest";
import { baseUrlOf } from "../../../../infra/local/gateway/base-url.ts";
import { createGateway } from "../../../../infra/local/gateway/gateway.ts";
import type { Endpoint } from "../../../../lib/endpoint.ts";
import { listen } from "../../../support/http/listen.ts";
import { logLines } from "../../../support/http/logs.ts";
import { answersIn, exchange, open, requestText, untilEnd } from "../../../support/http/raw-http.ts";

type Handler = (event: APIGatewayProxyEventV2) => Promise<unknown>;

function aRoute(method: string, path: string, handler: Handler): Endpoint {
  return Object.assign((event: APIGatewayProxyEventV2) => handler(event), {
    definition: { name: `${method} ${path}`, method, path },
  }) as unknown as Endpoint;
}

const echo: Handler = async (event) => ({ statusCode: 200, body: JSON.stringify(event) });

function named(name: string): Handler {
  return async ({ pathParameters }) => ({ statusCode: 200, body: JSON.stringify({ name, pathParameters }) });
}

const results: Record<string, unknown> = {
  text: { statusCode: 201, body: "made" },
  "bad-header": { statusCode: 200, headers: { "x-a": "two\r\nlines" }, body: "x" },
  "number-header": { statusCode: 200, headers: { "retry-after": 3, "x-yes": true } },
  base64: { statusCode: 200, headers: { "content-type": "image/gif" }, body: "R0lGODlh/w==", isBase64Encoded: true },
  empty: { statusCode: 204, body: "" },
};

const routes = [
  aRoute("POST", "/echo", echo),
  aRoute("GET", "/echo", echo),
  aRoute("GET", "/things/{rest+}", named("greedy")),
  aRoute("GET", "/things/{one}", named("one")),
  aRoute("GET", "/things/fixed", named("fixed")),
  aRoute("GET", "/things/{one}/fixed", named("one then fixed")),
  aRoute("GET", "/results/{name}", async ({ pathParameters }) => results[pathParameters?.name ?? ""]),
  aRoute("GET", "/throws", async () => {
    throw new Error("secret detail");
  }),
  aRoute("GET", "/slow", async () => sleep(200, { statusCode: 200, body: "late" })),
  aRoute("GET", "/never", () => new Promise(() => {})),
];

const CHUNKED = "Transfer-Encoding: chunked";

let port: number;
beforeAll(async () => {
  port = await listen(createGateway(routes));
});

function get(path: string, init?: RequestInit): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/api/v1${path}`, init);
}
async function eventOf(path: string, init?: RequestInit): Promise<APIGatewayProxyEventV2> {
  return (await get(path, init)).json() as Promise<APIGatewayProxyEventV2>;
}
async function rawEvent(line: string, headers: string[] = [], body = ""): Promise<APIGatewayProxyEventV2> {
  const [answer] = await exchange(port, requestText(line, headers, body));
  return JSON.parse(answer?.body ?? "");
}

describe("The event of a request", () => {
  it("carries headers in lower case, repeated ones joined with commas", async () => {
    const event = await rawEvent("GET /api/v1/echo", ["X-One: 1", "x-ONE: 2", "__proto__: x", "constructor: y"]);
    expect(event.headers["x-one"]).toBe("1,2");
    expect(event.headers.constructor).toBe("y");
    expect(Object.keys(event.headers)).toContain("__proto__");
  });

  it("omits the keys of what the request lacks", async () => {
    const event = await eventOf("/echo");
    for (const part of ["body", "pathParameters", "queryStringParameters", "stageVariables"]) {
      expect(event).not.toHaveProperty(part);
    }
    expect(event).toMatchObject({ version: "2.0", routeKey: "GET /api/v1/echo", rawPath: "/api/v1/echo" });
    expect(event).toMatchObject({ rawQueryString: "", isBase64Encoded: false });
    expect(event.requestContext).toMatchObject({
      routeKey: "GET /api/v1/echo",
      stage: "$default",
      http: { method: "GET", path: "/api/v1/echo", protocol: "HTTP/1.1", sourceIp: "127.0.0.1" },
    });
    expect(event.requestContext.time).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
  });

  it("carries decoded query values, repeated ones joined with commas", async () => {
    const text = "a=1&b=x+y%20z&a=2,3&c&d=%E2%82%AC&e=a?b&__proto__=p&f=%zz";
    const event = await eventOf(`/echo?${text}`);
    expect(event.rawQueryString).toBe(text);
    const values = { a: "1,2,3", b: "x y z", c: "", d: "€", e: "a?b", ["__proto__"]: "p", f: "%zz" };
    expect(Object.entries(event.queryStringParameters ?? {})).toEqual(Object.entries(values));
  });

  it("carries a body of text unchanged and whole, any other in base64", async () => {
    const post = (body: string | Buffer, type: string) =>
      eventOf("/echo", { method: "POST", body, headers: { "content-type": type } });
    const text = { body: '{"ü":"€"}', isBase64Encoded: false };
    expect(await post(text.body, "application/json; charset=utf-8")).toMatchObject(text);
    const bytes = Buffer.from([0, 255, 254, 10]);
    for (const type of ["application/octet-stream", "image/png", "application/json"]) {
      expect(await post(bytes, type)).toMatchObject({ body: bytes.toString("base64"), isBase64Encoded: true });
    }
    const headers = ["Content-Type: text/plain", CHUNKED];
    const chunked = await rawEvent("POST /api/v1/echo", headers, "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
    expect(chunked.body).toBe("abcde");
  });

  it("names the path of a target that is a whole URL", async () => {
    const event = await rawEvent("GET http://example.com:80/api/v1/echo?a=http://b/c");
    expect(event).toMatchObject({ rawPath: "/api/v1/echo", queryStringParameters: { a: "http://b/c" } });
    const [root] = await exchange(port, requestText("GET http://example.com?x"));
    expect(root?.status).toBe(404);
    expect(root?.body).toBe('{"message":"Not Found"}');
  });
});

describe("The gateway's routes", () => {
  it.each([
    ["/things/fixed", "fixed", undefined],
    ["/things/other", "one", { one: "other" }],
    ["/things/other/fixed", "one then fixed", { one: "other" }],
    ["/things/other/more", "greedy", { rest: "other/more" }],
    ["/things/a%2Fb", "one", { one: "a/b" }],
    ["/things/a%2fb/c%2Fd/", "greedy", { rest: "a/b/c/d/" }],
    ["/things//", "greedy", { rest: "/" }],
    ["/things/50%25%20+", "one", { one: "50% +" }],
    ["/things/%zz", "one", { one: "�zz" }],
    ["/things/100%", "one", { one: "100�" }],
    ["/things/%C0%AF", "one", { one: "��" }],
    ["/things/%00", "one", { one: "\u0000" }],
  ])("send %s to the most specific route, with decoded parameters", async (path, name, pathParameters) => {
    const answer = await get(path);
    expect(await answer.json()).toEqual({ name, ...(pathParameters && { pathParameters }) });
  });

  it.each(
    `GET / + GET /api/v1 + GET /api/v1/ + GET /api/v2/echo + GET /api/v1/echo/ + GET /api/v1//echo + GET //api/v1/echo
    + GET /api/v1/../v1/echo + GET /api/v1/things/ + GET /api/v1/ECHO + PUT /api/v1/echo + DELETE /api/v1/echo
    + PROPFIND /api/v1/echo + GET /api/v1/echo%3Fa=1`.split(/\s*\+ /),
  )("answer %s with a 404", async (line) => {
    const [answer] = await exchange(port, requestText(line));
    expect(answer?.status).toBe(404);
    expect(answer?.body).toBe('{"message":"Not Found"}');
    expect(answer?.headers).toMatchObject({ "content-type": ["application/json"], "content-length": ["23"] });
  });

  it("answer HEAD with a 404 without a body where no link leads", async () => {
    const answer = await get("/echo", { method: "HEAD" });
    const said = [answer.status, answer.headers.get("content-type"), await answer.text()];
    expect(said).toEqual([404, "application/json", ""]);
  });
});

describe("The gateway's answer", () => {
  it.each([
    ["text", 201, "text/plain;charset=UTF-8", "made"],
    ["bad-header", 500, "application/json", '{"message":"Internal Server Error"}'],
    ["empty", 204, null, ""],
  ])("keeps the status and the body of a handler that returns %s", async (name, status, type, body) => {
    const answer = await get(`/results/${name}`);
    expect(answer.status).toEqual(status);
    expect(answer.headers.get("content-type")).toEqual(type);
    expect(await answer.text()).toEqual(body);
  });

  it("carries a length and is never chunked", async () => {
    for (const path of ["/results/text", "/echo", "/throws", "/nowhere"]) {
      const answer = await get(path);
      const bytes = (await answer.arrayBuffer()).byteLength;
      expect(answer.headers.get("content-length"), path).toEqual(String(bytes));
      expect(answer.headers.get("transfer-encoding")).toBeNull();
    }
    const empty = await get("/results/empty");
    expect(empty.headers.get("content-length")).toBe(null);
    expect(empty.headers.get("transfer-encoding")).toBe(null);
  });

  it("accepts numbers as headers, and decodes a body in base64", async () => {
    expect((await get("/results/number-header")).headers.get("retry-after")).toBe("3");
    const bytes = await (await get("/results/base64")).arrayBuffer();
    expect(Buffer.from(bytes)).toEqual(Buffer.from("R0lGODlh/w==", "base64"));
  });

  it("stands for a handler that throws (500) or never answers (503), without details", async () => {
    const thrown = await get("/throws");
    expect(thrown.status).toBe(500);
    expect(await thrown.text()).toBe('{"message":"Internal Server Error"}');
    const impatient = await listen(createGateway(routes, { timeoutMs: 50 }));
    const [late] = await exchange(impatient, requestText("GET /api/v1/never"));
    expect(late?.status).toBe(503);
    expect(late?.body).toBe('{"message":"Service Unavailable"}');
    expect(logLines.filter((line) => line.includes("a handler did not answer in time"))).toHaveLength(1);
  });
});

describe("The gateway, for pages of other origins,", () => {
  it("allows any origin and the methods of the routes in a preflight, without credentials", async () => {
    for (const path of ["/echo", "/nowhere"]) {
      const answer = await get(path, {
        method: "OPTIONS",
        headers: { origin: "https://app.example.com", "access-control-request-method": "POST" },
      });
      expect(answer.status).toBe(204);
      const allowed = [...answer.headers].filter(([name]) => name.startsWith("access-control-"));
      expect(Object.fromEntries(allowed)).toEqual({
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET,POST",
        "access-control-allow-headers": "authorization,content-type,idempotency-key,if-match",
        "access-control-max-age": "86400",
      });
    }
  });

  it("allows scripts of any origin to read every answer, errors included", async () => {
    for (const path of ["/echo", "/nowhere", "/throws"]) {
      const { headers } = await get(path, { headers: { origin: "null" } });
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-expose-headers")).toBe(
        "etag,idempotency-replayed,retry-after,www-authenticate",
      );
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  it.each(["GET", "OPTIONS"])("sends no CORS headers to a %s without an origin", async (method) => {
    const { headers } = await get("/echo", { method });
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });
});

describe("The gateway, with clients that misbehave,", () => {
  const stillAnswers = async () => expect((await get("/echo")).status).toBe(200);

  it("accepts a body of 10 MB and refuses a larger one", async () => {
    const post = (size: number) => get("/echo", { method: "POST", body: Buffer.alloc(size, "a") });
    expect((await post(10 * 1024 * 1024)).status).toBe(200);
    const refused = await post(10 * 1024 * 1024 + 1);
    expect(refused.status).toBe(413);
    expect(await refused.text()).toBe('{"message":"Request Entity Too Large"}');
    await stillAnswers();
  });

  it.each([
    ["a header of 100 KB", requestText("GET /api/v1/echo", [`X: ${"a".repeat(100_000)}`]), 431],
    ["20,000 headers", requestText("GET /api/v1/echo", Array(20_000).fill("X: 1")), 431],
    ["what is not HTTP", "hello there\r\n\r\n", 400],
    ["length and chunks", requestText("POST /api/v1/echo", ["Content-Length: 1", CHUNKED], "0\r\n\r\n"), 400],
    ["no host", "GET /api/v1/echo HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n", 400],
    ["a TLS greeting", Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]), 400],
  ])("answers %s in JSON", async (_, bytes, status) => {
    const [answer] = await exchange(port, bytes as string | Buffer);
    expect(answer?.status).toBe(status);
    expect(Object.keys(JSON.parse(answer?.body ?? ""))).toEqual(["message"]);
    expect(answer?.headers["content-type"]).toEqual(["application/json"]);
    await stillAnswers();
  });

  it.each(["Expect: a miracle", "Upgrade: websocket"])("ignores %s", async (header) => {
    const [answer] = await exchange(port, requestText("GET /api/v1/echo", [header]));
    expect(answer?.status).toBe(200);
  });

  it("stops a connection whose request never becomes complete", async () => {
    const impatient = await listen(createGateway(routes, { requestTimeoutMs: 200 }));
    for (const start of ["GET /api/v1/echo HT", requestText("POST /api/v1/echo", ["Content-Length: 10"], "abc")]) {
      const [answer] = await exchange(impatient, start);
      expect(answer?.status).toBe(408);
      expect(answer?.body).toBe('{"message":"Request Timeout"}');
    }
  });

  it("survives clients that leave while they send, wait and receive", async () => {
    const leaveAfter = async (text: string) => {
      const socket = await open(port);
      socket.write(text);
      await sleep(20);
      socket.resetAndDestroy();
    };
    await Promise.all([
      leaveAfter("GET /api/v1/ec"),
      leaveAfter(requestText("POST /api/v1/echo", ["Content-Length: 100000"], "abc")),
      leaveAfter(requestText("POST /api/v1/echo", [CHUNKED], "ffff\r\nabc")),
      leaveAfter(requestText("GET /api/v1/slow")),
      leaveAfter(requestText("GET /api/v1/echo", [`X: ${"a".repeat(10_000)}`]).repeat(50)),
    ]);
    await sleep(250);
    expect(logLines.filter((line) => line.includes("the gateway failed"))).toEqual([]);
    await stillAnswers();
  });
});

describe("The gateway's connections", () => {
  it("stay open for the next request, and carry pipelined requests in their order", async () => {
    const socket = await open(port);
    const text = untilEnd(socket);
    const keep = (path: string) => `GET /api/v1${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    socket.write(keep("/slow") + keep("/results/text"));
    await sleep(300);
    socket.write(keep("/nowhere"));
    await sleep(50);
    socket.write(requestText("GET /api/v1/things/fixed"));
    expect(answersIn(await text).map(({ status, body }) => [status, body])).toEqual([
      [200, "late"],
      [201, "made"],
      [404, '{"message":"Not Found"}'],
      [200, '{"name":"fixed"}'],
    ]);
  });

  it("lead to a base URL that a client can reach, also for a host that means all addresses", () => {
    expect(baseUrlOf("0.0.0.0", 80)).toBe("http://127.0.0.1:80/api/v1");
    expect(baseUrlOf("::", 80)).toBe("http://[::1]:80/api/v1");
    expect(baseUrlOf("localhost", 80)).toBe("http://localhost:80/api/v1");
  });
});
