import { parseAtomFeed } from "feedsmith";
import { SaxesParser } from "saxes";
import { beforeAll, describe, expect, it } from "vitest";
import { escaped } from "../../portal/server/escaped.ts";
import { type Crawled, crawl, unescaped } from "../support/http/crawler.ts";
import { call, type RunningServer, startServer } from "../support/process/server-process.ts";

// What programs read beside the pages: feeds, sitemaps, robots.txt.

const SITE = "https://feedback.example.com";

let server: RunningServer;
let owner: string;

async function api(method: string, path: string, body?: unknown) {
  const answer = await call(server.baseUrl, method, path, { token: owner, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

function get(path: string, options?: Parameters<typeof crawl>[1]): Promise<Crawled> {
  return crawl(new URL(server.baseUrl).origin + path, options);
}

/** A document, after a strict parser of XML has read it. */
async function xml(path: string): Promise<string> {
  const { status, body } = await get(path);
  expect(status, body).toBe(200);
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => expect.fail(`${path}: ${error}`));
  parser.write(body).close();
  return body;
}

async function feed(path: string) {
  return parseAtomFeed(await xml(path));
}

async function addressesIn(path: string): Promise<string[]> {
  const addresses = (await xml(path)).matchAll(/<loc>([^<]*)<\/loc>/g);
  return [...addresses].map(([, address = ""]) => unescaped(address));
}

async function sitemaps(): Promise<string[]> {
  return (await addressesIn("/sitemap.xml")).map((url) => url.slice(SITE.length));
}

const EVIL = `]]> <b>"Tom" & 'Jerry'</b> &amp; 👩‍👩‍👧 مرحبا`;

beforeAll(async () => {
  server = await startServer({ options: ["--memory"], env: { SITE_URL: SITE } });
  const account = { email: "owner@example.com", password: "correct horse", name: EVIL, siteTitle: "Q & A" };
  const { body } = await call(server.baseUrl, "POST", "/auth/setup", { body: account });
  owner = body.user.authToken;
});

describe("A search", () => {
  it.each(["𠮷𠮷", "𠮷𠮷𠮷𠮷𠮷", "🎉🎉 🎉", "हिन्दी", "한국어"])(
    "that finds nothing is a page like any other: %s",
    async (words) => {
      const { status } = await get(`/?q=${encodeURIComponent(words)}`);
      expect(status).toBe(200);
    },
  );
});

describe("A feed", () => {
  it("is Atom, whatever people write", async () => {
    expect((await feed("/feed.xml")).entries ?? []).toEqual([]);
    const contentMarkdown = `**${EVIL}**\n\n[a](/posts/x)`;
    const { post } = await api("POST", "/posts", { title: EVIL, contentMarkdown });
    await api("POST", "/posts", { title: "Long", contentMarkdown: "All of this. ".repeat(1000) });
    const { id, title, links, entries = [], updated } = await feed("/feed.xml");
    expect(id).toBe(`${SITE}/feed.xml`);
    expect(title).toMatchObject({ value: "Q & A" });
    expect(links).toContainEqual(expect.objectContaining({ rel: "self", href: `${SITE}/feed.xml` }));
    const [long, evil] = entries;
    expect(long).toMatchObject({ title: { value: "Long" }, summary: { value: expect.stringMatching(/…$/) } });
    expect(long?.content).toBeUndefined();
    expect(updated).toBe(long?.updated);
    expect(evil).toMatchObject({
      id: `urn:uuid:${post.postId}`,
      title: { value: EVIL },
      published: post.createdAt,
      authors: [{ name: EVIL }],
      links: [{ href: `${SITE}/posts/${encodeURIComponent(post.slug)}` }],
    });
    expect(evil?.content?.value).toContain("<strong>]]&gt; &lt;b&gt;");
    expect(evil?.content?.value).toContain('<a href="/posts/x" rel="nofollow ugc">a</a>');
  });

  it("keeps the id of a post when its title and its address change, and says when", async () => {
    const { post } = await api("POST", "/posts", { title: "Before" });
    const { post: changed } = await api("PATCH", "/posts", { id: post.postId, title: "After" });
    const [entry] = (await feed("/feed.xml")).entries ?? [];
    expect(entry).toMatchObject({ id: `urn:uuid:${post.postId}`, updated: changed.updatedAt });
    expect(entry?.links).toMatchObject([{ href: `${SITE}/posts/${changed.slug}` }]);
  });

  it("has the posts of its board alone, and nothing of a hidden one", async () => {
    const { board } = await api("POST", "/boards", { name: "Ideas & more" });
    await api("POST", "/posts", { title: "On the board", boardId: board.boardId });
    const { title, entries = [] } = await feed("/boards/ideas-more/feed.xml");
    expect(title).toMatchObject({ value: "Ideas & more · Q & A" });
    expect(entries.map((each) => each.title?.value)).toEqual(["On the board"]);
    const page = await get("/boards/ideas-more");
    expect(page.body).toContain(
      `type="application/atom+xml" title="Ideas &amp; more · Q &amp; A" href="/boards/ideas-more/feed.xml"`,
    );
    await api("PATCH", "/boards", { boardId: board.boardId, display: false });
    expect((await get("/boards/ideas-more/feed.xml")).status).toBe(404);
    expect(await xml("/feed.xml")).not.toContain("Ideas");
    expect((await addressesIn("/sitemaps/pages.xml")).join()).not.toContain("ideas-more");
    await api("PATCH", "/boards", { boardId: board.boardId, display: true });
    expect((await addressesIn("/sitemaps/pages.xml")).join()).toContain("/boards/ideas-more");
  });

  it("has the changes of a status, each an entry of its own", async () => {
    const { post } = await api("POST", "/posts", { title: EVIL });
    const { statuses } = await api("GET", "/statuses");
    const change = (status: object) => api("PUT", `/posts/${post.postId}/status`, status);
    const [, planned, started] = statuses;
    await change({ status: planned.id });
    await change({ status: started.id });
    const { title, entries = [], links } = await feed("/status-changes.xml");
    // A reader of feeds lists it beside the one of posts.
    expect(title).toMatchObject({ value: "Status · Q & A" });
    const inFrench = await get("/status-changes.xml", { headers: { "accept-language": "fr" } });
    expect(inFrench.body).toContain("<title>Statut · Q &amp; A</title>");
    expect(inFrench.headers).toMatchObject({ vary: expect.stringContaining("accept-language, cookie") });
    expect(links).toContainEqual(expect.objectContaining({ rel: "self", href: `${SITE}/status-changes.xml` }));
    const [latest, before] = entries;
    expect(latest).toMatchObject({
      title: { value: `${started.name}: ${EVIL}` },
      summary: { value: `${planned.name} → ${started.name}` },
      links: [{ href: `${SITE}/posts/${encodeURIComponent(post.slug)}` }],
    });
    expect(before?.title?.value).toBe(`${planned.name}: ${EVIL}`);
    expect(before?.id).not.toBe(latest?.id);
    expect((await get("/")).body).toContain('href="/status-changes.xml"');
  });

  it("is kept by caches for minutes, and read again only when it has changed", async () => {
    const { headers } = await get("/feed.xml");
    expect(headers["content-type"]).toBe("application/atom+xml; charset=utf-8");
    expect(headers["cache-control"]).toBe("public, max-age=300");
    const again = { headers: { "if-none-match": headers.etag ?? "" } };
    expect((await get("/feed.xml", again)).status).toBe(304);
    await api("POST", "/posts", { title: "News" });
    expect((await get("/feed.xml", again)).status).toBe(200);
    const head = await get("/feed.xml", { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, ""]);
  });
});

describe("The sitemap", () => {
  it("has the list, the roadmap, each board and each post once, page by page", async () => {
    for (let n = 0; n < 55; n++) await api("POST", "/posts", { title: `Post ${n}` });
    const names = await sitemaps();
    expect(names).toEqual(["/sitemaps/pages.xml", "/sitemaps/posts-1.xml", "/sitemaps/posts-2.xml"]);
    const pages = await Promise.all(names.map(addressesIn));
    expect(pages[0]).toEqual(expect.arrayContaining([`${SITE}/`, `${SITE}/roadmap`, `${SITE}/boards/ideas-more`]));
    expect(pages[1]).toHaveLength(50);
    const listed = pages.flat().filter((url) => url.startsWith(`${SITE}/posts/`));
    expect(new Set(listed).size).toBe(listed.length);
    const { posts, total_count } = await api("POST", "/posts/get", { first: 50 });
    expect(listed).toHaveLength(total_count);
    for (const { slug } of posts) expect(listed).toContain(`${SITE}/posts/${encodeURIComponent(slug)}`);
  });

  it("is named by robots.txt, which keeps no page from a crawler that reads noindex there", async () => {
    const { body, headers } = await get("/robots.txt");
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(body).toBe(`User-agent: *\nDisallow: /api/\n\nSitemap: ${SITE}/sitemap.xml\n`);
  });
});

describe("The icon of a site without one", () => {
  it("is the first letter of its name, on its colour", async () => {
    await api("PATCH", "/settings/site", { title: "ändern & mehr", accentColor: "ffe14d" });
    const icon = await xml("/icon.svg");
    expect(icon).toContain('fill="#ffe14d"');
    expect(icon).toMatch(/fill="#000000">Ä<\/text>/);
    const { headers } = await get("/icon.svg");
    expect(headers["content-type"]).toBe("image/svg+xml; charset=utf-8");
    const { body } = await get("/");
    expect(body).toContain('<link rel="icon" href="/icon.svg">');
    // The page has the same mark beside its name.
    expect(body).toContain(icon.slice(icon.indexOf("<rect")));
    await api("PATCH", "/settings/site", { title: "<&>" });
    expect(await xml("/icon.svg")).toContain(">&lt;</text>");
  });
});

describe("A text in a document", () => {
  it("loses what XML cannot say", () => {
    const text = 'a\u0000b\u001fc\ufffed\ud800e\tf\n<g> & "h"';
    expect(escaped(text)).toBe("abcd\ufffde\tf\n&lt;g&gt; &amp; &quot;h&quot;");
  });
});

describe("The address of a document", () => {
  it.each(["/sitemaps/posts-0.xml", "/sitemaps/posts-9999.xml", "/sitemaps/x.xml", "/boards/none/feed.xml"])(
    "is not found: %s",
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it("has no query, which would be another address for each cache", async () => {
    const { status, headers } = await get("/feed.xml?again=1");
    expect([status, headers.location]).toEqual([301, "/feed.xml"]);
  });
});

// These boards are there from now on, so these tests are the last ones.
describe("A site with more than a hundred boards", () => {
  beforeAll(async () => {
    for (let first = 1; first <= 110; first += 10) {
      const names = Array.from({ length: 10 }, (_, at) => `Many ${first + at}`);
      await Promise.all(names.map((name) => api("POST", "/boards", { name, description: `What ${name} is for` })));
    }
  });

  it("has a page, a feed and an entry of the sitemap for each of them", async () => {
    const listed = (await addressesIn("/sitemaps/pages.xml")).filter((url) => url.includes("/boards/many-"));
    expect(new Set(listed).size).toBe(110);
    const { boards } = await api("GET", "/boards/get?limit=1");
    const [{ boardId, url, name }] = boards;
    const { post } = await api("POST", "/posts", { title: "On the last board", boardId });
    for (const path of [`/boards/${url}?order=newest`, `/?order=newest&board=${boardId}`]) {
      const page = await get(path);
      expect(page.status, path).toBe(200);
      expect(page.body, path).toContain(`<title>${name} · `);
      expect(page.body, path).toContain(`content="What ${name} is for"`);
      expect(page.body, path).toContain(`<link rel="canonical" href="${SITE}/boards/${url}">`);
      expect(page.body, path).toContain(`href="/posts/${post.slug}"`);
    }
    const { entries = [] } = await feed(`/boards/${url}/feed.xml`);
    expect(entries.map((each) => each.title?.value)).toEqual(["On the last board"]);
  });

  it("says of a board that is gone that it is gone", async () => {
    const gone = "00000000-0000-7000-8000-000000000000";
    for (const path of ["/boards/none", `/?board=${gone}`]) expect((await get(path)).status, path).toBe(404);
  });
});
