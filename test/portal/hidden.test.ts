import { beforeAll, describe, expect, it } from "vitest";
import { crawl } from "../support/http/crawler.ts";
import { call, eventually, type RunningServer, startServer } from "../support/process/server-process.ts";
import { addressesWith } from "../support/world/addresses.ts";

// What is hidden, held, declined, deleted or merged stands on no page, at no address.

const CANARY = "Canary 4c8e";
const SITE = "https://feedback.example.com";

type Post = { postId: string; title: string; slug: string };

let server: RunningServer;
let owner: string;
let author: string;
/** What no page says. */
let secrets: string[];
/** Posts that were merged into another one: a page says so only where its address names them. */
let merged: Post[];
let addresses: string[];
/** The addresses that the author of the held post opens too. */
let ofAuthor: string[];
let open: Post;
let held: Post;

async function api(method: string, path: string, body: unknown, token = owner) {
  const answer = await call(server.baseUrl, method, path, { token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

async function aPost(title: string, fields: object = {}, token = owner): Promise<Post> {
  return (await api("POST", "/posts", { title, contentMarkdown: title, ...fields }, token)).post;
}

async function mergeInto(into: Post, { postId }: Post): Promise<void> {
  await api("POST", `/posts/${postId}/merge`, { into: into.postId });
  await eventually(async () => {
    expect((await api("GET", `/posts/${into.postId}/merge`, undefined)).votes).toBe("moved");
  });
}

async function signUp(email: string): Promise<string> {
  return (await api("POST", "/auth/signup", { email, password: "correct horse" }, "")).user.authToken;
}

async function decline(...ids: string[]): Promise<void> {
  await api("POST", "/moderation", { decision: "decline", ids });
}

const REPORT = { reason: `${CANARY} reason` };

beforeAll(async () => {
  server = await startServer({ options: ["--memory"], env: { SITE_URL: SITE } });
  const account = { email: "owner@example.com", password: "correct horse", name: "Olive", siteTitle: "Wishes" };
  owner = (await call(server.baseUrl, "POST", "/auth/setup", { body: account })).body.user.authToken;
  author = await signUp("author@example.com");

  const { board } = await api("POST", "/boards", { name: `${CANARY} board`, display: false });
  await api("PATCH", "/boards", { boardId: board.boardId, color: "ca7a1c" });
  const { roadmap } = await api("POST", "/roadmaps", { name: `${CANARY} roadmap` });
  open = await aPost("Open to all");
  await api("POST", "/votes", { postId: open.postId }, author);

  // A post on a hidden board is in lists like any other, and its page says nothing of the board.
  const onHidden = await aPost("A plan", { boardId: board.boardId });
  await api("PATCH", "/posts", { id: onHidden.postId, roadmapId: roadmap.id });
  await api("PUT", `/posts/${onHidden.postId}/status`, { status: "planned" });
  const intoHidden = await aPost(`${CANARY} into hidden`);
  const fromHidden = await aPost(`${CANARY} from hidden`, { boardId: board.boardId });
  const shown = await aPost(`${CANARY} merged`);
  for (const { postId } of [intoHidden, fromHidden, shown]) {
    await api("PUT", `/posts/${postId}/status`, { status: "planned" });
    await api("POST", "/votes", { postId }, author);
  }
  for (const { postId } of [intoHidden, fromHidden])
    await api("POST", `/posts/${postId}/comments`, { body: "Me too." }, author);
  await mergeInto(onHidden, intoHidden);
  await mergeInto(open, fromHidden);
  await mergeInto(open, shown);

  const deleted = await aPost(`${CANARY} deleted`);
  await api("POST", `/posts/${deleted.postId}/report`, REPORT, author);
  await api("POST", `/posts/${open.postId}/report`, REPORT, author);
  await decline(deleted.postId);
  await api("PATCH", "/settings/moderation", { posts: "all", comments: "all" });
  held = await aPost(`${CANARY} held`, {}, author);
  const declined = await aPost(`${CANARY} declined`, {}, author);
  const comment = { body: `${CANARY} comment` };
  const { activity } = await api("POST", `/posts/${open.postId}/comments`, comment, author);
  await decline(declined.postId);

  merged = [shown];
  const gone = [intoHidden, fromHidden, deleted, held, declined];
  const marks = gone.flatMap(({ title, slug }) => [title, slug]);
  const ids = [fromHidden, deleted, held, declined].map(({ postId }) => postId);
  const places = [board.boardId, board.name, board.url, "ca7a1c", roadmap.id, roadmap.name, roadmap.url];
  secrets = [...marks, ...ids, ...places, activity.id, comment.body, REPORT.reason];
  const posts = [open, onHidden, shown, ...gone].flatMap(({ postId, slug }) => [postId, slug]);
  ofAuthor = addressesWith({ posts: [open.slug, held.slug], boards: [board.url] });
  addresses = [
    ...addressesWith({ posts, boards: ["feedback", board.url] }),
    ...["newest", "top", "trending"].map((order) => `/?order=${order}`),
    ...[intoHidden, fromHidden, held, deleted].map(({ title }) => `/?q=${encodeURIComponent(title)}`),
    ...["/?status=planned", `/?board=${board.boardId}`, `/new?title=${encodeURIComponent(CANARY)}`],
    ...[...gone, shown].map(({ slug }) => `/posts/${open.slug}?merged=${slug}`),
    `/posts/${open.slug}?comment=${activity.id}`,
  ];
});

/** What is said at an address, and where it leads. */
async function read(address: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await crawl(new URL(server.baseUrl).origin + address, { headers });
  expect(answer.status, address).toBeLessThan(500);
  return `${JSON.stringify(answer.headers)}\n${answer.body}`;
}

/** What must not be said at an address, though a page may repeat its address. */
function unsaidAt(address: string): string[] {
  const asked = decodeURIComponent(address);
  const others = merged.filter(({ postId, slug }) => !asked.includes(postId) && !asked.includes(slug));
  const marks = others.flatMap(({ postId, title, slug }) => [postId, title, slug]);
  return [...secrets, ...marks].filter((secret) => !asked.includes(secret));
}

describe("What is hidden, held, declined, deleted or merged", () => {
  it("stands on no page, feed, sitemap or picture, not even if the address names it", async () => {
    const said: string[] = [];
    const look = async (address: string, headers = {}) => {
      const text = await read(address, headers);
      for (const secret of unsaidAt(address)) if (text.includes(secret)) said.push(`${address} says ${secret}`);
    };
    await Promise.all(addresses.map((address) => look(address)));
    // The server renders every page for a visitor: caches keep one page for all.
    await Promise.all(ofAuthor.map((address) => look(address, { authorization: `Bearer ${author}` })));
    expect(said).toEqual([]);
  });

  it("stands there once the team has approved it", async () => {
    await api("POST", "/moderation", { decision: "approve", ids: [held.postId] });
    const search = `/?q=${encodeURIComponent(held.title)}`;
    const feeds = ["/feed.xml", "/boards/feedback/feed.xml", "/sitemaps/posts-1.xml"];
    for (const address of ["/?order=newest", search, "/boards/feedback?order=newest", ...feeds]) {
      await eventually(async () => expect(await read(address), address).toContain(held.slug));
    }
  });
});
