import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import { codeNow } from "../support/world/two-factor.ts";

/** Asks for a mail on the page that a visitor is led to, and returns the path of its link. */
async function mailedLink(page: Page, portal: ReturnType<typeof aPortal>, email: string): Promise<string> {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Email me a link" }).click();
  await expect.poll(() => portal.linksTo(email, "/sign-in/link")).toHaveLength(1);
  return portal.linksTo(email, "/sign-in/link")[0] ?? "";
}

const HEIGHT = 760;

async function isInSight(page: Page, words: string): Promise<boolean> {
  const { y = -1, height = 0 } = (await page.getByText(words).boundingBox()) ?? {};
  return y >= 0 && y + height <= HEIGHT;
}

describe.skipIf(!BROWSER)("The link of a mail", () => {
  const portal = aPortal();

  it("says in the browser that asked for it what is done then, and so does the second step", async () => {
    const token = await portal.join("Zoe");
    await portal.confirm("zoe@example.com", token);
    const secret = await portal.withTwoFactor(token);
    const { slug } = await portal.post("Wanted by mail");
    const page = await portal.open(`/posts/${slug}`);
    await page.locator(".vote").first().click();
    await page.goto(await mailedLink(page, portal, "zoe@example.com"));
    await page.getByText("Then your vote for “Wanted by mail” is cast.").waitFor();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Two-step sign-in" }).waitFor();
    await page.getByText("Sign in to vote for “Wanted by mail”.").waitFor();
    await page.getByLabel("Code from the app").fill(codeNow(secret, 1));
    await page.keyboard.press("Enter");
    await page.locator(".vote[aria-pressed=true]:focus").waitFor();
  });

  it("does nothing for another person who has asked in the same browser", async () => {
    await portal.join("Anna");
    await portal.join("Bert");
    const { slug } = await portal.post("Wanted by Anna");
    const page = await portal.open("/password-reset");
    await page.getByLabel("Email").fill("bert@example.com");
    await page.getByRole("button", { name: "Send a link" }).click();
    await page.getByText("a link is on its way").waitFor();
    await page.goto(`/posts/${slug}`);
    await page.locator(".vote").first().click();
    const ofAnna = await mailedLink(page, portal, "anna@example.com");
    await expect.poll(() => portal.linksTo("bert@example.com", "/password-reset/confirm")).toHaveLength(1);
    await page.goto(portal.linksTo("bert@example.com", "/password-reset/confirm")[0] ?? "");
    await page.getByText("bert@example.com").waitFor();
    await page.getByLabel("New password").fill("battery staple horse");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your new password is set. You are signed in.").waitFor();
    await page.waitForURL("**/");
    const votes = () =>
      portal.call("POST", "/posts/slug", undefined, { slug }).then(({ body }) => body.post.voters.votesCount);
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    expect(await votes()).toBe(0);
    await page.goto(ofAnna);
    await page.getByText("Then your vote for “Wanted by Anna” is cast.").waitFor();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Later" }).click();
    await page.locator(".vote[aria-pressed=true]:focus").waitFor();
    expect(await votes()).toBe(1);
  });

  it("casts the vote that an invited person had wanted before", async () => {
    const { slug } = await portal.post("Wanted by a guest");
    const page = await portal.open(`/posts/${slug}`);
    await page.locator(".vote").first().click();
    await mailedLink(page, portal, "guest@example.com");
    await portal.call("POST", "/users/invitations", portal.owner, { email: "guest@example.com", role: "member" });
    await expect.poll(() => portal.linksTo("guest@example.com", "/password-reset/confirm")).toHaveLength(1);
    await page.goto(portal.linksTo("guest@example.com", "/password-reset/confirm")[0] ?? "");
    await page.getByLabel("New password").fill("battery staple horse");
    await page.getByRole("button", { name: "Set the password and sign in" }).click();
    await page.getByLabel("Your name").fill("Gus");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Wanted by a guest" }).waitFor();
    await page.locator(".vote[aria-pressed=true]:focus").waitFor();
  });

  it.each([
    ["Follow", "You wanted to follow this."],
    ["Add comment", "You wanted to comment on this."],
  ])("says in another browser beside what was pressed what it was for: %s", async (button, words) => {
    const text = "A line of a long post.\n\n".repeat(60);
    const { slug } = await portal.post(`Long, for ${button}`, { contentMarkdown: text });
    const page = await portal.open(`/posts/${slug}`);
    if (button === "Add comment") await page.getByRole("textbox", { name: "Comment" }).fill("Typed here");
    await page.getByRole("button", { name: button, exact: true }).click();
    const link = await mailedLink(page, portal, `${button.replace(" ", "").toLowerCase()}@example.com`);
    const other = await (await portal.enterAlone()).newPage();
    await other.setViewportSize({ width: 390, height: HEIGHT });
    await other.goto(link);
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.getByRole("button", { name: "Later" }).click();
    await expect.poll(() => isInSight(other, words)).toBe(true);
    await other.locator("article :is(button, textarea):focus").waitFor();
    expect(await isInSight(other, words)).toBe(true);
  });
});
