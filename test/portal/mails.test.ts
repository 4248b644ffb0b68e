import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { aFreePort } from "../support/http/listen.ts";
import { BROWSER, theBrowser } from "../support/process/browser.ts";
import { theEngine } from "../support/process/operate.ts";
import { call, eventually, type RunningServer, startServer } from "../support/process/server-process.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

// The mails of `npm start` as a person treats them: the links are opened in a browser, and their buttons pressed.

/** The colour of a site whose owner has chosen none. */
const BRAND = "rgb(72, 77, 124)";

describe.skipIf(!BROWSER)("The mails of npm start", () => {
  let server: RunningServer;
  let context: BrowserContext;

  beforeAll(async () => {
    // The links in mails have the port of the configuration.
    const env = { ...theEngine(), PORT: String(await aFreePort()) };
    server = await startServer({ command: ["npm", "start", "--"], options: ["--memory"], env });
    context = await (await theBrowser()).newContext({ baseURL: new URL(server.baseUrl).origin, locale: "en" });
  });
  afterAll(() => context?.close());

  /** Makes a call that succeeds. */
  const must = async (method: string, path: string, token?: string, body?: unknown) => {
    const answer = await call(server.baseUrl, method, path, { token, body });
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };

  /** The addresses in the mails to a person that match; waits for as many as `count`. */
  const linksTo = async (email: string, pattern: RegExp, count = 1): Promise<string[]> => {
    const links = () =>
      server
        .output()
        .split("\nmail to ")
        .filter((mail) => mail.startsWith(`${email}:`))
        .flatMap((mail) => mail.match(pattern) ?? []);
    await eventually(() => expect(links().length).toBeGreaterThanOrEqual(count));
    return links();
  };

  /** A person with a confirmed address, and the address. */
  const aConfirmed = async (name: string, way: "/auth/signup" | "/auth/setup" = "/auth/signup") => {
    const email = `${name}@example.com`;
    const account = { name, email, password: "correct horse" };
    const token: string = (await must("POST", way, undefined, account)).user.authToken;
    const [link = ""] = await linksTo(email, /http\S+email-verify\?token=\S+/g);
    await must("POST", "/auth/email/validate", token, { token: new URL(link).searchParams.get("token") });
    return { email, token };
  };

  it("come in the language of the page where a person signs up, then in the one of their profile", async () => {
    const email = "aoi@example.com";
    const subjectsTo = () => [...server.output().matchAll(/^mail to (\S+): (.*)$/gm)].filter(([, to]) => to === email);
    const told = (subject: RegExp) => eventually(() => expect(subjectsTo().at(-1)?.[2]).toMatch(subject));
    const page = await context.newPage();
    await page.goto("/sign-up");
    await page.getByRole("combobox", { name: "Language" }).selectOption("日本語");
    await page.locator("html[lang=ja]").waitFor();
    await page.getByLabel("名前").fill("葵");
    await page.getByLabel("メールアドレス").fill(email);
    await page.getByLabel("パスワード", { exact: true }).fill("correct horse");
    await page.locator("main").getByRole("button", { name: "アカウント作成" }).click();
    await told(/へようこそ$/);

    await page.goto("/profile");
    const choice = page.getByRole("combobox", { name: "メールの言語" });
    expect(await choice.inputValue()).toBe("ja");
    await choice.selectOption("Deutsch");
    await page.getByRole("button", { name: "保存" }).first().click();
    await page.locator(".notice", { hasText: "保存しました" }).waitFor();
    await page.getByRole("button", { name: "メールアドレスの確認" }).click();
    await told(/^Bestätige deine E-Mail-Adresse$/);
    await page.reload();
    expect(await choice.inputValue()).toBe("de");
    await page.getByRole("combobox", { name: "言語", exact: true }).selectOption("English");
    await page.locator("html[lang=en]").waitFor();
  });

  it("stop once a person presses the button of their link", async () => {
    const ada = await aConfirmed("ada");
    const grace = await aConfirmed("grace");
    const { post } = await must("POST", "/posts", ada.token, { title: "A dark mode" });
    const path = `/posts/${post.postId}`;
    const { activity } = await must("POST", `${path}/comments`, ada.token, { body: "Mine" });
    await must("POST", `${path}/comments`, grace.token, { body: "Yes", parent_id: activity.id });
    const [ofPost = "", ofAll = ""] = await linksTo(ada.email, /http\S+unsubscribe\?token=\S+/g, 2);
    const page = await context.newPage();
    const press = async (link: string) => {
      await page.goto(link);
      const button = page.getByRole("button", { name: "Unsubscribe" });
      // In the site's colour, below its mark and the way to it.
      expect(await button.evaluate("getComputedStyle(document.querySelector('button')).backgroundColor")).toBe(BRAND);
      expect(await page.locator(".site a[href] > svg rect").getAttribute("fill")).toBe("#484d7c");
      await button.click();
      await page.getByRole("heading", { name: "You are unsubscribed" }).waitFor();
    };

    await press(ofPost);
    await page.getByText("“A dark mode”").waitFor();
    await page.getByRole("link", { name: "Open the post" }).click();
    await page.getByRole("heading", { name: "A dark mode", level: 1 }).waitFor();
    const { subscription } = await must("GET", `${path}/subscription`, ada.token);
    expect(subscription.isFollowing).toBe(false);
    await press(ofAll);
    const { mail } = await must("GET", "/users/notifications", ada.token);
    expect(Object.values(mail)).not.toContain(true);
    const toProfile = page.locator("a[href$='/profile']");
    expect(await toProfile.innerText()).toBe("Choose your emails");

    await page.goto(ofAll.slice(0, -3));
    await page.getByRole("heading", { name: "This link is not complete" }).waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    await toProfile.click();
    await page.waitForURL("**/profile");
    await page.close();
  });

  it("tell both people of the site that one hands over to the other, who has it from then on", async () => {
    const olga = await aConfirmed("olga", "/auth/setup");
    const vera = await aConfirmed("vera");
    const page = await context.newPage();
    await page.goto("/robots.txt");
    await page.evaluate(`localStorage.setItem("token", ${JSON.stringify(olga.token)})`);
    await page.goto("/manage/people");
    const row = page.locator(".item", { hasText: vera.email });
    await row.getByRole("button", { name: "More about vera" }).click();
    await row.getByRole("button", { name: "Make owner" }).click();
    await row.getByText("Make vera the owner of this site?").waitFor();
    await row.getByRole("form", { name: "Make owner: vera" }).getByRole("button", { name: "Make owner" }).click();
    await eventually(() => {
      expect(server.output()).toMatch(/^mail to vera@example\.com: You are now the owner of /m);
      expect(server.output()).toMatch(/^mail to olga@example\.com: You have handed over /m);
    });
    const { users } = await must("GET", "/users?q=olga", vera.token);
    expect(users).toMatchObject([{ role: "moderator" }]);
    await page.goto("/manage");
    await page.getByRole("heading", { name: "Unanswered" }).waitFor();
    expect(await page.getByRole("link", { name: "People" }).count()).toBe(0);
    await page.close();
  });

  it("lead to pages whose forms name their origin, like every page with a form", async () => {
    const { origin } = new URL(server.baseUrl);
    const paths = ["/", "/sign-in", "/sign-up", "/password-reset", "/mails", "/api/v1/unsubscribe?token=x"];
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(`${origin}${path}`);
      const answered = page.waitForResponse(/unsubscribe\?token=form/);
      await page.evaluate(`
        const form = document.createElement("form");
        form.method = "post";
        form.action = "/api/v1/unsubscribe?token=form";
        document.body.append(form);
        form.submit();
      `);
      expect((await answered).status(), path).toBe(200);
      await page.waitForURL(/unsubscribe\?token=form/);
    }
  });
});
