import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { listen } from "../../support/http/listen.ts";
import { runNode } from "../../support/process/operate.ts";
import { aFolder } from "../../support/process/server-process.ts";

const stage = {
  stageName: "$default",
  defaultRouteSettings: { detailedMetricsEnabled: false, throttlingBurstLimit: 500, throttlingRateLimit: 50 },
  routeSettings: {
    "POST /api/v1/posts/get": { throttlingBurstLimit: 200, throttlingRateLimit: 20 },
    "GET /api/v1/users": { throttlingBurstLimit: 100, throttlingRateLimit: 10 },
  },
};

it("brake on lets one call a second through each route, and brake off puts back what was there", async () => {
  const requests: { method: string; path: string; authorization: string; body: object | undefined }[] = [];
  let now = stage;
  const port = await listen(
    createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const { method = "", url: path = "", headers } = request;
      const change = body ? JSON.parse(body) : undefined;
      requests.push({ method, path, authorization: headers.authorization ?? "", body: change });
      now = { ...now, ...change };
      response.setHeader("content-type", "application/json").end(JSON.stringify(now));
    }),
  );
  const cwd = aFolder();
  const env = {
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_ENDPOINT_URL_APIGATEWAYV2: `http://127.0.0.1:${port}`,
  };
  const brake = async (position: string) => {
    const words = ["brake", position, "https://abc123.execute-api.eu-west-1.amazonaws.com/api/v1"];
    const done = await runNode([resolve("infra/operator/operate.ts"), ...words], { env, cwd });
    expect(done).toMatchObject({ code: 0, complaints: "" });
  };

  await brake("on");
  const least = { throttlingBurstLimit: 1, throttlingRateLimit: 1 };
  const braked = {
    defaultRouteSettings: { detailedMetricsEnabled: false, ...least },
    routeSettings: { "POST /api/v1/posts/get": least, "GET /api/v1/users": least },
  };
  const path = "/v2/apis/abc123/stages/%24default";
  const signed = /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-west-1\/apigateway\/aws4_request, /;
  const authorization = expect.stringMatching(signed);
  expect(requests).toEqual([
    { method: "GET", path, authorization, body: undefined },
    { method: "PATCH", path, authorization, body: braked },
  ]);
  // A second one does not overwrite what the first one has kept.
  await brake("on");
  await brake("off");
  const { stageName: _, ...before } = stage;
  expect(requests.at(-1)).toMatchObject({ method: "PATCH", body: before });
  expect(existsSync(join(cwd, "brake-abc123.json"))).toBe(false);
});

it.each([
  [["on", "https://feedback.example.com"], /^Not the BaseUrl of a stack: https:\/\/feedback.example.com\. .*\n$/],
  [["off", "https://abc123.execute-api.eu-west-1.amazonaws.com"], /^There is no brake-abc123.json here, .*\n$/],
])("says in one line why brake %j does nothing", async (words, line) => {
  const done = await runNode([resolve("infra/operator/operate.ts"), "brake", ...words], { cwd: aFolder() });
  expect(done.code).toBe(1);
  expect(done.complaints).toMatch(line);
});
