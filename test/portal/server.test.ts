import { createServer, type ServerResponse } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import type { AnswerPage } from "../../portal/build.ts";
import { listen } from "../support/http/listen.ts";
import { pagesHere } from "../support/process/built-portal.ts";

const BUSY = JSON.stringify({ message: "Something went wrong on our side", code: "SERVER_ERROR" });
const refuse = (response: ServerResponse) => response.writeHead(503, { "content-type": "application/json" }).end(BUSY);

let answerPage: AnswerPage;

beforeAll(async () => {
  answerPage = await pagesHere();
});

async function pageFor(language: string, port: number): Promise<string> {
  const origins = { api: `http://127.0.0.1:${port}`, site: "https://feedback.example.com" };
  const { statusCode, body } = await answerPage("/roadmap", { "accept-language": language }, origins);
  expect(statusCode).toBe(503);
  expect(body).toContain(`<html lang="${language}">`);
  return body;
}

describe("A page of an API that is down", () => {
  it("says so in its reader's language, whatever pages were rendered while it read", async () => {
    const held: ServerResponse[] = [];
    const slow = await listen(createServer((_, response) => void held.push(response)));
    const down = await listen(createServer((_, response) => void refuse(response)));
    const german = pageFor("de", slow);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    expect(await pageFor("ja", down)).toContain("混み合っています");
    held.forEach(refuse);
    expect(await german).toContain("Der Dienst ist ausgelastet");
  });

  it("calls no reader offline", async () => {
    const gone = createServer();
    const port = await listen(gone);
    gone.close();
    expect(await pageFor("fr", port)).toContain("Le service est occupé");
  });
});

it("The page that asks a new account for its name lets a visitor sign in first", async () => {
  const down = await listen(createServer((_, response) => void refuse(response)));
  const origins = { api: `http://127.0.0.1:${down}`, site: "https://feedback.example.com" };
  const { body } = await answerPage("/sign-in/name", {}, origins);
  expect(body).toMatch(/<h1[^>]*>Sign in<\/h1>/);
});

it("A page of the team names the script that renders texts only where it shows some", async () => {
  const down = await listen(createServer((_, response) => void refuse(response)));
  const origins = { api: `http://127.0.0.1:${down}`, site: "https://feedback.example.com" };
  const preloadsIt = async (path: string) =>
    /<link rel="modulepreload" href="\/assets\/markdown-\w+\.js">/.test((await answerPage(path, {}, origins)).body);
  for (const path of ["/manage", "/manage/waiting", "/manage/queue"]) expect(await preloadsIt(path), path).toBe(true);
  for (const path of ["/manage/people", "/roadmap"]) expect(await preloadsIt(path), path).toBe(false);
});

describe("The policy of a page", () => {
  const look = { title: "Wishes", description: null, accentColor: "484d7c" };
  const rules = {
    allowSignup: true,
    signupDomains: [],
    password: true,
    magic: true,
    requireTwoFactor: false,
    sendsMail: true,
    requiresVerified: false,
    googleAnalyticsId: null,
  };
  const others = { isPoweredBy: true, developer_mode: false, firstSteps: [], labs: { voteOnBehalf: false } };

  it.each([
    ["https://cdn.example:8443/logo.png", "img-src 'self' data: https://cdn.example:8443;"],
    ["https://cdn.example;sandbox/", "img-src 'self' data:;"],
    ["https://*/", "img-src 'self' data:;"],
  ])("names the host of the site's logo, if it can: %s", async (logo, named) => {
    const settings = JSON.stringify({ settings: { ...look, ...rules, ...others, logo, icon: logo } });
    const port = await listen(
      createServer(({ url }, response) => {
        if (url !== "/api/v1/settings/site") return void refuse(response);
        response.writeHead(200, { "content-type": "application/json" }).end(settings);
      }),
    );
    const origins = { api: `http://127.0.0.1:${port}`, site: "https://feedback.example.com" };
    const { headers, body } = await answerPage("/roadmap", {}, origins);
    expect(body).toContain("Wishes");
    expect(headers["content-security-policy"]).toContain(named);
    expect(headers["content-security-policy"]).not.toContain("sandbox");
  });
});
