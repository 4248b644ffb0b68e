import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import { typeTitle } from "../support/process/steady.ts";

async function edgesOf(element: Locator): Promise<{ left: number; right: number }> {
  const { x = 0, width = 0 } = (await element.boundingBox()) ?? {};
  return { left: Math.round(x), right: Math.round(x + width) };
}

/** Where the words of a button begin. */
function wordsOf(button: Locator): Promise<number> {
  return button.evaluate((element) => {
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    return Math.round(range.getBoundingClientRect().left);
  });
}

/** How the words of a link stand, and whether it looks like one. */
function styleOf(link: Locator): Promise<string[]> {
  return link.evaluate((element) => {
    const { textAlign, textDecorationLine } = element.ownerDocument.defaultView.getComputedStyle(element);
    return [textAlign, textDecorationLine];
  });
}

const PHONE = { width: 390, height: 844 };

describe.skipIf(!BROWSER)("What stands below each other", () => {
  const portal = aPortal();

  it("has one edge on the narrowest phone: the links of the header and what is below", async () => {
    const page = await portal.open("/", undefined, { viewport: { width: 320, height: 640 } });
    const header = page.getByRole("banner");
    const words = await wordsOf(header.getByRole("link", { name: "Posts", exact: true }));
    expect(words).toBe((await edgesOf(page.getByRole("main").getByRole("heading").first())).left);
  });

  it("has one edge in a post and beside it: buttons, a form and what belongs to them", async () => {
    const { slug } = await portal.post("With a box beside it");
    const page = await portal.open(`/posts/${slug}`, await portal.join("Edda"), {
      viewport: { width: 1440, height: 900 },
    });
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    const follow = page.getByRole("button", { name: "Stop following" });
    await follow.waitFor();
    const sentence = page.locator(".beside .quiet-text", { hasText: "once your email address is confirmed" });
    expect((await edgesOf(sentence)).left).toBe((await edgesOf(follow)).left);
    expect(await styleOf(page.getByRole("button", { name: "Send another link" }))).toContain("underline");
    const report = page.getByRole("button", { name: "Report" });
    const edges = await edgesOf(page.locator(".content .by"));
    expect(Math.abs((await wordsOf(report)) - edges.left)).toBeLessThanOrEqual(1);
    await report.click();
    const field = page.locator(".content textarea");
    await field.waitFor();
    expect(await edgesOf(field)).toEqual(edges);
    // The form stands where its button did.
    expect(await page.locator(".content > .actions").isVisible()).toBe(false);
    const send = page.getByRole("form", { name: "Report" }).getByRole("button", { name: "Report" });
    expect((await edgesOf(send)).left).toBe(edges.left);
  });

  it.each([
    ["de", 320],
    ["fr", 320],
    ["fr", 390],
  ])(
    "has the button for a post in the line of the heading, or fills a line with it: %s, %i",
    async (language, width) => {
      const page = await portal.open("/", undefined, { language, viewport: { width, height: 844 } });
      const button = await edgesOf(page.locator(".head > .button"));
      const heading = await edgesOf(page.locator("h1"));
      const head = await edgesOf(page.locator(".head"));
      expect(button.right).toBe(head.right);
      if (button.left < heading.right) expect(button.left).toBe(head.left);
    },
  );

  it("leaves no dot between facts at an edge of a line, which begins where the first one does", async () => {
    const token = await portal.join("Maximiliana Featherstonehaugh of the Lower Meadows");
    const { slug } = await portal.post("By a person with a long name", {}, token);
    const page = await portal.open(`/posts/${slug}`, undefined, { viewport: { width: 320, height: 640 } });
    const by = page.locator(".content .by");
    const edges = async () =>
      [await edgesOf(by.locator("bdi")), await edgesOf(by.locator("time"))].map((each) => each.left);
    const [name, time] = await edges();
    expect(time).toBe(name);
    const cut = "getComputedStyle(document.querySelector('.content .by > span')).clipPath";
    expect(await page.evaluate(cut)).toContain("inset");
    await page.setViewportSize({ width: 1280, height: 640 });
    const [left = 0, behind = 0] = await edges();
    expect(behind).toBeGreaterThan(left);
    const dot = "getComputedStyle(document.querySelector('.content .by time').parentElement, '::before').content";
    expect(await page.evaluate(dot)).toBe('"·"');
  });

  it("says in each row of a phone how old a post is, and in one's own its status", async () => {
    const token = await portal.join("Oona");
    await portal.post("Of a known age", {}, token);
    const page = await portal.open("/?order=newest", token, { viewport: PHONE });
    const row = page.locator(".row", { hasText: "Of a known age" });
    await row.locator("time").waitFor();
    expect(await row.getByText("Open", { exact: true }).count()).toBe(0);
    await page.goto("/my/posts");
    await row.getByText("Open", { exact: true }).waitFor();
    await row.locator("time").waitFor();
  });

  it("fills the lines of a phone: the buttons of a post, and the parts of an account within them", async () => {
    const { slug } = await portal.post("On a small phone");
    const reader = { language: "de", viewport: { width: 360, height: 780 } };
    const page = await portal.open(`/posts/${slug}`, await portal.join("Susi"), reader);
    const line = await edgesOf(page.locator(".beside .actions"));
    expect((await edgesOf(page.getByRole("button", { name: "Link kopieren" }))).right).toBe(line.right);
    await page.goto("/profile");
    const parts = page.locator("nav.own");
    await parts.waitFor();
    expect((await edgesOf(parts.getByRole("link").last())).right).toBeLessThanOrEqual((await edgesOf(parts)).right);
  });

  it("begins at one edge where a code is asked for, and shows as links what leads elsewhere", async () => {
    await portal.withTwoFactor(await portal.join("Zoe"));
    const page = await portal.open("/sign-in", undefined, { viewport: PHONE, language: "de" });
    await page.getByLabel("E-Mail").fill("zoe@example.com");
    await page.locator("[name=password]").fill("correct horse");
    await page.keyboard.press("Enter");
    const form = page.locator("form", { has: page.locator("[name=code]") });
    const recovery = form.getByRole("button", { name: "Ersatzcode" });
    await recovery.waitFor();
    const edge = (await edgesOf(form.locator("[name=code]"))).left;
    const again = page.getByRole("button", { name: "Von vorn" });
    expect(Math.abs((await wordsOf(recovery)) - edge)).toBeLessThanOrEqual(1);
    const heading = (await edgesOf(page.locator("h1"))).left;
    expect(Math.abs((await wordsOf(again)) - heading)).toBeLessThanOrEqual(1);
    for (const link of [recovery, again]) expect(await styleOf(link)).toEqual(["start", "underline"]);
  });

  it.each([
    ["fr", 320],
    ["de", 320],
  ])(
    "leaves room around a button that has no place beside the heading, in %s at %i pixels",
    async (language, width) => {
      const page = await portal.open("/", undefined, { language, viewport: { width, height: 844 } });
      const boxOf = async (part: string) => (await page.locator(`.head ${part}`).boundingBox()) ?? { y: 0, height: 0 };
      const heading = await boxOf("h1");
      const button = await boxOf("> .button");
      const words = await boxOf(".lead-text");
      expect(button.y - heading.y - heading.height).toBeGreaterThanOrEqual(8);
      expect(words.y - button.y - button.height).toBeGreaterThanOrEqual(8);
    },
  );

  it("shows in the rows of a phone who wrote them, where no row is higher for that", async () => {
    const { board } = (await portal.call("POST", "/boards", portal.owner, { name: "A board of the upper meadows" }))
      .body;
    const token = await portal.join("Olympia");
    await portal.post("In two lines of facts", { boardId: board.boardId }, token);
    await portal.post("In one line of facts", {}, token);
    const page = await portal.open("/?order=newest", undefined, { viewport: PHONE });
    const row = (title: string) => page.locator(".row", { hasText: title });
    await row("In two lines of facts").waitFor();
    const heights = () => Promise.all((["one line", "two lines"] as const).map((each) => row(each).boundingBox()));
    const withNames = await heights();
    const name = row("two lines").locator(".byline bdi");
    const time = row("two lines").locator(".byline time");
    expect((await name.boundingBox())?.width).toBeGreaterThan(50);
    expect((await edgesOf(time)).left).toBeLessThan((await edgesOf(name)).left);
    await page.evaluate("for (const each of document.querySelectorAll('.byline bdi')) each.remove()");
    expect(await heights()).toEqual(withNames);
  });

  it("cuts the words of a phone behind a sign that more follow, close to the button", async () => {
    const description = "Tell us what it should do next: we read every post, and answer those that many need. ".repeat(
      3,
    );
    await portal.call("PATCH", "/settings/site", portal.owner, { description: description.trim() });
    for (const width of [320, 390]) {
      const page = await portal.open("/", undefined, { viewport: { width, height: 640 } });
      await page.locator(".lead-text").getByRole("button", { name: "Show more" }).waitFor();
      const gap = `(() => {
        const lead = document.querySelector(".lead-text");
        const range = document.createRange();
        range.selectNodeContents(lead.firstChild);
        const line = lead.getBoundingClientRect().top + parseFloat(getComputedStyle(lead).lineHeight) * 1.5;
        const words = [...range.getClientRects()].find(({ top, bottom }) => top < line && bottom > line);
        const button = document.createRange();
        button.selectNodeContents(lead.querySelector("button"));
        return button.getBoundingClientRect().left - words.right;
      })()`;
      const style = "getComputedStyle(document.querySelector('.lead-text'))";
      expect(await page.evaluate(`${style}.webkitLineClamp`), `${width}`).toBe("2");
      expect(await page.evaluate<number>(gap), `${width}`).toBeLessThan(40);
      expect(await page.evaluate<number>(gap), `${width}`).toBeGreaterThan(4);
    }
  });

  it.each(["de", "en", "fr", "ja"])(
    "has a site's name in one line of the narrowest phone, and whole words in the search: %s",
    async (language) => {
      const reader = { language, viewport: { width: 320, height: 640 } };
      const page = await portal.open("/", undefined, reader);
      const oneLine = async () => {
        const line = "parseFloat(getComputedStyle(document.querySelector('.brand bdi')).lineHeight)";
        const height = (await page.locator(".brand bdi").boundingBox())?.height ?? 0;
        expect(height).toBeLessThan((await page.evaluate<number>(line)) * 1.5);
      };
      await page.evaluate("document.querySelector('.brand bdi').textContent = 'Tidemark feedback of the meadows'");
      await oneLine();
      const search = page.getByRole("searchbox");
      const words = `(() => {
        const field = document.querySelector("[type=search]");
        const style = getComputedStyle(field);
        const canvas = document.createElement("canvas").getContext("2d");
        canvas.font = style.font;
        const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        return room - canvas.measureText(field.placeholder).width;
      })()`;
      await search.waitFor();
      expect(await page.evaluate<number>(words)).toBeGreaterThanOrEqual(0);
    },
  );

  it("lets nothing look out behind the button that shows more, on a phone", async () => {
    const description = "What this site is for, in many more words than two lines of a phone have room for. ".repeat(3);
    await portal.call("PATCH", "/settings/site", portal.owner, { description: description.trim() });
    const page = await portal.open("/", undefined, { viewport: { width: 320, height: 640 } });
    const lead = page.locator(".lead-text");
    await expect
      .poll(async () => (await edgesOf(lead.getByRole("button", { name: "Show more" }))).right)
      .toBe((await edgesOf(lead)).right);
    // Nor does the button cut a word in two.
    const hidden = `(() => {
      const lead = document.querySelector(".lead-text");
      const button = lead.querySelector("button").getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(lead.firstChild);
      return [...range.getClientRects()].filter(({ top, bottom, right }) =>
        top < button.bottom && bottom > button.top && top > lead.getBoundingClientRect().top + 5 && right > button.left,
      ).length;
    })()`;
    expect(await page.evaluate(hidden)).toBe(0);
  });

  it("has the same columns for who reads a list without scripts, in a wide window", async () => {
    const { board } = (await portal.call("POST", "/boards", portal.owner, { name: "Scriptless", display: true })).body;
    await portal.post("To be read without scripts", { boardId: board.boardId });
    const wide = { viewport: { width: 1440, height: 900 } };
    const page = await portal.open("/", undefined, wide);
    const bare = await portal.open("/", undefined, { ...wide, hasScripts: false });
    for (const path of ["/", `/boards/${board.url}`, "/?q=scripts"]) {
      const columns = [];
      for (const each of [page, bare]) {
        await each.goto(path);
        await each.locator(".row").first().waitFor();
        const parts = ["search.bar", ".rows", ".side"].map((part) => each.locator(part).first().boundingBox());
        columns.push(await Promise.all(parts));
      }
      expect(columns[1], path).toEqual(columns[0]);
      expect(columns[1]?.[1]?.width, path).toBeGreaterThan(700);
    }
  });

  it("has in a wide window the button for a post above the choices, as wide as they are", async () => {
    const page = await portal.open("/", undefined, { viewport: { width: 1440, height: 900 } });
    expect(await edgesOf(page.locator(".head > .button"))).toEqual(await edgesOf(page.locator(".side")));
  });

  it("has a site's name as wide on the page of the sign-in, whose link is marked, as on any other", async () => {
    const page = await portal.open("/", undefined, { viewport: { width: 320, height: 640 } });
    const header = async () => [
      await edgesOf(page.locator("header .brand")),
      await edgesOf(page.locator("header > a:last-child")),
    ];
    const before = await header();
    await page.locator("header > a:last-child").click();
    await page.locator("header > a[aria-current]").waitFor();
    expect(await header()).toEqual(before);
  });

  it("has the number of comments in a line with other facts, whatever else there is to say", async () => {
    const token = await portal.join("Maximiliana Featherstonehaugh");
    const { board } = (await portal.call("POST", "/boards", portal.owner, { name: "A board of the lower meadows" }))
      .body;
    const { postId } = await portal.post("With comments and a long line", { boardId: board.boardId }, token);
    await portal.call("POST", `/posts/${postId}/comments`, token, { body: "One." });
    const page = await portal.open("/?order=newest", portal.owner);
    const row = page.locator(".row", { hasText: "With comments and a long line" });
    await expect.poll(() => page.reload().then(() => row.locator(".count").count())).toBe(1);
    for (let width = 320; width <= 960; width += 20) {
      await page.setViewportSize({ width, height: 800 });
      const count = (await row.locator(".count").boundingBox()) ?? { x: 0, y: 0 };
      const time = (await row.locator("time").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      expect(Math.abs(count.y - time.y), `${width}`).toBeLessThan(time.height / 2);
      expect(count.x, `${width}`).toBeGreaterThan(time.x + time.width);
    }
  });

  it.each([
    ["de", 390],
    ["fr", 320],
  ])("has the parts of an account in rows of the same number, in %s at %i pixels", async (language, width) => {
    const reader = { language, viewport: { width, height: 844 } };
    const page = await portal.open("/profile", await portal.join(`Rowena ${language}`), reader);
    const links = page.locator("nav.own a");
    await links.nth(3).waitFor();
    const tops = await Promise.all((await links.all()).map(async (each) => (await each.boundingBox())?.y));
    expect(tops[1]).toBe(tops[0]);
    expect(tops[3]).toBe(tops[2]);
  });

  it.each([PHONE, { width: 1440, height: 900 }])(
    "ends within the window where a page of the account is short, $width pixels wide",
    async (viewport) => {
      const page = await portal.open("/", await portal.join(`Shorty ${viewport.width}`), { viewport });
      for (const path of ["/profile/password", "/profile/two-factor", "/my/follows"]) {
        await page.goto(path);
        await page.locator("main:not(:has(.skeleton)) h1").waitFor();
        const height = () => page.evaluate("document.documentElement.scrollHeight");
        await expect.poll(height, { message: path }).toBe(viewport.height);
      }
    },
  );

  it("has the same bullets in a comment, and in an answer to it, as in a post", async () => {
    const contentMarkdown = "- one\n  - two";
    const { postId, slug } = await portal.post("With bullets", { contentMarkdown });
    const comment = (more: object) =>
      portal.call("POST", `/posts/${postId}/comments`, portal.owner, { body: contentMarkdown, ...more });
    const { activity } = (await comment({})).body;
    await comment({ parent_id: activity.id });
    const page = await portal.open(`/posts/${slug}`);
    await page.locator(".comments .comments .prose").waitFor();
    const bullets = "[...document.querySelectorAll('.prose ul')].map((each) => getComputedStyle(each).listStyleType)";
    expect(await page.evaluate(bullets)).toEqual(Array(3).fill(["disc", "circle"]).flat());
  });

  it("shows the vote for a post like a new one as a button on its box", async () => {
    await portal.post("Sailing by night");
    const page = await portal.open("/new");
    await typeTitle(page, "Sailing by nights");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const [box, button] = await page.evaluate<string[]>(
        "['.panel:has(.vote)', '.panel .vote'].map((each) => getComputedStyle(document.querySelector(each)).backgroundColor)",
      );
      expect(button, colorScheme).not.toBe(box);
    }
  });

  it("asks for the code of a mail as it is written there: in capitals, and no words", async () => {
    await portal.join("Cody");
    const page = await portal.open("/sign-in/mail");
    await page.getByLabel("Email").fill("cody@example.com");
    await page.keyboard.press("Enter");
    const code = page.getByLabel("Code");
    for (const [name, value] of [
      ["autocapitalize", "characters"],
      ["autocorrect", "off"],
      ["spellcheck", "false"],
    ] as const)
      expect(await code.getAttribute(name), name).toBe(value);
  });
});
