import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import { holdBack, shiftSince } from "../support/process/steady.ts";

// Where things stand on the team's pages while they load, and while they are used.

const PHONE = { width: 390, height: 844 };
const WINDOWS = [PHONE, { width: 820, height: 1180 }, { width: 1440, height: 900 }];

/** For the page: what has moved since it was opened, but the foot, as elements with their classes. */
const MOVED = `new Promise((done) => {
  const moved = [];
  const nameOf = (node) => (node?.closest?.("footer") ? "" : [node?.nodeName, node?.className].join("."));
  const add = (list) => list.getEntries().forEach(({ sources }) => moved.push(...sources.map(({ node }) => nameOf(node))));
  new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => setTimeout(() => done(moved.filter(Boolean))));
})`;

const RIGHTS = "**/api/v1/users/permissions";

/** What moves on a page of which one answer comes last, once all else is there. */
async function movedBy(page: Page, last: string, path: string, shown: string, late: string): Promise<string[]> {
  const letGo = await holdBack(page, last);
  const asked = page.waitForRequest(last);
  await page.goto(path);
  await asked;
  await page.locator(shown).first().waitFor();
  // What is there is painted.
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  letGo();
  await page.locator(late).first().waitFor();
  return page.evaluate<string[]>(MOVED);
}

/**
 * How much a post moves while it opens by its link, or else from the list, if the rights of the reader are the last
 * thing that is read. After a press browsers excuse what moves, so from the list only what the rights move counts.
 */
async function shiftOf(page: Page, slug: string, isByLink: boolean): Promise<number> {
  const letGo = await holdBack(page, RIGHTS);
  const asked = page.waitForRequest(RIGHTS);
  await page.goto(isByLink ? `/posts/${slug}` : "/");
  await asked;
  if (!isByLink) await page.locator(`.row h2 a[href="/posts/${slug}"]`).click();
  await page.locator(".comment").first().waitFor();
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  const shown = await page.evaluate<number>("performance.now()");
  letGo();
  for (const late of [".for-team", "#edit-post", "[name=is_internal]"])
    await page.locator(late).waitFor({ state: "attached" });
  return page.evaluate<number>(shiftSince(isByLink ? 0 : shown));
}

/** How much a post moves while it opens by its link, if one answer comes last. */
async function shiftFor(page: Page, slug: string, last: string): Promise<number> {
  const letGo = await holdBack(page, last);
  const asked = page.waitForRequest(last);
  await page.goto(`/posts/${slug}`);
  await asked;
  await page.locator(".comment").first().waitFor();
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  letGo();
  await page.locator("#edit-post").waitFor();
  await page.getByRole("button", { name: "Stop following" }).waitFor();
  return page.evaluate<number>(shiftSince(0));
}

const topOf = async (part: Locator) => Math.round((await part.boundingBox())?.y ?? Number.NaN);
const middleOf = async (part: Locator) => {
  const { y, height } = (await part.boundingBox()) ?? { y: Number.NaN, height: 0 };
  return Math.round(y + height / 2);
};

/** Whether all of a part of the page is within the window, and within the column beside the post, which may scroll. */
async function isInSight(page: Page, part: Locator): Promise<boolean> {
  const box = await part.boundingBox();
  const column = await page.locator(".beside").boundingBox();
  if (!box || !column) return false;
  const bottom = Math.min(column.y + column.height, page.viewportSize()?.height ?? 0);
  return box.y >= Math.max(column.y, 0) && box.y + box.height <= bottom;
}

describe.skipIf(!BROWSER)("On the team's pages", () => {
  const portal = aPortal();

  /** Holds new posts of a person. */
  const hold = async (name: string, count: number): Promise<void> => {
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "all" });
    const person = await portal.join(name);
    for (let n = 0; n < count; n++) await portal.call("POST", "/posts", person, { title: `Held ${n}` });
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "none" });
  };

  it("a visitor finds no place kept for the team, whatever the browser remembers", async () => {
    const page = await portal.open("/");
    await page.evaluate("localStorage.setItem('team', 'yes')");
    await page.reload();
    expect(await page.locator("html[data-team]").count()).toBe(0);
  });

  it("nothing on a phone moves for the first steps, the number of the queue, or its toolbar", async () => {
    await portal.call("POST", "/boards", portal.owner, { name: "Web", display: true });
    await portal.call("POST", "/posts", await portal.join("Wim"), { title: "Waits" });
    await hold("Hedy", 9);
    const page = await portal.open("/", portal.owner, { viewport: PHONE });
    const people = "**/api/v1/users?*";
    expect(await movedBy(page, people, "/manage/waiting", "h1", ".steps")).toEqual([]);
    expect(await movedBy(page, "**/api/v1/moderation?*", "/manage/boards", ".rows", ".parts .badge")).toEqual([]);
    expect(await movedBy(page, "**/api/v1/moderation?*", "/manage/queue", "h1", ".queue .row")).toEqual([]);
  });

  it.for(WINDOWS)("a post stays in place for who reads it again, $width pixels wide", async (viewport) => {
    const { postId, slug } = await portal.post(`Seen ${viewport.width}`);
    await portal.call("POST", `/posts/${postId}/comments`, portal.owner, { body: "Soon" });
    const page = await portal.open("/", portal.owner, { viewport });
    await page.getByRole("link", { name: "Manage" }).waitFor();
    expect(await shiftOf(page, slug, true), "by its link").toBeLessThan(0.05);
    expect(await shiftOf(page, slug, false), "from the list").toBeLessThan(0.05);
  });

  it.for(WINDOWS)("a post stays in place for its author, who follows it, $width pixels wide", async (viewport) => {
    const author = await portal.join(`Author ${viewport.width}`);
    const { postId, slug } = await portal.post(`Own ${viewport.width}`, {}, author);
    await portal.call("POST", `/posts/${postId}/comments`, portal.owner, { body: "Soon" });
    const page = await portal.open("/", author, { viewport });
    for (const last of [RIGHTS, "**/api/v1/users/profile", "**/api/v1/posts/*/subscription"])
      expect(await shiftFor(page, slug, last), last).toBeLessThan(0.01);
  });

  it("a post whose tools do not load has its own Edit and Delete, and no empty place for the tools", async () => {
    const { slug } = await portal.post("Without tools");
    const page = await portal.open("/", portal.owner, { viewport: PHONE });
    await page.route("**/assets/manage-*", (route) => route.abort());
    await page.goto(`/posts/${slug}`);
    const own = page.locator(".content > .actions");
    await own.getByRole("button", { name: "Edit" }).waitFor();
    await own.getByRole("button", { name: "Delete" }).waitFor();
    await page.locator("html:not([data-team])").waitFor();
  });

  it("what stands above the comments of a post leaves their order free, and has its sign beside it", async () => {
    const { postId, slug } = await portal.post("Locked later");
    for (const body of ["First", "Second"])
      await portal.call("POST", `/posts/${postId}/comments`, portal.owner, { body });
    const member = await portal.join("Wanda");
    const page = await portal.open(`/posts/${slug}?wants=comment`, member, { viewport: PHONE });
    // The page scrolls to the form, which has the keyboard.
    await page.locator("textarea:focus").waitFor();
    const wanted = await topOf(page.getByText("You wanted to comment on this."));
    const tabs = await page.locator(".of-comments").boundingBox();
    expect(wanted).toBeGreaterThan((tabs?.y ?? Number.NaN) + (tabs?.height ?? 0));
    await portal.call("PATCH", "/posts", portal.owner, { id: postId, isLocked: true });
    await page.reload();
    const locked = page.getByText("This post is locked");
    const sign = await topOf(locked.locator(".icon"));
    expect(sign - (await topOf(locked))).toBeLessThan(8);
    expect((await locked.boundingBox())?.height).toBeLessThan(50);
  });

  const LAPTOPS = [
    { width: 1024, height: 800 },
    { width: 1440, height: 800 },
    { width: 1920, height: 1000 },
  ];

  it.for(LAPTOPS)(
    "the team writes beside a post, and sees what it then presses, $width pixels wide",
    async (viewport) => {
      const of = `Night ${viewport.width}`;
      for (const n of [1, 2, 3, 4, 5]) await portal.post(`${of} colours ${n}`);
      const { postId, slug } = await portal.post(`${of} colours`);
      for (let n = 0; n < 9; n++)
        await portal.call("POST", `/posts/${postId}/comments`, portal.owner, { body: `${n}\n\nand more\n\nof it` });
      const page = await portal.open(`/posts/${slug}`, portal.owner, { viewport });
      const inSight = (part: Locator) => expect.poll(() => isInSight(page, part), { message: `${part}` }).toBe(true);
      const answering = page.getByRole("form", { name: "Respond" });
      await page.getByRole("button", { name: "Respond", exact: true }).click();
      await inSight(answering.getByRole("button", { name: "Save" }));
      const response = page.getByRole("textbox", { name: "Response" });
      await inSight(response);
      expect((await response.boundingBox())?.width).toBeGreaterThan(270);
      await page.locator("summary", { hasText: "Respond" }).click();
      // Also from far below.
      for (const isFar of [false, true]) {
        await page.evaluate(isFar ? "scrollTo(0, document.body.scrollHeight)" : "scrollTo(0, 0)");
        const voting = page.locator("summary", { hasText: "Vote on behalf of" });
        await voting.click();
        await inSight(page.getByRole("button", { name: "Add the vote" }));
        await voting.click();
      }
      const merging = page.locator("details.panel .panel", { hasText: "Merge with another post" });
      await merging.locator("summary").click();
      await merging.getByRole("searchbox").fill(`${of} colours 3`);
      await inSight(merging.getByRole("status"));
      await inSight(merging.locator(".item", { hasText: `${of} colours 3` }));
      await merging.getByRole("button", { name: `Merge into this one ${of} colours 3` }).click();
      await inSight(page.getByRole("heading", { name: `Merge “${of} colours” into` }));
      await inSight(merging.getByRole("button", { name: "Merge", exact: true }));
    },
  );

  it("what decides is in sight on a phone once something is selected, however far one has scrolled", async () => {
    const page = await portal.open("/manage/queue", portal.owner, { viewport: PHONE });
    const rows = page.locator(".queue .row");
    await rows.first().waitFor();
    const top = await topOf(rows.first());
    // Before that it covers nothing, and stands below the rows.
    const bar = page.locator(".decisions");
    expect(await topOf(bar)).toBeGreaterThan(await topOf(rows.last()));
    await rows.first().getByRole("checkbox").check();
    const approve = page.getByRole("button", { name: "Approve 1 selected" });
    await approve.waitFor();
    expect(await topOf(rows.first())).toBe(top);
    // One row of buttons.
    expect((await bar.boundingBox())?.height).toBeLessThan(64);
    await bar.getByRole("button", { name: "More about 1 selected" }).click();
    await bar.getByRole("button", { name: /^Decline and suspend the author/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    for (const row of [rows.nth(3), rows.last()]) {
      await row.scrollIntoViewIfNeeded();
      const { y, height } = (await approve.boundingBox()) ?? { y: Number.NaN, height: 0 };
      expect(y).toBeGreaterThan(0);
      expect(y + height).toBeLessThanOrEqual(PHONE.height);
    }
  });

  it("grey places have the form of what takes them", async () => {
    const page = await portal.open("/manage/export", portal.owner, { viewport: { width: 1440, height: 900 } });
    const placesOf = async (shown: string) => {
      await page.locator(shown).first().waitFor();
      const boxes = await Promise.all((await page.locator(shown).all()).slice(0, 4).map((part) => part.boundingBox()));
      return boxes.map((box) => [box?.x, box?.y, box?.width, box?.height].map((side) => side ?? Number.NaN));
    };
    for (const [path, grey, shown] of [
      ["figures?from=2024-01-01&to=2024-01-30", ".plots-later span:not(:first-child)", ".plot"],
      ["boards", ".parts ~ .skeleton span", ".rows > .item"],
      ["people", ".parts ~ .skeleton span", ".rows > .item"],
    ] as const) {
      const letGo = await holdBack(page, /api\/v1\/(stats|boards|users\?)/);
      await page.goto(`/manage/${path}`);
      const before = await placesOf(grey);
      letGo();
      const after = await placesOf(shown);
      const moved = after.flatMap((box, n) => box.map((side, at) => Math.abs(side - (before[n]?.[at] ?? Number.NaN))));
      expect(Math.max(...moved), path).toBeLessThan(28);
    }
  });

  it("the name of each page and its number are one line", async () => {
    await portal.post("Waits for its number", {}, await portal.join("Nils"));
    for (const language of ["en", "de", "es", "fr", "pt", "ja"]) {
      const page = await portal.open("/manage/waiting", portal.owner, { language });
      await page.locator(".parts a .badge").first().waitFor();
      const names = page.locator(".parts a");
      const heights = await names.evaluateAll((all) => all.map((each) => each.clientHeight));
      expect(Math.max(...heights), language).toBeLessThan(40);
    }
  });

  it("a button stays beside its field, and fields beside each other, when one has a problem", async () => {
    const page = await portal.open("/manage/boards", portal.owner);
    const name = page.getByLabel("New board");
    await name.fill("Feedback");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.locator(".problem", { hasText: "Feedback" }).waitFor();
    const add = page.getByRole("button", { name: "Add", exact: true });
    expect(await middleOf(add)).toBe(await middleOf(name));
    expect((await add.boundingBox())?.x).toBeGreaterThan((await name.boundingBox())?.x ?? Number.NaN);
    await page.goto("/manage/site");
    const logo = page.getByLabel("Logo URL");
    await logo.fill("http://x");
    await page.getByRole("button", { name: "Save" }).first().click();
    await page.locator(".problem", { hasText: "not http://" }).waitFor();
    expect(await topOf(page.getByLabel("Icon URL"))).toBe(await topOf(logo));
  });

  it("the menu of a row leaves the buttons of the other rows free", async () => {
    const page = await portal.open("/manage/boards", portal.owner, { viewport: PHONE });
    const buttons = page.locator(".unfold");
    await buttons.first().click();
    const menu = await page.locator(".actions[data-open=true]").boundingBox();
    const next = await buttons.nth(1).boundingBox();
    if (!menu || !next) throw new Error("no menu, or no other row");
    const isBeside = menu.x + menu.width <= next.x;
    const isAbove = menu.y + menu.height <= next.y;
    expect(isBeside || isAbove).toBe(true);
  });

  it("a chosen value is read whole on a phone, in a language with long words", async () => {
    const page = await portal.open("/manage/waiting", portal.owner, { viewport: PHONE, language: "fr" });
    const selects = page.locator(".bar select");
    await selects.nth(1).waitFor();
    const cut = selects.evaluateAll((all) =>
      all.map((each) => {
        const { clientWidth } = each;
        (each as { style: { cssText: string } }).style.cssText = "flex: none; width: max-content; max-width: none";
        return each.clientWidth > clientWidth;
      }),
    );
    expect(await cut).toEqual([false, false]);
  });

  it("the outcome of a test stands by its button, whatever the row has open", async () => {
    const body = { url: "https://hooks.example.com/in", events: ["post.created"] };
    await portal.call("POST", "/webhooks", portal.owner, body);
    const page = await portal.open("/manage/webhooks", portal.owner, { viewport: { width: 1440, height: 900 } });
    const row = page.locator(".rows > .item");
    await row.locator("summary").first().click();
    await row.getByRole("heading", { name: "Latest deliveries" }).waitFor();
    const test = row.getByRole("button", { name: "Send a test" });
    const place = async () => (await row.locator("summary").first().boundingBox())?.y;
    const before = await place();
    await test.click();
    const outcome = row.locator(".outcome:not(:empty)");
    await outcome.waitFor();
    // The name of the row stays where it is.
    expect(await place()).toBe(before);
    expect(Math.abs((await middleOf(outcome)) - (await middleOf(test)))).toBeLessThan(64);
    expect(await outcome.innerText()).toBe("hooks.example.com was not found. Check the address.");
    await row.getByText("No events have been sent yet. Tests are not listed").waitFor();
  });

  it("what turns a post on and off is one width, and a choice of a role keeps its own beside a problem", async () => {
    const { postId, slug } = await portal.post("Pinned and locked");
    await portal.call("PATCH", "/posts", portal.owner, { id: postId, isLocked: true, isPinned: true });
    const page = await portal.open(`/posts/${slug}`, portal.owner, { viewport: { width: 1440, height: 900 } });
    const widthOf = async (part: Locator) => (await part.boundingBox())?.width ?? Number.NaN;
    const unpin = page.getByRole("button", { name: "Unpin" });
    expect(await widthOf(unpin)).toBe(await widthOf(page.getByRole("button", { name: "Unlock" })));
    await portal.join("Rolf");
    await page.goto("/manage/people");
    const row = page.locator(".person", { hasText: "Rolf" });
    const role = row.getByRole("combobox", { name: "Role of Rolf" });
    const before = await widthOf(role);
    // The word of the owner stands where roles are chosen.
    const owner = page.locator(".person > .quiet-text");
    expect(await owner.evaluate((each) => each.getBoundingClientRect().x)).toBe((await role.boundingBox())?.x);
    await role.selectOption("Moderator");
    const [save, further] = await Promise.all([
      row.getByRole("button", { name: "Save" }).boundingBox(),
      row.getByRole("button", { name: "More about Rolf" }).boundingBox(),
    ]);
    expect(further && save && further.x - save.x - save.width).toBeGreaterThanOrEqual(8);
    const [user] = (await portal.call("GET", "/users?q=rolf", portal.owner)).body.users;
    await portal.call("PATCH", `/users/${user.userId}`, portal.owner, { role: "suspended" });
    await row.getByRole("button", { name: "Save" }).click();
    await row.getByRole("alert").getByText("This was changed in the meantime").waitFor();
    expect(await widthOf(role)).toBe(before);
  });
});
