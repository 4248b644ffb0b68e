import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { signIn } from "../support/process/entering.ts";
import { aPortal } from "../support/process/portal.ts";
import { beginWith } from "../support/process/profiles.ts";
import { holdBack, openWithoutScript, scriptAnswers } from "../support/process/steady.ts";

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
});
