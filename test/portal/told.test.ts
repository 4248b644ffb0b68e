import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { signIn } from "../support/process/entering.ts";
import { aPortal } from "../support/process/portal.ts";
import { openProfile } from "../support/process/steady.ts";

// What pages tell people of what they may not do, of what waits, and of what did not work.

const told = (page: Page, words: string) => page.locator(".notice", { hasText: words }).waitFor();

describe.skipIf(!BROWSER)("A person", () => {
  const portal = aPortal();

  const suspend = async (name: string): Promise<string> => {
    const token = await portal.join(name);
    const { user } = (await portal.call("GET", "/users/profile", token)).body;
    await portal.call("PATCH", `/users/${user.userId}`, portal.owner, { role: "suspended" });
    return token;
  };

  it("who is suspended reads so wherever the service refuses something, at the sign-in and in the profile", async () => {
    const { slug } = await portal.post("Out of reach");
    const token = await suspend("Sue");
    const visitor = await portal.open("/sign-in");
    await signIn(visitor, "sue@example.com");
    await told(visitor, "Your account is suspended");
    const page = await portal.open("/", token);
    await page.getByRole("button", { name: "Vote for Out of reach" }).click();
    await told(page, "That did not work and was undone: Your account is suspended");
    await page.goto(`/posts/${slug}`);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await told(page, "Your account is suspended");
    await openProfile(page);
    await page.locator("main").getByText("Your account is suspended").waitFor();
  });

  it("who waits for the team reads no word of having done nothing", async () => {
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "all" });
    const token = await portal.join("Nils");
    await portal.call("POST", "/posts", token, { title: "Held for a while" });
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "none" });
    const page = await portal.open("/my/posts", token);
    await page.getByText("Held for a while").waitFor();
    await page.getByRole("link", { name: "My votes" }).click();
    await page.getByRole("heading", { name: "Nothing here yet" }).waitFor();
    await page.getByRole("link", { name: "My posts" }).click();
    await page.getByText("Held for a while").waitFor();
    await page.locator(".skeleton").waitFor({ state: "detached" });
    expect(await page.getByText("Nothing here yet").count()).toBe(0);
  });
});
