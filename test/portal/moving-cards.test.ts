import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { disturbCalls, type Fault } from "../support/process/disturbed-calls.ts";
import { aPortal } from "../support/process/portal.ts";
import { holdBack, scriptAnswers, shiftSince } from "../support/process/steady.ts";

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const FINDINGS = "axe.run(document).then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ' ' + n.target)))";
const LOADED = "performance.getEntriesByType('resource').map(({ name }) => name)";
/** The pixels between the button of a notice and the text before it. */
const GAP_BEFORE = `(() => {
  const button = document.querySelector(".notice p button");
  const text = document.createRange();
  text.selectNode(button.previousSibling);
  return button.getBoundingClientRect().left - text.getBoundingClientRect().right;
})()`;
const BUSY: Fault = { status: 503, json: { message: "Busy", code: "SERVER_ERROR" } };

const focused = (page: Page) => page.locator(":focus").innerText();
const hasFocus = (part: Locator) => part.evaluate((each) => each.matches(":focus"));
const column = (page: Page, name: string) => page.getByRole("region", { name: new RegExp(`^${name} `) });
const titles = (part: Locator) => part.locator("li > div > a").allInnerTexts();
const mover = (page: Page, title: string) => page.getByRole("button", { name: `Move “${title}”`, exact: true });
const way = (page: Page, words: string) => page.getByRole("button", { name: words });
const notice = (page: Page, words: string) => page.locator(".notice", { hasText: words });

describe.skipIf(!BROWSER)("A card of the roadmap", () => {
  const portal = aPortal();
  let made = 0;

  /** Two roadmaps of their own, the first one with these posts, the last of them on top. */
  async function aRoadmap(...names: string[]) {
    made++;
    const roadmaps: { id: string; name: string }[] = [];
    for (const name of [`Now ${made}`, `Next ${made}`]) {
      const { roadmap } = (await portal.call("POST", "/roadmaps", portal.owner, { name })).body;
      await portal.call("PATCH", "/roadmaps", portal.owner, { id: roadmap.id, display: true });
      roadmaps.push(roadmap);
    }
    const [now, next] = roadmaps as [(typeof roadmaps)[0], (typeof roadmaps)[0]];
    const posts: { postId: string; slug: string; title: string }[] = [];
    for (const name of names) {
      const { post } = (await portal.call("POST", "/posts", portal.owner, { title: `${name} ${made}` })).body;
      posts.push(post);
      await put(post, now.id);
    }
    const listed = async () =>
      (await portal.call("POST", "/posts/get", portal.owner, { sort: "top", first: 50, roadmapId: now.id })).body.posts
        .length;
    await expect.poll(listed, { timeout: 60_000 }).toBe(names.length);
    return { now, next, posts };
  }

  const put = ({ postId }: { postId: string }, roadmapId: string | null) =>
    portal.call("PATCH", "/posts", portal.owner, { id: postId, roadmapId });

  async function roadmapOf({ slug }: { slug: string }): Promise<string | undefined> {
    return (await portal.call("POST", "/posts/slug", portal.owner, { slug })).body.post.roadmap?.name;
  }

  it("is moved by keyboard to its place in another column, with the counts of both, and off the roadmap", async () => {
    const { now, next, posts } = await aRoadmap("Low", "High", "Middle");
    const [low, high, middle] = posts as [(typeof posts)[0], (typeof posts)[0], (typeof posts)[0]];
    const member = await portal.join(`Voter ${made}`);
    await portal.call("POST", "/votes", member, { postId: high.postId });
    const page = await portal.open("/roadmap", portal.owner);
    const from = column(page, now.name);
    const to = column(page, next.name);
    const press = async (title: string, words: string) => {
      await mover(page, title).press("Enter");
      const button = way(page, words);
      await button.waitFor();
      // From the first way on, all follow each other.
      for (let n = 0; n < 9 && !(await hasFocus(button)); n++) await page.keyboard.press("Tab");
      expect(await hasFocus(button)).toBe(true);
      await page.keyboard.press("Enter");
    };
    for (const { title } of [middle, high, low]) {
      await press(title, `Move to ${next.name} ${title}`);
      await notice(page, `is now in ${next.name}.`).waitFor();
      await expect.poll(() => focused(page)).toBe(title);
    }
    // The one with a vote first, of the others the newest.
    expect(await titles(to)).toEqual([high.title, middle.title, low.title]);
    await from.getByText("No posts", { exact: false }).waitFor();
    for (const [name, n] of [
      [now.name, 0],
      [next.name, 3],
    ]) {
      await page.getByRole("heading", { name: `${name} ${n} posts` }).waitFor();
      expect(await page.locator(".jumps a", { hasText: `${name}` }).textContent()).toContain(`${n} posts`);
    }
    expect(await Promise.all(posts.map(roadmapOf))).toEqual([next.name, next.name, next.name]);

    await press(middle.title, `Take off the roadmap ${middle.title}`);
    await notice(page, `“${middle.title}” is no longer on the roadmap.`).waitFor();
    // The keyboard is at the card that has taken its place.
    await expect.poll(() => focused(page)).toBe(low.title);
    await page.getByRole("heading", { name: `${next.name} 2 posts` }).waitFor();
    expect(await roadmapOf(middle)).toBeUndefined();

    // Arrow keys go around among the ways.
    await mover(page, low.title).press("Enter");
    const off = way(page, `Take off the roadmap ${low.title}`);
    await off.waitFor();
    const ways = off.locator("xpath=..").getByRole("button");
    for (const [key, at] of [
      ["ArrowDown", 0],
      ["ArrowUp", -1],
      ["ArrowDown", 0],
      ["End", -1],
      ["Home", 0],
    ] as const) {
      await page.keyboard.press(key);
      expect(await hasFocus(ways.nth(at))).toBe(true);
    }
    await page.keyboard.press("Escape");
    // One of them unfolds the ways too, and is at the first or at the last.
    for (const [key, at] of [
      ["ArrowDown", 0],
      ["ArrowUp", -1],
    ] as const) {
      await mover(page, low.title).press(key);
      await expect.poll(() => hasFocus(ways.nth(at))).toBe(true);
      await page.keyboard.press("Escape");
      await off.waitFor({ state: "detached" });
    }
    // Escape folds the ways, and a press elsewhere does too.
    await mover(page, low.title).press("Enter");
    await way(page, `Take off the roadmap ${low.title}`).focus();
    await page.keyboard.press("Escape");
    await expect.poll(() => mover(page, low.title).getAttribute("aria-expanded")).toBe("false");
    expect(await hasFocus(mover(page, low.title))).toBe(true);
    await mover(page, low.title).click();
    await mover(page, high.title).click();
    await way(page, `Take off the roadmap ${high.title}`).waitFor();
    expect(await way(page, `Take off the roadmap ${low.title}`).count()).toBe(0);
  });

  it("moves no other card while its menu is open, which is whole within the window", async () => {
    const { now, posts } = await aRoadmap("Below", "Above");
    const [below, above] = posts as [(typeof posts)[0], (typeof posts)[0]];
    const page = await portal.open("/roadmap", portal.owner);
    const places = async () => [
      await column(page, now.name).boundingBox(),
      await column(page, now.name).getByRole("link", { name: below.title }).boundingBox(),
    ];
    await mover(page, above.title).waitFor();
    const before = await places();
    await mover(page, above.title).click();
    const last = way(page, `Take off the roadmap ${above.title}`);
    await last.waitFor();
    expect(await places()).toEqual(before);
    expect(await last.evaluate((each) => each.closest(":popover-open") !== null)).toBe(true);
    // Also at the foot of the window: the whole menu is within it.
    await page.keyboard.press("Escape");
    const { y = 0 } = (await mover(page, below.title).boundingBox()) ?? {};
    await page.setViewportSize({ width: 1280, height: Math.ceil(y) + 60 });
    await mover(page, below.title).click();
    const menu = page.locator(":popover-open");
    const { x: left = -1, y: top = -1, width = 0, height = 0 } = (await menu.boundingBox()) ?? {};
    const opener = await mover(page, below.title).boundingBox();
    expect(left + width).toBeCloseTo((opener?.x ?? 0) + (opener?.width ?? 0), 0);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top + height).toBeLessThanOrEqual(Math.ceil(y) + 60);
  });

  it("has a menu whose rules browsers without popovers read too", () => {
    // A selector that they do not know ends a rule, also within `:not`.
    expect(readFileSync("portal/style.css", "utf8")).not.toMatch(/:not\([^)]*:popover-open/);
  });

  it("goes back where it was by the notice, from another column and from off the roadmap", async () => {
    const { now, next, posts } = await aRoadmap("Slip");
    const [slip] = posts as [(typeof posts)[0]];
    const page = await portal.open("/roadmap", portal.owner);
    await page.clock.install();
    await page.reload();
    const undo = page.getByRole("button", { name: "Undo" });
    for (const words of [`Move to ${next.name}`, "Take off the roadmap"]) {
      await mover(page, slip.title).click();
      await way(page, `${words} ${slip.title}`).click();
      await column(page, now.name).getByText("No posts", { exact: false }).waitFor();
      await undo.waitFor();
      expect(await page.evaluate<number>(GAP_BEFORE)).toBeGreaterThan(4);
      await undo.press("Enter");
      await notice(page, `“${slip.title}” is now in ${now.name}.`).waitFor();
      expect(await titles(column(page, now.name))).toEqual([slip.title]);
      await page.getByRole("heading", { name: `${now.name} 1 post` }).waitFor();
      await expect.poll(() => focused(page)).toBe(slip.title);
      expect(await roadmapOf(slip)).toBe(now.name);
    }
    // Another person was faster: the move stays.
    await mover(page, slip.title).click();
    await way(page, `Move to ${next.name} ${slip.title}`).click();
    await notice(page, `is now in ${next.name}.`).waitFor();
    await put(slip, null);
    // The way back stays: a keyboard takes its time to come there.
    await page.clock.runFor(60_000);
    await undo.click();
    await notice(page, "This post has changed meanwhile.").waitFor();
    expect(await titles(column(page, next.name))).toEqual([]);
  });

  it("is dragged to another column, by its title as well, and stays where it is dropped elsewhere", async () => {
    const { now, next, posts } = await aRoadmap("Dragged", "Stays");
    const [dragged, stays] = posts as [(typeof posts)[0], (typeof posts)[0]];
    const page = await portal.open("/roadmap", portal.owner);
    await mover(page, stays.title).waitFor();
    const to = column(page, next.name);
    await column(page, now.name).getByRole("link", { name: dragged.title }).dragTo(to.getByRole("heading"));
    await notice(page, `“${dragged.title}” is now in ${next.name}.`).waitFor();
    expect(await titles(to)).toEqual([dragged.title]);
    expect(await roadmapOf(dragged)).toBe(next.name);
    await column(page, now.name)
      .getByRole("listitem")
      .dragTo(page.getByRole("heading", { level: 1 }));
    await to.getByRole("listitem").dragTo(to.getByRole("heading"));
    expect(await Promise.all([dragged, stays].map(roadmapOf))).toEqual([next.name, now.name]);
    expect(await page.locator("[data-target]").count()).toBe(0);
  });

  it("comes with the rest of a column whose first page ends above it", async () => {
    const { now, next, posts } = await aRoadmap("Old", ...Array.from({ length: 21 }, (_, n) => `Wish ${n}`));
    const [old] = posts as [(typeof posts)[0]];
    await put(old, next.id);
    const page = await portal.enter(portal.owner);
    const to = column(page, next.name);
    await expect.poll(() => page.goto("/roadmap").then(() => titles(to))).toEqual([old.title]);
    await mover(page, old.title).click();
    await way(page, `Move to ${now.name} ${old.title}`).click();
    await notice(page, `is now in ${now.name}.`).waitFor();
    await page.getByRole("heading", { name: `${now.name} 22 posts` }).waitFor();
    expect(await titles(column(page, now.name))).toHaveLength(20);
    // Its old column is empty: its heading has the keyboard.
    await expect.poll(() => focused(page)).toContain(next.name);
  });

  it("stays where it was if the move fails, says why beside it, and can be moved then", async () => {
    const { now, next, posts } = await aRoadmap("Stays");
    const [post] = posts as [(typeof posts)[0]];
    const page = await portal.enter(portal.owner);
    let fault: Fault | undefined = BUSY;
    await disturbCalls(page, ({ method }) => (method === "PATCH" ? fault : undefined));
    await page.goto("/roadmap");
    const card = column(page, now.name).getByRole("listitem");
    const button = way(page, `Move to ${next.name} ${post.title}`);
    await mover(page, post.title).click();
    const menu = page.locator(":popover-open");
    const { x, width } = (await menu.boundingBox()) ?? {};
    for (const [each, words] of [
      [BUSY, "The service is busy"],
      ["no answer", "No connection to the site."],
    ] as const) {
      fault = each;
      await button.click();
      await card.getByRole("alert").getByText(words).waitFor();
      expect(await menu.boundingBox()).toMatchObject({ x, width });
      expect(await hasFocus(button)).toBe(true);
    }
    await page.evaluate(AXE);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(FINDINGS)).toEqual([]);
    }
    fault = undefined;
    await button.click();
    await notice(page, `is now in ${next.name}.`).waitFor();
    expect(await titles(column(page, next.name))).toEqual([post.title]);
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("is shown as it is now if another change was faster", async () => {
    const { now, next, posts } = await aRoadmap("Renamed", "Moved", "Same", "Gone");
    const [renamed, moved, same, gone] = posts as [
      (typeof posts)[0],
      (typeof posts)[0],
      (typeof posts)[0],
      (typeof posts)[0],
    ];
    const third = (await portal.call("POST", "/roadmaps", portal.owner, { name: `Third ${made}` })).body.roadmap;
    const page = await portal.open("/roadmap", portal.owner);
    const press = async (title: string) => {
      await mover(page, title).click();
      await way(page, `Move to ${next.name} ${title}`).click();
    };
    await mover(page, renamed.title).waitFor();
    const title = `Another name ${made}`;
    await portal.call("PATCH", "/posts", portal.owner, { id: renamed.postId, title });
    await put(moved, third.id);
    await put(same, next.id);
    await put(gone, null);

    // Another field has changed: it stays, and the next press moves it.
    await press(renamed.title);
    const card = column(page, now.name).getByRole("listitem").filter({ hasText: title });
    await card.getByRole("alert").getByText("This post has changed meanwhile.").waitFor();
    await way(page, `Move to ${next.name} ${title}`).click();
    await notice(page, `is now in ${next.name}.`).waitFor();

    await press(moved.title);
    await notice(page, "This post has changed meanwhile.").waitFor();
    expect(await titles(column(page, third.name))).toEqual([moved.title]);
    await expect.poll(() => focused(page)).toBe(moved.title);

    // Another person had the same in mind.
    await press(same.title);
    await notice(page, `is now in ${next.name}.`).waitFor();
    expect(await titles(column(page, next.name))).toEqual([same.title, title]);

    await press(gone.title);
    await notice(page, `“${gone.title}” is no longer on the roadmap.`).waitFor();
    await column(page, now.name).getByText("No posts", { exact: false }).waitFor();
    expect(await Promise.all(posts.slice(1).map(roadmapOf))).toEqual([third.name, next.name, undefined]);
  });

  it("has what moves it for the team alone, whose file nobody else loads", async () => {
    const { now, posts } = await aRoadmap("For all");
    const [post] = posts as [(typeof posts)[0]];
    for (const token of [undefined, await portal.join(`Reader ${made}`)]) {
      const page = await portal.open("/roadmap", token);
      await column(page, now.name).getByRole("link", { name: post.title }).waitFor();
      if (token) await page.getByRole("button", { name: "Account" }).waitFor();
      expect(await page.getByRole("button", { name: /^Move/ }).count()).toBe(0);
      expect(((await page.evaluate(LOADED)) as string[]).filter((name) => name.includes("/assets/manage"))).toEqual([]);
    }
  });

  it("moves nothing when what moves it comes, in a browser that the team reads with", async () => {
    const { posts } = await aRoadmap("A long title that takes some lines in a column of the roadmap");
    const [post] = posts as [(typeof posts)[0]];
    const page = await portal.open("/roadmap", portal.owner);
    await mover(page, post.title).waitFor();
    const letGo = await holdBack(page, "**/assets/manage-*");
    await page.reload();
    await page.getByRole("link", { name: post.title }).waitFor();
    await scriptAnswers(page);
    letGo();
    await mover(page, post.title).waitFor();
    expect(await page.evaluate(shiftSince(0))).toBeLessThan(0.01);
  });

  it("is moved by touch within 390 pixels, by a button that a finger meets", async () => {
    const { next, posts } = await aRoadmap("Touched", "Other");
    const [post] = posts as [(typeof posts)[0]];
    const context = await portal.enterAlone({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const page = await context.newPage();
    await page.goto("/robots.txt");
    await page.evaluate(`localStorage.setItem("token", ${JSON.stringify(portal.owner)})`);
    await page.goto("/roadmap");
    const button = mover(page, post.title);
    await button.tap();
    const choice = way(page, `Move to ${next.name} ${post.title}`);
    for (const each of [button, choice]) {
      const { width = 0, height = 0 } = (await each.boundingBox()) ?? {};
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(40);
    }
    await page.evaluate(AXE);
    expect(await page.evaluate(FINDINGS)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await choice.tap();
    await notice(page, `is now in ${next.name}.`).waitFor();
    expect(await titles(column(page, next.name))).toEqual([post.title]);
    await expect.poll(() => focused(page)).toBe(post.title);
    const { y = -1 } = (await page.getByRole("link", { name: post.title }).boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(844);
  });

  it("opens its post from any spot, but for what else can be pressed on it", async () => {
    const { now, next, posts } = await aRoadmap("Opened");
    const [post] = posts as [(typeof posts)[0]];
    const { board } = (await portal.call("POST", "/boards", portal.owner, { name: `Board ${made}` })).body;
    await portal.call("PATCH", "/posts", portal.owner, { id: post.postId, boardId: board.boardId });
    for (const token of [await portal.join(`Presser ${made}`), portal.owner]) {
      const page = await portal.open("/roadmap", token);
      const card = column(page, now.name).getByRole("listitem");
      const vote = card.getByRole("button", { name: "Vote for" });
      if (token === portal.owner) {
        await mover(page, post.title).click();
        await way(page, `Move to ${next.name} ${post.title}`).waitFor();
        await page.keyboard.press("Escape");
      }
      const was = await vote.getAttribute("aria-pressed");
      await vote.click();
      await vote.and(page.locator(`[aria-pressed=${was === "false"}]`)).waitFor();
      await card.getByRole("link", { name: board.name }).click();
      await page.waitForURL(`**/boards/${board.url}`);
      await page.goBack();
      const { width = 0, height = 0 } = (await card.boundingBox()) ?? {};
      // Near its corner, far from any word.
      await card.click({ position: { x: width - 20, y: height - 6 } });
      await page.waitForURL(`**/posts/${post.slug}`);
    }
    // What drags it is the spot that opens it.
    const page = await portal.open("/roadmap", portal.owner);
    await mover(page, post.title).waitFor();
    const card = column(page, now.name).getByRole("listitem");
    const { width = 0, height = 0 } = (await card.boundingBox()) ?? {};
    const sourcePosition = { x: width - 20, y: height - 6 };
    await card.dragTo(column(page, next.name).getByRole("heading"), { sourcePosition });
    await notice(page, `is now in ${next.name}.`).waitFor();
  });

  it("has the dot of its board at the first line of a long name", async () => {
    const { posts } = await aRoadmap("Dotted");
    const name = "Sharing and permissions of teams, guests and their guests";
    const { board } = (await portal.call("POST", "/boards", portal.owner, { name })).body;
    await portal.call("PATCH", "/posts", portal.owner, { id: posts[0]?.postId, boardId: board.boardId });
    const page = await portal.open("/roadmap", portal.owner, { viewport: { width: 1440, height: 900 } });
    const badge = page.locator(".cards .badge", { hasText: name });
    const dot = await badge.locator(".dot").boundingBox();
    const words = await badge.locator("bdi").boundingBox();
    if (!dot || !words) throw new Error("no badge");
    // On the first of two lines or more.
    expect(words.height).toBeGreaterThan(2 * dot.height);
    expect(dot.y - words.y).toBeLessThan(dot.height);
  });
});
