import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { documentAt } from "../../../infra/local/gateway/documents.ts";
import { createGateway } from "../../../infra/local/gateway/gateway.ts";
import { pageFile, pageFiles } from "../../../infra/openapi/page.ts";
import { webhookMessages } from "../../../infra/openapi/webhooks.ts";
import { writePage } from "../../../infra/openapi/write-page.ts";
import { listen } from "../../support/http/listen.ts";
import { BROWSER, startBrowser } from "../../support/process/browser.ts";
import { aFolder } from "../../support/process/server-process.ts";
import { anAccount, type Person } from "../../support/world/fixtures.ts";

let api: string;
let person: Person;
beforeAll(async () => {
  api = `http://127.0.0.1:${await listen(createGateway(endpoints, { pageAt: ({ path }, headers) => documentAt(path, headers) }))}`;
  person = await anAccount("correct horse");
});

describe("The local gateway", () => {
  it("answers GET /openapi.json, compressed if the client accepts that, and the same below the page", async () => {
    const kept = readFileSync("docs/openapi.json", "utf8");
    for (const encoding of ["gzip", "identity"]) {
      const response = await fetch(`${api}/openapi.json`, { headers: { "accept-encoding": encoding } });
      expect([response.status, response.headers.get("content-encoding")]).toEqual([
        200,
        encoding === "gzip" ? "gzip" : null,
      ]);
      expect(await response.json()).toEqual(JSON.parse(kept));
    }
    expect(await (await fetch(`${api}/docs/openapi.json`)).text()).toBe(kept);
  });

  it("answers GET /docs with the page and its files, and nothing else", async () => {
    const response = await fetch(`${api}/docs`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([301, "/docs/"]);
    const page = await fetch(`${api}/docs/`);
    expect(page.headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
    for (const file of pageFiles) expect((await fetch(`${api}/docs/${file}`)).status, file).toBe(200);
    const others = ["x", "../package.json", "..%2fpackage.json", "page.ts", "page/page.js", "swagger-ui.js"];
    for (const other of others) expect((await fetch(`${api}/docs/${other}`)).status, other).toBe(404);
    expect((await fetch(`${api}/docs/`, { method: "POST" })).status).toBe(404);
  });
});

describe("npm run docs", () => {
  it("writes a folder with every file, and the base URL into the document and the page's policy", () => {
    const folder = join(aFolder(), "docs");
    writePage(folder, "https://api.example.com/api/v1/");
    expect(readdirSync(folder).sort()).toEqual([...pageFiles].sort());
    const { servers } = JSON.parse(readFileSync(join(folder, "openapi.json"), "utf8"));
    expect(servers).toEqual([{ url: "https://api.example.com/api/v1" }]);
    expect(readFileSync(join(folder, "index.html"), "utf8")).toContain("connect-src 'self' https://api.example.com;");
    expect(String(pageFile("index.html")?.content)).toContain("connect-src 'self';");
  });
});

// A browser takes seconds for so large a page: the first three tests share one, each with operations of
// its own.
describe.skipIf(!BROWSER)("The reference page in a browser", () => {
  let browser: Browser;
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    browser = await startBrowser();
    opened = await open(`${api}/docs/`);
  });
  afterAll(() => browser.close());

  /** Opens a page, and notes the hosts that it asks and what it complains about. */
  const open = async (url: string) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const asked = new Set<string>();
    const complaints: string[] = [];
    page.on("request", (request) => asked.add(new URL(request.url()).host));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto(url);
    await page.locator(".opblock").first().waitFor();
    return { page, asked, complaints };
  };

  const signIn = async (page: Page, password: string): Promise<void> => {
    await page.getByLabel("Email").first().fill(person.email);
    await page.getByLabel("Password").first().fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };

  const unfold = async (page: Page, ...operations: string[]): Promise<void> => {
    for (const operation of operations) {
      await page.locator(`[id$="-${operation}"] .opblock-summary-control`).click();
      await page.locator(`[id$="-${operation}"] .responses-wrapper`).waitFor();
    }
  };

  const send = async (page: Page, operation: string): Promise<{ status: string; body: string }> => {
    const block = page.locator(`[id$="-${operation}"]`);
    await unfold(page, operation);
    await block.getByRole("button", { name: "Try it out" }).click();
    await block.getByRole("button", { name: "Execute" }).click();
    const answer = block.locator(".live-responses-table");
    await answer.waitFor();
    const status = await answer.locator("tbody .response-col_status").first().innerText();
    return { status: status.trim(), body: await answer.locator("tbody .highlight-code").first().innerText() };
  };

  it("shows every endpoint, calls no other host and logs no error", async () => {
    const { page, asked, complaints } = opened;
    expect(await page.locator(".opblock").count()).toBe(endpoints.length + Object.keys(webhookMessages()).length);
    expect(await page.locator(".opblock-tag").first().innerText()).toMatch(/^Authentication/);
    await unfold(page, "postsList", "usersUpdate");
    expect([...asked]).toEqual([new URL(api).host]);
    expect(complaints).toEqual([]);
  });

  it("fits the screen of a phone, folded or open", async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 360, height: 740 });
    const wider = () =>
      page.evaluate(
        `[...document.body.querySelectorAll("*")].filter((each) => each.getBoundingClientRect().right > 361).map((each) => each.className)`,
      );
    expect(await wider()).toEqual([]);
    await unfold(page, "votesAdd", "roadmapsList");
    expect(await wider()).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  });

  it("refuses a wrong password, signs in with the right one, and then sends calls with the token", async () => {
    const { page, asked } = opened;
    const said = page.locator("#sign-in output");
    await signIn(page, "wrong horse");
    await expect.poll(() => said.innerText()).toBe("The email or the password is wrong");
    expect((await send(page, "usersPermissions")).status).toBe("401");
    await signIn(page, "correct horse");
    await expect.poll(() => said.innerText()).toBe(`Signed in as ${person.name}`);
    const { status, body } = await send(page, "usersProfile");
    expect(status).toBe("200");
    expect(body).toContain(person.email);
    expect([...asked]).toEqual([new URL(api).host]);
  });

  it("calls the API that it was written for, from a folder on another host", async () => {
    const folder = join(aFolder(), "docs");
    writePage(folder, `${api}/api/v1`);
    // One operation does, and takes the browser a second instead of five.
    const file = join(folder, "openapi.json");
    const { paths, ...document } = JSON.parse(readFileSync(file, "utf8"));
    const profile = paths["/users/profile"];
    writeFileSync(file, JSON.stringify({ ...document, paths: { "/users/profile": profile } }));
    const types: Record<string, string> = {
      html: "text/html",
      js: "text/javascript",
      css: "text/css",
      json: "application/json",
    };
    const port = await listen(
      createServer(({ url = "/" }, response) => {
        const name = url === "/" ? "index.html" : url.slice(1);
        response.setHeader("content-type", types[name.split(".").at(-1) ?? ""] ?? "image/png");
        response.end(readFileSync(join(folder, name)));
      }),
    );
    const host = `http://127.0.0.1:${port}`;
    const { page, asked } = await open(host);
    await signIn(page, "correct horse");
    await expect.poll(() => page.locator("#sign-in output").innerText()).toBe(`Signed in as ${person.name}`);
    expect((await send(page, "usersProfile")).status).toBe("200");
    expect([...asked].sort()).toEqual([new URL(api).host, new URL(host).host].sort());
    await page.close();
  });
});
