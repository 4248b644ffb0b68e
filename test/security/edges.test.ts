import { beforeAll, describe, expect, it } from "vitest";
import type { Endpoint } from "../../lib/endpoint.ts";
import { requiresToken } from "../../lib/http/definition.ts";
import { invoke, type Reply, type Request, refusal, type Shape } from "../support/http/invoke.ts";
import { aWorld, endpointsWithExample, expectAnswer, goodRequest, type World } from "../support/world/examples.ts";

// docs/contract.md#malformed-input for every endpoint, with events of the gateway and of `sam local`.

let world: World;
beforeAll(async () => {
  world = await aWorld();
});

const LIMIT = 128 * 1024;
function bodyOf({ definition }: Endpoint) {
  return definition.request.shape.body;
}
const all = endpointsWithExample;
const withBody = all.filter(({ endpoint }) => bodyOf(endpoint));
const bearer = all.filter(({ endpoint }) => requiresToken(endpoint.definition));

/** One code reads the bodies of all endpoints: each endpoint meets every third case. */
function shareOf<T>(endpoint: Endpoint, cases: readonly T[]): T[] {
  const offset = all.findIndex((each) => each.endpoint === endpoint);
  return cases.filter((_, n) => n % 3 === offset % 3);
}

const kept = new Map<Endpoint, Request>();

type Change = (good: Request) => Request;

/** Refuses a request that is good but for one change; it changes nothing, so one good request does for all. */
async function refusesWith(endpoint: Endpoint, change: Change, ...error: [string, ...string[]]): Promise<void> {
  const request = kept.get(endpoint) ?? (await goodRequest(endpoint, world));
  kept.set(endpoint, request);
  refusal(await invoke(endpoint, change(request)), ...error);
}

async function callWith(endpoint: Endpoint, change: Change, shape?: Shape): Promise<Reply> {
  return invoke(endpoint, change(await goodRequest(endpoint, world)), shape);
}

async function succeedsWith(endpoint: Endpoint, change: Change, shape?: Shape): Promise<void> {
  expectAnswer(endpoint, await callWith(endpoint, change, shape));
}

function inBase64(body: string): Partial<Request> {
  return { body: Buffer.from(body).toString("base64"), isBase64Encoded: true };
}

/** Puts a field before the fields of the body. */
function withField(name: string, json: string): Change {
  return (request) => ({ ...request, body: `{"${name}":${json},${JSON.stringify(request.body).slice(1)}` });
}

describe.each<Shape>(["gateway", "sam"])("with an event in the shape of %s", (shape) => {
  // One code reads the events of all endpoints, so a third of them is enough in each shape. Every endpoint answers
  // every kind of caller in permissions.test.ts.
  const some = (cases: typeof all): typeof all => cases.filter((_, n) => n % 3 === (shape === "gateway" ? 0 : 1));

  it.each(some(all))("$name answers its example request", async ({ endpoint }) => {
    await succeedsWith(endpoint, (request) => request, shape);
  });

  it.each(some(bearer))(
    "$name accepts the scheme bearer in any case, with blanks around the token",
    async ({ endpoint }) => {
      const schemes = ["bearer ", "bEaReR\t", " BEARER   "];
      // One of them for each endpoint.
      const scheme = schemes[bearer.findIndex((each) => each.endpoint === endpoint) % schemes.length];
      const change: Change = ({ token, ...request }) => ({
        ...request,
        headers: { authorization: `${scheme}${token} ` },
      });
      await succeedsWith(endpoint, change, shape);
    },
  );

  it.each(some(withBody))("$name reads an absent, an empty and a null body as {}", async ({ endpoint }) => {
    const answers: unknown[] = [];
    for (const body of [{}, undefined, "", "null", " null\n"]) {
      const { status, body: answer } = await callWith(endpoint, (request) => ({ ...request, body }), shape);
      answers.push([status, answer?.code, answer?.errors]);
    }
    expect(answers).toEqual(answers.map(() => answers[0]));
  });

  it.each(some(withBody))(
    "$name reads the body as JSON with any content type, also in base64",
    async ({ endpoint }) => {
      for (const type of ["text/plain", ""]) {
        await succeedsWith(endpoint, (request) => ({ ...request, headers: { "content-type": type } }), shape);
      }
      const encoded: Change = (request) => ({ ...request, ...inBase64(JSON.stringify(request.body)) });
      await succeedsWith(endpoint, encoded, shape);
    },
  );
});

const malformed = String.raw`{ } [ {"a"} {"a":1,} {'a':1} {"a":1}{"b":2} {"a":01} {"a":NaN} {"a":"\x41"} {"a":"\u12"} undefined a=b&c=d <a/> nul`;
const notJson = [...malformed.split(" "), '{"a":"\n"}', " ", "\ufeff{}", "/* */ {}"];
const noObject = ["[]", "[{}]", "1", "0", "-0", '""', '"text"', "true", "false", '[["a"]]'];

describe("a malformed body", () => {
  it.each(withBody)("fails at $name before the token is checked, if it is not a JSON object", async ({ endpoint }) => {
    for (const body of shareOf(endpoint, [...notJson, ...noObject])) {
      await refusesWith(endpoint, (request) => ({ ...request, body }), "VALIDATION_ERROR", "body");
      const reply = await invoke(endpoint, { body });
      refusal(reply, "VALIDATION_ERROR", "body");
      expect(reply.calls).toEqual([]);
    }
  });

  it.each(withBody)("fails at $name if it is not UTF-8", async ({ endpoint }) => {
    const notUtf8 = [[0xff], [0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d], [0xed, 0xa0, 0x80]];
    for (const bytes of shareOf(endpoint, notUtf8)) {
      const body = Buffer.from(bytes).toString("base64");
      const change: Change = (request) => ({ ...request, body, isBase64Encoded: true });
      await refusesWith(endpoint, change, "VALIDATION_ERROR", "body");
    }
  });

  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

  it.each(withBody)("fails at $name if it is 33 levels deep, and passes with 32", async ({ endpoint }) => {
    // The body itself is the first level.
    for (const json of [nested(31), `{"a":${nested(30)}}`, `"${"[{".repeat(100)}\\"${"[".repeat(100)}"`]) {
      await succeedsWith(endpoint, withField("extra", json));
    }
    for (const json of [nested(32), `{"a":${nested(31)}}`, "[".repeat(60_000), nested(60_000)]) {
      await refusesWith(endpoint, withField("extra", json), "VALIDATION_ERROR", "body");
    }
  });

  it.each(withBody)(
    "fails at $name if a key reaches a prototype, not if it is called prototype",
    async ({ endpoint }) => {
      const harmless = Object.fromEntries(["prototype", "toString", "hasOwnProperty", ""].map((word) => [word, "x"]));
      await succeedsWith(endpoint, ({ body, ...rest }) => ({ ...rest, body: { ...(body as object), ...harmless } }));
      const keys = ["__proto__", "constructor", "\\u005f_proto__", "c\\u006fnstructor"];
      for (const key of keys) {
        for (const json of shareOf(endpoint, [`{"polluted":"yes"}`, "null", `{"prototype":{"polluted":"yes"}}`])) {
          for (const body of [`{"${key}":${json}}`, `{"a":[{"b":{"${key}":${json}}}]}`]) {
            await refusesWith(endpoint, (request) => ({ ...request, body }), "VALIDATION_ERROR", "body");
          }
        }
        await refusesWith(endpoint, withField(key, '{"polluted":"yes"}'), "VALIDATION_ERROR", "body");
      }
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("polluted");
    },
  );
});

describe("a large body", () => {
  const padded = (body: unknown, bytes: number): string => {
    const json = JSON.stringify(body ?? {});
    return json + " ".repeat(bytes - Buffer.byteLength(json));
  };
  const multibyte = (body: unknown, bytes: number): string => {
    const start = JSON.stringify({ ...(body as object), extra: "" }).slice(0, -2);
    const room = bytes - Buffer.byteLength(start) - 2;
    return `${start}${"é".repeat(room >> 1)}${"e".repeat(room & 1)}"}`;
  };
  const forms: Record<string, (bytes: number) => Change> = {
    padded: (bytes) => (request) => ({ ...request, body: padded(request.body, bytes) }),
    multibyte: (bytes) => (request) => ({ ...request, body: multibyte(request.body, bytes) }),
    base64: (bytes) => (request) => ({ ...request, ...inBase64(padded(request.body, bytes)) }),
  };

  it.each(all)("passes at $name with 128 KiB, and fails with one byte more, in each encoding", async ({ endpoint }) => {
    for (const [name, changeTo] of shareOf(endpoint, Object.entries(forms))) {
      // A hash takes long: once is enough.
      if (name === "padded" || !endpoint.definition.hashesPasswords) await succeedsWith(endpoint, changeTo(LIMIT));
      await refusesWith(endpoint, changeTo(LIMIT + 1), "PAYLOAD_TOO_LARGE");
    }
  });

  it.each(all)("fails at $name before it is parsed or the token is checked", async ({ endpoint }) => {
    const huge = ["[".repeat(6_000_000), `"${"x".repeat(1_000_000)}`, "\u0000".repeat(200_000)];
    for (const body of shareOf(endpoint, huge)) {
      const reply = await invoke(endpoint, { body });
      refusal(reply, "PAYLOAD_TOO_LARGE");
      expect(reply.calls).toEqual([]);
    }
  });
});

describe("an endpoint", () => {
  it.each(bearer)("checks size, JSON, token, permission, then input: $name", async ({ endpoint }) => {
    const garbage = { body: { a: 1 }, params: { name: "\u0000", url: "\u0000" }, query: { first: "no", limit: "no" } };
    if (bodyOf(endpoint)) refusal(await invoke(endpoint, { ...garbage, body: "{" }), "VALIDATION_ERROR", "body");
    const anonymous = await invoke(endpoint, garbage);
    refusal(anonymous, "INVALID_AUTH_HEADER");
    expect(anonymous.calls).toEqual([]);
    refusal(await invoke(endpoint, { ...garbage, headers: { authorization: "Bearer" } }), "INVALID_AUTH_HEADER_FORMAT");
    refusal(await invoke(endpoint, { ...garbage, token: "no" }), "INVALID_TOKEN");
    if (endpoint.definition.permission === undefined) return;
    refusal(await invoke(endpoint, { ...garbage, token: world.suspended.token }), "NOT_ENOUGH_PERMISSION");
  });
});
