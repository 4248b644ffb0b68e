import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { createGateway } from "../../../infra/local/gateway/gateway.ts";
import { run as smokeTest } from "../../../infra/smoke/smoke.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import { partitions } from "../../../lib/table/families.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { listen } from "../../support/http/listen.ts";
import { operateHere } from "../../support/process/operate.ts";
import { newContainer } from "../../support/setup.ts";
import { anything } from "../../support/store/items.ts";

const ORIGIN = "https://feedback.example.com";

function smoke(...words: string[]) {
  return operateHere(smokeTest, words);
}

async function serve(given: readonly Endpoint[], allowedOrigins = ["*"]): Promise<string> {
  const gateway = createGateway(given);
  // An HTTP API answers a call from a foreign origin like a call from no page.
  gateway.prependListener("request", ({ headers }) => {
    if (!allowedOrigins.includes("*") && !allowedOrigins.includes(headers.origin ?? "")) delete headers.origin;
  });
  return `http://127.0.0.1:${await listen(gateway)}/api/v1`;
}

async function setUpAt(baseUrl: string): Promise<void> {
  const body = JSON.stringify({ email: "owner@example.com", password: "correct horse" });
  expect([201, 403]).toContain((await fetch(`${baseUrl}/auth/setup`, { method: "POST", body })).status);
}

function withAnswer(name: string, answer: object): readonly Endpoint[] {
  return endpoints.map((each) =>
    each.definition.name === name ? Object.assign(async () => answer, { definition: each.definition }) : each,
  );
}

function postsLeft() {
  return getRange({ pk: partitions.POSTS, from: " ", to: "\uffff" }, anything);
}

describe("npm run operate -- smoke", () => {
  it("leaves one account behind, which it names", async () => {
    const baseUrl = await serve(endpoints);
    const before = await smoke(baseUrl);
    expect(before.code).toBe(1);
    expect(before.output).toMatch(/failed .*the site has an owner.*\n +expected setup to be done/);
    await setUpAt(baseUrl);
    const { code, output } = await smoke(baseUrl);
    expect(output).toContain("20 passed");
    expect(code).toBe(0);
    const [, email] = /the account "Smoke Test", (\S+)/.exec(output) ?? [];
    const accounts = await getRange({ pk: partitions.USERS, from: " ", to: "\uffff" }, anything);
    // The owner, and one of each run.
    expect(accounts).toHaveLength(3);
    expect(email).toMatch(/^success\+smoke-\w+@simulator\.amazonses\.com$/);
    expect(await postsLeft()).toEqual([]);
  });

  it("asks from the origins of --origin", async () => {
    const baseUrl = await serve(endpoints, [ORIGIN, "http://localhost:5173"]);
    for (const options of [[], ["--origin", `${ORIGIN}, http://localhost:5173`]]) {
      const { code, output } = await smoke(baseUrl, ...options);
      expect(code).toBe(0);
      expect(output).toEqual(expect.stringContaining("20 passed"));
    }
    for (const other of [`${ORIGIN},https://other.example`, "*"]) {
      const { code, output } = await smoke(baseUrl, "--origin", other);
      expect(code).toBe(1);
      expect(output).toMatch(
        /failed .*a page of an allowed origin may ask\n +expected access-control-allow-origin for https/,
      );
      expect(output).toContain("19 passed, 1 failed");
    }
  });

  it("names a failed check and still deletes its post", async () => {
    const broken = withAnswer("votes-add", { statusCode: 500, body: '{"message":"broken","code":"SERVER_ERROR"}' });
    const { code, output } = await smoke(await serve(broken));
    expect(code).toBe(1);
    expect(output).toMatch(/failed +\d+ ms {2}a vote counts\n +expected 201, got 500 \{"message":"broken"/);
    expect(output).toContain("2 failed");
    expect(await postsLeft()).toEqual([]);
  });

  it("names a post that it cannot delete", async () => {
    const broken = withAnswer("posts-delete", {
      statusCode: 403,
      body: '{"message":"no","code":"NOT_ENOUGH_PERMISSION"}',
    });
    const { code, output } = await smoke(await serve(broken));
    expect(code).toBe(1);
    expect(await postsLeft()).not.toEqual([]);
    expect(output).toMatch(/Left behind: the account .*; the post [0-9a-f-]{36} \(expected 204, got 403/);
  });

  it("skips the checks that need an account if the service sends no mail", async () => {
    newContainer({ MAIL_TRANSPORT: "none" });
    const { code, output } = await smoke(await serve(endpoints)).finally(() => newContainer({ MAIL_TRANSPORT: "log" }));
    expect(code).toBe(1);
    expect(output).toContain("no mail sender is configured, and mail=none not chosen: docs/deploy.md#mail");
    expect(output).toMatch(
      /not run .*a vote counts\n +there is no account|not run .*a vote counts\n +there is no post/,
    );
    expect(output).toContain("Left behind: nothing");
  });

  it("stops after the first check if the server does not answer", async () => {
    const port = await listen(createServer((_, response) => response.destroy()));
    const { code, output } = await smoke(`http://127.0.0.1:${port}/api/v1`);
    expect(code).toBe(1);
    expect(output).toContain("0 passed, 1 failed, 19 not run");
  });

  it("prints its usage without a URL or with wrong words", async () => {
    const api = "http://a.example/api/v1";
    const origins = ["b.example", "https://b.example/path"].map((origin) => [api, "--origin", origin]);
    for (const words of [[], ["not a url"], ["https://the-portal.example/"], ...origins]) {
      const { code, output } = await smoke(...words);
      expect(code).toBe(1);
      expect(output).toEqual(expect.stringContaining("Usage: npm run operate -- smoke <baseUrl>"));
    }
  });
});
