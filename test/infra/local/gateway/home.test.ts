import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import { documentAt } from "../../../../infra/local/gateway/documents.ts";
import { createGateway } from "../../../../infra/local/gateway/gateway.ts";
import { home } from "../../../../infra/local/gateway/home.ts";
import { listen } from "../../../support/http/listen.ts";

let origin: string;
beforeAll(async () => {
  const base = "http://127.0.0.1:3000/api/v1";
  const server = createGateway(endpoints, {
    pageAt: async ({ path }, headers) =>
      path === "/" ? home(endpoints, base, headers.accept) : documentAt(path, headers),
  });
  origin = `http://127.0.0.1:${await listen(server)}`;
});

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe("GET / on one machine", () => {
  it.each([undefined, "*/*", "application/json"])(
    "names the service and every endpoint in JSON for Accept %s",
    async (accept) => {
      const answer = await fetch(`${origin}/?a=b`, accept ? { headers: { accept } } : {});
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
      expect(await answer.json()).toEqual({
        service: "Feedback Board",
        baseUrl: "http://127.0.0.1:3000/api/v1",
        documents: ["README.md", "docs/api.md", "docs/local.md"],
        reference: "/docs/",
        openapi: "/openapi.json",
        endpoints: endpoints.map(({ definition: { method, path, access } }) => ({ method, path, access })),
      });
    },
  );

  it("shows a browser a page whose links all work without a token", async () => {
    const owner = JSON.stringify({ email: "owner@example.com", password: "correct horse" });
    expect((await fetch(`${origin}/api/v1/auth/setup`, { method: "POST", body: owner })).status).toBe(201);
    const answer = await fetch(origin, { headers: { accept: BROWSER } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const page = await answer.text();
    for (const { definition } of endpoints) expect(page).toContain(definition.path);
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expect([link, (await fetch(new URL(link, origin))).status]).toEqual([link, 200]);
  });

  it.each(["POST /", "DELETE /", "GET /api/v1", "GET /api/v1/", "GET /index.html", "GET //"])(
    "leaves %s a 404 of the gateway",
    async (line) => {
      const [method = "", path] = line.split(" ");
      const answer = await fetch(`${origin}${path}`, { method });
      expect([answer.status, await answer.text()]).toEqual([404, '{"message":"Not Found"}']);
    },
  );
});
