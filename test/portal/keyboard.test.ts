import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import { beginWith } from "../support/process/profiles.ts";
import { openWithoutScript, scriptAnswers, typeTitle } from "../support/process/steady.ts";

const focused = (page: Page) => page.locator(":focus").innerText();
const scrolled = (page: Page) => page.evaluate("scrollY");
/** For the page: a person who is at the beginning of a title before the next frame is drawn. */
const QUICK_PERSON = `new MutationObserver((_, watching) => {
  const title = document.querySelector("input[name=title]");
  if (!title) return;
  watching.disconnect();
  title.focus();
  title.setSelectionRange(0, 0);
}).observe(document, { subtree: true, childList: true })`;
/** For the page: in the title, the Enter that ends a word of Japanese, as browsers tell it and as Safari does. */
const COMPOSE = `for (const how of [{ isComposing: true }, { keyCode: 229 }])
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, ...how }));`;
const FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });

/** Goes back from a post, by the browser's way or by the page's. */
async function goBack(page: Page, way: string): Promise<void> {
  if (way === "browser") await page.goBack();
  else await page.locator(".back").getByRole("link", { name: way }).press("Enter");
}

describe.skipIf(!BROWSER)("A reader's keyboard", () => {
  const portal = aPortal();

  it.each(["browser", "Back to the list"])("is on the title of the post from which they come back: %s", async (way) => {
    for (let n = 0; n < 24; n++) await portal.call("POST", "/posts", portal.owner, { title: `${way} ${n}` });
    const page = await portal.open("/?order=newest");
    await page.getByRole("link", { name: "Show more" }).press("Enter");
    const title = page.getByRole("link", { name: `${way} 1`, exact: true });
    await title.focus();
    const before = await scrolled(page);
    expect(before).toBeGreaterThan(0);
    await title.press("Enter");
    await heading(page, `${way} 1`).waitFor();
    await goBack(page, way);
    await heading(page, "What can we do better?").waitFor();
    await expect.poll(() => focused(page)).toBe(`${way} 1`);
    await expect.poll(() => scrolled(page)).toBe(before);
  });

  it("is at a post of the roadmap from which they come back", async () => {
    const { id } = (await portal.call("POST", "/roadmaps", portal.owner, { name: "Soon" })).body.roadmap;
    await portal.call("PATCH", "/roadmaps", portal.owner, { id, display: true });
    const { postId } = await portal.post("On its way");
    await portal.call("PATCH", "/posts", portal.owner, { id: postId, roadmapId: id });
    const page = await portal.open("/roadmap");
    const title = page.getByRole("link", { name: "On its way" });
    await expect.poll(() => page.reload().then(() => title.count())).toBe(1);
    await scriptAnswers(page);
    await title.press("Enter");
    await heading(page, "On its way").waitFor();
    await goBack(page, "Roadmap");
    await expect.poll(() => focused(page)).toBe("On its way");
  });

  it.each([
    { path: "waiting", back: "Unanswered", n: 1 },
    { path: "queue", back: "Approval", n: 9 },
    { path: "audit", back: "Audit log", n: 1 },
  ])("is at the row of the team's page from which they come back: $back", async ({ path, back, n }) => {
    const member = await portal.join(`Reporter ${path}`);
    // The oldest is the last one of a list, or in the queue the first.
    for (const each of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      const title = `For ${path} ${each}`;
      const { postId } = (await portal.call("POST", "/posts", member, { title })).body.post;
      if (path === "queue") await portal.call("POST", `/posts/${postId}/report`, portal.owner, { reason: "Spam" });
      if (path === "audit") await portal.call("PATCH", "/posts", portal.owner, { id: postId, isLocked: true });
    }
    const page = await portal.open(`/manage/${path}`, portal.owner);
    const row = page
      .locator(".row, .item", { hasText: `For ${path} ${n}` })
      .getByRole("link")
      .first();
    await row.focus();
    const before = await scrolled(page);
    expect(before).toBeGreaterThan(0);
    await row.press("Enter");
    await page.getByRole("heading", { name: `For ${path} ${n}`, level: 1 }).waitFor();
    await goBack(page, back);
    await heading(page, back).waitFor();
    await row.and(page.locator(":focus")).waitFor();
    await expect.poll(() => scrolled(page)).toBe(before);
  });

  it.each(["browser", "Back"])("is on the vote for which they did not sign in after all: %s", async (way) => {
    for (let n = 0; n < 12; n++) await portal.call("POST", "/posts", portal.owner, { title: `Not now, ${way} ${n}` });
    const page = await portal.open("/?order=newest");
    const name = `Vote for Not now, ${way} 2,`;
    const vote = page.getByRole("button", { name });
    await vote.focus();
    const before = await scrolled(page);
    expect(before).toBeGreaterThan(0);
    await vote.press("Enter");
    await page.getByText(`Sign in to vote for “Not now, ${way} 2”.`).waitFor();
    await goBack(page, way);
    await expect.poll(() => page.locator(":focus").getAttribute("aria-label")).toContain(name);
    await expect.poll(() => scrolled(page)).toBe(before);
  });

  it("is on the button of the comment for which they did not sign in after all", async () => {
    const text = "A line of a long post.\n\n".repeat(40);
    const { slug } = await portal.post("Not now, a comment", { contentMarkdown: text });
    const page = await portal.open(`/posts/${slug}`);
    await page.getByRole("textbox", { name: "Comment" }).fill("Typed here");
    const add = page.getByRole("button", { name: "Add comment" });
    await add.focus();
    const before = await scrolled(page);
    await add.press("Enter");
    await page.getByText("Sign in to comment on “Not now, a comment”.").waitFor();
    await goBack(page, "Back");
    await expect.poll(() => focused(page)).toBe("Add comment");
    await expect.poll(() => scrolled(page)).toBe(before);
    expect(await page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("Typed here");
  });

  it("is only once on a button that led to the sign-in", async () => {
    const { slug } = await portal.post("Followed by nobody");
    const page = await portal.open(`/posts/${slug}`);
    const isOnFollow = () => page.evaluate("document.activeElement.id === 'follow'");
    await page.locator("#follow").click();
    await page.getByText("Sign in to follow “Followed by nobody”.").waitFor();
    await page.goBack();
    await expect.poll(isOnFollow).toBe(true);
    await page.getByRole("link", { name: "Roadmap", exact: true }).click();
    await page.getByRole("heading", { name: "Roadmap", level: 1 }).waitFor();
    await page.goBack();
    await page.locator("#follow").waitFor();
    await page.locator("main:focus").waitFor();
    expect(await isOnFollow()).toBe(false);
    await page.reload();
    await scriptAnswers(page);
    expect(await isOnFollow()).toBe(false);
  });

  it.each(["/manage/people", "/profile"])("passes with one link all that leads around: %s", async (path) => {
    const page = await portal.open(path, portal.owner);
    await page.locator("nav.parts").waitFor();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.locator("main :focus:not(nav *)").count()).toBe(1);
  });

  it("has a frame around the words of a link in a row, and cuts through no other line", async () => {
    const { board } = (await portal.call("POST", "/boards", portal.owner, { name: "Framed", display: true })).body;
    await portal.post("On a board with a frame", { boardId: board.boardId, contentMarkdown: "A line above it." });
    const page = await portal.open("/?order=newest");
    const link = page.locator(".row").getByRole("link", { name: "Framed" });
    await link.locator("xpath=ancestor::li").getByRole("link").first().focus();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Framed");
    const framed = `[document.activeElement, ...document.activeElement.children]
      .filter((each) => getComputedStyle(each).outlineStyle === "solid")
      .map((each) => each.getBoundingClientRect().height < 30)`;
    expect(await page.evaluate(framed)).toEqual([true]);
    // A finger has more.
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(36);
  });

  it("passes with that link no vote of a post", async () => {
    const { slug } = await portal.post("To be voted for by keyboard");
    const page = await portal.open(`/posts/${slug}`);
    for (const key of ["Tab", "Enter", "Tab"]) await page.keyboard.press(key);
    expect(await focused(page)).toBe("Back to the list");
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").getAttribute("aria-label")).toContain("Vote for To be voted for by keyboard");
  });

  it("passes the posts of a list to the filters that stand beside them", async () => {
    const page = await portal.open("/");
    await page.getByRole("link", { name: "New", exact: true }).focus();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Filters");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('.side a') !== null")).toBe(true);
  });

  it("is on the code of the app when they switch the two-step sign-in on", async () => {
    const page = await portal.open("/profile/two-factor", await portal.join("Tess"));
    await page.getByRole("button", { name: "Switch it on" }).press("Enter");
    await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
    await page.locator("input[name=code]:focus").waitFor();
  });

  it("is behind the text of the post and of the comment that they change", async () => {
    const author = await portal.join("Carl");
    const { slug, postId } = await portal.post("A title", {}, author);
    await portal.call("POST", `/posts/${postId}/comments`, author, { body: "My reply" });
    const page = await portal.open(`/posts/${slug}`, author);
    const comments = page.locator(".comments");
    await comments.getByRole("button", { name: "Edit" }).press("Enter");
    const reply = comments.locator("textarea:focus");
    await reply.waitFor();
    await page.keyboard.type(", and more");
    expect(await reply.inputValue()).toBe("My reply, and more");
    await comments.getByRole("button", { name: "Cancel" }).press("Enter");
    await page.locator("#edit-post").press("Enter");
    const title = page.locator("input[name=title]:focus");
    await title.waitFor();
    await page.keyboard.type(" of mine");
    expect(await title.inputValue()).toBe("A title of mine");
  });

  it("stays where a person has put it before the form does", async () => {
    const author = await portal.join("Quinn");
    const { slug } = await portal.post("title", {}, author);
    const page = await portal.enter(author);
    await beginWith(page, QUICK_PERSON);
    await page.goto(`/posts/${slug}`);
    await page.locator("#edit-post").press("Enter");
    await page.locator("input[name=title]:focus").waitFor();
    await page.evaluate(FRAMES);
    await page.keyboard.type("My ");
    expect(await page.locator("input[name=title]").inputValue()).toBe("My title");
  });

  it("moves by Enter from the title of a new post to its details, and publishes by Ctrl+Enter", async () => {
    await portal.post("Enter and go on");
    const author = await portal.join("Enid");
    const page = await portal.open("/new", author);
    const published: string[] = [];
    page.on("request", (each) => each.url().endsWith("/api/v1/posts") && published.push(each.method()));
    const title = page.getByLabel("Title", { exact: true });
    expect(await title.getAttribute("enterkeyhint")).toBe("next");
    await typeTitle(page, "Enter and go on twice");
    // The end of a word in Japanese is none of the title.
    await title.focus();
    await page.evaluate(COMPOSE);
    expect(await page.locator("input[name=title]:focus").count()).toBe(1);
    await title.press("Enter");
    await page.locator("textarea:focus").waitFor();
    await page.keyboard.type("More of it");
    expect(published).toEqual([]);
    await title.press("Control+Enter");
    await heading(page, "Enter and go on twice").waitFor();
    await page.getByText("More of it").waitFor();
    expect(published).toEqual(["POST"]);
  });

  it("sends no new post by Enter in its title before the page's script is there", async () => {
    const page = await portal.enter();
    const letGo = await openWithoutScript(page, "/new");
    await page.getByLabel("Title", { exact: true }).fill("Too early");
    await page.keyboard.press("Enter");
    letGo();
    await page.locator(".primary:enabled").waitFor();
    expect(new URL(page.url()).pathname).toBe("/new");
  });

  it("is at the heading of a page that could not be loaded before, once it can", async () => {
    // Nothing of the roadmap is in the cache of this browser.
    const page = await (await portal.enterAlone()).newPage();
    await page.goto("/");
    await scriptAnswers(page);
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Roadmap", exact: true }).press("Enter");
    const again = page.getByRole("button", { name: "Try again" });
    await again.press("Enter");
    // Without a connection the portal's own page stays.
    await page.getByRole("status").getByText("No connection to the site.").waitFor();
    await page.context().setOffline(false);
    await again.waitFor({ state: "detached" });
    await scriptAnswers(page);
    await expect.poll(() => focused(page)).toBe("Roadmap");
  });
});
