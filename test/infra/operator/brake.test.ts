import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { listen } from "../../support/http/listen.ts";
import { aFolder, spawnServer } from "../../support/process/server-process.ts";

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
      requests.push({
        method,
        path,
        authorization: headers.authorization ?? "",
        body: body ? JSON.parse(body) : undefined,
      });
      now = { ...now, ...(body && JSON.parse(body)) };
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
    const command = [process.execPath, resolve("infra/operator/operate.ts")];
    const options = ["brake", position, "https://abc123.execute-api.eu-west-1.amazonaws.com/api/v1"];
    const { ended, complaints } = spawnServer({ command, env, options, cwd });
    return [await ended, complaints()] as const;
  };

  expect(await brake("on")).toEqual([0, ""]);
  const least = { throttlingBurstLimit: 1, throttlingRateLimit: 1 };
  expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    ["GET", "/v2/apis/abc123/stages/%24default", undefined],
    [
      "PATCH",
      "/v2/apis/abc123/stages/%24default",
      {
        defaultRouteSettings: { detailedMetricsEnabled: false, ...least },
        routeSettings: { "POST /api/v1/posts/get": least, "GET /api/v1/users": least },
      },
    ],
  ]);
  for (const { authorization } of requests) {
    expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-west-1\/apigateway\/aws4_request, /);
  }
  // A second one does not overwrite what the first one has kept.
  expect(await brake("on")).toEqual([0, ""]);
  expect(await brake("off")).toEqual([0, ""]);
  const { stageName: _, ...before } = stage;
  expect(requests.at(-1)).toMatchObject({ method: "PATCH", body: before });
  expect(existsSync(join(cwd, "brake-abc123.json"))).toBe(false);
});
