import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Crawled, crawl, unescaped } from "../support/http/crawler.ts";
import { call, type RunningServer, startServer } from "../support/process/server-process.ts";

// What a crawler or the preview of a link gets of a page, asked as they ask.

const SITE = "https://feedback.example.com";

let server: RunningServer;
let owner: string;

/** Calls the API, as the owner by default. */
async function api(method: string, path: string, body: unknown, token = owner) {
  const answer = await call(server.baseUrl, method, path, { token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

function get(path: string, options?: Parameters<typeof crawl>[1]): Promise<Crawled> {
  return crawl(new URL(server.baseUrl).origin + path, options);
}

function meta({ body }: Crawled, name: string): string | undefined {
  const [, content] = new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(body) ?? [];
  return content === undefined ? undefined : unescaped(content);
}

function canonical({ body }: Crawled): string | undefined {
  const [, href] = /<link rel="canonical" href="([^"]*)">/.exec(body) ?? [];
  return href;
}

function jsonLd({ body }: Crawled) {
  const [, json = "null"] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body) ?? [];
  return JSON.parse(json);
}

beforeAll(async () => {
  server = await startServer({ options: ["--memory"], env: { SITE_URL: `${SITE}/` } });
  const account = { email: "owner@example.com", password: "correct horse", name: "Olive", siteTitle: "Wishes" };
  const { body } = await call(server.baseUrl, "POST", "/auth/setup", { body: account });
  owner = body.user.authToken;
});

describe("The head of a post's page", () => {
  it("tells of the post in the words of its text, and of its votes and comments", async () => {
    const text = "It is **too bright** at night. ".repeat(12);
    const { post } = await api("POST", "/posts", { title: "Dark mode", contentMarkdown: text });
    await api("POST", "/votes", { postId: post.postId });
    await api("POST", `/posts/${post.postId}/comments`, { body: "We *agree*." });
    const page = await get(`/posts/${post.slug}`);
    const url = `${SITE}/posts/${post.slug}`;
    expect(page.body).toContain("<title>Dark mode · Wishes</title>");
    expect(meta(page, "description")).toMatch(/^It is too bright at night\. .*…$/);
    expect(meta(page, "description")?.length).toBeLessThanOrEqual(201);
    expect(canonical(page)).toBe(url);
    expect(meta(page, "robots")).toBeUndefined();
    expect(meta(page, "og:url")).toBe(url);
    expect(meta(page, "og:title")).toBe("Dark mode");
    expect(meta(page, "og:site_name")).toBe("Wishes");
    expect(meta(page, "og:type")).toBe("article");
    expect(meta(page, "og:description")).toBe(meta(page, "description"));
    const known = jsonLd(page);
    expect(known).toMatchObject({
      "@context": "https://schema.org",
      "@type": "DiscussionForumPosting",
      url,
      headline: "Dark mode",
      author: { "@type": "Person", name: "Olive" },
      datePublished: post.createdAt,
      comment: [{ "@type": "Comment", text: "We agree.", author: { "@type": "Person", name: "Olive" } }],
    });
    expect(known.text).not.toContain("*");
    const counts = known.interactionStatistic.map((each: Record<string, unknown>) => each.userInteractionCount);
    expect(counts).toEqual([1, 1]);
    const linked = await get(new URL(known.comment[0].url).pathname + new URL(known.comment[0].url).search);
    expect(linked.body).toContain("Linked comment");
    expect(canonical(linked)).toBe(url);
  });

  it("has whatever people write as text", async () => {
    const title = `]]></title><script>"&amp;"</script> 👩‍👩‍👧 \u05d0\u05d1 <!--`;
    const { post } = await api("POST", "/posts", { title, contentMarkdown: `</script><!-- ${title}` });
    const page = await get(`/posts/${encodeURIComponent(post.slug)}`);
    expect(meta(page, "og:title")).toBe(title);
    expect(jsonLd(page).headline).toBe(title);
    const head = page.body.slice(0, page.body.indexOf("</head>"));
    expect([...head.matchAll(/<script(?: [^>]*)?>/g)]).toHaveLength(4);
    expect(head).not.toContain("<!--");
    expect(canonical(page)).toBe(`${SITE}/posts/${encodeURIComponent(post.slug)}`);
  });

  it("tells of votes and status where a post has no text", async () => {
    const { post } = await api("POST", "/posts", { title: "No words" });
    const page = await get(`/posts/${post.slug}`, { headers: { "accept-language": "de" } });
    expect(meta(page, "description")).toBe("0 Stimmen · Open");
    expect(jsonLd(page).text).toBe("No words");
  });
});

describe("The head of a list's page", () => {
  it("tells of the site or the board, under one address for all orders", async () => {
    await api("PATCH", "/settings/site", { description: "What we could build & when" });
    const { board } = await api("POST", "/boards", { name: "Ideas", description: "All of them" });
    const list = await get("/");
    expect(meta(list, "description")).toBe("What we could build & when");
    expect(meta(list, "og:title")).toBe("Wishes");
    expect(canonical(list)).toBe(`${SITE}/`);
    expect(canonical(await get("/?order=top"))).toBe(`${SITE}/`);
    const ofBoard = await get("/boards/ideas?order=newest");
    expect(meta(ofBoard, "description")).toBe("All of them");
    expect(meta(ofBoard, "og:title")).toBe("Ideas");
    expect(canonical(ofBoard)).toBe(`${SITE}/boards/ideas`);
    expect(canonical(await get(`/?board=${board.boardId}`))).toBe(`${SITE}/boards/ideas`);
    expect(canonical(await get("/roadmap"))).toBe(`${SITE}/roadmap`);
  });
});

describe("Pages that are for nobody else", () => {
  const hidden = ["/manage", "/manage/people", "/profile", "/new", "/sign-in?next=%2Fnew", "/sign-up", "/setup"];
  const passing = ["/password-reset", "/my/posts", "/?q=dark", "/?after=x", "/nothing", "/posts/none"];
  it.each([...hidden, ...passing])("are not to be found: %s", async (path) => {
    const page = await get(path);
    expect(meta(page, "robots")).toBe("noindex");
    expect(canonical(page)).toBeUndefined();
    expect(jsonLd(page)).toBeNull();
  });
});

describe("A crawler", () => {
  it("reads of a missing post that it is missing, whatever was rendered before", async () => {
    const { post } = await api("POST", "/posts", { title: "Read before" });
    await get(`/posts/${post.slug}`);
    for (const path of ["/posts/none", "/posts/%00", "/boards/none", "/nothing", "/%zz"]) {
      const page = await get(path);
      expect(page.status, path).toBe(404);
      expect(page.body, path).not.toContain("Read before");
      expect(page.body, path).toMatch(/<h1[^>]*>[^<]+<\/h1>/);
      expect(page.body, path).toContain("Show all posts</a>");
      expect(page.body, path).not.toContain("skeleton");
    }
  });

  it.each(["x".repeat(200), "\u200b\ta\nb", "\u200b\u200f", "a\u202eb\u001b"])(
    "finds a page for whatever is searched: %j",
    async (words) => {
      expect((await get(`/?q=${encodeURIComponent(words)}`)).status).toBe(200);
    },
  );

  it("reads no whole texts in lists", async () => {
    const { roadmap } = await api("POST", "/roadmaps", { name: "Later" });
    await api("PATCH", "/roadmaps", { id: roadmap.id, display: true });
    const { post } = await api("POST", "/posts", { title: "A long text", contentMarkdown: "begin ".repeat(3000) });
    await api("PATCH", "/posts", { id: post.postId, roadmapId: roadmap.id });
    for (const path of ["/?order=newest", "/roadmap"]) {
      await expect.poll(async () => (await get(path)).body).toContain("A long text");
      expect((await get(path)).body.split("begin").length, path).toBeLessThan(200);
    }
  });

  it("reads who voted behind the first voters, unless the board keeps that to the team", async () => {
    const { board } = await api("POST", "/boards", { name: "Open ballots" });
    const { post } = await api("POST", "/posts", { title: "Counted", boardId: board.boardId });
    for (let n = 1; n <= 10; n++) {
      const { user } = await api("POST", "/users", { email: `voter${n}@example.com`, name: `Voter ${n}.` });
      await api("POST", `/posts/${post.postId}/votes/${user.userId}`, {});
    }
    const address = `/posts/${post.slug}/voters`;
    const link = `<a href="${address}" rel="nofollow">and 2 others</a>`;
    expect((await get(`/posts/${post.slug}`)).body).toContain(link);
    const page = await get(address);
    expect(page.body).toContain("<title>10 votes · Counted · Wishes</title>");
    expect(page.body).toContain(">Voter 10.<");
    expect(meta(page, "robots")).toBe("noindex");
    await api("PATCH", "/boards", { boardId: board.boardId, view_voters: false });
    expect((await get(`/posts/${post.slug}`)).body).not.toContain(address);
    expect((await get(address)).body).not.toContain(">Voter 10.<");
  });

  it("reads the later pages of comments and of a column of the roadmap, which are links", async () => {
    const { roadmap } = await api("POST", "/roadmaps", { name: "One day" });
    await api("PATCH", "/roadmaps", { id: roadmap.id, display: true });
    const posts = [];
    for (let n = 1; n <= 25; n++) posts.push((await api("POST", "/posts", { title: `Idea ${n}.` })).post);
    for (const { postId } of posts) await api("PATCH", "/posts", { id: postId, roadmapId: roadmap.id });
    const [{ postId, slug }] = posts;
    for (let n = 1; n <= 25; n++) await api("POST", `/posts/${postId}/comments`, { body: `Word ${n}.` });
    for (const [path, last] of [
      [`/posts/${slug}`, "Word 1."],
      ["/roadmap", "Idea 1."],
    ] as const) {
      // A moment after they were put there, the column has all posts.
      await vi.waitFor(async () => expect((await get(path)).body).toContain('rel="next"'), 20_000);
      const page = await get(path);
      expect(page.body, path).not.toContain(`>${last}<`);
      const [, href = ""] = /href="([^"]*)" rel="next"/.exec(page.body) ?? [];
      const next = await get(unescaped(href).replace(/#.*/, ""));
      expect(next.status, href).toBe(200);
      expect(next.body, href).toContain(`>${last}<`);
      expect(next.body, href).toContain(`<a href="${path}">Back to the first page</a>`);
    }
  });

  it("reads who voted, unless the board of the post keeps it to the team", async () => {
    const { board } = await api("POST", "/boards", { name: "Ballot" });
    const { post } = await api("POST", "/posts", { title: "Secret vote", boardId: board.boardId });
    await api("POST", "/votes", { postId: post.postId });
    const page = async () => (await get(`/posts/${post.slug}`)).body;
    expect(await page()).toContain('aria-label="Voters"');
    await api("PATCH", "/boards", { boardId: board.boardId, view_voters: false });
    expect(await page()).not.toContain('aria-label="Voters"');
    expect(await page()).toContain(">1 vote<");
  });

  it("is led from an earlier slug or the id to the post, and the rest of the address stays", async () => {
    const { post } = await api("POST", "/posts", { title: "First title" });
    const { post: changed } = await api("PATCH", "/posts", { id: post.postId, title: "Zweiter Titel ä" });
    expect(changed.slug).not.toBe(post.slug);
    for (const [method, name] of [
      ["GET", post.slug],
      ["HEAD", post.slug],
      ["GET", post.postId],
    ]) {
      const answer = await get(`/posts/${name}?comment=x`, { method });
      expect(answer.status).toBe(301);
      expect(answer.headers.location).toBe(`/posts/${encodeURIComponent(changed.slug)}?comment=x`);
      // Back to the first title: a browser that kept this would run in circles.
      expect(answer.headers["cache-control"]).toContain("max-age=0");
    }
    await api("PATCH", "/posts", { id: post.postId, title: "First title" });
    expect((await get(`/posts/${post.slug}`)).status).toBe(200);
  });

  it("is none while a post waits for the team, in no list, feed, sitemap or picture either", async () => {
    const title = "Canary 8d2b";
    const { user } = await api("POST", "/auth/signup", { email: "new@example.com", password: "correct horse" }, "");
    const { post: open } = await api("POST", "/posts", { title: "Open to all" });
    await api("PATCH", "/settings/moderation", { posts: "first", comments: "first" });
    const { post, held } = await api("POST", "/posts", { title, contentMarkdown: title }, user.authToken);
    expect(held).toBe(true);
    await api("POST", `/posts/${open.postId}/comments`, { body: title }, user.authToken);
    for (const name of [post.slug, post.postId]) {
      expect((await get(`/posts/${name}`)).status).toBe(404);
      expect((await get(`/cards/posts/${name}.png`)).status).toBe(404);
    }
    const searches = [`/?q=${encodeURIComponent(title)}`, "/?order=newest", "/boards/feedback", "/roadmap"];
    const feeds = ["/feed.xml", "/boards/feedback/feed.xml", "/status-changes.xml"];
    for (const path of [...searches, ...feeds, `/posts/${open.slug}`, "/sitemap.xml", "/sitemaps/posts-1.xml"]) {
      const { status, body } = await get(path);
      expect(status, path).toBe(200);
      // A search shows its own words.
      expect(body.replaceAll(/value="[^"]*"/g, ""), path).not.toContain(post.slug);
      if (!path.includes("?q=")) expect(body, path).not.toContain(title);
    }
    await api("PATCH", "/settings/moderation", { posts: "none", comments: "none" });
    await api("POST", "/moderation", { decision: "approve", ids: [post.postId] });
    expect((await get(`/posts/${post.slug}`)).status).toBe(200);
  });

  it("is led from a merged post to the one in which it continues, until that is undone", async () => {
    const { post: other } = await api("POST", "/posts", { title: "A wish that stays" });
    const { post } = await api("POST", "/posts", { title: "The same wish again" });
    await api("POST", `/posts/${post.postId}/merge`, { into: other.postId });
    for (const name of [post.slug, post.postId]) {
      const { status, headers } = await get(`/posts/${name}?comment=x`);
      expect(status).toBe(301);
      const told = new URLSearchParams({ comment: "x", merged: post.slug });
      expect(headers.location).toBe(`/posts/${encodeURIComponent(other.slug)}?${told}`);
      expect(headers["cache-control"]).toContain("max-age=0");
    }
    const { body: page } = await get(`/posts/${other.slug}?merged=${post.slug}`);
    expect(page).toContain("“The same wish again” was merged into this post.");
    expect(page).toMatch(new RegExp(`rel="canonical" href="[^"]+/posts/${other.slug}"`));
    expect((await get(`/cards/posts/${post.slug}.png`)).headers.location).toBe(`/cards/posts/${other.slug}.png`);
    expect((await get("/")).body).not.toContain(post.slug);
    for (const path of ["/feed.xml", "/sitemaps/posts-1.xml"]) {
      const { body } = await get(path);
      expect(body, path).toContain(other.slug);
      expect(body, path).not.toContain(post.slug);
    }
    await expect.poll(async () => (await api("GET", `/posts/${other.postId}/merge`, undefined)).votes).toBe("moved");
    await api("DELETE", `/posts/${post.postId}/merge`, undefined);
    expect((await get(`/posts/${post.slug}`)).status).toBe(200);
  });

  it.each([
    ["/roadmap/", "/roadmap"],
    ["/posts/a-b//?after=1", "/posts/a-b?after=1"],
    ["//evil.example/", "/evil.example"],
    ["/\\evil.example/", "/evil.example"],
    ["/.//evil.example/", "/evil.example"],
    ["/a/%2e.//evil.example/", "/evil.example"],
    ["///", "/"],
    ["/posts/12/dark-mode", "/posts/dark-mode"],
    ["/b/ideas/p/dark-mode?x=1", "/posts/dark-mode?x=1"],
    ["/forums/1-ideas/suggestions/12-dark-mode", "/posts/12"],
    ["/ideas/p/d%C3%A4mmerung", "/posts/d%C3%A4mmerung"],
  ])("is led to one address of %s", async (asked, location) => {
    const answer = await get(asked);
    expect(answer.status).toBe(301);
    expect(answer.headers.location).toBe(location);
  });

  it("asks again with the tag of a page, and gets it only if it has changed", async () => {
    const page = await get("/roadmap");
    const { etag = "" } = page.headers;
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    const again = await get("/roadmap", { headers: { "if-none-match": `"x", ${etag}`, "accept-encoding": "gzip" } });
    expect(again.status).toBe(304);
    expect(again.body).toBe("");
    expect(again.headers.etag).toBe(etag);
    expect((await get("/roadmap", { headers: { "if-none-match": '"x"' } })).status).toBe(200);
    expect((await get("/nothing", { headers: { "if-none-match": "*" } })).status).toBe(404);
  });
});
