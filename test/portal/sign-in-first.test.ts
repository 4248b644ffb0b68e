import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { signIn } from "../support/process/entering.ts";
import { aPortal } from "../support/process/portal.ts";
import { beginWith } from "../support/process/profiles.ts";
import { holdBack, openWithoutScript, scriptAnswers } from "../support/process/steady.ts";
import { codeNow } from "../support/world/two-factor.ts";

describe.skipIf(!BROWSER)("A page of accounts", () => {
  const portal = aPortal();
  const SIGN_IN = "Sign in to see this page.";

  it.each([
    ["/profile/delete", "leaving", "Delete my account"],
    ["/my/votes", "own-posts", "My votes"],
    ["/sign-in/name", "rare", "How should others see you?"],
  ])("shows who is signed in no sign-in, not even for a moment: %s", async (path, part, heading) => {
    const page = await portal.open("/", await portal.join(`Lea of ${part}`));
    const letPageGo = await holdBack(page, `**/assets/${part}-*`);
    const letReadGo = await holdBack(page, "**/api/v1/users/*");
    const partAsked = page.waitForRequest(`**/assets/${part}-*`);
    const letScriptGo = await openWithoutScript(page, path);
    const isLoading = async () => {
      await page.getByRole("status", { name: "Loading" }).first().waitFor();
      expect(await page.getByText(SIGN_IN).isVisible()).toBe(false);
      expect(await page.locator("[name=email]").isVisible()).toBe(false);
      expect(await page.getByRole("link", { name: "Sign in", exact: true }).count()).toBe(0);
    };
    await isLoading();
    letScriptGo();
    await partAsked;
    await isLoading();
    letPageGo();
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    letReadGo();
    expect(await page.getByText(SIGN_IN).count()).toBe(0);
  });

  it("asks a visitor to sign in, and who signs out in another tab", async () => {
    const token = await portal.join("Leo");
    const page = await portal.open("/profile/delete");
    await page.getByText(SIGN_IN).waitFor();
    expect(await page.getByRole("status", { name: "Loading" }).isVisible()).toBe(false);
    await page.evaluate(`localStorage.setItem("token", ${JSON.stringify(token)})`);
    await page.reload();
    await page.getByRole("heading", { name: "Delete my account", level: 1 }).waitFor();
    const other = await page.context().newPage();
    await other.goto("/roadmap");
    await other.evaluate("localStorage.removeItem('token')");
    await page.getByText(SIGN_IN).waitFor();
    await page.getByLabel("Email").waitFor();
  });

  it.each(["with storage", "without storage"])("is the form by which a person came last, %s", async (storage) => {
    const email = `${storage.replace(" ", "")}@example.com`;
    await portal.join(storage);
    await portal.join(`${storage} and a password`);
    const page = await portal.enter();
    if (storage === "without storage")
      await beginWith(page, `Object.defineProperty(window, "localStorage", { get() { throw new Error("blocked") } })`);
    await page.goto("/");
    await scriptAnswers(page);
    const door = page.getByRole("banner").getByRole("link", { name: "Sign in", exact: true });
    const signOut = async () => {
      await page.getByRole("button", { name: "Account", exact: true }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
    };
    const mail = page.getByRole("button", { name: "Email me a link" });
    // Nothing is known of this browser yet.
    await door.click();
    await page.locator("[name=password]").waitFor();
    await page.getByRole("link", { name: "Email me a link" }).click();
    await page.getByLabel("Email").fill(email);
    await mail.click();
    await expect.poll(() => portal.codes(email)).toHaveLength(1);
    await page.getByLabel("Code").fill(portal.codes(email)[0] ?? "");
    await page.keyboard.press("Enter");
    await signOut();
    await door.click();
    await mail.waitFor();
    expect(await page.locator("[name=password]").count()).toBe(0);
    await page.getByRole("link", { name: "Sign in with a password" }).click();
    await signIn(page, `${storage.replace(" ", "")}andapassword@example.com`);
    await signOut();
    await door.click();
    await page.locator("[name=password]").waitFor();
  });

  const heading = (page: Page) => page.getByRole("heading", { name: "What can we do better?", level: 1 });
  const signInLink = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Sign in", exact: true });

  /** A page of a browser in which a person signed in last by the way of a page. */
  async function openAfter(way: string, path: string): Promise<Page> {
    const page = await portal.open("/");
    await page.evaluate(`localStorage.setItem("door", ${JSON.stringify(way)})`);
    await page.goto(path);
    await scriptAnswers(page);
    return page;
  }

  it("is at a vote the form by which a person came last, and for a new one the mail", async () => {
    const { slug } = await portal.post("Wanted by who came by a password");
    await portal.join("Vera");
    const page = await portal.open(`/posts/${slug}`);
    await page.locator(".vote").first().click();
    await page.getByRole("button", { name: "Email me a link" }).waitFor();
    await signIn(page, "vera@example.com");
    await page.locator(".vote[aria-pressed=true]").waitFor();
    await page.getByRole("button", { name: "Account", exact: true }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.locator(".vote[aria-pressed=false]").click();
    await page.getByText("Sign in to vote for").waitFor();
    expect(new URL(page.url()).pathname).toBe("/sign-in");
    await page.locator("[name=password]").waitFor();
  });

  it.each([
    ["/sign-in", "/sign-in/mail"],
    ["/sign-in/mail", "/sign-in"],
  ])("is named as the one that is open where the header leads to it: %s", async (way, other) => {
    const page = await openAfter(way, way);
    expect(await signInLink(page).getAttribute("href")).toMatch(new RegExp(`^${way}\\?`));
    expect(await signInLink(page).getAttribute("aria-current")).toBe("true");
    await page.goto(other);
    await scriptAnswers(page);
    expect(await signInLink(page).getAttribute("aria-current")).toBeNull();
  });

  it("stays the one of the mail after a second step, and in the tab that has asked for it", async () => {
    const email = "tess@example.com";
    const token = await portal.join("Tess");
    await portal.confirm(email, token);
    const secret = await portal.withTwoFactor(token);
    const waiting = await openAfter("/sign-in", "/sign-in/mail");
    await waiting.getByLabel("Email").fill(email);
    await waiting.getByRole("button", { name: "Email me a link" }).click();
    await expect.poll(() => portal.linksTo(email, "/sign-in/link")).toHaveLength(1);
    const tab = await waiting.context().newPage();
    await tab.goto(portal.linksTo(email, "/sign-in/link")[0] ?? "");
    await tab.getByRole("button", { name: "Sign in" }).click();
    await tab.getByLabel("Code from the app").fill(codeNow(secret, 1));
    await tab.keyboard.press("Enter");
    await tab.getByRole("button", { name: "Account", exact: true }).waitFor();
    // It opens the next page by itself, which closes a menu.
    await waiting.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
    await heading(waiting).waitFor();
    await waiting.getByRole("button", { name: "Account", exact: true }).click();
    await waiting.getByRole("button", { name: "Sign out" }).click();
    for (const each of [waiting, tab])
      await expect.poll(() => signInLink(each).getAttribute("href")).toMatch(/^\/sign-in\/mail\?/);
  });

  it("leads to no dead end where the owner has switched ways off", async () => {
    const change = (ways: object) => portal.call("PATCH", "/settings/site", portal.owner, ways);
    const another = (page: Page) => page.getByRole("link", { name: "Sign in another way" });
    const ofOwner = (page: Page) => page.getByRole("button", { name: "Owner: sign in with a password" });
    await change({ password: false });
    const byMail = await openAfter("/sign-in/mail", "/");
    await signInLink(byMail).click();
    await byMail.getByRole("button", { name: "Email me a link" }).waitFor();
    await another(byMail).click();
    await ofOwner(byMail).waitFor();

    // Now only the product signs in, and the owner.
    await portal.call("POST", "/sso/rotate", portal.owner);
    await change({ magic: false });
    const productOnly = "You sign in here from our product.";
    for (const path of ["/", "/sign-up"]) {
      const page = await openAfter("/sign-in/mail", path);
      await signInLink(page).click();
      await page.getByText(productOnly).waitFor();
      await ofOwner(page).waitFor();
    }
    const typed = await openAfter("/sign-in/mail", "/sign-in/mail");
    await another(typed).click();
    await typed.getByText(productOnly).waitFor();
    await change({ magic: true, password: true });
    await portal.call("DELETE", "/sso", portal.owner);
  });
});
