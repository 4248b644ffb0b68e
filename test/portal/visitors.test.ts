import type { Page, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import {
  fromServer,
  holdBack,
  openProfile,
  profileIsWhole,
  scriptAnswers,
  typeTitle,
  withSimilarPosts,
} from "../support/process/steady.ts";
import { addComments } from "../support/world/bulk.ts";
import { worldTitles } from "../support/world/texts.ts";

const votes = (page: Page) => page.locator(".vote").first();
const slugOf = (page: Page) => page.url().split("/").at(-1) ?? "";
const said = (page: Page) => page.getByRole("status");

/** Presses Tab until the focus is on an element of this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const focused =
    "(e => [e.getAttribute('aria-label'), e.labels?.[0]?.textContent, e.textContent].find(Boolean) ?? '')(document.activeElement)";
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press("Tab");
    if (name.test(String(await page.evaluate(focused)).trim())) return;
  }
  throw new Error(`no way to ${name} by Tab`);
}

/** How often a page's script calls its functions during some work: on a busy machine as often as on an idle one. */
async function callsDuring(page: Page, work: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Profiler.enable");
  await session.send("Profiler.startPreciseCoverage", { callCount: true });
  await work();
  const { result } = await session.send("Profiler.takePreciseCoverage");
  await session.detach();
  const functions = result.flatMap((script) => (script.url.includes("/assets/") ? script.functions : []));
  return functions.reduce((sum, { ranges: [whole] }) => sum + (whole?.count ?? 0), 0);
}

/** Types words into the search. What the page puts off until the person rests is kept, for the test to do. */
async function typeSearch(page: Page, words: string): Promise<void> {
  await page.evaluate(`
    const { setTimeout } = window;
    const waiting = [];
    window.setTimeout = (work, ms, ...rest) => (ms === 300 ? waiting.push(work) : setTimeout(work, ms, ...rest));
    window.waiting = waiting;
    window.rest = () => { for (const work of waiting) work(); };`);
  await page.getByRole("searchbox").fill(words);
  await expect.poll(() => page.evaluate("waiting.length")).toBeGreaterThan(0);
}

describe.skipIf(!BROWSER)("A visitor", () => {
  const portal = aPortal();
  /** How many votes and comments the service has. */
  const counts = async (slug: string) => {
    const { voters, commentsCount } = (await portal.call("POST", "/posts/slug", undefined, { slug })).body.post;
    return [voters.votesCount, commentsCount];
  };

  it("sees similar posts while typing, and what others did after a reload", async () => {
    const bob = await portal.join("Bob");
    const eve = await portal.join("Eve");
    const { slug } = await portal.post("Export of all invoices");
    const first = await portal.open(`/posts/${slug}`, bob);
    const second = await portal.open("/new", eve);
    await second.getByLabel("Title", { exact: true }).fill("Export invoices");
    await second.getByRole("link", { name: "Export of all invoices" }).click();
    await Promise.all([votes(first).click(), votes(second).click()]);
    await expect.poll(() => counts(slug)).toEqual([2, 0]);
    await first.reload();
    await expect.poll(() => votes(first).innerText()).toBe("2");
  });

  it("makes one vote by a double click, and one in two tabs", async () => {
    const { slug } = await portal.post("Two tabs");
    const one = await portal.enter(await portal.join("Tom"));
    const two = await one.context().newPage();
    for (const tab of [one, two]) await tab.goto(`/posts/${slug}`);
    await votes(one).dblclick();
    await expect.poll(() => counts(slug)).toEqual([1, 0]);
    const answered = two.waitForResponse("**/api/v1/votes");
    await votes(two).click();
    expect((await answered).ok()).toBe(false);
    await two.locator(".vote[aria-pressed=true]").waitFor();
    await expect.poll(() => counts(slug)).toEqual([1, 0]);
  });

  // The service has done the work and its answer is lost; or it is busy and has done nothing.
  const faults = {
    "a lost answer": (route: Route) => fromServer(route).then(() => route.abort()),
    "a 503": (route: Route) => route.fulfill({ status: 503, json: { message: "Busy", code: "SERVER_ERROR" } }),
  };
  it.each(Object.entries(faults))("makes one post, one vote and one comment despite %s", async (name, fault) => {
    const page = await portal.open("/new", await portal.join(`Max of ${name}`));
    // The page sends three times by itself; the person presses once more.
    const times = { posts: 3, votes: 1, "posts/*/comments": 3 };
    for (const [path, each] of Object.entries(times))
      await page.route(`**/api/v1/${path}`, (route) => fault(route), { times: each });
    const press = async (button: string) => {
      await page.getByRole("button", { name: button }).click();
      await page.getByRole("alert").getByText(/again/).waitFor();
      await page.getByRole("button", { name: button }).click();
    };
    await typeTitle(page, `Wish after ${name}`);
    await press("Publish");
    await page.getByRole("heading", { name: `Wish after ${name}` }).waitFor();
    // The post begins with the vote of its author.
    await page.locator(".vote[aria-pressed=true]").waitFor();
    await page.getByRole("textbox", { name: "Comment" }).fill("Only once");
    await press("Add comment");
    await said(page).getByText("published").waitFor();
    expect(await counts(slugOf(page))).toEqual([1, 1]);
    const { posts } = (await portal.call("POST", "/posts/get", undefined, { first: 50 })).body;
    expect(posts.filter(({ title }: { title: string }) => title === `Wish after ${name}`)).toHaveLength(1);
  });

  it("learns that nothing works, and keeps what was typed until it does", async () => {
    const { slug } = await portal.post("Offline");
    const page = await portal.open(`/posts/${slug}`, await portal.join("Olaf"));
    const comment = page.getByRole("textbox", { name: "Comment" });
    await comment.fill("Typed in a tunnel");
    await page.context().setOffline(true);
    await votes(page).click();
    await said(page)
      .getByText(/undone: No connection to the site/)
      .waitFor();
    expect(await votes(page).getAttribute("aria-pressed")).toBe("false");
    await page.getByRole("button", { name: "Add comment" }).click();
    await page
      .getByRole("alert")
      .getByText(/No connection/)
      .waitFor();
    expect(await comment.inputValue()).toBe("Typed in a tunnel");
    await page.context().setOffline(false);
    await votes(page).click();
    await page.getByRole("button", { name: "Add comment" }).click();
    await expect.poll(() => counts(slug)).toEqual([1, 1]);
  });

  it("keeps the page on the way back and over a reload", async () => {
    const { slug } = await portal.post("A way back");
    const page = await portal.open(`/posts/${slug}`);
    const order = (name: string) => page.getByRole("link", { name, exact: true });
    await page.getByRole("article").getByRole("link", { name: "Feedback" }).click();
    await order("New").click();
    // The choice takes along the words that were typed just before.
    await page.getByRole("searchbox").fill("way back");
    await page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: "Open" }).click();
    await page.waitForURL(/\/boards\/feedback\?order=newest&status=open&q=way\+back/);
    // The best match comes first.
    expect(await order("Top").count()).toBe(0);
    await page.getByRole("link", { name: "A way back" }).click();
    await page.waitForURL(`**/posts/${slug}`);
    await page.goBack();
    const isThere = async () => {
      await page.getByRole("link", { name: "A way back" }).waitFor();
      expect(await page.getByRole("searchbox").inputValue()).toBe("way back");
      await page.locator("nav [aria-current]", { hasText: "Open" }).waitFor();
    };
    await isThere();
    await page.reload();
    await isThere();
  });

  it("stays on the post that was opened while the words of a search still waited", async () => {
    const { slug } = await portal.post("Opened in a hurry");
    const page = await portal.open("/");
    const link = page.getByRole("link", { name: "Opened in a hurry" });
    await link.waitFor();
    await typeSearch(page, "hurry");
    await link.evaluate((element) => {
      (element as unknown as { click: () => void }).click();
      (globalThis as unknown as { rest: () => void }).rest();
    });
    await page.getByRole("heading", { name: "Opened in a hurry", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/posts/${slug}`);
  });

  it("continues to the page of a link whose script is late while the words of a search still waited", async () => {
    const page = await portal.open("/");
    const letGo = await holdBack(page, "**/assets/roadmap-*");
    await typeSearch(page, "elsewhere");
    const roadmap = page.getByRole("link", { name: "Roadmap", exact: true });
    await roadmap.click();
    // The list is still shown, and knows the new address.
    await expect.poll(() => roadmap.getAttribute("aria-current")).toBe("page");
    expect(await page.getByRole("searchbox").inputValue()).toBe("elsewhere");
    await page.evaluate("rest()");
    letGo();
    await page.getByRole("heading", { name: "Roadmap", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/roadmap");
  });

  it("opens page after page of 1,000 comments, and writes one with no more work than among 20", async () => {
    const { slug, postId } = await portal.post("Much to say");
    const { user } = (await portal.call("GET", "/users/profile", portal.owner)).body;
    const bodies = Array.from({ length: 1000 }, (_, n) => `Say ${n}`);
    await addComments(postId, user, bodies);
    const page = await portal.open("/", await portal.join("Lee"));
    const asked: string[] = [];
    page.on("request", (each) => each.url().includes("/activity") && asked.push(each.url()));
    const read = page.waitForResponse(/activity/);
    await page.goto(`/posts/${slug}`);
    await (await read).finished();
    const comments = page.locator(".comments > li");
    const write = (body: string) =>
      callsDuring(page, async () => {
        const textbox = page.getByRole("textbox", { name: "Comment" });
        await textbox.fill(body);
        await page.getByRole("button", { name: "Add comment" }).click();
        await expect.poll(() => textbox.inputValue()).toBe("");
      });
    // The first one loads the script that renders Markdown.
    await write("First");
    const among20 = await write("Second");
    for (const shown of [20, 40, 60, 80]) {
      await page.getByRole("link", { name: "Show more" }).press("Enter");
      // The keyboard is at the new page.
      await page.locator(":focus .comments", { hasText: new RegExp(`Say ${999 - shown}\\b`) }).waitFor();
    }
    expect(await write("Third")).toBeLessThan(2 * among20);
    expect(await comments.count()).toBe(5 * 20 + 3);
    expect(asked).toHaveLength(5);
    await page.reload();
    await expect.poll(() => comments.count()).toBe(100);
  });

  it("reads titles of the world as they were written, and learns which character is not allowed", async () => {
    const titles = worldTitles.map(({ title }) => title).slice(0, 20);
    for (const title of titles) await portal.call("POST", "/posts", portal.owner, { title, contentMarkdown: title });
    const page = await portal.open("/?order=newest");
    await expect.poll(() => page.locator(".row h2").allTextContents()).toEqual(titles.toReversed());
    for (const title of titles.slice(-3)) {
      await page.goto("/?order=newest");
      await page.locator(".row h2 a", { hasText: title }).click();
      await expect.poll(() => page.locator("h1").textContent()).toBe(title);
      await page.reload();
      expect(await page.locator("h1").textContent()).toBe(title);
    }
    const writer = await portal.open("/new", await portal.join("Uma"));
    await typeTitle(writer, "Dark\u202emode");
    await writer.getByRole("button", { name: "Publish" }).click();
    await writer.getByText("This character is not allowed: U+202E, at position 5.").waitFor();
  });

  it("keeps a new post over a reload, and begins another one after the way back", async () => {
    const page = await portal.open("/new", await portal.join("Rita"));
    const title = page.getByLabel("Title", { exact: true });
    await typeTitle(page, "Typed once");
    await withSimilarPosts(page, () => page.reload());
    await expect.poll(() => title.inputValue()).toBe("Typed once");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("heading", { name: "Typed once" }).waitFor();
    await page.goBack();
    await expect.poll(() => title.inputValue()).toBe("");
    await page.goForward();
    await page.getByRole("heading", { name: "Typed once" }).waitFor();
  });

  it("sees immediately what was read last, and waits for the first of more than a hundred searches", async () => {
    const page = await portal.open("/");
    const asked = new Set<string>();
    let isAnswering = true;
    await page.route("**/api/v1/posts/search", async (route) => {
      asked.add(route.request().postDataJSON().query);
      // Without an answer the page shows what it remembers.
      if (isAnswering) await route.fulfill({ json: { results: [], total_count: 0, total_pages: 0 } });
    });
    const search = async (from: number, to: number) => {
      const open = `for (let q = ${from}; q <= ${to}; q++) {
        history.pushState(null, "", "/?q=word" + q);
        dispatchEvent(new PopStateEvent("popstate"));
        while (document.querySelector("[type=search]").value !== "word" + q) await new Promise(requestAnimationFrame);
      }`;
      await page.evaluate(`(async () => { ${open} })()`);
    };
    await search(0, 100);
    await expect.poll(() => [...asked].filter((query) => /^word\d+$/.test(query))).toHaveLength(101);
    await page.getByText("No posts match").waitFor();
    isAnswering = false;
    await search(99, 99);
    expect(await page.getByText("No posts match").count()).toBe(1);
    const waiting = page.locator("main [aria-busy=true]");
    expect(await waiting.count()).toBe(0);
    await search(0, 0);
    await waiting.waitFor();
  });

  it("learns that the session ended, in another tab or by a new password", async () => {
    const { slug } = await portal.post("A session");
    const one = await portal.enter(await portal.join("Ida"));
    const two = await one.context().newPage();
    await two.goto(`/posts/${slug}`);
    await openProfile(one);
    await one.getByRole("button", { name: "Sign out", exact: true }).click();
    await two.getByRole("link", { name: "Sign in", exact: true }).waitFor();
    const token = await portal.join("Ina");
    const page = await portal.open(`/posts/${slug}`, token);
    await page.getByRole("button", { name: "Account", exact: true }).waitFor();
    await portal.call("POST", "/auth/logout", token);
    await votes(page).click();
    await said(page)
      .getByText(/signed out/)
      .waitFor();
    await page.getByRole("link", { name: "Sign in", exact: true }).waitFor();
  });

  it("finds again what they changed in the profile when the session ended, and waits for their data", async () => {
    const token = await portal.join("Ella");
    const page = await portal.open("/profile", token);
    await page.getByLabel("Your name").fill("Ella of the sea");
    await portal.call("POST", "/auth/logout", token);
    await page.getByRole("button", { name: "Save" }).first().click();
    // The profile has fields of like names until the next page is there.
    await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
    await page.getByLabel("Email").fill("ella@example.com");
    await page.getByLabel("Password").fill("correct horse");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => page.getByLabel("Your name").inputValue()).toBe("Ella of the sea");
    await page.route(
      "**/users/profile/export",
      (route) => route.fulfill({ status: 429, headers: { "retry-after": "1" }, json: { message: "Wait" } }),
      { times: 1 },
    );
    const saved = page.waitForEvent("download");
    await profileIsWhole(page);
    await page.getByRole("button", { name: "Download as a web page" }).click();
    await said(page).getByText("The download continues in 1 s.").waitFor();
    await saved;
  });

  it("sees each field and each main button beside what a phone says", async () => {
    const page = await portal.open("/profile", await portal.join("Fay"), { viewport: { width: 390, height: 700 } });
    const covered = `(() => {
      const { top, bottom } = document.querySelector(".notice p").getBoundingClientRect();
      const all = [...document.querySelectorAll("main :is(input, select, .primary)")];
      return all.map((each) => each.getBoundingClientRect()).filter((each) => each.top < bottom && each.bottom > top);
    })()`;
    await page.getByLabel("All comments").check();
    // The field of the name, and its button, are where the sentence is to stand.
    await page.evaluate("scrollBy(0, document.querySelector('input[name=name]').getBoundingClientRect().top - 10)");
    await page
      .getByRole("form", { name: "Emails about posts you follow" })
      .getByRole("button", { name: "Save" })
      .click();
    await said(page).getByText("Saved").waitFor();
    expect(await page.evaluate(covered)).toEqual([]);
  });

  it("keeps a vote below the finger on a phone while a sentence comes and goes", async () => {
    await portal.post("Not to be moved");
    const page = await portal.open("/", await portal.join("Finn"), { viewport: { width: 390, height: 700 } });
    await page.route("**/api/v1/votes", (route) => route.abort());
    const tops = "[...document.querySelectorAll('.vote')].map((each) => each.getBoundingClientRect().top)";
    const before = await page.evaluate(tops);
    await votes(page).click();
    await said(page).getByText("That did not work").waitFor();
    expect(await page.evaluate(tops)).toEqual(before);
  });

  it("reads names whole and presses what is large enough on the narrowest phone", async () => {
    const { board } = (
      await portal.call("POST", "/boards", portal.owner, { name: "Sharing and rights", display: true })
    ).body;
    const { roadmap } = (await portal.call("POST", "/roadmaps", portal.owner, { name: "Soon" })).body;
    await portal.call("PATCH", "/roadmaps", portal.owner, { id: roadmap.id, display: true });
    const { postId, slug } = await portal.post("Share a list with a guest", { boardId: board.boardId });
    await portal.call("PATCH", "/posts", portal.owner, { id: postId, roadmapId: roadmap.id });
    await portal.call("PUT", `/posts/${postId}/status`, portal.owner, { status: "planned" });
    const page = await portal.open("/?order=newest", undefined, { viewport: { width: 320, height: 640 } });
    const names = page.locator(".row").first().locator(".badge bdi");
    await expect.poll(() => names.allInnerTexts()).toEqual(["Planned", "Sharing and rights"]);
    const isWhole = (all: { scrollWidth: number; clientWidth: number }[]) =>
      all.every((each) => each.scrollWidth <= each.clientWidth);
    expect(await names.evaluateAll(isWhole)).toBe(true);
    const lowOnes = `[...document.querySelectorAll("main :is(a, button)")]
      .filter((each) => each.checkVisibility() && !each.closest(".row h2, .cards div > a"))
      .map((each) => ({ name: each.textContent, height: Math.round(each.getBoundingClientRect().height) }))
      .filter(({ height }) => height < 24)`;
    for (const path of ["/?order=newest", `/posts/${slug}`, "/roadmap"]) {
      await page.goto(path);
      expect(await page.evaluate(lowOnes), path).toEqual([]);
    }
  });

  it("chooses a board on a phone above the list, which stays where it is", async () => {
    await portal.post("Below the choices");
    const page = await portal.open("/", undefined, { viewport: { width: 390, height: 640 } });
    const top = async () => (await page.locator(".row").first().boundingBox())?.y;
    const filters = page.getByRole("button", { name: "Filters" });
    const boards = page.getByRole("navigation", { name: "Boards" });
    const statuses = page.getByRole("navigation", { name: "Status" });
    const before = await top();
    await filters.press("Enter");
    await statuses.locator(":focus").waitFor();
    await page.keyboard.press("Tab");
    await statuses.locator("li:nth-child(2) :focus").waitFor();
    expect(await top()).toBe(before);
    await page.keyboard.press("Escape");
    await boards.waitFor({ state: "hidden" });
    expect(await page.locator(":focus").innerText()).toBe("Filters");
    await filters.click();
    await page.getByRole("heading", { level: 1 }).click();
    await boards.waitFor({ state: "hidden" });
    // A choice folds them too, and the keyboard stays where they were.
    await filters.press("Enter");
    await statuses.locator(":focus").waitFor();
    await page.getByRole("link", { name: "Planned", exact: true }).press("Enter");
    await boards.waitFor({ state: "hidden" });
    await page.locator("button.fold:focus", { hasText: "Planned" }).waitFor();
    // On the page of a board, whose address is another one.
    await page.locator("button.fold").press("Enter");
    await boards.getByRole("link").nth(1).press("Enter");
    await page.waitForURL("**/boards/*");
    await boards.waitFor({ state: "hidden" });
    await page.locator("h1:focus").waitFor();
  });

  it("sees how many posts a board has beside a list of all, and the words of the site above no tag", async () => {
    await portal.call("PATCH", "/settings/site", portal.owner, { description: "We read every post." });
    const { board } = (await portal.call("POST", "/boards", portal.owner, { name: "Counted" })).body;
    const { tag } = (await portal.call("POST", "/tags", portal.owner, { tag: { name: "Design", color: "c026d3" } }))
      .body;
    await portal.post("Counted beside a list", { boardId: board.boardId });
    const page = await portal.open("/");
    const count = page.locator(".side").getByRole("link", { name: "Counted" }).getByText("1 post");
    await count.waitFor();
    await page.getByText("We read every post.").waitFor();
    await page.goto(`/?tag=${tag.id}`);
    await page.getByRole("heading", { level: 1, name: "Design" }).waitFor();
    expect(await page.getByText("We read every post.").count()).toBe(0);
    for (const some of [`tag=${tag.id}`, "q=nothing", "status=planned"]) {
      await page.goto(`/?${some}`);
      await page.locator(".side").getByRole("link", { name: "Counted" }).waitFor();
      expect(await count.count(), some).toBe(0);
    }
    await portal.call("DELETE", `/tags/${tag.id}`, portal.owner);
  });

  it("reads in the menu of the account who is signed in", async () => {
    const page = await portal.open("/", await portal.join("Nadia Named"));
    await page.getByRole("button", { name: "Account" }).click();
    await page.locator(".menu").getByText("Nadia Named").waitFor();
  });

  it("reads of a page that was not loaded in a heading, and has it once there is a way again", async () => {
    // Nothing of the roadmap is in the cache of this browser.
    const page = await (await portal.enterAlone()).newPage();
    await page.goto("/");
    await scriptAnswers(page);
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Roadmap", exact: true }).click();
    await page.getByRole("heading", { name: "This page could not be loaded", level: 1 }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Roadmap", level: 1 }).waitFor();
    // What is read comes by itself, as files do.
    await page.getByRole("link", { name: "Posts", exact: true }).click();
    const order = page.getByRole("link", { name: "Top", exact: true });
    await order.waitFor();
    await page.context().setOffline(true);
    await order.click();
    const problem = page.locator(".problem", { hasText: "No connection to the site." });
    await problem.waitFor();
    await page.context().setOffline(false);
    await problem.waitFor({ state: "detached" });
  });

  it("sees that a comment is still on its way", async () => {
    const { slug } = await portal.post("Slow comments");
    const page = await portal.enter(await portal.join("Sven"));
    // Before the page knows who writes, it shows nothing of theirs.
    await Promise.all([page.waitForResponse("**/users/profile"), page.goto(`/posts/${slug}`)]);
    await scriptAnswers(page);
    const letGo = await holdBack(page, "**/comments");
    await page.getByRole("textbox", { name: "Comment" }).fill("Through a tunnel");
    await page.getByRole("button", { name: "Add comment" }).click();
    const comment = page.locator(".comment", { hasText: "Through a tunnel" });
    await comment.getByText("sending …").waitFor();
    expect(await comment.getAttribute("aria-busy")).toBe("true");
    letGo();
    await comment.getByText("sending …").waitFor({ state: "detached" });
    await comment.getByRole("button", { name: "Reply" }).waitFor();
  });

  it("keeps the keyboard on a post that a list, read again, shows elsewhere", async () => {
    for (const n of [1, 2, 3]) await portal.call("POST", "/posts", portal.owner, { title: `Passed by others ${n}` });
    const token = await portal.join("Mona");
    const page = await portal.open("/?order=newest");
    await page.route("**/posts/get", async (route) => {
      const response = await fromServer(route);
      const list = await response.json();
      await route.fulfill({ response, json: { ...list, posts: list.posts.reverse() } });
    });
    const titles = page.locator(".row h2");
    const vote = page.getByRole("button", { name: "Vote for Passed by others 3" });
    await vote.focus();
    // Another tab signs in.
    await page.evaluate(`dispatchEvent(new StorageEvent("storage", { key: "token", newValue: "${token}" }))`);
    await expect.poll(() => titles.last().innerText()).toBe("Passed by others 3");
    expect(await page.locator(":focus").getAttribute("aria-label")).toContain("Passed by others 3");
  });

  it("follows a post by a comment on it, and sees their own face once they have voted", async () => {
    const { slug, postId } = await portal.post("With a face");
    const token = await portal.join("Faye");
    const page = await portal.open(`/posts/${slug}`, token);
    const comment = page.getByRole("textbox", { name: "Comment" });
    const write = async (body: string) => {
      await comment.fill(body);
      await page.getByRole("button", { name: "Add comment" }).click();
      await page.locator(".comments", { hasText: body }).waitFor();
      // The comment is shown before the service has it; then the form is another one.
      await expect.poll(() => comment.inputValue()).toBe("");
    };
    const follows = page.getByRole("checkbox", { name: "Follow this post" });
    await follows.waitFor();
    await write("First");
    await follows.waitFor({ state: "hidden" });
    await write("Second");
    await page.getByRole("button", { name: "Stop following" }).waitFor();
    const { subscription } = (await portal.call("GET", `/posts/${postId}/subscription`, token)).body;
    expect(subscription.isFollowing).toBe(true);
    await page.getByRole("button", { name: "Stop following" }).click();
    await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
    await write("Third");
    expect(await follows.count()).toBe(0);
    await page.getByRole("heading", { name: "3 comments", exact: true }).waitFor();
    // The order is a link, and new comments stand where it has them.
    const texts = () => page.locator(".comments .prose").allInnerTexts();
    expect(await texts()).toEqual(["Third", "Second", "First"]);
    await page.getByRole("link", { name: "Oldest first" }).click();
    await expect.poll(texts).toEqual(["First", "Second", "Third"]);
    await write("Fourth");
    await expect.poll(texts).toEqual(["First", "Second", "Third", "Fourth"]);
    await page.reload();
    await expect.poll(texts).toEqual(["First", "Second", "Third", "Fourth"]);
    await page.getByRole("link", { name: "Newest first" }).click();
    await expect.poll(texts).toEqual(["Fourth", "Third", "Second", "First"]);
    await votes(page).click();
    await page.getByRole("list", { name: "Voters" }).getByText("Faye").waitFor();
    // Who has left a post follows it neither by a comment nor by a vote.
    await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
    const left = (await portal.call("GET", `/posts/${postId}/subscription`, token)).body;
    expect(left.subscription.isFollowing).toBe(false);
  });

  it("keeps what stands beside a text in sight, and the roadmaps in one row", async () => {
    for (const name of ["One", "Two", "Three", "Four", "Five"])
      await portal.call("POST", "/roadmaps", portal.owner, { name });
    const { slug } = await portal.post("A long story", { contentMarkdown: "Line.\n\n".repeat(60) });
    // The owner also sees the roadmaps that are hidden.
    const page = await portal.open(`/posts/${slug}`, portal.owner);
    await page.evaluate("scrollTo(0, 600)");
    await expect.poll(async () => (await page.locator(".beside").boundingBox())?.y).toBeGreaterThan(0);
    await page.goto("/roadmap");
    const columns = page.locator(".columns > section");
    await columns.filter({ hasText: "Five" }).waitFor();
    const boxes = await Promise.all((await columns.all()).map((each) => each.boundingBox()));
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    // The row scrolls, and not the page.
    const overflow = "document.querySelector('.columns').scrollWidth - document.querySelector('.columns').clientWidth";
    expect(await page.evaluate(overflow)).toBeGreaterThan(0);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    // What is out of sight is named above, and one press away.
    await page.getByRole("navigation", { name: "Roadmaps" }).getByRole("link", { name: "Five" }).click();
    const five = columns.filter({ hasText: "Five" });
    await expect.poll(async () => (await five.boundingBox())?.x).toBeLessThan(1280 - 250);
  });

  it("comes by the keyboard to the posts of a list before its filters, as they stand", async () => {
    const page = await portal.open("/");
    const order = `[...document.querySelectorAll("main .tabs, main .rows, main .choices")].map((each) => each.className)`;
    expect((await page.evaluate(order)) as string[]).toEqual(["tabs", "rows", "card choices", "card choices"]);
  });

  it("finds an edit again after a new sign-in, and a deleted post nowhere", async () => {
    const token = await portal.join("Edda");
    const { slug } = await portal.post("First words", {}, token);
    const page = await portal.open("/", token);
    await page.getByRole("link", { name: "First words" }).click();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Title", { exact: true }).fill("Better words");
    await portal.call("POST", "/auth/logout", token);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await page.getByLabel("Email").fill("edda@example.com");
    await page.getByLabel("Password").fill("correct horse");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`**/posts/${slug}`);
    await page.getByRole("button", { name: "Edit" }).click();
    await expect.poll(() => page.getByLabel("Title", { exact: true }).inputValue()).toBe("Better words");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Better words" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await said(page).getByText("Deleted").waitFor();
    expect(await page.getByRole("link", { name: "words" }).count()).toBe(0);
  });

  it("signs up by keyboard alone, and is led to the field that was wrong", async () => {
    const page = await portal.open("/sign-in");
    const { keyboard } = page;
    await tabTo(page, /^Skip/);
    await tabTo(page, /^Email/);
    await tabTo(page, /^Create an account/);
    await keyboard.press("Enter");
    await page.getByLabel("Your name").waitFor();
    await tabTo(page, /^Your name/);
    await keyboard.type("Kay");
    await tabTo(page, /^Email/);
    await keyboard.type("kay");
    await tabTo(page, /^Password/);
    await keyboard.type("short");
    await keyboard.press("Enter");
    // Both mistakes.
    await page.getByText("This is not a valid email address.").waitFor();
    await page.getByText("This is too short. At least 8 characters.").waitFor();
    await page.locator("[name=email]:focus").waitFor();
    await keyboard.type("@example.com");
    await tabTo(page, /^Password/);
    await keyboard.press("Control+A");
    await keyboard.type("correct horse");
    await keyboard.press("Enter");
    await page.getByRole("button", { name: "Account", exact: true }).waitFor();
  });

  it("posts, votes and comments by keyboard alone, and finds it all after a reload", async () => {
    const page = await portal.open("/", await portal.join("Kim"));
    const { keyboard } = page;
    await tabTo(page, /^New post$/);
    await keyboard.press("Enter");
    await page.getByLabel("Title", { exact: true }).waitFor();
    await tabTo(page, /^Title/);
    await keyboard.type("By keyboard");
    await tabTo(page, /^Details/);
    await keyboard.type("For **nights**");
    await tabTo(page, /^Count my vote/);
    await keyboard.press("Space");
    await tabTo(page, /^Publish/);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "By keyboard" }).waitFor();
    await tabTo(page, /^Posts$/);
    await keyboard.press("Enter");
    await page.getByRole("link", { name: "New", exact: true }).waitFor();
    // Trending follows within seconds.
    await tabTo(page, /^New$/);
    await keyboard.press("Enter");
    await page.getByRole("link", { name: "By keyboard" }).waitFor();
    await tabTo(page, /^By keyboard$/);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "By keyboard", level: 1 }).waitFor();
    await tabTo(page, /^Vote for/);
    await keyboard.press("Space");
    await tabTo(page, /^Comment/);
    await keyboard.type("No mouse");
    await tabTo(page, /^Add comment/);
    await keyboard.press("Enter");
    await expect.poll(() => counts(slugOf(page))).toEqual([1, 1]);
    await page.reload();
    await page.locator(".vote[aria-pressed=true]").waitFor();
    await page.locator("strong", { hasText: "nights" }).waitFor();
    await page.getByText("No mouse").waitFor();
  });

  it("reads the time of a post in their own zone", async () => {
    const { slug } = await portal.post("Far in the east");
    const page = await portal.open(`/posts/${slug}`, undefined, { timeZone: "Asia/Tokyo" });
    const time = page.locator("time").first();
    const at = new Date((await time.getAttribute("datetime")) ?? "");
    const shown = at.toLocaleString("en", { timeZone: "Asia/Tokyo" });
    await expect.poll(() => time.getAttribute("title")).toBe(shown);
  });

  it("finds their choice of news after a reload", async () => {
    const token = await portal.join("Nell");
    const { slug } = await portal.post("Newsworthy", {}, token);
    const page = await portal.open(`/posts/${slug}`, token);
    await page.getByRole("button", { name: "Stop following" }).click();
    const follow = page.getByRole("button", { name: "Follow", exact: true });
    await follow.waitFor();
    await page.reload();
    await follow.click();
    await page.getByRole("button", { name: "Stop following" }).waitFor();
    await page.goto("/profile");
    const comments = page.getByRole("checkbox", { name: "All comments" });
    await comments.check();
    await page.getByRole("form", { name: "Mails" }).getByRole("button", { name: "Save" }).click();
    await said(page).getByText("Saved").waitFor();
    await page.reload();
    await expect.poll(() => comments.isChecked()).toBe(true);
  });
});
