import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import { scriptAnswers } from "../support/process/steady.ts";

describe.skipIf(!BROWSER)("What a page says", () => {
  const portal = aPortal();

  it("is in the language that a reader chooses while an error is shown", async () => {
    const page = await portal.open("/sign-in");
    await page.getByLabel("Email").fill("nobody@example.com");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".field .problem", { hasText: "Please fill this in." }).waitFor();
    await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
    await page.locator("html[lang=de]").waitFor();
    await expect.poll(() => page.locator(".field .problem").allInnerTexts()).toContain("Bitte fülle dieses Feld aus.");
    await page.getByLabel("Passwort").fill("a wrong one");
    await page.getByRole("button", { name: "Anmelden" }).click();
    const alert = page.locator("form .problem:not(:empty)");
    await alert.waitFor();
    const german = await alert.innerText();
    await page.getByRole("combobox", { name: "Sprache" }).selectOption("English");
    await page.locator("html[lang=en]").waitFor();
    await expect.poll(() => alert.innerText()).not.toBe(german);
  });

  it("is said once where a comment learns that the session has ended, which the next press continues", async () => {
    const { slug } = await portal.post("A session that ends");
    const token = await portal.join("Ines");
    const page = await portal.open(`/posts/${slug}`, token);
    await page.getByRole("button", { name: "Account", exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Comment" }).fill("Kept");
    await portal.call("POST", "/auth/logout", token);
    const add = page.getByRole("button", { name: "Add comment" });
    await add.click();
    await page.locator(".notice", { hasText: "You are signed out." }).waitFor();
    await page.locator("form[aria-busy=false] textarea").waitFor();
    expect(await page.locator("main").getByText("You are signed out").count()).toBe(0);
    expect(await page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("Kept");
    await add.click();
    await page.getByText("Sign in to comment on “A session that ends”.").waitFor();
  });

  it("promises that nothing is sent twice where something is sent, and not where it is read", async () => {
    const page = await portal.open("/roadmap");
    await page.route("**/api/v1/**", (route) => route.abort());
    await page.getByRole("link", { name: "Posts", exact: true }).click();
    await page
      .getByRole("alert")
      .getByText(/^No connection to the site\. Please try again\.$/)
      .waitFor();
    await page.unroute("**/api/v1/**");
    await page.goto("/sign-in/mail");
    await scriptAnswers(page);
    await page.route("**/api/v1/**", (route) => route.abort());
    await page.getByLabel("Email").fill("una@example.com");
    await page.getByRole("button", { name: "Email me a link" }).click();
    await page
      .getByRole("alert")
      .getByText("No connection to the site. Please try again. Nothing will be sent twice.")
      .waitFor();
  });

  it("stays as long as one reads it, and a problem until something else is done", async () => {
    const slugs: string[] = [];
    for (const n of [1, 2, 3, 4]) {
      const { post } = (await portal.call("POST", "/posts", portal.owner, { title: `Pin ${n}` })).body;
      if (n < 4) await portal.call("PATCH", "/posts", portal.owner, { id: post.postId, isPinned: true });
      slugs.push(post.slug);
    }
    const page = await (await portal.enterAlone()).newPage();
    await page.goto("/robots.txt");
    await page.evaluate(`localStorage.setItem("token", ${JSON.stringify(portal.owner)})`);
    await page.clock.install();
    await page.goto(`/posts/${slugs[3]}`);
    await page.getByRole("button", { name: "Pin to the top of the lists" }).click();
    const problem = page.locator(".notice").getByText("Three posts are pinned already.");
    await problem.waitFor();
    await page.clock.runFor(600_000);
    expect(await problem.count()).toBe(1);
    await page.getByRole("button", { name: "Lock: no new comments" }).click();
    const told = page.locator(".notice .done");
    await told.waitFor();
    expect(await problem.count()).toBe(0);
    await page.clock.runFor(5000);
    expect(await told.count()).toBe(1);
    await page.clock.runFor(5000);
    await expect.poll(() => told.count()).toBe(0);
  });

  it("leaves the header of a phone free, and stays above a keyboard", async () => {
    const { slug } = await portal.post("Said on a phone");
    const reader = { viewport: { width: 390, height: 700 } };
    const page = await portal.open(`/posts/${slug}`, await portal.join("Phil"), reader);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    const sentence = page.locator(".notice p");
    await sentence.waitFor();
    const header = await page.getByRole("banner").boundingBox();
    const said = await sentence.boundingBox();
    expect(said?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0));
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(700);
    // A keyboard makes smaller what is seen of the page, as a larger scale does.
    const protocol = await page.context().newCDPSession(page);
    await protocol.send("Emulation.setPageScaleFactor", { pageScaleFactor: 2 });
    await expect
      .poll(() =>
        page.evaluate(
          `document.querySelector(".notice p").getBoundingClientRect().bottom <= visualViewport.offsetTop + visualViewport.height`,
        ),
      )
      .toBe(true);
  });

  it("stays while a pointer is on it", async () => {
    const { slug } = await portal.post("Said slowly");
    const page = await (await portal.enterAlone()).newPage();
    const token = await portal.join("Slow Sue");
    await page.goto("/robots.txt");
    await page.evaluate(`localStorage.setItem("token", ${JSON.stringify(token)})`);
    await page.clock.install();
    await page.goto(`/posts/${slug}`);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    const sentence = page.locator(".notice p");
    await sentence.hover();
    await page.clock.runFor(60_000);
    expect(await sentence.count()).toBe(1);
    await page.mouse.move(1, 1);
    await page.clock.runFor(7000);
    await expect.poll(() => sentence.count()).toBe(0);
  });

  it("ends with its own button, which takes the keyboard from no field", async () => {
    const { slug } = await portal.post("Said and done");
    const page = await portal.open(`/posts/${slug}`, await portal.join("Clara"));
    const sentence = page.locator(".notice p");
    const close = page.getByRole("button", { name: "Close", exact: true });
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await sentence.waitFor();
    const field = page.getByRole("textbox", { name: "Comment" });
    await field.focus();
    await close.click();
    await sentence.waitFor({ state: "detached" });
    await field.and(page.locator(":focus")).waitFor();
    await page.getByRole("button", { name: "Stop following" }).press("Enter");
    await sentence.waitFor();
    await close.press("Enter");
    await sentence.waitFor({ state: "detached" });
    await page.locator("h1:focus").waitFor();
  });
});
