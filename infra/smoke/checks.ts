import { randomBytes } from "node:crypto";
import type {
  BoardListItem,
  CreatedPost,
  PageInfo,
  PostBySlug,
  RoadmapListItem,
  User,
  Voters,
} from "../../lib/http/resources.ts";

export const ACCOUNT_NAME = "Smoke Test";

const TITLE = "Smoke test: ümläuts, 日本語 and an emoji 🧪";
const CONTENT = "**Bold**, <b>not escaped</b>,\n\ttabs & line ends.\r\n";

/** An answer. `body` is empty unless it is JSON. */
export type Reply<T> = {
  status: number;
  headers: Headers;
  body: T & { code?: string; message?: string };
  text: string;
};
export type Asking = { token?: string | undefined; body?: object; headers?: Record<string, string> };

/** One run: how it calls the service, and the results that later checks need. */
export type Run = {
  ask: <T = unknown>(method: string, path: string, asking?: Asking) => Promise<Reply<T>>;
  /** The origins whose pages may call the service, `*` for any; empty if unknown. */
  origins: string[];
  email: string;
  password: string;
  user?: User;
  post?: CreatedPost;
  /** Whether the service refuses posts of this run's account until its address is confirmed. */
  needsConfirmation?: boolean;
};

/** A check that cannot run because an earlier one failed. */
export class NotRun extends Error {
  override readonly name = "NotRun";
}

function excerpt({ status, text }: Reply<unknown>): string {
  return `${status} ${text.slice(0, 300)}`.trim();
}

const HINTS: Record<string, string> = {
  MAIL_CONFIG_MISSING: " (no mail sender is configured, and mail=none not chosen: docs/deploy.md#mail)",
  SIGNUP_NOT_ALLOWED: " (the owner has closed signup: PATCH /settings/site opens it)",
};

/** Throws unless the answer has this status and, for an error, this code. */
export function expectAnswer(reply: Reply<unknown>, status: number, code?: string): void {
  const hint = HINTS[reply.body.code ?? ""] ?? "";
  if (reply.status === status && reply.body.code === code) return;
  throw new Error(`expected ${status}${code ? ` ${code}` : ""}, got ${excerpt(reply)}${hint}`);
}

function expect(condition: boolean, what: string, reply: Reply<unknown>): void {
  if (!condition) throw new Error(`expected ${what}, got ${excerpt(reply)}`);
}

export function tokenOf({ user }: Run): string {
  if (!user) throw new NotRun("there is no account");
  return user.authToken;
}

function postOf({ post }: Run): CreatedPost {
  if (!post) throw new NotRun("there is no post");
  return post;
}

/** The twenty checks by their titles. Later ones build on earlier ones; a check that fails throws. */
export const checks: Record<string, (run: Run) => Promise<void>> = {
  "an unknown path is not found": async ({ ask }) => {
    const reply = await ask("GET", "/no/such/path");
    expectAnswer(reply, 404);
    expect(reply.body.message === "Not Found", "the gateway's own message", reply);
  },

  "a page of an allowed origin may ask": async ({ ask, origins }) => {
    // Without --origin the allowed origins are unknown; npm start answers a preflight of this machine.
    for (const origin of origins.length > 0 ? origins : ["http://localhost"]) {
      const asker = origin === "*" ? "https://example.com" : origin;
      const headers = { origin: asker, "access-control-request-method": "POST" };
      const reply = await ask("OPTIONS", "/posts", { headers });
      expect(reply.status < 300, "an answer to the preflight", reply);
      if (origins.length === 0) return;
      const allowed = reply.headers.get("access-control-allow-origin");
      const expected = `access-control-allow-origin for ${asker} (the output AllowedOrigins says which are allowed)`;
      expect(allowed === "*" || allowed === asker, expected, reply);
    }
  },

  "signup refuses a wrong address, in JSON that no cache may keep": async ({ ask }) => {
    const reply = await ask("POST", "/auth/signup", { body: { email: "not an address", password: "correct horse" } });
    expectAnswer(reply, 400, "EMAIL_INVALID");
    const { headers } = reply;
    expect(headers.get("content-type") === "application/json; charset=utf-8", "JSON in UTF-8", reply);
    expect(headers.get("cache-control") === "no-store", "cache-control: no-store", reply);
    expect(headers.get("x-content-type-options") === "nosniff", "x-content-type-options: nosniff", reply);
  },

  "the site has an owner, and setup refuses a wrong address": async ({ ask }) => {
    const reply = await ask<{ is_setup: boolean }>("GET", "/auth/setup");
    expectAnswer(reply, 200);
    const expected = "setup to be done (docs/deploy.md#the-first-signup: until then anybody can do it)";
    expect(reply.body.is_setup, expected, reply);
    expectAnswer(await ask("POST", "/auth/setup", { body: { email: "" } }), 400, "EMAIL_INVALID");
  },

  "signup makes an account and signs it in": async (run) => {
    const { email, password } = run;
    const body = { email, password, name: ACCOUNT_NAME };
    const reply = await run.ask<{ user: User }>("POST", "/auth/signup", { body });
    expectAnswer(reply, 201);
    const { user } = reply.body;
    expect(user.email === email && user.name === ACCOUNT_NAME, "the account that was asked for", reply);
    run.user = user;
  },

  "an address has one account only": async (run) => {
    tokenOf(run);
    const { email, password } = run;
    expectAnswer(await run.ask("POST", "/auth/signup", { body: { email, password } }), 409, "USER_EXISTS");
  },

  "a call without a token is refused": async ({ ask }) => {
    const reply = await ask("POST", "/posts", { body: { title: TITLE } });
    expectAnswer(reply, 401, "INVALID_AUTH_HEADER");
    expect(reply.headers.get("www-authenticate") === "Bearer", "www-authenticate: Bearer", reply);
  },

  "a forged token is refused": async (run) => {
    const [header, claims] = tokenOf(run).split(".");
    const token = `${header}.${claims}.${randomBytes(32).toString("base64url")}`;
    expectAnswer(await run.ask("POST", "/posts", { token, body: { title: TITLE } }), 401, "INVALID_TOKEN");
  },

  "boards are listed, each with its post count": async (run) => {
    const reply = await run.ask<{ boards: BoardListItem[] }>("GET", "/boards", { token: tokenOf(run) });
    expectAnswer(reply, 200);
    const isRight = reply.body.boards.every(({ post_count }) => /^\d+$/.test(post_count));
    expect(isRight, "decimal post counts", reply);
  },

  "roadmaps are listed in pages": async (run) => {
    type Page = { page_info: PageInfo; total_count: number; results: RoadmapListItem[] };
    const reply = await run.ask<Page>("GET", "/roadmaps?first=2", { token: tokenOf(run) });
    expectAnswer(reply, 200);
    const { page_info, total_count, results } = reply.body;
    expect(page_info.count === results.length && results.length <= 2, "the number of results that it says", reply);
    expect(page_info.has_next_page === total_count > results.length, "a next page where there is one", reply);
  },

  "an empty page of roadmaps is refused, with the name of the wrong field": async (run) => {
    const reply = await run.ask<{ errors: { path: string }[] }>("GET", "/roadmaps?first=0", { token: tokenOf(run) });
    expectAnswer(reply, 400, "VALIDATION_ERROR");
    expect(reply.body.errors?.[0]?.path === "query.first", "the path query.first", reply);
  },

  "roadmaps are searched by name": async (run) => {
    const path = `/roadmaps/search/${encodeURIComponent("no roadmap: 100 % ü")}`;
    const reply = await run.ask<{ roadmaps: RoadmapListItem[] }>("GET", path, { token: tokenOf(run) });
    expectAnswer(reply, 200);
    expect(Array.isArray(reply.body.roadmaps), "an array", reply);
  },

  "an unknown roadmap is not found": async ({ ask }) => {
    expectAnswer(await ask("GET", "/roadmaps/there-is-no-such-roadmap-here"), 404, "ROADMAP_ID_OR_URL_MISSING");
  },

  "a post is created, its text byte for byte": async (run) => {
    const body = { title: TITLE, contentMarkdown: CONTENT };
    const reply = await run.ask<{ post: CreatedPost }>("POST", "/posts", { token: tokenOf(run), body });
    if (reply.status === 403 && reply.body.code === "EMAIL_NOT_VERIFIED") {
      run.needsConfirmation = true;
      throw new NotRun("posting needs a confirmed address here (REQUIRE_VERIFIED)");
    }
    expectAnswer(reply, 201);
    const { post } = reply.body;
    run.post = post;
    expect(post.title === TITLE && post.contentMarkdown === CONTENT, "title and text as they were sent", reply);
  },

  "the post is on the first page immediately": async (run) => {
    const { postId } = postOf(run);
    const body = { page: 1, created: "desc", limit: 50 };
    const reply = await run.ask<{ posts: { postId: string }[] }>("POST", "/posts/get", { body });
    expectAnswer(reply, 200);
    const isListed = reply.body.posts.some((post) => post.postId === postId);
    expect(isListed, "the post among them", reply);
  },

  "the post is found by its slug": async (run) => {
    const { slug, slugId } = postOf(run);
    const reply = await run.ask<{ post: PostBySlug }>("POST", "/posts/slug", { body: { slug } });
    expectAnswer(reply, 200);
    const { post } = reply.body;
    expect(post.slugId === slugId && post.voters.votesCount === 0, "the post, without votes", reply);
  },

  "a vote counts": async (run) => {
    const { postId } = postOf(run);
    const reply = await run.ask<{ voters: Voters }>("POST", "/votes", { token: tokenOf(run), body: { postId } });
    expectAnswer(reply, 201);
    const { votesCount, viewerVote } = reply.body.voters;
    expect(votesCount === 1 && viewerVote?.userId === run.user?.userId, "one vote, the caller's", reply);
  },

  "a second vote is refused": async (run) => {
    const { postId } = postOf(run);
    expectAnswer(await run.ask("POST", "/votes", { token: tokenOf(run), body: { postId } }), 409, "VOTE_EXISTS");
  },

  "a vote is taken back": async (run) => {
    const { postId } = postOf(run);
    const reply = await run.ask<{ voters: Voters }>("DELETE", "/votes", { token: tokenOf(run), body: { postId } });
    expectAnswer(reply, 200);
    const { votesCount, viewerVote } = reply.body.voters;
    expect(votesCount === 0 && viewerVote === null, "no vote", reply);
  },

  "the post is deleted and gone immediately": async (run) => {
    const { postId, slug } = postOf(run);
    const reply = await run.ask("DELETE", "/posts", { token: tokenOf(run), body: { id: postId } });
    expectAnswer(reply, 204);
    expect(reply.text === "", "an empty body", reply);
    delete run.post;
    expectAnswer(await run.ask("POST", "/posts/slug", { body: { slug } }), 404, "POST_NOT_FOUND");
  },
};
