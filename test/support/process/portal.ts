import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { startBrowser } from "./browser.ts";
import { theEngine } from "./operate.ts";
import { type Answer, call, type RunningServer, startServer } from "./server-process.ts";

const PATIENCE_MS = 60_000;

/** The words of a failed load, which tests cause on purpose. Complaints of the policy have other words. */
const LOST = /^Failed to load resource/;

/** A logo of 8 by 8 pixels on another host, as an owner may set it. */
export const PICTURE = "https://pictures.example/logo.svg";
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';

/** `npm start` with an owner, and a browser. After each test no page has complained or asked another host. */
export function aPortal({ isSetUp = true, env = {} }: { isSetUp?: boolean; env?: Record<string, string> } = {}) {
  let server: RunningServer;
  let browser: Browser;
  const complaints: string[] = [];
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
    /** A browser profile of its own, signed in with the token. */
    enter: async (token?: string, options: BrowserContextOptions = {}): Promise<BrowserContext> => {
      const { origin, host } = new URL(server.baseUrl);
      const localStorage = token ? [{ name: "token", value: token }] : [];
      const storageState = { cookies: [], origins: [{ origin, localStorage }] };
      const locale = "en-GB";
      const context = await browser.newContext({
        baseURL: origin,
        locale,
        reducedMotion: "reduce",
        storageState,
        ...options,
      });
      context.setDefaultTimeout(PATIENCE_MS);
      context.on("weberror", (each) => complaints.push(String(each.error())));
      context.on(
        "console",
        (each) => each.type() === "error" && !LOST.test(each.text()) && complaints.push(each.text()),
      );
      context.on("dialog", (each) => complaints.push(each.message()) && each.dismiss());
      await context.route(PICTURE, (route) => route.fulfill({ contentType: "image/svg+xml", body: LOGO }));
      const isOther = (url: string) => new URL(url).host !== host && url !== PICTURE;
      context.on("request", (each) => isOther(each.url()) && complaints.push(`asked ${each.url()}`));
      return context;
    },
    open: async (path: string, token?: string, options?: BrowserContextOptions): Promise<Page> => {
      const page = await (await portal.enter(token, options)).newPage();
      await page.goto(path);
      return page;
    },
    /** The paths of the links in a person's mails, the newest last. */
    links: (email: string): string[] =>
      [
        ...server.output().matchAll(/^mail to (\S+):.*(?:\n {2}.*)*?\n {2}https?:\/\/[^/\s]+(\/\S+token=\S+)/gm),
      ].flatMap(([, to, path = ""]) => (to === email ? [path] : [])),
  };
  beforeAll(async () => {
    [server, browser] = await Promise.all([
      startServer({ options: ["--memory"], env: { ...theEngine(), ...env } }),
      startBrowser(),
    ]);
    const owner = { email: "owner@example.com", password: "correct horse", name: "Olive", siteTitle: "Wishes" };
    if (isSetUp) portal.owner = (await portal.call("POST", "/auth/setup", undefined, owner)).body.user.authToken;
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(() => browser.close());
  return portal;
}
