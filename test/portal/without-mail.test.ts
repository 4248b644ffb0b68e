import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

describe.skipIf(!BROWSER)("The pages of a site without mail", () => {
  const SETUP_CODE_SHA256 = createHash("sha256").update("open sesame").digest("hex");
  const portal = aPortal({ isSetUp: false, env: { MAIL_TRANSPORT: "off", SETUP_CODE_SHA256 } });

  it("let people set the site up and sign in, and offer nothing that needs a mail", async () => {
    const page = await portal.open("/setup");
    const late = await portal.open("/setup");
    for (const each of [page, late]) {
      await each.locator("[name=name]").fill("Olive");
      await each.locator("[name=email]").fill("owner@example.com");
      await each.locator("[name=password]").fill("correct horse");
    }
    const send = page.locator("form [type=submit]");
    await send.click();
    // Only a site that has a code asks for it.
    const code = page.getByLabel("Setup code").and(page.locator(":focus"));
    await code.fill("open barley");
    await send.click();
    await page.getByText("This is not the setup code.").waitFor();
    await code.fill("open sesame");
    // The form stays as it was typed while the next page is loaded.
    const left: string[] = [];
    await page.route("**/assets/manage-*", async (route) => {
      left.push(await page.locator("[name=email]").inputValue());
      await route.fallback();
    });
    await send.click();
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    expect(left).toEqual(["owner@example.com"]);
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await late.locator("form [type=submit]").click();
    await late.getByText("This site is already set up.").waitFor();
    await late.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await late.waitForURL("**/sign-in?next=/manage");
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

  it("say when the last first step is done, and that the address is copied", async () => {
    const owner = { email: "owner@example.com", password: "correct horse" };
    const token = (await portal.call("POST", "/auth/login", undefined, owner)).body.user.authToken;
    const { userId } = (await portal.call("POST", "/users", token, { email: "mo@example.com" })).body.user;
    await portal.call("PATCH", `/users/${userId}`, token, { role: "moderator" });
    await portal.call("PATCH", "/settings/site", token, { firstSteps: ["board", "statuses"] });
    const page = await portal.open("/manage", token);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("link", { name: "Look at your site" }).waitFor();
    expect(await page.getByText("Nobody waits for an answer").count()).toBe(0);
    await expect.poll(() => page.getByRole("combobox", { name: "Order" }).count()).toBe(0);
    await page.getByRole("button", { name: "Copy the link" }).click();
    await page.locator(".notice", { hasText: "The link is copied. All first steps are done." }).waitFor();
    expect(await page.getByRole("list", { name: "First steps" }).count()).toBe(0);
    await page.getByRole("heading", { name: "Unanswered", level: 1 }).waitFor();
    await page.getByText("Nobody waits for an answer").waitFor();
    // Nothing is read of them any more.
    const kept = async () => (await portal.call("GET", "/settings/site", token)).body.settings.firstSteps;
    await expect.poll(kept).toContain("hidden");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.reload({ waitUntil: "networkidle" });
    await page.getByText("Nobody waits for an answer").waitFor();
    expect(asked).toContain("/api/v1/posts/get");
    expect(asked).not.toContain("/api/v1/users");
  });

  it("fold the first steps to the last one, above posts that wait", async () => {
    const owner = { email: "owner@example.com", password: "correct horse" };
    const token = (await portal.call("POST", "/auth/login", undefined, owner)).body.user.authToken;
    await portal.call("POST", "/posts", await portal.join("Wanda"), { title: "Offline mode" });
    const open = async (firstSteps: string[]) => {
      await portal.call("PATCH", "/settings/site", token, { firstSteps });
      const page = await portal.open("/manage", token);
      await page.getByRole("link", { name: "Offline mode" }).waitFor();
      return page;
    };
    const many = await open([]);
    await many.getByRole("heading", { name: "First steps 1 of 4" }).waitFor();
    expect(await many.getByRole("list", { name: "First steps" }).getByRole("listitem").count()).toBe(4);

    const page = await open(["board", "statuses"]);
    const line = page.locator("summary", { hasText: "First steps" });
    expect(await line.innerText()).toMatch(/3 of 4.*Share the address of your site/);
    const copy = page.getByRole("button", { name: "Copy the link" });
    expect(await copy.isVisible()).toBe(false);
    await line.click();
    await copy.waitFor();
    expect(await page.getByRole("list", { name: "First steps" }).getByRole("listitem").count()).toBe(4);
  });

  it("let people change their password by the present one, and name no mail for it", async () => {
    const page = await portal.open("/profile", await portal.join("Ida"));
    await page.getByRole("link", { name: "Password", exact: true }).click();
    await page.getByLabel("Current password").fill("correct horse");
    await page.getByLabel("New password").fill("battery staple");
    expect(await page.locator('a[href="/password-reset"]').count()).toBe(0);
    await page.getByRole("button", { name: "Change your password" }).click();
    await page.locator(".notice", { hasText: "Your password is changed." }).waitFor();
    const account = { email: "ida@example.com", password: "battery staple" };
    await portal.call("POST", "/auth/login", undefined, account);
  });
});
