import { beforeAll, describe, expect, it } from "vitest";
import { BASE_PATH } from "../../lib/http/routes.ts";
import { serveEndpoints } from "../support/http/listen.ts";
import { exchange, requestText } from "../support/http/raw-http.ts";
import { aRoadmap, aUser } from "../support/world/fixtures.ts";

// What depends on how a request comes over the wire. The gateway's events, with bodies of any type:
// test/infra/local/gateway/gateway.test.ts; what endpoints make of them: test/security/edges.test.ts.

const gateway = serveEndpoints();
let token = "";
beforeAll(async () => {
  ({ token } = await aUser("owner"));
  await aRoadmap({ url: "next-up", display: true });
});

/** Sends a GET as it is: no client library tidies the path up. Returns the status, and the code of a refusal. */
async function answerTo(path: string, headers = [`Authorization: Bearer ${token}`]): Promise<string> {
  const [answer] = await exchange(gateway.port, requestText(`GET ${BASE_PATH}${path}`, headers));
  const { code = "" } = JSON.parse(answer?.body ?? "{}");
  return `${answer?.status} ${code}`.trim();
}

describe("A request over HTTP", () => {
  const missing = "404 ROADMAP_ID_OR_URL_MISSING";

  it.each([
    ["/boards?x=1&__proto__=1&constructor=1&limit[]=0&=&&%&page=1", "200"],
    ["/boards?__proto__[limit]=0", "200"],
    ["/boards?", "200"],
    ["/boards?created=asc&created=asc", "400 VALIDATION_ERROR"],
    ["/roadmaps?first=1&first=1", "400 VALIDATION_ERROR"],
    ["/roadmaps?visibility=public&visibility=private", "200"],
    ["/roadmaps?visibility=public%2CPRIVATE", "200"],
    ["/roadmaps?visibility=public&visibility=other", "400 VALIDATION_ERROR"],
    ["/roadmaps/next-up", "200"],
    ["/roadmaps/next%2Dup", "200"],
    ...["%", "%zz", "100%", "%C3", "%ff%fe", "a%2", "%u0041", "%ED%A0%80"].flatMap((path) => [
      [`/roadmaps/${path}`, missing],
      [`/roadmaps/search/${path}`, "200"],
    ]),
    ...["%00", "a%07", "%7f", "%C2%85"].flatMap((path) => [
      [`/roadmaps/${path}`, missing],
      [`/roadmaps/search/${path}`, "400 VALIDATION_ERROR"],
    ]),
  ])("gets for %s the answer %s", async (path = "", answer) => {
    expect(await answerTo(path)).toBe(answer);
  });

  // Other headers that are refused: test/security/tokens.test.ts.
  it("carries one Authorization header, whose name and scheme are in any case", async () => {
    expect(await answerTo("/boards", [`AUTHORIZATION:   BEARER   ${token}  `])).toBe("200");
    const twice = Array(2).fill(`authorization: Bearer ${token}`);
    expect(await answerTo("/boards", twice)).toBe("401 INVALID_AUTH_HEADER_FORMAT");
    expect(await answerTo("/boards", ["Authorization:"])).toBe("401 INVALID_AUTH_HEADER");
  });
});
