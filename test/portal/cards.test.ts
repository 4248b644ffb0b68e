import { beforeAll, describe, expect, it } from "vitest";
import { type Crawled, crawl, unescaped } from "../support/http/crawler.ts";
import { call, type RunningServer, startServer } from "../support/process/server-process.ts";

// The pictures of shared links.

const SITE = "https://feedback.example.com";

let server: RunningServer;
let owner: string;

function get(path: string, options?: Parameters<typeof crawl>[1]): Promise<Crawled> {
  return crawl(new URL(server.baseUrl).origin + path, options);
}

async function api(method: string, path: string, body: unknown) {
  const answer = await call(server.baseUrl, method, path, { token: owner, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

/** The bytes of a picture, after a look at its kind and size. */
async function picture(path: string, [width, height] = [1200, 630]): Promise<string> {
  const { status, headers, bytes } = await get(path);
  expect(status, path).toBe(200);
  expect(headers["content-type"]).toBe("image/png");
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  expect(bytes.readUInt32BE(16)).toBe(width);
  expect(bytes.readUInt32BE(20)).toBe(height);
  return bytes.toString("base64");
}

function pathOf({ slug }: { slug: string }): string {
  return `/cards/posts/${encodeURIComponent(slug)}.png`;
}

async function cardOf(title: string): Promise<string> {
  const { post } = await api("POST", "/posts", { title });
  return picture(pathOf(post));
}

beforeAll(async () => {
  server = await startServer({ options: ["--memory"], env: { SITE_URL: SITE } });
  const account = { email: "owner@example.com", password: "correct horse", name: "Olive", siteTitle: "Wishes" };
  const { body } = await call(server.baseUrl, "POST", "/auth/setup", { body: account });
  owner = body.user.authToken;
});

describe("The card of a post", () => {
  it("is named by the head of its page, and changes with title, votes and status", async () => {
    const { post } = await api("POST", "/posts", { title: "Dark mode" });
    const { body } = await get(`/posts/${post.slug}`);
    const [, url = ""] = /<meta property="og:image" content="([^"]*)">/.exec(body) ?? [];
    expect(unescaped(url)).toBe(SITE + pathOf(post));
    const first = await picture(pathOf(post));
    await api("POST", "/votes", { postId: post.postId });
    const voted = await picture(pathOf(post));
    const { statuses } = await api("GET", "/statuses", undefined);
    await api("PUT", `/posts/${post.postId}/status`, { status: statuses.at(-1).id });
    const decided = await picture(pathOf(post));
    const other = await cardOf("Another title");
    expect(new Set([first, voted, decided, other]).size).toBe(4);
  });

  it("shows titles of the world, and leaves out a title that its fonts do not have", async () => {
    const blank = await cardOf("한국어");
    expect(await cardOf("다른 제목")).toBe(blank);
    const titles = [
      "夜でも読めるダークモード",
      "مرحبا بكم (v2.0)!",
      "שלום עולם",
      "Emoji 👩‍👩‍👧 👍🏽 🇩🇪 only",
      "Тёмная тема, ελληνικά",
      `]]> <b>"&amp;"</b>`,
      "W".repeat(250),
      "word ".repeat(50),
    ];
    const cards = await Promise.all(titles.map(cardOf));
    expect(new Set([blank, ...cards]).size).toBe(titles.length + 1);
  });

  it("is kept for an hour, and read again only when it has changed", async () => {
    const { post } = await api("POST", "/posts", { title: "Kept" });
    const { headers } = await get(pathOf(post));
    expect(headers["cache-control"]).toBe("public, max-age=3600");
    const again = await get(pathOf(post), { headers: { "if-none-match": headers.etag ?? "" } });
    expect([again.status, again.body]).toEqual([304, ""]);
    const head = await get(pathOf(post), { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, ""]);
  });

  it("has one address", async () => {
    const { post } = await api("POST", "/posts", { title: "First name" });
    const { post: changed } = await api("PATCH", "/posts", { id: post.postId, title: "Second name" });
    const answer = await get(pathOf(post));
    expect([answer.status, answer.headers.location]).toEqual([301, pathOf(changed)]);
  });

  it.each(["/cards/posts/none.png", "/cards/none.png", "/cards/posts/%zz.png", "/cards/"])(
    "is not found where no post is: %s",
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

describe("The card of the site", () => {
  it("says what the site is for", async () => {
    const before = await picture("/cards/site.png");
    await api("PATCH", "/settings/site", { description: "What should we build?" });
    expect(await picture("/cards/site.png")).not.toBe(before);
    expect((await get("/")).body).toContain(`<meta property="og:image" content="${SITE}/cards/site.png">`);
  });
});

describe("The icon of a site without one", () => {
  it.each(["/favicon.ico", "/apple-touch-icon.png"])("is a picture for who asks for %s", async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers.location]).toEqual([302, "/cards/icon.png"]);
    await picture("/cards/icon.png", [180, 180]);
  });
});
