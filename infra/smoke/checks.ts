import { randomBytes } from "node:crypto";
import type {
  BoardListItem,
  CreatedPost,
  PageInfo,
  PostBySlug,
  RoadmapListItem,
  User,
  Voters,
} from "../../lib/http/schemas.ts";

/** The name of the account that a run leaves behind. */
export const ACCOUNT_NAME = "Smoke Test";

const TITLE = "Smoke test: ümläuts, 日本語 and an emoji 🧪";
const CONTENT = "**Bold**, <b>not escaped</b>,\n\ttabs & line ends.\r\n";

/** An answer. `body` is empty if it is not JSON. */
export type Reply<T> = {
  status: number;
  headers: Headers;
  body: T & { code?: string; message?: string };
  text: string;
};
/** What goes with a request. */
export type Asking = { token?: string | undefined; body?: object; headers?: Record<string, string> };

/** One run: how it calls the service, and what later checks need from earlier ones. */
export type Run = {
  ask: <T = unknown>(method: string, path: string, asking?: Asking) => Promise<Reply<T>>;
  /** The origins whose pages may call the service, `*` for any; empty if unknown. */
  origins: string[];
  email: string;
  password: string;
  user?: User;
  post?: CreatedPost;
  /** Whether the service lets this run's account create no post, because its address is not confirmed. */
  needsConfirmation?: boolean;
};

/** A check that cannot run because an earlier one failed. */
export class NotRun extends Error {
  override readonly name = "NotRun";
}

function seen({ status, text }: Reply<unknown>): string {
  return `${status} ${text.slice(0, 300)}`.trim();
}

const HINTS: Record<string, string> = {
  MAIL_CONFIG_MISSING: " (no mail sender is configured: docs/deploy.md#2-mail)",
  SIGNUP_NOT_ALLOWED: " (the owner has closed signup: PATCH /settings/site opens it)",
};

/** The check fails unless the answer has this status and, for an error, this code. */
export function answers(reply: Reply<unknown>, status: number, code?: string): void {
  if (reply.status === status && reply.body.code === code) return;
  throw new Error(
    `expected ${status}${code ? ` ${code}` : ""}, got ${seen(reply)}${HINTS[reply.body.code ?? ""] ?? ""}`,
  );
}

function holds(condition: boolean, what: string, reply: Reply<unknown>): void {
  if (!condition) throw new Error(`expected ${what}, got ${seen(reply)}`);
}

/** The token of the run's account. */
export function tokenOf({ user }: Run): string {
  if (!user) throw new NotRun("there is no account");
  return user.authToken;
}

function postOf({ post }: Run): CreatedPost {
  if (!post) throw new NotRun("there is no post");
  return post;
}

/** A check: its title, and a function that throws if the check fails. */
export type Check = [title: string, check: (run: Run) => Promise<void>];

const PREFLIGHT = { "access-control-request-method": "POST" };

const edgeChecks: Check[] = [
  [
    "an unknown path is not found",
    async ({ ask }) => {
      const reply = await ask("GET", "/no/such/path");
      answers(reply, 404);
      holds(reply.body.message === "Not Found", "the gateway's own message", reply);
    },
  ],
  [
    "a page of an allowed origin may ask",
    async ({ ask, origins }) => {
      // Without --origin the allowed ones are unknown. A preflight is answered all the same, by npm start to this machine's pages.
      for (const origin of origins.length > 0 ? origins : ["http://localhost"]) {
        const headers = { origin: origin === "*" ? "https://example.com" : origin, ...PREFLIGHT };
        const reply = await ask("OPTIONS", "/posts", { headers });
        holds(reply.status < 300, "an answer to the preflight", reply);
        if (origins.length === 0) return;
        const allowed = reply.headers.get("access-control-allow-origin");
        const wanted = `access-control-allow-origin for ${headers.origin} (the output AllowedOrigins says which are allowed)`;
        holds(allowed === "*" || allowed === headers.origin, wanted, reply);
      }
    },
  ],
  [
    "signup refuses what is no address, in JSON that nobody may keep",
    async ({ ask }) => {
      const reply = await ask("POST", "/auth/signup", { body: { email: "not an address", password: "correct horse" } });
      answers(reply, 400, "EMAIL_INVALID");
      const { headers } = reply;
      holds(headers.get("content-type") === "application/json; charset=utf-8", "JSON in UTF-8", reply);
      holds(headers.get("cache-control") === "no-store", "cache-control: no-store", reply);
      holds(headers.get("x-content-type-options") === "nosniff", "x-content-type-options: nosniff", reply);
    },
  ],
  [
    "the site has an owner, and setup refuses what is no address",
    async ({ ask }) => {
      const reply = await ask<{ is_setup: boolean }>("GET", "/auth/setup");
      answers(reply, 200);
      holds(
        reply.body.is_setup,
        "setup to be done (docs/deploy.md#4-the-first-signup: until then anybody may do it)",
        reply,
      );
      answers(await ask("POST", "/auth/setup", { body: { email: "" } }), 400, "EMAIL_INVALID");
    },
  ],
];

const accountChecks: Check[] = [
  [
    "signup makes an account and signs it in",
    async (run) => {
      const { email, password } = run;
      const reply = await run.ask<{ user: User }>("POST", "/auth/signup", {
        body: { email, password, name: ACCOUNT_NAME },
      });
      answers(reply, 201);
      const { user } = reply.body;
      holds(user.email === email && user.name === ACCOUNT_NAME, "the account that was asked for", reply);
      run.user = user;
    },
  ],
  [
    "an address has one account only",
    async (run) => {
      tokenOf(run);
      const { email, password } = run;
      answers(await run.ask("POST", "/auth/signup", { body: { email, password } }), 409, "USER_EXISTS");
    },
  ],
  [
    "a call without a token is refused",
    async ({ ask }) => {
      const reply = await ask("POST", "/posts", { body: { title: TITLE } });
      answers(reply, 401, "INVALID_AUTH_HEADER");
      holds(reply.headers.get("www-authenticate") === "Bearer", "www-authenticate: Bearer", reply);
    },
  ],
  [
    "a forged token is refused",
    async (run) => {
      const [header, claims] = tokenOf(run).split(".");
      const token = `${header}.${claims}.${randomBytes(32).toString("base64url")}`;
      answers(await run.ask("POST", "/posts", { token, body: { title: TITLE } }), 401, "INVALID_TOKEN");
    },
  ],
];

const readingChecks: Check[] = [
  [
    "boards are listed, each with its post count",
    async (run) => {
      const reply = await run.ask<{ boards: BoardListItem[] }>("GET", "/boards", { token: tokenOf(run) });
      answers(reply, 200);
      holds(
        reply.body.boards.every(({ post_count }) => /^\d+$/.test(post_count)),
        "decimal post counts",
        reply,
      );
    },
  ],
  [
    "roadmaps are listed in pages",
    async (run) => {
      type Page = { page_info: PageInfo; total_count: number; results: RoadmapListItem[] };
      const reply = await run.ask<Page>("GET", "/roadmaps?first=2", { token: tokenOf(run) });
      answers(reply, 200);
      const { page_info, total_count, results } = reply.body;
      holds(page_info.count === results.length && results.length <= 2, "as many results as it says", reply);
      holds(page_info.has_next_page === total_count > results.length, "a next page where there is one", reply);
    },
  ],
  [
    "a page of no roadmaps is refused, with the field that is wrong",
    async (run) => {
      const reply = await run.ask<{ errors: { path: string }[] }>("GET", "/roadmaps?first=0", { token: tokenOf(run) });
      answers(reply, 400, "VALIDATION_ERROR");
      holds(reply.body.errors?.[0]?.path === "query.first", "the path query.first", reply);
    },
  ],
  [
    "roadmaps are searched by name",
    async (run) => {
      const path = `/roadmaps/search/${encodeURIComponent("no roadmap: 100 % ü")}`;
      const reply = await run.ask<{ roadmaps: RoadmapListItem[] }>("GET", path, { token: tokenOf(run) });
      answers(reply, 200);
      holds(Array.isArray(reply.body.roadmaps), "an array", reply);
    },
  ],
  [
    "a roadmap that is not there is not found",
    async ({ ask }) => {
      answers(await ask("GET", "/roadmaps/there-is-no-such-roadmap-here"), 404, "ROADMAP_ID_OR_URL_MISSING");
    },
  ],
];

const postChecks: Check[] = [
  [
    "a post is made, its text byte for byte",
    async (run) => {
      const body = { title: TITLE, contentMarkdown: CONTENT };
      const reply = await run.ask<{ post: CreatedPost }>("POST", "/posts", { token: tokenOf(run), body });
      if (reply.status === 403 && reply.body.code === "EMAIL_NOT_VERIFIED") {
        run.needsConfirmation = true;
        throw new NotRun("only who has confirmed an address may post here (REQUIRE_VERIFIED)");
      }
      answers(reply, 201);
      const { post } = reply.body;
      run.post = post;
      holds(post.title === TITLE && post.contentMarkdown === CONTENT, "title and text as they were sent", reply);
    },
  ],
  [
    "the post is on the first page at once",
    async (run) => {
      const { postId } = postOf(run);
      const body = { page: 1, created: "desc", limit: 50 };
      const reply = await run.ask<{ posts: { postId: string }[] }>("POST", "/posts/get", { body });
      answers(reply, 200);
      holds(
        reply.body.posts.some((each) => each.postId === postId),
        "the post among them",
        reply,
      );
    },
  ],
  [
    "the post is found by its slug",
    async (run) => {
      const { slug, slugId } = postOf(run);
      const reply = await run.ask<{ post: PostBySlug }>("POST", "/posts/slug", { body: { slug } });
      answers(reply, 200);
      const { post } = reply.body;
      holds(post.slugId === slugId && post.voters.votesCount === 0, "the post, without votes", reply);
    },
  ],
  [
    "a vote counts",
    async (run) => {
      const { postId } = postOf(run);
      const reply = await run.ask<{ voters: Voters }>("POST", "/votes", { token: tokenOf(run), body: { postId } });
      answers(reply, 201);
      const { votesCount, viewerVote } = reply.body.voters;
      holds(votesCount === 1 && viewerVote?.userId === run.user?.userId, "one vote, the caller's", reply);
    },
  ],
  [
    "nobody votes twice",
    async (run) => {
      const { postId } = postOf(run);
      answers(await run.ask("POST", "/votes", { token: tokenOf(run), body: { postId } }), 409, "VOTE_EXISTS");
    },
  ],
  [
    "a vote is taken back",
    async (run) => {
      const { postId } = postOf(run);
      const reply = await run.ask<{ voters: Voters }>("DELETE", "/votes", { token: tokenOf(run), body: { postId } });
      answers(reply, 200);
      const { votesCount, viewerVote } = reply.body.voters;
      holds(votesCount === 0 && viewerVote === null, "no vote", reply);
    },
  ],
  [
    "the post is deleted, and gone at once",
    async (run) => {
      const { postId, slug } = postOf(run);
      const reply = await run.ask("DELETE", "/posts", { token: tokenOf(run), body: { id: postId } });
      answers(reply, 204);
      holds(reply.text === "", "an empty body", reply);
      delete run.post;
      answers(await run.ask("POST", "/posts/slug", { body: { slug } }), 404, "POST_NOT_FOUND");
    },
  ],
];

/** The twenty checks, in their order: later ones build on earlier ones. */
export const checks: Check[] = [...edgeChecks, ...accountChecks, ...readingChecks, ...postChecks];
