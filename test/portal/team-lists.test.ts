import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

// The lists of the team while their answers are late, lost or overtaken.

/** Holds back the answers of an address until it is let go. */
async function holdBack(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, (route) => promise.then(() => route.continue()));
  return resolve;
}

describe.skipIf(!BROWSER)("A list of the team", () => {
  const portal = aPortal();

  it("reads the figure of one day aloud and beside its plot, by pointer and by arrow keys", async () => {
    const page = await portal.open("/manage/figures?from=2026-01-01&to=2026-01-04", portal.owner);
    const plot = page.getByRole("figure").filter({ hasText: "Votes" });
    const day = plot.getByRole("slider", { name: "Votes of one day" });
    await day.hover({ position: { x: 5, y: 5 } });
    const reading = plot.locator(".ends .read");
    await reading.getByText("Jan 1, 2026: not counted").waitFor();
    await page.mouse.move(0, 0);
    await expect.poll(() => reading.count()).toBe(0);
    await day.focus();
    await reading.getByText("Jan 4, 2026").waitFor();
    await day.press("ArrowLeft");
    await reading.getByText("Jan 3, 2026").waitFor();
    expect(await day.getAttribute("aria-valuetext")).toBe("Jan 3, 2026: not counted");
  });

  it("keeps both ends of a period that are changed before its figures are there, and says that it reads", async () => {
    const page = await portal.open("/manage/figures", portal.owner);
    const plot = page.getByRole("figure").first();
    await plot.getByText("As a table").click();
    await expect.poll(() => plot.getByRole("row").count()).toBe(1 + 30);
    const letGo = await holdBack(page, "**/api/v1/stats?*");
    const from = page.getByLabel("From", { exact: true });
    const to = page.getByLabel("To", { exact: true });
    await from.fill("2026-01-05");
    await page.waitForURL("**/manage/figures?from=2026-01-05&to=*");
    await page.locator("[aria-busy=true]", { has: plot }).waitFor();
    await to.fill("2026-01-09");
    await page.waitForURL("**/manage/figures?from=2026-01-05&to=2026-01-09");
    letGo();
    await expect.poll(() => plot.getByRole("row").count()).toBe(1 + 5);
    await page.locator("[aria-busy=false]", { has: plot }).waitFor();
    expect([await from.inputValue(), await to.inputValue()]).toEqual(["2026-01-05", "2026-01-09"]);
  });
});
