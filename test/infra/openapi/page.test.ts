import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { documentAt } from "../../../infra/local/gateway/documents.ts";
import { createGateway } from "../../../infra/local/gateway/gateway.ts";
import { pageFiles } from "../../../infra/openapi/page.ts";
import { webhookMessages } from "../../../infra/openapi/webhooks.ts";
import { listen } from "../../support/http/listen.ts";
import { BROWSER, theBrowser } from "../../support/process/browser.ts";
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
      expect(response.status).toBe(200);
      expect(response.headers.get("content-encoding")).toBe(encoding === "gzip" ? "gzip" : null);
      expect(await response.json()).toEqual(JSON.parse(kept));
    }
    expect(await (await fetch(`${api}/docs/openapi.json`)).text()).toBe(kept);
  });

  it("answers GET /docs with the page and its files, and nothing else", async () => {
    const response = await fetch(`${api}/docs`, { redirect: "manual" });
    expect(response.status).toBe(301);
    expect(response.headers.get("location")).toBe("/docs/");
    const page = await fetch(`${api}/docs/`);
    expect(page.headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
    for (const file of pageFiles) expect((await fetch(`${api}/docs/${file}`)).status, file).toBe(200);
    const others = ["x", "../package.json", "..%2fpackage.json", "page.ts", "page/page.js", "swagger-ui.js"];
    for (const other of others) expect((await fetch(`${api}/docs/${other}`)).status, other).toBe(404);
    expect((await fetch(`${api}/docs/`, { method: "POST" })).status).toBe(404);
  });
});

// A browser takes seconds for so large a page: the tests share one, each with operations of its own.
describe.skipIf(!BROWSER)("The reference page in a browser", () => {
  let browser: Browser;
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    browser = await theBrowser();
    opened = await open(`${api}/docs/`);
  });
  afterAll(() => opened.page.context().close());

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
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };

  /** Scrolls down from the top until `isFound`. Of so long a list the page holds only what is near the screen. */
  const scrollUntil = async (page: Page, isFound: () => Promise<boolean>): Promise<void> => {
    await page.evaluate("scrollTo(0, 0)");
    const isAtEnd = "innerHeight + scrollY >= document.documentElement.scrollHeight - 1";
    for (let isEnd = false; !(await isFound()) && !isEnd; ) {
      isEnd = (await page.evaluate(isAtEnd)) as boolean;
      await page.evaluate("scrollBy(0, innerHeight / 2)");
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }
  };

  /** The ids of all operations, as a reader meets them on the way down. */
  const allOperations = async (page: Page): Promise<Set<string>> => {
    const met = new Set<string>();
    const ids = "[...document.querySelectorAll('.opblock')].map(({ id }) => id)";
    await scrollUntil(page, async () => {
      for (const id of (await page.evaluate(ids)) as string[]) met.add(id);
      return false;
    });
    return met;
  };

  const unfold = async (page: Page, ...operations: string[]): Promise<void> => {
    for (const operation of operations) {
      await scrollUntil(page, async () => (await page.locator(`[id$="-${operation}"]`).count()) > 0);
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

  const isDark = async (): Promise<boolean> => {
    const color = await opened.page.evaluate("getComputedStyle(document.body).backgroundColor");
    const [red = 255] = String(color).match(/\d+/g)?.map(Number) ?? [];
    return red < 128;
  };

  it("has nothing, light or dark, that the rules of WCAG forbid", async () => {
    const { page } = opened;
    // All endpoints are folded: what is in them is Swagger UI's own.
    await page.evaluate(readFileSync("node_modules/axe-core/axe.min.js", "utf8"));
    const options = `{runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], resultTypes: ["violations"]}`;
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(isDark).toBe(colorScheme === "dark");
      // Colours in between have other contrasts. An animation that is cancelled is over too.
      await page.evaluate(
        "Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => {})",
      );
      const run = `axe.run(document, ${options}).then(({ violations }) => violations.map(({ id }) => id))`;
      expect(await page.evaluate(run), colorScheme).toEqual([]);
    }
  });

  it("shows every endpoint, calls no other host and logs no error", async () => {
    const { page, asked, complaints } = opened;
    expect(await page.locator(".opblock-tag").first().innerText()).toMatch(/^Authentication/);
    expect((await allOperations(page)).size).toBe(endpoints.length + Object.keys(webhookMessages()).length);
    await unfold(page, "postsList", "usersUpdate");
    expect([...asked]).toEqual([new URL(api).host]);
    expect(complaints).toEqual([]);
  });

  it("is dark where the system is", async () => {
    const { page } = opened;
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(isDark).toBe(true);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(isDark).toBe(false);
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
});
