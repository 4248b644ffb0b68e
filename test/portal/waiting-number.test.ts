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

  const numberOn = (page: Page, text: string) => page.getByRole("link", { name: `Unanswered, ${text}`, exact: true });

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
    await page.getByRole("form", { name: "Respond" }).getByRole("button", { name: "Publish response" }).click();
    await page.locator(".notice", { hasText: "The response is published." }).waitFor();
    await page.getByRole("link", { name: "Manage" }).click();
    await numberOn(page, "1 waiting").waitFor();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    await numberOn(page, "1 waiting").waitFor();
  });

  const writeMany = async (title: string, n: number, more: object = {}) => {
    const bodies = Array.from({ length: n - 1 }, (_, i) => ({ title: `${title} ${i + 1}`, authorId, ...more }));
    for (const body of bodies) await portal.call("POST", "/posts", portal.owner, body);
    await portal.post(`${title} ${n}`, { authorId, ...more }, portal.owner);
  };

  it("is exact beyond the first page, falls with each answer, and stays so on other pages", async () => {
    const { results } = (await portal.call("GET", "/posts/waiting?first=50", portal.owner)).body;
    const n = results.length + 22;
    await writeMany("Late", 22);
    const page = await portal.open("/manage/waiting", portal.owner);
    const total = (text: string) => page.locator(".bar").getByText(text, { exact: true }).waitFor();
    await numberOn(page, `${n} waiting`).getByText(String(n), { exact: true }).waitFor();
    await total(`${n} posts`);
    await page.getByRole("button", { name: "Respond Late 22", exact: true }).click();
    const answer = page.getByRole("form", { name: "Respond" });
    await answer.getByRole("textbox").fill("Next month.");
    await answer.getByRole("button", { name: "Publish response" }).click();
    await page.locator(".notice", { hasText: "Late 22" }).waitFor();
    await total(`${n - 1} posts`);
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    await numberOn(page, `${n - 1} waiting`).click();
    await total(`${n - 1} posts`);
    await page.getByRole("combobox", { name: "Order" }).selectOption("Oldest first");
    await expect.poll(() => page.locator(".row h2").first().innerText()).not.toContain("Late 2");
    await total(`${n - 1} posts`);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => page.locator(".row h2").last().innerText()).toBe("Late 21");
    await total(`${n - 1} posts`);
    await numberOn(page, `${n - 1} waiting`).waitFor();
  });

  it("is a minimum where hundreds wait, until all of them are on the page", async () => {
    const { boardId } = (await portal.call("POST", "/boards", portal.owner, { name: "Full" })).body.board;
    await writeMany("Among many", 152, { boardId });
    const page = await portal.open(`/manage/waiting?board=${boardId}`, portal.owner);
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
    for (let pages = 2; pages <= 8; pages++) {
      await page.getByRole("button", { name: "Show more" }).click();
      await expect.poll(() => page.locator(".row").count()).toBe(Math.min(20 * pages, 152));
    }
    await page.locator(".bar").getByText("152 posts", { exact: true }).waitFor();
  });

  it("stays beside the choice of a board, however long the names of boards are", async () => {
    await portal.call("POST", "/boards", portal.owner, { name: "What people wish for in the apps ".repeat(2).trim() });
    const page = await portal.open("/manage/waiting", portal.owner);
    const board = page.getByRole("combobox", { name: "Board" });
    const choice = await board.boundingBox();
    const total = await page.locator(".bar .quiet-text").boundingBox();
    expect(total?.y).toBeLessThan((choice?.y ?? 0) + (choice?.height ?? 0));
    expect(choice?.width).toBeLessThan(300);
    // A narrow window has one below the other, as wide as it is.
    await page.setViewportSize({ width: 320, height: 700 });
    const tooWide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate(tooWide)).toBeLessThanOrEqual(0);
  });

  it("is beside the name of the folded navigation for the page of that name, and a dot beside others", async () => {
    await writeMany("Beside one that is held", 1);
    const { results } = (await portal.call("GET", "/posts/waiting?first=50", portal.owner)).body;
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "all" });
    await portal.call("POST", "/posts", await portal.join("Hanna"), { title: "Held" });
    const page = await portal.enter(portal.owner);
    await page.setViewportSize({ width: 390, height: 844 });
    const mark = page.locator(".parts summary .badge");
    await page.goto("/manage/queue");
    await mark.getByText("1", { exact: true }).waitFor();
    await page.goto("/manage/keys");
    await page
      .locator(".parts summary .unseen")
      .getByText(/^Unanswered, .* · Approval, 1 waiting$/)
      .waitFor();
    // A number would be read as one of keys.
    expect(await mark.innerText()).toBe("");
    const dot = await mark.boundingBox();
    expect(dot?.width).toBeGreaterThan(6);
    expect(dot?.width).toBe(dot?.height);
    await page.goto("/manage/waiting");
    await mark.getByText(results.length === 50 ? "99+" : String(results.length), { exact: true }).waitFor();
  });
});
