import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

describe.skipIf(!BROWSER)("A list that gets short", () => {
  const portal = aPortal();

  it("begins in sight, and leaves its choices where they are; the way back finds the old place", async () => {
    for (let n = 0; n < 14; n++)
      await portal.call("POST", "/posts", portal.owner, { title: `Wish ${n}`, contentMarkdown: "So that it is long." });
    for (const name of [..."ABCDEFGHIJ"].map((letter) => `Board ${letter}`))
      await portal.call("POST", "/boards", portal.owner, { name, display: true });
    await portal.post("The last of them");
    const page = await portal.open("/?order=newest", undefined, { viewport: { width: 1440, height: 700 } });
    await page.locator(".row", { hasText: "The last of them" }).waitFor();
    await page.evaluate("scrollTo(0, 600)");
    const choice = page.locator(".side").getByRole("link", { name: "Completed" });
    await choice.scrollIntoViewIfNeeded();
    const before = await choice.boundingBox();
    await page.evaluate(
      "addEventListener('click', () => { window.scrolled = scrollY }, { capture: true, once: true })",
    );
    await choice.click();
    await page.getByText("No posts match").first().waitFor();
    const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? -1;
    const search = page.getByRole("searchbox");
    await expect.poll(() => topOf(search)).toBeGreaterThanOrEqual(0);
    expect(await topOf(search)).toBeLessThan(200);
    // But for parts of a pixel.
    await expect.poll(async () => Math.abs((await topOf(choice)) - (before?.y ?? 0))).toBeLessThan(2);
    await page.goBack();
    await page.locator(".row", { hasText: "The last of them" }).waitFor();
    await expect.poll(() => page.evaluate("scrollY - window.scrolled")).toBe(0);
  });

  it("has choices that fade out where they do not end, and end before the fade", async () => {
    const page = await portal.open("/", undefined, { viewport: { width: 1440, height: 500 } });
    await page.locator(".side").evaluate((side) => side.scrollTo(0, 9999));
    const bottomOf = async (part: string) => {
      const { y, height } = (await page.locator(part).last().boundingBox()) ?? { y: 0, height: 0 };
      return y + height;
    };
    expect((await bottomOf(".side")) - (await bottomOf(".side > nav"))).toBeGreaterThan(20);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.side')).maskImage")).toContain("gradient");
  });
});
