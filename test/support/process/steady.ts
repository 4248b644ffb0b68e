import type { APIResponse, Page, Route } from "playwright-core";
import { expect } from "vitest";
import { eventually } from "./server-process.ts";

type Answering = { answers: boolean; files: string[] };

/** Waits until the page's script answers. Before that, a link is the browser's, and a key does nothing. */
export async function scriptAnswers(page: Page): Promise<void> {
  const loaded = `performance.getEntriesByType("resource").map(({ name, responseStatus }) => name + " " + responseStatus)`;
  await eventually(async () => {
    const { answers, files } = await page.evaluate<Answering>(
      `({ answers: document.oninput === null, files: ${loaded} })`,
    );
    // Who reads of a failure needs to know which page it was, and whether its script came.
    expect(answers, `${page.url()} with ${files.join()}`).toBe(true);
  });
}

/** Holds back the answers of an address until it is let go. */
export async function holdBack(page: Page, address: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, (route) => promise.then(() => route.continue()));
  return resolve;
}

/**
 * What the server answers to a call of a page. Such a call has connections of its own, and the server may close an idle
 * one in the moment in which it is used again.
 */
export function fromServer(route: Route): Promise<APIResponse> {
  return route.fetch({ maxRetries: 3 });
}

/** Opens an address whose script comes once it is let go. */
export async function openWithoutScript(page: Page, path: string): Promise<() => void> {
  const letGo = await holdBack(page, "**/assets/browser-*");
  await page.goto(path, { waitUntil: "commit" });
  return letGo;
}

/** For the page: how much of it has moved how far since some moment of it, as browsers measure it, the foot too. */
export const shiftSince = (moment: number) => `new Promise((done) => {
  let sum = 0;
  const add = (list) =>
    list.getEntries().forEach(({ startTime, value }) => { if (startTime >= ${moment}) sum += value; });
  new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => setTimeout(() => done(sum)));
})`;

// Pages on which something comes late, and moves away what stands below it: a press in that moment would miss.

/** Opens the profile, and waits for all of it. */
export async function openProfile(page: Page): Promise<void> {
  await page.goto("/profile");
  await profileIsWhole(page);
}

export function profileIsWhole(page: Page): Promise<void> {
  return page.getByLabel("All comments").waitFor();
}

/** Changes the title of a new post, and waits for the posts like it. */
export async function withSimilarPosts(page: Page, change: () => Promise<unknown>): Promise<void> {
  const looked = page.waitForResponse("**/api/v1/posts/similar");
  await change();
  const { posts = [] } = await (await looked).json();
  if (posts.length > 0) await page.getByRole("heading", { name: "Is it one of these?" }).waitFor();
}

export function typeTitle(page: Page, title: string): Promise<void> {
  return withSimilarPosts(page, () => page.getByLabel("Title", { exact: true }).fill(title));
}
