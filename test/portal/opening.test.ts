import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import { holdBack, scriptAnswers } from "../support/process/steady.ts";

describe.skipIf(!BROWSER)("A post that is opened from a list", () => {
  const portal = aPortal();

  it("has its title, votes and status immediately, and keeps the keyboard when the rest comes", async () => {
    const { postId, slug } = await portal.post("Known from its row", { contentMarkdown: "The text\n\nand more of it" });
    await portal.call("PUT", `/posts/${postId}/status`, portal.owner, { status: "planned" });
    await portal.call("POST", "/votes", portal.owner, { postId });
    const page = await portal.open("/?order=newest");
    const letGo = await holdBack(page, "**/api/v1/posts/slug");
    await page.getByRole("link", { name: "Known from its row" }).press("Enter");
    await page.getByRole("heading", { name: "Known from its row", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/posts/${slug}`);
    const article = page.getByRole("article");
    await article.getByText("Planned", { exact: true }).waitFor();
    const vote = article.getByRole("button", { name: "Vote for Known from its row, 1 vote" });
    await vote.focus();
    expect(await article.getByText("and more of it").count()).toBe(0);
    letGo();
    await article.getByText("and more of it").waitFor();
    expect(await article.locator(".vote:focus").count()).toBe(1);
  });

  it.each(["pointer", "keyboard"])("waits for no file once the %s has come to its title", async (means) => {
    await portal.post(`Near the ${means}`);
    // Nothing is in the cache of this browser.
    const page = await (await portal.enterAlone()).newPage();
    await page.goto("/?order=newest");
    await scriptAnswers(page);
    const asked = page.waitForRequest("**/assets/markdown-*");
    const title = page.getByRole("link", { name: `Near the ${means}` });
    await (means === "pointer" ? title.hover() : title.focus());
    await asked;
  });
});
