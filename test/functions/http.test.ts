import { beforeAll, describe, expect, it } from "vitest";
import { BASE_PATH } from "../../lib/http/routes.ts";
import { type Reply, refusal, success } from "../support/http/invoke.ts";
import { serveEndpoints } from "../support/http/listen.ts";
import { exchange, requestText } from "../support/http/raw-http.ts";
import { aMember, aRoadmap, aUser, type Person } from "../support/world/fixtures.ts";

// What depends on how a request comes over the wire. The gateway itself, with bodies that are not UTF-8, too large or
// in chunks: test/infra/local/gateway/gateway.test.ts.

const gateway = serveEndpoints();
let member: Person;
let owner: Person;
beforeAll(async () => {
  member = await aMember();
  owner = await aUser("owner");
});

type Sent = { body?: string; type?: string; token?: string; headers?: string[] };

const checked = ["content-type", "cache-control", "x-content-type-options", "www-authenticate", "retry-after"];

/** Sends a request as it is: no client library tidies the path up. */
async function send(line: string, { body = "", type, token, headers = [] }: Sent = {}): Promise<Reply> {
  const [method, path = ""] = line.split(" ");
  const bytes = Buffer.from(body);
  const head = requestText(`${method} ${BASE_PATH}${path}`, [
    ...(bytes.length > 0 ? [`Content-Length: ${bytes.length}`] : []),
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...headers,
  ]);
  const [answer] = await exchange(gateway.port, Buffer.concat([Buffer.from(head), bytes]));
  if (!answer) throw new Error("no answer");
  const named = Object.entries(answer.headers).filter(([name]) => checked.includes(name));
  const text = Buffer.from(answer.body, "latin1").toString();
  return {
    status: answer.status,
    headers: Object.fromEntries(named.map(([name, values]) => [name, values.join(",")])),
    body: answer.status === 204 ? text || undefined : JSON.parse(text),
    calls: [],
  };
}

describe("A body over HTTP", () => {
  it.each([undefined, "", "text/plain", "application/octet-stream", "image/png", "multipart/form-data", "x"])(
    "counts as JSON with the content type %j",
    async (type) => {
      const body = JSON.stringify({ title: "ünï 😀" });
      const reply = await send("POST /posts", { token: member.token, body, ...(type !== undefined && { type }) });
      expect(success(reply, 201).post.title).toBe("ünï 😀");
    },
  );

  it("may be missing", async () => {
    success(await send("POST /posts/get"), 200);
    success(await send("POST /posts/get", { type: "application/json" }), 200);
    refusal(await send("POST /auth/signup"), "EMAIL_INVALID");
    refusal(await send("DELETE /votes", { token: member.token }), "POST_NOT_FOUND");
    refusal(await send("POST /posts", { token: member.token }), "VALIDATION_ERROR", "body.title");
  });
});

describe("The Authorization header over HTTP", () => {
  it("counts with its name and scheme in any case", async () => {
    for (const header of [`authorization: bearer ${member.token}`, `AUTHORIZATION:   BEARER   ${member.token}  `]) {
      success(await send("GET /boards", { headers: [header] }), 200);
    }
  });

  // Other headers that are refused: test/security/tokens.test.ts.
  it("must be sent once", async () => {
    const twice = Array(2).fill(`Authorization: Bearer ${member.token}`);
    refusal(await send("GET /boards", { headers: twice }), "INVALID_AUTH_HEADER_FORMAT");
    refusal(await send("GET /boards", { headers: ["Authorization:"] }), "INVALID_AUTH_HEADER");
  });
});

describe("A query over HTTP", () => {
  const boards = (query: string) => send(`GET /boards?${query}`, { token: member.token });
  const roadmaps = (query: string, { token } = member) => send(`GET /roadmaps?${query}`, { token });

  it("may repeat a parameter that is a list", async () => {
    const hidden = await aRoadmap({ display: false });
    const both = success(await roadmaps("visibility=public&visibility=private&first=100", owner), 200).results;
    expect(both.map(({ id }: { id: string }) => id)).toContain(hidden.roadmapId);
    for (const list of ["PUBLIC,private", "public%2Cprivate", ""]) {
      success(await roadmaps(`visibility=${list}`, owner), 200);
    }
    refusal(await roadmaps("visibility=public&visibility=other", owner), "VALIDATION_ERROR", "query.visibility");
  });

  it("must not repeat any other parameter", async () => {
    refusal(await roadmaps("first=1&first=1"), "VALIDATION_ERROR", "query.first");
    for (const [name, value] of Object.entries({ limit: 1, page: 1, created: "asc" })) {
      refusal(await boards(`${name}=${value}&${name}=${value}`), "VALIDATION_ERROR", `query.${name}`);
    }
  });

  it("may have unknown parameters, also names that reach a prototype", async () => {
    for (const query of ["x=1&__proto__=1&constructor=1&limit[]=0&=&&%&page=1", "__proto__[limit]=0", ""]) {
      success(await boards(query), 200);
    }
  });
});

describe("A path over HTTP", () => {
  it.each(["%", "%zz", "100%", "%C3", "%ff%fe", "a%2", "%u0041", "%ED%A0%80"])("finds nothing by %s", async (path) => {
    const { roadmaps } = success(await send(`GET /roadmaps/search/${path}`, { token: member.token }), 200);
    expect(roadmaps).toEqual([]);
    refusal(await send(`GET /roadmaps/${path}`), "ROADMAP_ID_OR_URL_MISSING");
  });

  it.each(["%00", "a%07", "%7f", "%C2%85"])("must not name a control character: %s", async (path) => {
    const reply = await send(`GET /roadmaps/search/${path}`, { token: member.token });
    refusal(reply, "VALIDATION_ERROR", "params.name");
    refusal(await send(`GET /roadmaps/${path}`), "ROADMAP_ID_OR_URL_MISSING");
  });

  it("finds a roadmap by its url, percent-encoded or not", async () => {
    const { roadmapId, url } = await aRoadmap();
    for (const path of [url, url.replace("-", "%2D")]) {
      expect(success(await send(`GET /roadmaps/${path}`), 200).roadmap.id).toBe(roadmapId);
    }
  });
});
