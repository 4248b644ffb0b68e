import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import lighthouse from "lighthouse";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { buildAssets } from "../../portal/build.ts";
import { BROWSER, openBrowser } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import { beginWith } from "../support/process/profiles.ts";
import { scriptAnswers, shiftSince } from "../support/process/steady.ts";

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** What axe-core finds on a page that began with it, as rule and element; only contrasts change with the theme. */
async function findings(page: Page, path: string): Promise<string[]> {
  // Before, a page of accounts is the sign-in.
  await scriptAnswers(page);
  await page.locator("h1").waitFor();
  await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
  const found: string[] = [];
  for (const [colorScheme, options] of [
    ["light", `{resultTypes: ["violations"]}`],
    ["dark", `{runOnly: ["color-contrast"]}`],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const run = `axe.run(document, ${options}).then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + " " + n.target)))`;
    for (const each of (await page.evaluate(run)) as string[]) found.push(`${path} ${colorScheme}: ${each}`);
  }
  return found;
}

const CATEGORIES = ["accessibility", "best-practices", "seo"];

/** What Lighthouse counts of a load. It times the rest, so that its mark for performance falls on a busy machine. */
const COUNTED = [
  "cumulative-layout-shift",
  "dom-size-insight",
  "duplicated-javascript-insight",
  "font-display-insight",
  "image-delivery-insight",
  "legacy-javascript-insight",
  "total-byte-weight",
  "unminified-css",
  "unminified-javascript",
  "unsized-images",
  "unused-css-rules",
  "unused-javascript",
];

/** The categories of Lighthouse in which a page has less than 95 of 100, and what it counts and does not like. */
async function poorIn(url: string, port: number): Promise<string[]> {
  const options = { port, onlyCategories: [...CATEGORIES, "performance"], disableFullPageScreenshot: true };
  const { categories = {}, audits = {} } = (await lighthouse(url, options))?.lhr ?? {};
  const poor = CATEGORIES.filter((each) => (categories[each]?.score ?? 0) < 0.95);
  return [...poor, ...COUNTED.filter((each) => audits[each]?.score !== 1)];
}

/** Also the widths between a phone and a desk: nothing scrolls sideways but what says so. */
async function expectNoSideways(page: Page, path: string): Promise<void> {
  for (const width of [700, 820, 320]) {
    await page.setViewportSize({ width, height: 640 });
    expect(await page.evaluate("document.documentElement.scrollWidth"), `${path}, ${width}`).toBeLessThanOrEqual(width);
  }
}

const EVIL = `<img src=x onerror=alert(1)>"'</script><script>alert(2)</script>`;
const LINK = `[link](javascript:alert(3)) <svg onload=alert(4)> ![x](https://evil.example/x.png)`;

const HARMFUL = "img[src=x], [onerror], [onload], a[href^=javascript]";

/** What people wrote is on the page, as text. */
async function expectText(page: Page, path: string): Promise<void> {
  expect(await page.locator("body").innerText(), path).toContain("<img src=x");
  expect(await page.locator(HARMFUL).count(), path).toBe(0);
}

/** A document as a browser reads it without its scripts: what it says, and how much in it does harm. */
const READ = `async (path) => {
  const html = await (await fetch(path)).text();
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const each of body.querySelectorAll("script, style")) each.remove();
  return { text: body.textContent, harmful: body.querySelectorAll("${HARMFUL}").length };
}`;

const VISITORS = [
  "/boards/feedback",
  "/",
  "/roadmap",
  "/sign-in?next=javascript:alert(5)",
  "/sign-in/mail",
  "/sign-in/link?token=old",
  "/sign-in/callback?state=old",
  "/sign-in/sso",
  "/sign-up",
  "/setup",
  "/password-reset",
  "/password-reset/confirm",
  "/nothing",
];
const MEMBERS = [
  "/profile",
  "/sign-in/name",
  "/profile/password",
  "/profile/two-factor",
  "/profile/delete",
  "/my/posts",
  "/my/votes",
  "/my/follows",
  "/email-verify?token=old",
];
const QUERIES = [
  `/?q=${encodeURIComponent(EVIL)}`,
  `/new?title=${encodeURIComponent(EVIL)}`,
  "/sign-in?next=javascript:alert(5)",
];
const TEAM = [
  "",
  "/waiting",
  "/queue",
  "/figures",
  "/boards",
  "/roadmaps",
  "/statuses",
  "/tags",
  "/people",
  "/keys",
  "/webhooks",
  "/providers",
  "/export",
  "/site",
].map((part) => `/manage${part}`);
/** Pages that show more beside their content where there is room. */
const BESIDE = /^(\/|\/posts\/.*|\/manage\/people)$/;
/** What a person does on a page, after which it shows something else. */
const STEPS: Record<string, (page: Page) => Promise<unknown>> = {
  "/": (page) => page.getByRole("button", { name: "Filters" }).click(),
  "/my/posts": (page) => page.getByRole("button", { name: "Account", exact: true }).click(),
  "/sign-up": async (page) => {
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByText("Please fill this in.").first().waitFor();
  },
  "/sign-in/mail": async (page) => {
    await page.getByLabel("Email").fill("mallory@example.com");
    await page.getByRole("button", { name: "Email me a link" }).click();
    await page.getByLabel("Code").waitFor();
  },
};

/** Unfolds all that is folded on a page of the team; there is more to look at if it returns true. */
async function unfold(page: Page, path: string): Promise<boolean> {
  const step = STEPS[path];
  await step?.(page);
  const folded = page.locator("details:not([open])");
  const isFolded = path.startsWith("/manage") && (await folded.count()) > 0;
  const open = (all: { setAttribute: (name: string, value: string) => void }[]) => {
    for (const each of all) each.setAttribute("open", "");
  };
  if (isFolded) await folded.evaluateAll(open);
  return isFolded || step !== undefined;
}

/** The addresses that the portal has, as patterns. */
const PAGES = [...readFileSync("portal/app.tsx", "utf8").matchAll(/^ {2}"(\/.*)": /gm)].map(
  ([, path = ""]) => new RegExp(`^${path.replace(/\/:\w+\?/, "(/\\w+)?").replace(/:\w+/, "[-\\w]+")}(\\?|$)`),
);

describe("The portal's script", async () => {
  const { texts, first } = await buildAssets();
  const sizeOf = (text: string) => gzipSync(text, { level: 9 }).length;
  /** A file with all files that it imports statically. */
  const withImports = (path: string, found = new Set<string>()): Set<string> => {
    if (found.has(path)) return found;
    found.add(path);
    for (const [, file] of (texts[path] ?? "").matchAll(/(?:from|import)["`]\.\/([^"`]+)["`]/g))
      withImports(`/assets/${file}`, found);
    return found;
  };
  /** The bytes, compressed, of the script's files with these names, of what they import, and of a language's texts. */
  const size = (...names: string[]): number => {
    const entries = Object.keys(texts).filter((path) => names.some((name) => path.startsWith(`/assets/${name}-`)));
    expect(entries).toHaveLength(names.length);
    const loaded = new Set(entries.flatMap((path) => [...withImports(path)]));
    return [...loaded].reduce((sum, path) => sum + sizeOf(texts[path] ?? "") + furtherTexts(path), largestTexts);
  };
  /** The bytes, compressed, of the largest of the texts that a file brings in the reader's language. */
  const furtherTexts = (path: string): number => {
    const brought = [...(texts[path] ?? "").matchAll(/import\(["`]\.\/((?:en|de|es|fr|pt|ja)-[^"`]+)["`]/g)];
    const files = brought.map(([, file]) => `/assets/${file}`).filter((file) => !portalTexts.includes(file));
    return Math.max(0, ...files.map((file) => sizeOf(texts[file] ?? "")));
  };
  const portalTexts = Object.values(first.texts);
  const largestTexts = Math.max(...portalTexts.map((path) => sizeOf(texts[path] ?? "")));

  it("stays within 40 KB, compressed, for a visitor", () => {
    expect(size("browser")).toBeLessThanOrEqual(40_000);
  });

  it("stays within 60 KB for a signed-in reader who writes too", () => {
    expect(size("browser", "markdown", "new-post")).toBeLessThanOrEqual(60_000);
  });

  it("stays within 42 KB for a visitor who opens the sign-in", () => {
    expect(size("browser", "sign-in")).toBeLessThanOrEqual(42_000);
  });

  it("stays within 70 KB for one who opens their profile too, and sets up a second factor", () => {
    expect(size("browser", "markdown", "profile", "two-factor")).toBeLessThanOrEqual(70_000);
  });

  it("has no file but these, the team's, and one for each language", () => {
    const names = Object.keys(texts).map((path) => path.replace(/^\/assets\/|-\w+\.\w+$/g, ""));
    expect(new Set(names)).toEqual(
      new Set([
        "browser",
        "chunk",
        "download-data",
        "editing",
        "markdown",
        "manage",
        "new-post",
        "own-posts",
        "profile",
        "own-password",
        "question",
        "rare",
        "roadmap",
        "sign-in",
        "voters",
        "leaving",
        "two-factor",
        "style",
        ...Object.keys(first.texts),
      ]),
    );
  });
});

describe.skipIf(!BROWSER)("The pages of a site", () => {
  const portal = aPortal();
  let slug: string;
  let member: string;
  let authorId: string;

  // Every text that people may write is one that would do harm if it were HTML.
  beforeAll(async () => {
    const { call, owner } = portal;
    member = await portal.join("Mallory");
    await call("PATCH", "/users/profile", member, { name: EVIL.slice(0, 60) });
    await call("PATCH", "/settings/site", owner, { title: EVIL.slice(0, 60), description: EVIL });
    const { board } = (await call("POST", "/boards", owner, { name: EVIL.slice(0, 50), display: true })).body;
    const { roadmap } = (await call("POST", "/roadmaps", owner, { name: EVIL.slice(0, 50) })).body;
    const others = ["Everything that we do next", "Everything that we may do some day"];
    const further = others.map(async (name) => (await call("POST", "/roadmaps", owner, { name })).body.roadmap.id);
    for (const id of [roadmap.id, ...(await Promise.all(further))])
      await call("PATCH", "/roadmaps", owner, { id, display: true });
    const post = await portal.post(EVIL, { contentMarkdown: `${EVIL}\n\n${LINK}`, boardId: board.boardId }, member);
    slug = post.slug;
    authorId = (await call("GET", "/users/profile", member)).body.user.userId;
    await call("PATCH", "/posts", owner, { id: post.postId, roadmapId: roadmap.id });
    const { statuses } = (await call("GET", "/statuses")).body;
    statuses[0].name = EVIL.slice(0, 40);
    await call("PUT", "/statuses", owner, { statuses });
    await call("POST", "/keys", owner, { name: EVIL.slice(0, 60), scopes: ["post:create"] });
    const webhook = { url: "https://example.com/hook", description: EVIL, events: ["webhook.disabled"] };
    await call("POST", "/webhooks", owner, webhook);
    await call("PUT", `/posts/${post.postId}/status`, owner, {
      status: statuses.at(-1).id,
      text: `${EVIL}\n\n${LINK}`,
    });
    await call("POST", `/posts/${post.postId}/comments`, member, { body: `${EVIL}\n\n${LINK}` });
    await call("POST", `/posts/${post.postId}/comments`, owner, { body: `${EVIL}\n\n${LINK}`, is_internal: true });
    await call("POST", "/votes", member, { postId: post.postId });
  });

  it("lead from a sign-in to the page that the address names, and to no other host", async () => {
    const page = await portal.open("/");
    for (const [next, path] of [
      ["/roadmap", "/roadmap"],
      ["//evil.example/", "/"],
      ["https://evil.example/", "/"],
      ["/.//evil.example/", "/"],
      ["/..//evil.example/", "/"],
    ] as const) {
      await page.evaluate("localStorage.clear()");
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
      await scriptAnswers(page);
      await page.getByLabel("Email").fill("mallory@example.com");
      await page.getByLabel("Password").fill("correct horse");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Account", exact: true }).waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toBe(path);
    }
  });

  it("show what people wrote as text within 320, 700 and 820 pixels, and axe-core finds nothing in either theme", async () => {
    const found: string[] = [];
    const visited: string[] = [];
    for (const [token, paths] of [
      [undefined, [...VISITORS, `/posts/${slug}`, `/posts/${slug}/voters`]],
      [member, [...MEMBERS, `/posts/${slug}`, ...QUERIES]],
      [portal.owner, [...TEAM, `/manage/people/${authorId}`, "/roadmap", `/posts/${slug}`]],
    ] as const) {
      const page = await portal.open("/", token, { viewport: { width: 320, height: 640 } });
      await beginWith(page, AXE);
      for (const path of paths) {
        await page.goto(path);
        visited.push(path);
        found.push(...(await findings(page, path)));
        await expectText(page, path);
        await expectNoSideways(page, path);
        if (BESIDE.test(path)) {
          await page.setViewportSize({ width: 1280, height: 640 });
          found.push(...(await findings(page, `wide ${path}`)));
          await page.setViewportSize({ width: 320, height: 640 });
        }
        if (!(await unfold(page, path))) continue;
        found.push(...(await findings(page, `unfolded ${path}`)));
        expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(320);
      }
    }
    expect(found).toEqual([]);
    expect(PAGES.length).toBeGreaterThan(10);
    expect(PAGES.filter((page) => !visited.some((path) => page.test(path)))).toEqual([]);
  });

  it("show what people wrote as text before a script runs, the list and a post in full", async () => {
    const reader = await portal.open("/robots.txt");
    for (const path of [...VISITORS, ...MEMBERS, ...QUERIES, ...TEAM, `/posts/${slug}`]) {
      const read = await reader.evaluate(`(${READ})(${JSON.stringify(path)})`);
      expect(read, path).toEqual({ text: expect.stringContaining("<img src=x"), harmful: 0 });
    }
    const page = await portal.open("/setup", undefined, { hasScripts: false });
    await page.getByText("This site is already set up.").waitFor();
    expect(await page.locator("main form").count()).toBe(0);
    await page.goto("/");
    await page.getByRole("link", { name: EVIL }).click();
    await page.getByRole("heading", { name: EVIL }).waitFor();
    expect(await page.locator("article").innerText()).toContain("link");
  });

  it("have their links below the site's name on narrow screens, and posts in the upper half of a phone", async () => {
    const page = await portal.open("/");
    const topOf = async (role: "navigation" | "banner") => (await page.getByRole(role).first().boundingBox())?.y ?? 0;
    for (const width of [390, 600]) {
      await page.setViewportSize({ width, height: 640 });
      await expect.poll(async () => (await topOf("navigation")) - (await topOf("banner"))).toBeGreaterThan(40);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    const topOfPosts = async () => (await page.locator(".row").first().boundingBox())?.y;
    await expect.poll(topOfPosts).toBeLessThan(0.4 * 844);
  });

  it("ask for five files at first, and for the icon", async () => {
    const page = await portal.enter();
    const asked: string[] = [];
    page.on("request", (each) => asked.push(new URL(each.url()).pathname));
    await page.goto("/", { waitUntil: "networkidle" });
    const files = asked.filter((path) => path !== "/icon.svg").map((path) => path.replace(/-\w+\./, "."));
    expect(files.sort()).toEqual(["/", "/assets/browser.js", "/assets/chunk.js", "/assets/en.js", "/assets/style.css"]);
  });

  it("stay in place while they load, and ask for nothing that the document has", async () => {
    const page = await portal.open("/", undefined, { viewport: { width: 320, height: 640 } });
    const asked: string[] = [];
    page.on("request", (each) => /\/api\/|markdown-/.test(each.url()) && asked.push(each.url()));
    for (const path of ["/", "/roadmap", `/posts/${slug}`, "/sign-up"]) {
      await page.goto(path);
      await page.locator("h1").waitFor();
      await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
      expect(await page.evaluate(shiftSince(0)), path).toBeLessThan(0.01);
    }
    expect(asked).toEqual([]);
  });

  it("reach 95 of 100 in the categories of Lighthouse, and load nothing that it would leave out", async () => {
    const { origin } = new URL((await portal.open("/")).url());
    const port = await openBrowser();
    for (const path of ["/", `/posts/${slug}`]) expect(await poorIn(origin + path, port), path).toEqual([]);
  });
});
