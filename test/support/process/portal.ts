import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { codeNow, secretIn } from "../world/two-factor.ts";
import { theBrowser } from "./browser.ts";
import { withPortal } from "./built-portal.ts";
import { theEngine } from "./operate.ts";
import { profilesOf, type Reader, readAs } from "./profiles.ts";
import { type Answer, call, type RunningServer, startServer } from "./server-process.ts";
import { scriptAnswers } from "./steady.ts";

const PATIENCE_MS = 60_000;

/** `npm start` with an owner, and a browser. After each test no page has complained or asked another host. */
export function aPortal({ isSetUp = true, env = {} }: { isSetUp?: boolean; env?: Record<string, string> } = {}) {
  let server: RunningServer;
  let profiles: ReturnType<typeof profilesOf>;
  const portal = {
    owner: "",
    /** Calls the API; throws unless it succeeds. */
    call: async (method: string, path: string, token?: string, body?: unknown): Promise<Answer> => {
      const answer = await call(server.baseUrl, method, path, { token, body });
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
      return answer;
    },
    /** A new account's token. */
    join: async (name: string): Promise<string> => {
      const body = { name, email: `${name.replace(/\W/g, "")}@example.com`.toLowerCase(), password: "correct horse" };
      return (await portal.call("POST", "/auth/signup", undefined, body)).body.user.authToken;
    },
    /** A new post, after search and every order of lists show it. */
    post: async (title: string, more: object = {}, by?: string): Promise<{ postId: string; slug: string }> => {
      const { post } = (await portal.call("POST", "/posts", by ?? portal.owner, { title, ...more })).body;
      const trending = { sort: "trending", first: 50 };
      const ids = async () =>
        (await portal.call("POST", "/posts/get", portal.owner, trending)).body.posts.map(
          ({ postId }: { postId: string }) => postId,
        );
      await vi.waitFor(async () => expect(await ids()).toContain(post.postId), { timeout: PATIENCE_MS, interval: 250 });
      return post;
    },
    /** A page of a browser profile that is signed in with the token, before it opens an address. */
    enter: (token?: string): Promise<Page> => profiles.enter(token),
    /** A profile that nobody used before, and nobody will. */
    enterAlone: (options?: BrowserContextOptions): Promise<BrowserContext> => profiles.enterAlone(options),
    /** The page of such a profile at an address, once its script answers. */
    open: async (path: string, token?: string, reader?: Reader): Promise<Page> => {
      const page = await portal.enter(token);
      if (reader) await readAs(page, reader);
      await page.goto(path);
      await scriptAnswers(page);
      return page;
    },
    /** The codes in a person's mails, the newest last. */
    codes: (email: string): string[] =>
      [...server.output().matchAll(/^mail to (\S+):.*(?:\n {2}.*)*?\n {2}([A-Z2-9]{8})$/gm)].flatMap(
        ([, to, code = ""]) => (to === email ? [code] : []),
      ),
    /** The paths of the links in a person's mails, the newest last. */
    links: (email: string): string[] =>
      [
        ...server.output().matchAll(/^mail to (\S+):.*(?:\n {2}.*)*?\n {2}https?:\/\/[^/\s]+(\/\S+token=\S+)/gm),
      ].flatMap(([, to, path = ""]) => (to === email ? [path] : [])),
    /** The path of the link in a person's newest mail, once there are as many as `count`. */
    linkTo: async (email: string, count = 1): Promise<string> => {
      await expect.poll(() => portal.links(email).length).toBeGreaterThanOrEqual(count);
      return portal.links(email).at(-1) ?? "";
    },
    /** Confirms the address of a person by the newest mail to it. */
    confirm: async (email: string, token: string): Promise<void> => {
      const [, mailed] = (await portal.linkTo(email)).split("token=");
      await portal.call("POST", "/auth/email/validate", token, { token: mailed });
    },
    /** Switches the second factor of a person on. Returns the secret of their app. */
    withTwoFactor: async (token: string): Promise<Buffer> => {
      const { challenge } = (await portal.call("POST", "/users/profile/two-factor", token)).body;
      const enrolled = (await portal.call("POST", "/auth/two-factor/enrol", undefined, { challenge })).body;
      const secret = secretIn(enrolled.secret);
      await portal.call("POST", "/auth/two-factor", undefined, { challenge, code: codeNow(secret) });
      return secret;
    },
    /** The paths of all links in a person's mails that begin so, the newest last. */
    linksTo: (email: string, start: string): string[] =>
      [...server.output().matchAll(/^mail to (\S+):.*(?:\n {2}.*)*?\n {2}https?:\/\/[^/\s]+(\/\S+)/gm)].flatMap(
        ([, to, path = ""]) => (to === email && path.startsWith(start) ? [path] : []),
      ),
  };
  beforeAll(async () => {
    server = await startServer({ options: ["--memory"], env: { ...theEngine(), ...(await withPortal()), ...env } });
    profiles = profilesOf(await theBrowser(), new URL(server.baseUrl).origin);
    const owner = { email: "owner@example.com", password: "correct horse", name: "Olive", siteTitle: "Wishes" };
    if (isSetUp) portal.owner = (await portal.call("POST", "/auth/setup", undefined, owner)).body.user.authToken;
  });
  afterEach(async () => expect(await profiles.takeBack()).toEqual([]));
  afterAll(() => profiles.close());
  return portal;
}
