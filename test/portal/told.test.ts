import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { signIn } from "../support/process/entering.ts";
import { aPortal } from "../support/process/portal.ts";
import { readAs } from "../support/process/profiles.ts";
import { openProfile, openWithoutScript } from "../support/process/steady.ts";

// What pages tell people of what they may not do, of held posts, and of mistakes.

const told = (page: Page, words: string) => page.locator(".notice", { hasText: words }).waitFor();

describe.skipIf(!BROWSER)("A person", () => {
  const portal = aPortal();

  const suspend = async (name: string): Promise<string> => {
    const token = await portal.join(name);
    const { user } = (await portal.call("GET", "/users/profile", token)).body;
    await portal.call("PATCH", `/users/${user.userId}`, portal.owner, { role: "suspended" });
    return token;
  };

  it("who is suspended reads so wherever the service refuses something, at the sign-in and in the profile", async () => {
    const { slug } = await portal.post("Out of reach");
    const token = await suspend("Sue");
    const visitor = await portal.open("/sign-in");
    await signIn(visitor, "sue@example.com");
    await told(visitor, "Your account is suspended");
    const page = await portal.open("/", token);
    const casts: string[] = [];
    page.on("request", (each) => each.url().endsWith("/votes") && casts.push(each.url()));
    await page.locator("[aria-label^='Vote for Out of reach'][aria-disabled=true]").click({ force: true });
    await told(page, "Your account is suspended");
    expect(casts).toEqual([]);
    expect(await page.getByRole("link", { name: "New post" }).count()).toBe(0);
    await page.goto(`/posts/${slug}`);
    const follow = page.getByRole("button", { name: "Follow", exact: true, disabled: true });
    await follow.click({ force: true });
    await told(page, "Your account is suspended");
    await openProfile(page);
    await page.locator("main").getByText("Your account is suspended").waitFor();
  });

  it("whose post is held does not read that there is nothing yet", async () => {
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "all" });
    const token = await portal.join("Nils");
    await portal.call("POST", "/posts", token, { title: "Held for a while" });
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "none" });
    const page = await portal.open("/my/posts", token);
    await page.locator("b", { hasText: "Held for a while" }).waitFor();
    await page.getByRole("link", { name: "My votes" }).click();
    await page.getByRole("heading", { name: "Nothing here yet" }).waitFor();
    await page.getByRole("link", { name: "My posts" }).click();
    await page.locator("b", { hasText: "Held for a while" }).waitFor();
    await page.locator(".skeleton").waitFor({ state: "detached" });
    expect(await page.getByText("Nothing here yet").count()).toBe(0);
  });

  it("finds the followed posts from the choice of mails, and leaves one there and follows it again", async () => {
    const token = await portal.join("Fia");
    const { slug } = await portal.post("Followed without a vote");
    const page = await portal.open(`/posts/${slug}`, token);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await told(page, "You follow this post.");
    await openProfile(page);
    await page.getByRole("link", { name: "See the posts you follow" }).click();
    const row = page.locator(".row", { hasText: "Followed without a vote" });
    // A button, as on the post.
    await row.locator("button:not(.quiet)", { hasText: "Stop following" }).waitFor();
    await row.getByRole("button", { name: "Stop following Followed without a vote" }).click();
    await told(page, "You will get no more news about this post.");
    await row.getByRole("button", { name: "Follow Followed without a vote" }).click();
    await told(page, "You follow this post.");
    await row.getByRole("button", { name: "Stop following" }).press("Enter");
    await told(page, "You will get no more news about this post.");
    await page.getByRole("link", { name: "My votes" }).click();
    await page.getByRole("heading", { name: "My votes" }).waitFor();
    await page.getByRole("link", { name: "Following" }).click();
    await page.getByRole("heading", { name: "Nothing here yet" }).waitFor();
  });

  it("opens the rows behind many posts that were left", async () => {
    const token = await portal.join("Finn");
    await portal.post("Followed longest", {}, token);
    for (let n = 0; n < 20; n++) {
      const { postId } = await portal.post(`Left ${n}`, {}, token);
      await portal.call("PUT", `/posts/${postId}/subscription`, token, { isFollowing: false });
    }
    const page = await portal.open("/my/follows", token);
    await page.getByRole("button", { name: "More" }).click();
    await page.locator(".row", { hasText: "Followed longest" }).waitFor();
    expect(await page.getByText("Nothing here yet").count()).toBe(0);
  });

  it("gets another mail where a post says that one is needed", async () => {
    const token = await portal.join("Una");
    const { slug } = await portal.post("Followed at once", {}, token);
    const page = await portal.open(`/posts/${slug}`, token);
    const before = portal.links("una@example.com").length;
    await page.getByRole("button", { name: "Send another link" }).click();
    await told(page, "A link is on its way to una@example.com.");
    await expect.poll(() => portal.links("una@example.com").length).toBe(before + 1);
  });

  it("sees the page begin at its head, also without the script", async () => {
    const page = await portal.enter();
    await readAs(page, { hasScripts: false });
    await page.goto("/sign-in");
    expect((await page.getByRole("banner").boundingBox())?.y).toBe(0);
  });

  it("who has no script reads above the fields of a new post that nothing can be sent", async () => {
    const page = await portal.enter();
    await readAs(page, { hasScripts: false });
    await page.goto("/new");
    const notice = page.locator("form noscript");
    expect(await notice.textContent()).toContain("need JavaScript");
    // With scripts off by the protocol, Chromium still hides it.
    await notice.evaluate((element) => element.style.setProperty("display", "block"));
    const field = await page.getByLabel("Title").boundingBox();
    expect((await notice.boundingBox())?.y).toBeLessThan(field?.y ?? 0);
    expect(await page.getByText("You can write first and sign in later.").isVisible()).toBe(false);
  });

  it("types a wrong password anew where it stands, and reads why a page asks to sign in, or has no post", async () => {
    await portal.join("Willa");
    const page = await portal.open("/my/votes");
    await page.getByText("Sign in to see this page.").waitFor();
    await page.getByLabel("Email").fill("willa@example.com");
    await page.getByLabel("Password", { exact: true }).fill("incorrect horse");
    await page.keyboard.press("Enter");
    await page.getByText("The email address or the password is wrong.").waitFor();
    await page.locator("input[name=password]:focus").waitFor();
    await page.keyboard.type("correct horse");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "My votes" }).waitFor();
    await page.goto("/posts/never-was");
    await page.getByRole("heading", { name: "Post not found", exact: true }).waitFor();
  });

  it("who is signed in reads statuses and tags with the page, and asks for them no more", async () => {
    await portal.post("Read by a member");
    const page = await portal.enter(await portal.join("Rita"));
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto("/");
    await page.getByRole("button", { name: "Account", exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(asked).toContain("/api/v1/posts/get");
    expect(asked.filter((path) => /statuses|tags/.test(path))).toEqual([]);
    expect(asked.length).toBeLessThanOrEqual(11);
  });

  it("reads once that an address is confirmed, and which one", async () => {
    const token = await portal.join("Yuna");
    const page = await portal.open(await portal.linkTo("yuna@example.com"), token);
    await page.getByRole("heading", { name: "Your email address is confirmed" }).waitFor();
    const main = page.locator("main");
    await main.getByRole("status").getByText("yuna@example.com").waitFor();
    expect((await main.innerText()).match(/is confirmed/g)).toHaveLength(1);
    // The address has a line to itself, above the way on.
    const address = await main.getByText("yuna@example.com", { exact: true }).boundingBox();
    const onward = await main.getByRole("link", { name: "Show all posts" }).boundingBox();
    expect((address?.y ?? Number.NaN) + (address?.height ?? 0)).toBeLessThanOrEqual(onward?.y ?? Number.NaN);
  });

  it("who forgot a password reads where the link went and for how long, and sends another; a member types nothing", async () => {
    const token = await portal.join("Rhea");
    const page = await portal.open("/password-reset", token);
    await expect.poll(() => page.getByLabel("Email").inputValue()).toBe("rhea@example.com");
    await page.getByRole("button", { name: "Send a link" }).click();
    await page
      .getByText("If rhea@example.com has an account here, a link is on its way, valid for two hours.")
      .waitFor();
    const links = () => portal.linksTo("rhea@example.com", "/password-reset/confirm").length;
    await expect.poll(links).toBe(1);
    await page.getByRole("button", { name: "Send another link" }).click();
    await expect.poll(links).toBe(2);
  });

  it("finds the filter of a list in its title and its heading", async () => {
    const { statuses } = (await portal.call("GET", "/statuses")).body;
    const { id } = statuses.find(({ name }: { name: string }) => name === "Planned");
    const page = await portal.open(`/?status=${id}`);
    await page.getByRole("heading", { name: "Planned", level: 1 }).waitFor();
    expect(await page.title()).toBe("Planned · Wishes");
  });

  it("reads in a list and on the roadmap where the team has replied, and how far a post is", async () => {
    const { roadmap } = (await portal.call("POST", "/roadmaps", portal.owner, { name: "Next quarter" })).body;
    await portal.call("PATCH", "/roadmaps", portal.owner, { id: roadmap.id, display: true });
    const { postId } = await portal.post("Answered by the team");
    await portal.post("Answered by nobody");
    await portal.call("PATCH", "/posts", portal.owner, { id: postId, roadmapId: roadmap.id });
    await portal.call("PUT", `/posts/${postId}/status`, portal.owner, { status: "planned", text: "In spring." });
    const page = await portal.open("/?order=newest");
    const row = (title: string) => page.locator(".row", { hasText: title });
    await portal.call("PATCH", "/posts", portal.owner, { id: postId, isPinned: true });
    await page.reload();
    await row("Answered by the team").locator(".badge:has(svg)", { hasText: "Pinned" }).waitFor();
    await row("Answered by the team").getByText("Team replied", { exact: true }).waitFor();
    expect(await row("Answered by nobody").getByText("Team replied").count()).toBe(0);
    const status = page.locator(".cards li", { hasText: "Answered by the team" }).getByText("Planned", { exact: true });
    // A new post comes a moment later into the order of a column.
    await expect.poll(() => page.goto("/roadmap").then(() => status.count()), { timeout: 30_000 }).toBe(1);
  });

  it("reads two lines of what a site is for on a phone, and all of them by a button", async () => {
    const description = "Tidemark keeps notes and tasks in one place. Tell us what it should do next. ".repeat(3);
    await portal.call("PATCH", "/settings/site", portal.owner, { description });
    const page = await portal.open("/", undefined, { viewport: { width: 390, height: 700 } });
    const lead = page.locator(".lead-text");
    const lines = async () => Math.round(((await lead.boundingBox())?.height ?? 0) / 21);
    expect(await lines()).toBe(2);
    await lead.getByRole("button", { name: "Show more" }).press("Enter");
    await expect.poll(lines).toBeGreaterThan(4);
    await page.locator(".lead-text:focus").waitFor();
    await readAs(page, { viewport: { width: 1280, height: 700 } });
    await page.goto("/");
    expect(await lead.getByRole("button").count()).toBe(0);
  });

  it.each(["de", "es", "fr", "pt"])("reads the order of comments in one line on a phone, in %s", async (language) => {
    const { postId, slug } = await portal.post(`Said twice, ${language}`);
    for (const body of ["One", "Two"]) await portal.call("POST", `/posts/${postId}/comments`, portal.owner, { body });
    const page = await portal.open(`/posts/${slug}`, undefined, { language, viewport: { width: 390, height: 700 } });
    const tops = ".of-comments > h2, .of-comments a";
    const middles = `[...document.querySelectorAll("${tops}")].map((each) => each.getBoundingClientRect())
      .map(({ top, bottom }) => Math.round((top + bottom) / 20))`;
    expect(new Set((await page.evaluate(middles)) as number[]).size).toBe(1);
  });

  it("learns of both mistakes of a sign-up by one press", async () => {
    const page = await portal.open("/sign-up");
    await page.getByText("With an account you can vote, post and comment.").waitFor();
    const asked: string[] = [];
    page.on("request", (request) => request.method() === "POST" && asked.push(request.url()));
    await page.getByLabel("Your name").fill("Clara");
    await page.getByLabel("Email").fill("clara@nowhere");
    await page.getByLabel("Password", { exact: true }).fill("abc");
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByText("This is not a valid email address.").waitFor();
    await page.getByText("This is too short. At least 8 characters.").waitFor();
    expect(asked).toEqual([]);
    // Blanks count in a password, also while it is shown.
    await page.getByLabel("Email").fill("clara@example.com");
    await page.getByLabel("Password", { exact: true }).fill(" ".repeat(9));
    await page.getByRole("button", { name: "Show the password" }).click();
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByRole("button", { name: "Account", exact: true }).waitFor();
  });

  it("is signed in who presses Enter before the script is there", async () => {
    await portal.join("Eve");
    const page = await portal.enter();
    const letGo = await openWithoutScript(page, "/sign-in");
    await page.getByLabel("Email").fill("eve@example.com");
    await page.getByLabel("Password", { exact: true }).fill("correct horse");
    await page.keyboard.press("Enter");
    letGo();
    await page.getByRole("button", { name: "Account", exact: true }).waitFor();
  });

  it("prints a post without the order of its comments", async () => {
    const { postId, slug } = await portal.post("On paper");
    for (const body of ["One", "Two"]) await portal.call("POST", `/posts/${postId}/comments`, portal.owner, { body });
    const page = await portal.open(`/posts/${slug}`);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".of-comments .tabs").isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
  });
});
