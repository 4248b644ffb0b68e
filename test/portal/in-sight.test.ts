import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

// Where the keyboard continues when what stood above it is gone, which may have been taller than the window.

const viewport = { width: 1280, height: 800 };

/** A text that is taller than the window. */
const LONG = Array.from({ length: 30 }, (_, n) => `Paragraph ${n} of what I want.`).join("\n\n");

/** For the page: its row, and whether all of what has the keyboard is in sight with nothing above it. */
const FOCUSED = `(() => {
  const { activeElement: active } = document;
  const { top, bottom, left, right } = active.getBoundingClientRect();
  const isFreeAt = (y) => active.contains(document.elementFromPoint((left + right) / 2, y));
  const row = active.closest("li");
  return {
    tag: active.tagName,
    row: row?.querySelector("h2, summary")?.innerText.trim(),
    isInSight: top >= 0 && bottom <= innerHeight && isFreeAt(top + 2) && isFreeAt(bottom - 2),
    beginsInSight: row?.getBoundingClientRect().top >= 0,
  };
})()`;

type Focused = { tag: string; row: string; isInSight: boolean; beginsInSight: boolean };

/** What has the keyboard once the page has come to rest. */
async function focusedAtRest(page: Page): Promise<Focused> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  return page.evaluate<Focused>(FOCUSED);
}

const wholeRow = { isInSight: true, beginsInSight: true };

describe.skipIf(!BROWSER)("The keyboard", () => {
  const portal = aPortal();

  it("continues in sight after each of several long posts is answered, also where the next one is open", async () => {
    const vera = await portal.join("Vera");
    const titles = [..."ABCDEFGHIJ"].map((letter) => `Wish ${letter}`);
    for (const title of titles) await portal.call("POST", "/posts", vera, { title, contentMarkdown: LONG });
    const page = await portal.open("/manage/waiting?order=oldest", portal.owner, { viewport });
    const row = (title = "") => page.locator(".triage .row", { hasText: title });
    const open = async (title = "") => {
      await row(title).getByRole("button", { name: "Respond" }).press("Enter");
      await row(title).locator(".prose").waitFor();
      await row(title).locator("textarea:focus").waitFor();
    };
    const respond = async (title = "") => {
      await row(title).locator("textarea").fill("Soon.");
      await page.keyboard.press("Control+Enter");
      await row(title).waitFor({ state: "detached" });
    };
    for (const [n, title] of titles.slice(0, 5).entries()) {
      await open(title);
      await respond(title);
      expect(await focusedAtRest(page)).toEqual({ tag: "BUTTON", row: titles[n + 1], ...wholeRow });
    }
    // The field is behind the text to which it responds.
    await open(titles[6]);
    await open(titles[5]);
    await respond(titles[5]);
    expect(await focusedAtRest(page)).toMatchObject({ tag: "TEXTAREA", row: titles[6], isInSight: true });
  });

  it("continues before the next text that waits for a decision", async () => {
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "all" });
    const nora = await portal.join("Nora");
    const titles = [..."ABCD"].map((letter) => `Held ${letter}`);
    for (const title of titles) await portal.call("POST", "/posts", nora, { title, contentMarkdown: LONG });
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "none" });
    const page = await portal.open("/manage/queue", portal.owner, { viewport });
    const decide = async (title = "") => {
      const row = page.locator(".queue .row", { hasText: title });
      await row.getByRole("button", { name: "Approve" }).press("Enter");
      await row.waitFor({ state: "detached" });
    };
    // After the last one, the one before it.
    for (const [n, next] of [
      [1, 2],
      [0, 2],
      [3, 2],
    ] as const) {
      await decide(titles[n]);
      expect(await focusedAtRest(page)).toEqual({ tag: "INPUT", row: titles[next], ...wholeRow });
    }
    await decide(titles[2]);
    await page.locator("h1:focus").waitFor();
  });

  it("stays in sight with a row that is moved past open ones", async () => {
    const names = [..."ABCDEF"].map((letter) => `Board ${letter}`);
    for (const name of names) await portal.call("POST", "/boards", portal.owner, { name });
    const page = await portal.open("/manage/boards", portal.owner, { viewport });
    for (const name of names) await page.locator(".item summary", { hasText: name }).press("Enter");
    const up = page.getByRole("button", { name: "Move Board F up" });
    await up.focus();
    for (const place of [6, 5, 4]) {
      await page.keyboard.press("Enter");
      await page.locator(".notice", { hasText: `Board F is now in place ${place}` }).waitFor();
      expect(await focusedAtRest(page)).toMatchObject({
        tag: "BUTTON",
        row: expect.stringContaining("Board F"),
        ...wholeRow,
      });
    }
  });
});
