import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

describe.skipIf(!BROWSER)("The number of posts that wait for an answer", () => {
  const portal = aPortal();

  let authorId: string;

  beforeAll(async () => {
    const account = { email: "wanda@example.com", name: "Wanda" };
    authorId = (await portal.call("POST", "/users", portal.owner, account)).body.user.userId;
  });

  const numberOn = (page: Page, text: string) =>
    page.getByRole("link", { name: `Waiting for an answer, ${text}`, exact: true });

  it("is beside other pages, also after an answer on a post's own page", async () => {
    await portal.post("Answered where it stands", { authorId }, portal.owner);
    await portal.post("Waits", { authorId }, portal.owner);
    const page = await portal.open("/manage/keys", portal.owner);
    await numberOn(page, "2 waiting").waitFor();
    // By links, so that the page still knows the number when it comes back.
    await page.locator("header .brand").click();
    await page.getByRole("link", { name: "Answered where it stands" }).first().click();
    await page.getByRole("button", { name: "Respond", exact: true }).click();
    await page.getByRole("form", { name: "Respond" }).getByRole("textbox").fill("Next month.");
    await page.getByRole("form", { name: "Respond" }).getByRole("button", { name: "Save" }).click();
    await page.locator(".notice", { hasText: "The response is published." }).waitFor();
    await page.getByRole("link", { name: "Manage" }).click();
    await numberOn(page, "1 waiting").waitFor();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    await numberOn(page, "1 waiting").waitFor();
  });

  it("is exact beyond the first page, falls with each answer, and stays so on other pages", async () => {
    for (let n = 0; n < 21; n++) await portal.call("POST", "/posts", portal.owner, { title: `Waits ${n}`, authorId });
    await portal.post("Waits 21", { authorId }, portal.owner);
    const page = await portal.open("/manage/waiting", portal.owner);
    const total = (text: string) => page.locator(".bar").getByText(text, { exact: true }).waitFor();
    await numberOn(page, "23 waiting").getByText("23", { exact: true }).waitFor();
    await total("23 posts");
    await page.getByRole("button", { name: "Respond Waits 21", exact: true }).click();
    const answer = page.getByRole("form", { name: "Respond" });
    await answer.getByRole("textbox").fill("Next month.");
    await answer.getByRole("button", { name: "Save" }).click();
    await page.locator(".notice", { hasText: "Waits 21" }).waitFor();
    await total("22 posts");
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    await numberOn(page, "22 waiting").click();
    await total("22 posts");
    await page.getByRole("combobox", { name: "Order" }).selectOption("Oldest first");
    await expect.poll(() => page.locator(".row h2").first().innerText()).toBe("Waits");
    await total("22 posts");
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => page.locator(".row h2").last().innerText()).toBe("Waits 20");
    await total("22 posts");
    await numberOn(page, "22 waiting").waitFor();
  });

  it("is a minimum where hundreds wait, until all of them are on the page", async () => {
    const more = Array.from({ length: 130 }, (_, n) => `Also waits ${n}`);
    for (const title of more) await portal.call("POST", "/posts", portal.owner, { title, authorId });
    const page = await portal.open("/manage/waiting", portal.owner);
    const mark = numberOn(page, "99 or more waiting").getByText("99+", { exact: true });
    await mark.waitFor();
    // On one line, also beside a name that needs two.
    await page.setViewportSize({ width: 1440, height: 900 });
    const lines = `(() => {
      const mark = document.querySelector(".parts a .badge");
      return Math.round(mark.clientHeight / Number.parseFloat(getComputedStyle(mark).lineHeight));
    })()`;
    expect(await page.evaluate(lines)).toBe(1);
    await page.locator(".bar").getByText("At least 99 posts", { exact: true }).waitFor();
    for (let pages = 1; pages < 8; pages++) {
      await page.getByRole("button", { name: "Show more" }).click();
      await expect.poll(() => page.locator(".row").count()).toBeGreaterThan(20 * pages - 5);
    }
    await page.locator(".bar").getByText("152 posts", { exact: true }).waitFor();
  });

  it("is beside the name of the folded navigation for the page of that name, and for all beside others", async () => {
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "all" });
    await portal.call("POST", "/posts", await portal.join("Hanna"), { title: "Held" });
    const page = await portal.enter(portal.owner);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [path, shown, label] of [
      ["waiting", "99+", "Waiting for an answer, 99 or more waiting"],
      ["queue", "1", "Approval, 1 waiting"],
      ["keys", "100+", "Waiting for an answer, 99 or more waiting · Approval, 1 waiting"],
    ] as const) {
      await page.goto(`/manage/${path}`);
      await page.locator(".parts summary .badge").getByText(shown, { exact: true }).waitFor();
      await page.locator(".parts summary .unseen").getByText(label, { exact: true }).waitFor();
    }
  });
});
