import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import { holdBack, scriptAnswers } from "../support/process/steady.ts";

/** For the page: where its columns and its heading stand, in pixels, and which words of cards the edge cuts. */
const COLUMNS = `(() => {
  const edges = (element) => {
    const { left, right } = element.getBoundingClientRect();
    return { left: Math.round(left), right: Math.round(right) };
  };
  const row = document.querySelector(".columns");
  const { right } = edges(row);
  const words = [...row.querySelectorAll("li div")].filter((each) => edges(each).left < right);
  const { clientWidth, scrollWidth } = document.documentElement;
  return {
    page: edges(document.querySelector("h1")),
    row: { ...edges(row), scrolls: row.scrollWidth > row.clientWidth },
    window: { right: innerWidth, scrolls: scrollWidth > clientWidth },
    columns: [...row.querySelectorAll("section")].map(edges),
    cut: words.filter((each) => edges(each).right > right).map((each) => each.textContent),
  };
})()`;

type Edges = { left: number; right: number };
type Columns = {
  page: Edges;
  row: Edges & { scrolls: boolean };
  window: { right: number; scrolls: boolean };
  columns: Edges[];
  cut: string[];
};

describe.skipIf(!BROWSER)("The columns of a roadmap", () => {
  const portal = aPortal();
  let count = 0;

  /** The page once it has this number of columns, each with a post. */
  const open = async (columns: number): Promise<Page> => {
    for (; count < columns; count++) {
      const { id } = (await portal.call("POST", "/roadmaps", portal.owner, { name: `Map ${count}` })).body.roadmap;
      const { post } = (await portal.call("POST", "/posts", portal.owner, { title: `On the map ${count}` })).body;
      await portal.call("PATCH", "/posts", portal.owner, { id: post.postId, roadmapId: id });
      const wanted = { roadmapId: id, sort: "top", first: 20 };
      const posts = async () => (await portal.call("POST", "/posts/get", portal.owner, wanted)).body.posts.length;
      await expect.poll(posts, { timeout: 30_000 }).toBe(1);
    }
    const page = await portal.open("/roadmap", portal.owner);
    await expect.poll(() => page.locator(".columns > section li").count(), { timeout: 30_000 }).toBe(columns);
    return page;
  };
  const measured = async (page: Page, width: number): Promise<Columns> => {
    await page.setViewportSize({ width, height: 800 });
    return page.evaluate<Columns>(COLUMNS);
  };

  it.each([
    [3, 900],
    [4, 1280],
    [5, 1680],
  ])("are whole where all have room: %i of them in %i pixels", async (number, width) => {
    const { page, row, window, columns } = await measured(await open(number), width);
    expect(columns[0]?.left).toBe(page.left);
    expect(columns.at(-1)?.right).toBeLessThanOrEqual(row.right);
    expect([row.scrolls, window.scrolls]).toEqual([false, false]);
  });

  it("begin where the page does, and end with a part of the next one", async () => {
    const tab = await open(8);
    for (const width of [700, 820, 1000, 1280, 1440, 1920, 2560]) {
      const { page, row, window, columns, cut } = await measured(tab, width);
      expect(columns[0]?.left, `${width}`).toBe(page.left);
      expect(window.scrolls, `${width}`).toBe(false);
      // To the edge of the window, but for what a scrollbar may take.
      expect(row.right, `${width}`).toBeGreaterThan(window.right - 24);
      const next = columns.find(({ right }) => right > row.right);
      const inSight = row.right - (next?.left ?? 0);
      expect(inSight, `${width}`).toBeGreaterThanOrEqual(48);
      expect(inSight, `${width}`).toBeLessThanOrEqual(80);
      // Its cards show votes, and no words that end in their middle.
      expect(cut, `${width}`).toEqual([]);
    }
  });

  it("are whole at their end as well, the first in sight where the page begins", async () => {
    const tab = await open(8);
    await tab.setViewportSize({ width: 1440, height: 800 });
    await tab.evaluate("document.querySelector('.columns').scrollTo(9999, 0)");
    const { page, row, columns } = await measured(tab, 1440);
    expect(columns.map(({ left }) => left)).toContain(page.left);
    expect(columns.at(-1)?.right).toBeLessThan(row.right - 60);
  });

  it("show which one was jumped to, also in the last screenful, until the row is scrolled", async () => {
    const tab = await open(8);
    await tab.setViewportSize({ width: 1440, height: 800 });
    const grounds = () =>
      tab.evaluate<string[]>(
        "[...document.querySelectorAll('.columns > section')].map((each) => getComputedStyle(each).backgroundColor)",
      );
    const [plain] = await grounds();
    const here = () => tab.locator(".jumps [aria-current] bdi").allTextContents();
    for (const n of [6, 7]) {
      await tab.locator(".jumps a").nth(n).click();
      await expect.poll(here).toEqual([`Map ${n}`]);
      expect((await grounds()).map((each) => each !== plain).indexOf(true)).toBe(n);
      expect((await grounds()).filter((each) => each !== plain)).toHaveLength(1);
    }
    await tab.evaluate("document.querySelector('.columns').scrollTo(0, 0)");
    await expect.poll(here).toEqual([]);
  });

  it("are named above them on a phone, where the one that is read is marked and in sight", async () => {
    const tab = await open(8);
    await tab.setViewportSize({ width: 390, height: 800 });
    const jumps = tab.locator(".jumps a");
    const here = () => tab.locator(".jumps [aria-current] bdi").allTextContents();
    await expect.poll(here).toEqual(["Map 0"]);
    for (const n of [3, 6, 7, 1]) {
      await jumps.nth(n).click();
      await expect.poll(here).toEqual([`Map ${n}`]);
      const { x = -1, y = -1, width = 0 } = (await jumps.nth(n).boundingBox()) ?? {};
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(390);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(await tab.evaluate("document.activeElement.textContent")).toContain(`Map ${n}`);
    }
    await tab.evaluate("scrollTo(0, 9999)");
    await expect.poll(here).toEqual(["Map 7"]);
    await tab.evaluate("scrollTo(0, 0)");
    await expect.poll(here).toEqual(["Map 0"]);
    // Beside each other, several are read.
    await tab.setViewportSize({ width: 1440, height: 800 });
    await expect.poll(here).toEqual([]);
  });

  it("have grey places of their form below the heading until they are read", async () => {
    await open(8);
    for (const [width, isWide] of [
      [1440, true],
      [390, false],
    ] as const) {
      const page = await portal.open("/", portal.owner, { viewport: { width, height: 800 } });
      await scriptAnswers(page);
      const letGo = await holdBack(page, "**/api/v1/roadmaps/get");
      await page.getByRole("link", { name: "Roadmap", exact: true }).click();
      const places = page.locator(".skeleton span");
      await places.first().waitFor();
      const boxOf = async (part: Locator) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const heading = await boxOf(page.getByRole("heading", { level: 1 }));
      const first = await boxOf(places.first());
      const second = await boxOf(places.nth(1));
      expect(first.y - heading.y - heading.height, `${width}`).toBeGreaterThanOrEqual(16);
      expect(second.y === first.y, `${width}`).toBe(isWide);
      expect(second.x > first.x, `${width}`).toBe(isWide);
      expect(await page.evaluate("document.documentElement.scrollWidth"), `${width}`).toBeLessThanOrEqual(width);
      letGo();
      await page.locator(".columns li").first().waitFor();
      expect(await page.locator(".columns-later").count()).toBe(0);
    }
  });
});
