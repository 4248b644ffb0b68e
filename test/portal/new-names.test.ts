import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

describe.skipIf(!BROWSER)("A person without a name", () => {
  const portal = aPortal();

  /** Comments as a visitor, and signs in by the code of a mail, to the page that asks for a name. */
  const comments = async (slug: string, text: string, email: string): Promise<Page> => {
    const page = await portal.open(`/posts/${slug}`);
    await page.getByRole("textbox", { name: "Comment" }).fill(text);
    await page.getByRole("button", { name: "Add comment" }).click();
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Email me a link" }).click();
    await expect.poll(() => portal.codes(email)).toHaveLength(1);
    await page.getByLabel("Code").fill(portal.codes(email)[0] ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "How should others see you?" }).waitFor();
    return page;
  };

  const line = (page: Page) => page.getByText("Shown as New member.");

  it("is asked for one without a word of their address, and reminded where they write until they answer", async () => {
    const { slug } = await portal.post("Commented by a new person");
    const page = await comments(slug, "Mine", "nina.real.name@example.com");
    await page.getByText("Until you choose a name, you are shown as New member.").waitFor();
    expect(await page.getByLabel("Your name").inputValue()).toBe("");
    const visitor = await portal.open(`/posts/${slug}`);
    await visitor.getByText("Mine", { exact: true }).waitFor();
    expect(await visitor.content()).not.toContain("nina");
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByRole("textbox", { name: "Comment" }).fill("A second one");
    await line(page).waitFor();
    for (const path of ["/my/posts", "/new", "/profile"]) {
      await page.goto(path);
      await line(page).waitFor();
    }
    expect(await page.getByLabel("Your name").inputValue()).toBe("");
    await page.goto(`/posts/${slug}`);
    await page.getByRole("link", { name: "Choose a name" }).click();
    await page.getByLabel("Your name").fill("Nina");
    await page.getByRole("button", { name: "Save" }).click();
    // What was being written is there.
    const comment = page.getByRole("textbox", { name: "Comment" });
    await expect.poll(() => comment.inputValue()).toBe("A second one");
    await line(page).waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe(`/posts/${slug}`);
    await page.goto("/profile");
    await expect.poll(() => page.getByLabel("Your name").inputValue()).toBe("Nina");
  });

  it("may save another language of mails, and keeps the question", async () => {
    const { slug } = await portal.post("Commented by another new person");
    const page = await comments(slug, "Mine too", "otto@example.com");
    await page.goto("/profile");
    await line(page).waitFor();
    await page.getByLabel("Language of emails").selectOption({ label: "Deutsch" });
    await page.getByRole("button", { name: "Save" }).first().click();
    await page.getByText("Saved.").waitFor();
    await page.reload();
    await line(page).waitFor();
  });
});
