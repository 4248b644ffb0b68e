import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

describe.skipIf(!BROWSER)("The pages of a site without mail", () => {
  const portal = aPortal({ isSetUp: false, env: { MAIL_TRANSPORT: "off" } });

  it("let people set the site up and sign in, and offer nothing that needs a mail", async () => {
    const page = await portal.open("/setup");
    await page.locator("[name=name]").fill("Olive");
    await page.locator("[name=email]").fill("owner@example.com");
    await page.locator("[name=password]").fill("correct horse");
    await page.locator("form [type=submit]").click();
    await page.waitForURL("**/manage");
    await page.goto("/profile");
    await page.locator("[name=name]").waitFor();
    expect(await page.locator('a[href="/password-reset"], [name=status]').count()).toBe(0);
    const stranger = await portal.open("/sign-in");
    await stranger.locator("[name=password]").waitFor();
    expect(await stranger.locator('a[href="/password-reset"]').count()).toBe(0);
    await stranger.goto("/password-reset");
    await expect.poll(() => stranger.locator("section").innerText()).toContain("sends no emails");
    expect(await stranger.locator("form button").count()).toBe(0);
  });
});
