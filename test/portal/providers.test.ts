import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { aFreePort } from "../support/http/listen.ts";
import { BROWSER, theBrowser } from "../support/process/browser.ts";
import { type OidcServer, startOidcServer } from "../support/process/oidc-server.ts";
import { theEngine } from "../support/process/operate.ts";
import { call, type RunningServer, startServer } from "../support/process/server-process.ts";
import { claimsOf, signedBy } from "../support/world/sso.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

// Signing in by a provider as people do it: the owner sets one up, a visitor votes and comes back from it.

describe.skipIf(!BROWSER)("A sign-in provider", () => {
  let server: RunningServer;
  let provider: OidcServer;
  let origin = "";
  let owner = "";
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    const env = { ...theEngine(), PORT: String(await aFreePort()) };
    server = await startServer({ command: ["npm", "start", "--"], options: ["--memory"], env });
    origin = new URL(server.baseUrl).origin;
    provider = await startOidcServer({ redirectUri: `${origin}/sign-in/callback` });
    provider.people = {
      olive: { sub: "1", email: "olive@example.com", email_verified: true, name: "Olive" },
      ada: { sub: "2", email: "ada@example.com", email_verified: true, name: "Ada" },
    };
    const body = { email: "owner@example.com", password: "correct horse", name: "Olive", siteTitle: "Wishes" };
    owner = (await call(server.baseUrl, "POST", "/auth/setup", { body })).body.user.authToken;
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
  });

  async function aBrowser(options: Parameters<Awaited<ReturnType<typeof theBrowser>>["newContext"]>[0] = {}) {
    const context = await (await theBrowser()).newContext(options);
    contexts.push(context);
    return context;
  }

  /** Types a name into the provider's page; an empty one says no. */
  async function continueAs(page: Page, name: string): Promise<void> {
    await page.getByLabel("Person").fill(name);
    await page.getByRole("button", { name: "Continue" }).click();
  }

  async function signInByPassword(page: Page, next: string): Promise<void> {
    await page.goto(`${origin}/sign-in?next=${next}`);
    await page.getByLabel("Email").fill("owner@example.com");
    await page.getByLabel("Password").fill("correct horse");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  }

  it("is added and tested by the owner", async () => {
    const page = await (await aBrowser()).newPage();
    await signInByPassword(page, "/manage/providers");
    const form = page.getByRole("form", { name: "Add a provider" });
    await form.getByLabel("Name").fill("Example");
    await form.getByLabel("Issuer").fill(provider.issuer);
    await form.getByLabel("Client ID").fill(provider.clientId);
    await form.getByLabel("Client secret").fill(provider.clientSecret);
    await form.getByRole("button", { name: "Add" }).click();
    await page.getByText("not tested yet: nobody can use it").waitFor();
    await page.getByRole("button", { name: "Test" }).click();
    await continueAs(page, "olive");
    await page.getByText("The test of Example passed. The provider confirmed olive@example.com.").waitFor();
    await page.getByText("in use").waitFor();
  });

  it("leads a visitor on a phone back to the vote, which is cast", async () => {
    const post = await call(server.baseUrl, "POST", "/posts", { token: owner, body: { title: "A dark mode" } });
    const { slug } = post.body.post;
    const page = await (await aBrowser({ viewport: { width: 390, height: 844 }, hasTouch: true })).newPage();
    await page.goto(`${origin}/posts/${slug}`);
    await page.getByRole("button", { name: /vote/i }).first().click();
    await page.getByRole("button", { name: "Continue with Example" }).click();
    await continueAs(page, "");
    await page.getByText("The provider did not sign you in.").waitFor();
    await page.goto(`${origin}/posts/${slug}`);
    await page.getByRole("button", { name: /vote/i }).first().click();
    await page.getByRole("button", { name: "Continue with Example" }).click();
    await continueAs(page, "ada");
    await page.waitForURL(`${origin}/posts/${slug}`);
    const votes = async () =>
      (await call(server.baseUrl, "POST", "/posts/slug", { token: owner, body: { slug } })).body.post.voters
        ?.votesCount;
    await expect.poll(votes).toBe(1);
  });

  it("takes the attempts of two tabs, and no answer twice", async () => {
    const context = await aBrowser();
    const tabs = [await context.newPage(), await context.newPage()];
    for (const tab of tabs) {
      await tab.goto(`${origin}/sign-in?next=/profile`);
      await tab.getByRole("button", { name: "Continue with Example" }).click();
      await tab.getByLabel("Person").waitFor();
    }
    for (const tab of tabs) {
      await continueAs(tab, "ada");
      await tab.getByText("ada@example.com").waitFor();
      await tab.getByText("Linked sign-ins").waitFor();
    }
    const [tab] = tabs as [Page, Page];
    await tab.goto(`${origin}/sign-in/callback?code=abc&state=of-another-browser`);
    await tab.getByText("This sign-in has expired. Please start again.").waitFor();
  });

  it("confirms an account without a password where a young session is needed", async () => {
    const page = await (await aBrowser()).newPage();
    await page.goto(`${origin}/sign-in?next=/profile`);
    await page.getByRole("button", { name: "Continue with Example" }).click();
    await continueAs(page, "ada");
    const form = page.getByRole("form", { name: "Change your email address" });
    await form.getByLabel("Email").fill("lovelace@example.com");
    const old = { status: 403, json: { message: "Sign in again", code: "SIGN_IN_AGAIN" } };
    await page.route(/\/users\/profile\/email$/, (route) => route.fulfill(old), { times: 1 });
    await form.getByRole("button", { name: "Send a link" }).click();
    // The provider knows the person, who is led back to the form.
    const cameBack = page.waitForURL(`${origin}/sign-in/callback?*`, { waitUntil: "commit" });
    await form.getByRole("button", { name: "Continue with Example" }).click();
    await cameBack;
    await page.waitForURL(`${origin}/profile`);
    // The account has no password to reset.
    await page.getByRole("link", { name: "Password" }).waitFor();
    await form.getByLabel("Email").fill("lovelace@example.com");
    await form.getByRole("button", { name: "Send a link" }).click();
    await page.getByText("lovelace@example.com").first().waitFor();
  });

  it("is not asked once more by the back button, and stands beside a mail whose link has expired", async () => {
    const page = await (await aBrowser()).newPage();
    const exchanges: string[] = [];
    page.on("request", (request) => request.url().includes("/auth/oidc/") && exchanges.push(request.url()));
    await page.goto(`${origin}/sign-in?next=/profile`);
    await page.getByRole("button", { name: "Continue with Example" }).click();
    await continueAs(page, "ada");
    await page.getByText("ada@example.com").first().waitFor();
    // To the sign-in, past the provider's page, and to the profile again.
    await page.evaluate("history.go(-2)");
    await page.getByRole("button", { name: "Continue with Example" }).waitFor();
    await page.evaluate("history.go(2)");
    await page.waitForURL(`${origin}/profile`);
    await page.getByText("ada@example.com").first().waitFor();
    expect(exchanges).toHaveLength(1);
    await page.goto(`${origin}/sign-in/link?token=expired`);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("link", { name: "Send another link" }).waitFor();
    await page.goto(`${origin}/sign-in`);
    // By keyboard alone.
    const button = page.getByRole("button", { name: "Continue with Example" });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${origin}/`);
  });

  it("says that the answer to a code was lost, and is unlinked and linked again", async () => {
    const page = await (await aBrowser()).newPage();
    const comesBack = async (path: string, button: string) => {
      // Otherwise the provider knows the person, and asks for no name.
      await page.context().clearCookies();
      await page.goto(`${origin}${path}`);
      await page.getByRole("button", { name: button }).click();
      await continueAs(page, "ada");
    };
    const losesAnswer = async (write: RegExp, path: string, button: string) => {
      await page.route(write, (route) => route.abort("internetdisconnected"));
      await comesBack(path, button);
      await page.locator(".problem", { hasText: /No connection/ }).waitFor();
      await page.unrouteAll();
    };
    await losesAnswer(/\/auth\/oidc\/[^/]+$/, "/sign-in?next=/profile", "Continue with Example");
    await comesBack("/sign-in?next=/profile", "Continue with Example");
    const unlink = page.getByRole("button", { name: "Unlink" });
    // What loads above it moves the button away under the press.
    await page.getByLabel("All comments").waitFor();
    await page.route(/\/profile\/identities\//, (route) => route.abort("internetdisconnected"));
    await unlink.click();
    await page.locator(".problem", { hasText: /No connection/ }).waitFor();
    await page.unrouteAll();
    await unlink.click();
    await page.getByText("None yet. Link one").waitFor();
    await losesAnswer(/\/oidc\/[^/]+\/link$/, "/profile", "Link Example");
    await comesBack("/profile", "Link Example");
    await unlink.waitFor();
  });

  describe("A link of the owner's product", () => {
    let secret = "";
    /** The address that the product leads a person to. */
    const linkFor = (person: object, path = "") => `${origin}/sign-in/sso${path}#${signedBy(secret, claimsOf(person))}`;

    it("gets its secret from the owner, who sees it once", async () => {
      const page = await (await aBrowser()).newPage();
      await signInByPassword(page, "/manage/providers");
      await page.getByRole("button", { name: "Create a secret" }).click();
      const shown = page.locator("code", { hasText: /^sso_/ });
      secret = (await shown.textContent()) ?? "";
      await page.reload();
      await page.getByText("secret created").waitFor();
      expect(await shown.count()).toBe(0);
    });

    it("signs a person in, leads on, and leaves no token in the address or the history", async () => {
      const page = await (await aBrowser()).newPage();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      const link = linkFor({ id: "bob", email: "bob@example.com", name: "Bob" }, "?next=/profile");
      await page.goto(link);
      await page.waitForURL(`${origin}/profile`);
      await page.getByText("bob@example.com").waitFor();
      expect(asked.filter((url) => url.includes(link.split("#")[1] as string))).toEqual([]);
      await page.goto(link);
      await page.getByText("This link has already been used or has expired.").waitFor();
      expect(page.url()).toBe(`${origin}/sign-in/sso?next=/profile`);
      // A visit without a link.
      await page.goto(`${origin}/sign-in/sso`);
      await page.getByText("This sign-in has expired. Please start again.").waitFor();
    });

    it("asks a browser that is signed in with another account", async () => {
      const page = await (await aBrowser()).newPage();
      await page.goto(linkFor({ id: "carol", email: "carol@example.com", name: "Carol" }, "?next=/profile"));
      await page.getByText("carol@example.com").waitFor();
      await page.goto(linkFor({ id: "dave", email: "dave@example.com", name: "Dave" }, "?next=/profile"));
      await page.getByText("You are signed in as carol@example.com.").waitFor();
      await page.getByRole("button", { name: "Continue as Dave" }).click();
      await page.getByText("dave@example.com").waitFor();
    });

    it("is linked by who has an account already, once they have signed in as before", async () => {
      const page = await (await aBrowser()).newPage();
      await call(server.baseUrl, "PATCH", "/sso", { token: owner, body: { staff: true } });
      await page.goto(linkFor({ id: "olive", email: "owner@example.com" }, "?next=/profile"));
      await page.getByText("Your email address already has an account here.").waitFor();
      await page.getByRole("link", { name: "Sign in" }).last().click();
      await page.getByLabel("Email").fill("owner@example.com");
      await page.getByLabel("Password").fill("correct horse");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.route(/\/auth\/sso\/link$/, (route) => route.abort("internetdisconnected"));
      await page.getByRole("button", { name: "Link this account" }).click();
      await page.locator(".problem", { hasText: /No connection/ }).waitFor();
      await page.unrouteAll();
      await page.getByRole("button", { name: "Link this account" }).click();
      await page.waitForURL(`${origin}/profile`);
      await page.getByText("The link in our product").first().waitFor();
      // The next link signs in without a question, also after a lost answer.
      const other = await (await aBrowser()).newPage();
      await other.route(/\/auth\/sso$/, (route) => route.abort("internetdisconnected"));
      await other.goto(linkFor({ id: "olive", email: "owner@example.com", jti: "2" }, "?next=/profile"));
      await other.locator(".problem", { hasText: /No connection/ }).waitFor();
      await other.unrouteAll();
      await other.getByRole("button", { name: "Try again" }).click();
      await other.getByText("owner@example.com").waitFor();
    });
  });
});
