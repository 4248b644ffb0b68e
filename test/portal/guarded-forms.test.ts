import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

// What scripts do to a form that fill in all they find, and what people do not notice of it.

const FILL_ALL = `for (const field of document.querySelectorAll("main form input, main form textarea")) {
  if (field.type === "checkbox") continue;
  field.value = field.type === "email" ? "script@example.com" : "Buy cheap things";
  field.dispatchEvent(new Event("input", { bubbles: true }));
}`;

/** Opens the page of a new post by its link. The moment its form is there, types a title and presses. Returns when. */
const TYPE_AT_ONCE = `new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    const form = document.querySelector("form[data-draft=post]");
    if (!form) return;
    observer.disconnect();
    form.elements.namedItem("title").value = "Faster than a person";
    form.requestSubmit();
    resolve(performance.now());
  }).observe(document.body, { childList: true, subtree: true });
  document.querySelector('a[href^="/new"]').click();
})`;

const SENT_AT = `performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/api/v1/posts"))?.startTime`;

const decoy = (page: Page) => page.locator("form [name=homepage]");

/** The bodies that a page sends to a path of the API. */
function sentBy(page: Page, path: string): unknown[] {
  const bodies: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === `/api/v1${path}`)
      bodies.push(request.postDataJSON());
  });
  return bodies;
}

describe.skipIf(!BROWSER)("A form that publishes or opens an account", () => {
  const portal = aPortal();

  it("opens no account for a script that fills in every field, until a second press sends what was typed", async () => {
    const page = await portal.open("/sign-up");
    const sent = sentBy(page, "/auth/signup");
    await page.evaluate(FILL_ALL);
    expect(await decoy(page).inputValue()).not.toBe("");
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByRole("alert").getByText("Nothing was sent yet").waitFor();
    expect(sent).toEqual([]);
    expect(await page.getByLabel("Email").inputValue()).toBe("script@example.com");
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    expect(sent).toEqual([{ name: "Buy cheap things", email: "script@example.com", password: "Buy cheap things" }]);
  });

  it("publishes no post for such a script by its first press, and leads a visitor to no sign-in", async () => {
    for (const token of [undefined, await portal.join("Poster")]) {
      const page = await portal.open("/new", token);
      const sent = sentBy(page, "/posts");
      await page.evaluate(FILL_ALL);
      await page.getByRole("button", { name: "Publish" }).click();
      await page.getByText("Nothing was sent yet").waitFor();
      expect(new URL(page.url()).pathname).toBe("/new");
      expect(sent).toEqual([]);
      expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("Buy cheap things");
    }
  });

  it("publishes no comment for such a script by its first press", async () => {
    const { slug } = await portal.post("A post with a form");
    const page = await portal.open(`/posts/${slug}`, await portal.join("Commenter"));
    const comment = page.locator("form", { has: page.getByRole("button", { name: "Add comment" }) });
    await comment.getByRole("textbox").fill("Buy cheap things");
    await comment.locator("[name=homepage]").fill("https://spam.example", { force: true });
    await comment.getByRole("button", { name: "Add comment" }).click();
    await comment.getByText("Nothing was sent yet").waitFor();
    expect(await comment.getByRole("textbox").inputValue()).toBe("Buy cheap things");
    await comment.getByRole("button", { name: "Add comment" }).click();
    await page.locator(".comments").getByText("Buy cheap things").waitFor();
  });

  it("makes nothing that is sent without the page's script", async () => {
    const page = await portal.open("/sign-up");
    const form = { name: "Script", email: "blind@example.com", password: "correct horse", homepage: "x" };
    const answer = await page.request.post("/sign-up", { form });
    expect(answer.status()).toBeGreaterThanOrEqual(400);
    const { users } = (await portal.call("GET", "/users?query=blind@example.com", portal.owner)).body;
    expect(JSON.stringify(users)).not.toContain("blind@example.com");
  });

  it("waits until a person could have typed in it, and is sent without a second press", async () => {
    const page = await portal.open("/", await portal.join("Hasty"));
    const pressedAt = Number(await page.evaluate(TYPE_AT_ONCE));
    await page.waitForURL("**/posts/faster-than-a-person*");
    expect(Number(await page.evaluate(SENT_AT)) - pressedAt).toBeGreaterThan(1500);
  });

  it("has a field for scripts on no screen, on no way of the keyboard and in nothing that is read aloud", async () => {
    const page = await portal.open("/sign-up");
    const { width = 0, height = 0 } = (await decoy(page).locator("..").boundingBox()) ?? {};
    expect(width * height).toBeLessThanOrEqual(1);
    // The name, the address and the password.
    const read = await page.locator("main").ariaSnapshot();
    expect(read.match(/- textbox/g)).toHaveLength(3);
    await page.getByLabel("Your name").focus();
    const passed: unknown[] = [];
    for (let step = 0; step < 4; step++) {
      await page.keyboard.press("Tab");
      passed.push(await page.evaluate("(({ name, type }) => name || type)(document.activeElement)"));
    }
    expect(passed).toEqual(["email", "password", "button", "submit"]);
  });
});
