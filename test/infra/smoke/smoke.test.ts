import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { createGateway } from "../../../infra/local/gateway/gateway.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import { partitions } from "../../../lib/table/keys.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { operate } from "../../support/process/operate.ts";
import { newContainer } from "../../support/setup.ts";
import { anything } from "../../support/store/items.ts";

function smoke(...words: string[]) {
  return operate(["smoke", ...words]);
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(given: readonly Endpoint[], allowedOrigins = ["*"]): Promise<string> {
  const gateway = createGateway(given);
  // An HTTP API answers a call from a foreign origin like a call from no page.
  gateway.prependListener("request", ({ headers }) => {
    if (!allowedOrigins.includes("*") && !allowedOrigins.includes(headers.origin ?? "")) delete headers.origin;
  });
  const server = gateway.listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
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

function documentedOrigin(): string {
  const [, origin = ""] = /-c allowedOrigins=(\S+)/.exec(readFileSync("docs/deploy.md", "utf8")) ?? [];
  return origin;
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
    const origin = documentedOrigin();
    const baseUrl = await serve(endpoints, [origin, "http://localhost:5173"]);
    for (const options of [[], ["--origin", origin], ["--origin", `${origin}, http://localhost:5173`]]) {
      const { code, output } = await smoke(baseUrl, ...options);
      expect(output).toContain("20 passed");
      expect(code).toBe(0);
    }
    for (const other of ["https://other.example", `${origin},https://other.example`, "*"]) {
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
    const broken = withAnswer("posts-delete", { statusCode: 403, body: "{}" });
    const { code, output } = await smoke(await serve(broken));
    expect(code).toBe(1);
    const [left] = await postsLeft();
    expect(left).toBeDefined();
    expect(output).toMatch(/Left behind: the account .*; the post [0-9a-f-]{36} \(expected 204, got 403/);
  });

  it("skips the checks that need an account if the service sends no mail", async () => {
    newContainer({ MAIL_TRANSPORT: "none" });
    try {
      const { code, output } = await smoke(await serve(endpoints));
      expect(code).toBe(1);
      expect(output).toContain("no mail sender is configured: docs/deploy.md#2-mail");
      expect(output).toMatch(
        /not run .*a vote counts\n +there is no account|not run .*a vote counts\n +there is no post/,
      );
      expect(output).toContain("Left behind: nothing");
    } finally {
      newContainer({ MAIL_TRANSPORT: "log" });
    }
  });

  it("stops after the first check if the server does not answer", async () => {
    const baseUrl = await serve([]);
    servers.at(-1)?.close();
    const { code, output } = await smoke(baseUrl);
    expect(code).toBe(1);
    expect(output).toContain("ECONNREFUSED");
    expect(output).toContain("0 passed, 1 failed, 19 not run");
  });

  it("prints its usage without a URL or with wrong words", async () => {
    const baseUrl = "http://127.0.0.1:9/api/v1";
    const origins = [["--origin"], ["--origin", "feedback.example.com"], ["--origin", "https://example.com/path"]];
    for (const words of [[], ["not a url"], [baseUrl, "more"], ...origins.map((each) => [baseUrl, ...each])]) {
      const { code, output } = await smoke(...words);
      expect(code).toBe(1);
      expect(output).toContain("Usage: npm run operate -- smoke <baseUrl>");
    }
  });
});
