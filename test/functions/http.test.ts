import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { createGateway } from "../../infra/local/gateway/gateway.ts";
import { BASE_PATH } from "../../lib/http/routes.ts";
import { newId } from "../../lib/values/ids.ts";
import { refusal, success } from "../support/http/answers.ts";
import type { Reply } from "../support/http/invoke.ts";
import { exchange, requestText } from "../support/http/raw-http.ts";
import { aBoard, aMember, aPost, aRoadmap, aUser, type Person } from "../support/world/fixtures.ts";

// What of docs/contract.md depends on how a request comes over the wire, over the wire.

let server: Server;
let port: number;
let member: Person;
let owner: Person;

beforeAll(async () => {
  server = createGateway(endpoints);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  ({ port } = server.address() as AddressInfo);
  [member, owner] = [await aMember(), await aUser("owner")];
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

type Sent = { body?: string | Buffer; type?: string; token?: string; headers?: string[] };

function hasBody(status: number): boolean {
  return status !== 204;
}
const ofAnswer = ["content-type", "cache-control", "x-content-type-options", "www-authenticate", "retry-after"];

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
  const [answer] = await exchange(port, Buffer.concat([Buffer.from(head), bytes]));
  if (!answer) throw new Error("no answer");
  const named = Object.entries(answer.headers).filter(([name]) => ofAnswer.includes(name));
  const text = Buffer.from(answer.body, "latin1").toString();
  return {
    status: answer.status,
    headers: Object.fromEntries(named.map(([name, values]) => [name, values.join(",")])),
    body: hasBody(answer.status) ? JSON.parse(text) : text || undefined,
    calls: [],
  };
}

function post(path: string, body: unknown, sent: Sent = {}) {
  return send(`POST ${path}`, { type: "application/json", body: JSON.stringify(body), ...sent });
}

describe("The twelve over HTTP", () => {
  it("create, list, vote for and delete a post", async () => {
    const email = `life.${newId()}@example.com`;
    const { user } = success(await post("/auth/signup", { email, password: "correct horse" }), 201);
    const token = user.authToken;
    const board = await aBoard();
    const created = success(await post("/posts", { title: "Über Größe", boardId: board.boardId }, { token }), 201).post;
    const { postId, slug } = created;
    expect(success(await post("/posts/slug", { slug }), 200).post).toMatchObject({ postId, title: "Über Größe" });
    expect(success(await post("/votes", { postId }, { token }), 201).voters.votesCount).toBe(1);
    refusal(await post("/votes", { postId }, { token }), "VOTE_EXISTS");
    const listed = success(await post("/posts/get", { boardId: board.boardId }, { token }), 200).posts;
    expect(listed).toMatchObject([{ postId, voters: { viewerVote: { userId: user.userId } } }]);
    const gone = await send("DELETE /votes", { token, body: JSON.stringify({ postId }) });
    expect(success(gone, 200).voters).toEqual({ votes: [], votesCount: 0, viewerVote: null });
    success(await send("DELETE /posts", { token, body: JSON.stringify({ id: postId }) }), 204);
    refusal(await post("/posts/slug", { slug }), "POST_NOT_FOUND");
  });

  it("answer a deleted post with an empty body and all headers", async () => {
    const { postId } = await aPost(member);
    const reply = await send("DELETE /posts", { token: member.token, body: JSON.stringify({ id: postId }) });
    expect(success(reply, 204)).toBeUndefined();
  });
});

describe("Bodies over HTTP", () => {
  it("are read as JSON with any content type", async () => {
    for (const type of [
      undefined,
      "",
      "text/plain",
      "application/octet-stream",
      "image/png",
      "multipart/form-data",
      "x",
    ]) {
      const reply = await post(
        "/posts",
        { title: "ünï 😀" },
        { token: member.token, ...(type !== undefined && { type }) },
      );
      expect(success(reply, 201).post.title).toBe("ünï 😀");
    }
    const { postId, slug } = await aPost(member, { title: "no type" });
    expect(success(await send("POST /posts/slug", { body: JSON.stringify({ slug }) }), 200).post.postId).toBe(postId);
  });

  it("may be absent", async () => {
    success(await send("POST /posts/get"), 200);
    success(await send("POST /posts/get", { type: "application/json" }), 200);
    refusal(await send("POST /posts/slug"), "POST_NOT_FOUND");
    refusal(await send("POST /auth/signup"), "EMAIL_INVALID");
    refusal(await send("DELETE /votes", { token: member.token }), "POST_NOT_FOUND");
    refusal(await send("POST /posts", { token: member.token }), "VALIDATION_ERROR", "body.title");
  });

  it("must be UTF-8 and JSON with any content type", async () => {
    for (const type of ["application/json", "application/octet-stream", "text/plain"]) {
      for (const body of [
        Buffer.from([0x7b, 0xff, 0x7d]),
        Buffer.from('{"a":"\xed\xa0\x80"}', "latin1"),
        Buffer.from("{"),
      ]) {
        refusal(await send("POST /posts/get", { type, body }), "VALIDATION_ERROR", "body");
      }
    }
  });

  it("may have 128 KiB and no more, with any content type", async () => {
    for (const type of ["application/json", "application/octet-stream"]) {
      success(await send("POST /posts/get", { type, body: `{}${" ".repeat(131_070)}` }), 200);
      refusal(await send("POST /posts/get", { type, body: `{}${" ".repeat(131_071)}` }), "PAYLOAD_TOO_LARGE");
    }
  });

  it("may come in chunks", async () => {
    const headers = ["Transfer-Encoding: chunked"];
    const text = `{"title":"in chunks"}`;
    const chunks = [...text].map((each) => `1\r\n${each}\r\n`).join("");
    const head = requestText(`POST ${BASE_PATH}/posts`, [...headers, `Authorization: Bearer ${member.token}`]);
    const [answer] = await exchange(port, `${head}${chunks}0\r\n\r\n`);
    expect([answer?.status, JSON.parse(answer?.body ?? "").post.title]).toEqual([201, "in chunks"]);
  });
});

describe("The Authorization header over HTTP", () => {
  it("is read with its name and scheme in any case", async () => {
    for (const header of [`authorization: bearer ${member.token}`, `AUTHORIZATION:   BEARER   ${member.token}  `]) {
      success(await send("GET /boards", { headers: [header] }), 200);
    }
  });

  it("must be sent once, with one token", async () => {
    refusal(await send("GET /boards"), "INVALID_AUTH_HEADER");
    refusal(await send("GET /boards", { headers: ["Authorization:"] }), "INVALID_AUTH_HEADER");
    for (const header of ["Bearer", `Token ${member.token}`, `Bearer ${member.token} x`, member.token]) {
      const reply = await send("GET /boards", { headers: [`Authorization: ${header}`] });
      refusal(reply, "INVALID_AUTH_HEADER_FORMAT");
    }
    const twice = [`Authorization: Bearer ${member.token}`, `Authorization: Bearer ${member.token}`];
    refusal(await send("GET /boards", { headers: twice }), "INVALID_AUTH_HEADER_FORMAT");
    refusal(await send("GET /boards", { token: "x" }), "INVALID_TOKEN");
  });
});

describe("Queries over HTTP", () => {
  const boards = (query: string) => send(`GET /boards?${query}`, { token: member.token });
  const roadmaps = (query: string, { token }: Person = member) => send(`GET /roadmaps?${query}`, { token });

  it("may repeat a parameter that is a list, and no other", async () => {
    const hidden = await aRoadmap({ display: false });
    const both = success(await roadmaps("visibility=public&visibility=private&first=100", owner), 200).results;
    expect(both.map(({ id }: { id: string }) => id)).toContain(hidden.roadmapId);
    success(await roadmaps("visibility=PUBLIC,private", owner), 200);
    success(await roadmaps("visibility=public%2Cprivate", owner), 200);
    success(await roadmaps("visibility=", owner), 200);
    refusal(await roadmaps("visibility=public&visibility=other", owner), "VALIDATION_ERROR", "query.visibility");
    refusal(await roadmaps("first=1&first=1"), "VALIDATION_ERROR", "query.first");
    for (const name of ["limit", "page"])
      refusal(await boards(`${name}=1&${name}=1`), "VALIDATION_ERROR", `query.${name}`);
    refusal(await boards("created=asc&created=asc"), "VALIDATION_ERROR", "query.created");
  });

  it("refuse an empty number and an empty cursor", async () => {
    for (const query of ["limit=", "limit", "limit=%20", "limit=+1", "limit=0", "limit=-1", "limit=1.5", "limit=x"]) {
      refusal(await boards(query), "VALIDATION_ERROR", "query.limit");
    }
    refusal(await roadmaps("first=&after="), "VALIDATION_ERROR", "query.first", "query.after");
  });

  it("ignore unknown parameters, also names that reach a prototype", async () => {
    success(await boards("x=1&__proto__=1&constructor=1&limit[]=0&=&&%&page=1"), 200);
    success(await boards("__proto__[limit]=0"), 200);
    success(await boards(""), 200);
  });

  it("carry a cursor from page to page", async () => {
    for (let n = 0; n < 3; n++) await aRoadmap();
    const seen: string[] = [];
    let after = "";
    for (let more = true; more; ) {
      const body = success(await roadmaps(`first=2${after}`), 200);
      seen.push(...body.results.map(({ id }: { id: string }) => id));
      more = body.page_info.has_next_page;
      after = `&after=${body.page_info.end_cursor}`;
    }
    const all = success(await roadmaps("first=100"), 200).results.map(({ id }: { id: string }) => id);
    expect(seen).toEqual(all);
  });
});

describe("Paths over HTTP", () => {
  const search = async (path: string): Promise<string[]> => {
    const { roadmaps } = success(await send(`GET /roadmaps/search/${path}`, { token: member.token }), 200);
    return roadmaps.map(({ name }: { name: string }) => name);
  };

  it("can search any name, also with a slash, a percent sign, a plus, a blank or an emoji", async () => {
    const names = ["50% off", "a/b", "c+d e", "Größe 😀", "what?", "x#y", "über\u0308"];
    for (const name of names) await aRoadmap({ name });
    for (const name of names) expect(await search(encodeURIComponent(name))).toEqual([name]);
    expect(await search("a/b")).toEqual(["a/b"]);
    expect(await search("A%2fB")).toEqual(["a/b"]);
    expect(await search("c+d")).toEqual(["c+d e"]);
    expect(await search("%25")).toEqual(["50% off"]);
    expect(await search("gr%C3%B6%C3%9F")).toEqual(["Größe 😀"]);
    expect(await search("_")).toEqual([]);
  });

  it("find nothing with a bad percent escape", async () => {
    for (const path of ["%", "%zz", "100%", "%C3", "%ff%fe", "a%2", "%u0041", "%ED%A0%80"]) {
      expect(await search(path)).toEqual([]);
      refusal(await send(`GET /roadmaps/${path}`), "ROADMAP_ID_OR_URL_MISSING");
    }
  });

  it("refuse control characters in a name", async () => {
    for (const path of ["%00", "a%07", "%7f", "%C2%85"]) {
      const reply = await send(`GET /roadmaps/search/${path}`, { token: member.token });
      refusal(reply, "VALIDATION_ERROR", "params.name");
      refusal(await send(`GET /roadmaps/${path}`), "ROADMAP_ID_OR_URL_MISSING");
    }
    refusal(
      await send(`GET /roadmaps/search/${"x".repeat(101)}`, { token: member.token }),
      "VALIDATION_ERROR",
      "params.name",
    );
  });

  it("find a roadmap by its url, percent-encoded or not", async () => {
    const { roadmapId, url } = await aRoadmap();
    for (const path of [url, url.replace("-", "%2D")]) {
      expect(success(await send(`GET /roadmaps/${path}`), 200).roadmap.id).toBe(roadmapId);
    }
    refusal(await send(`GET /roadmaps/${url.toUpperCase()}`), "ROADMAP_ID_OR_URL_MISSING");
  });
});
