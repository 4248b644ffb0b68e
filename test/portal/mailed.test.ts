import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { signIn } from "../support/process/entering.ts";
import { aPortal } from "../support/process/portal.ts";
import { fromServer, holdBack, scriptAnswers, typeTitle } from "../support/process/steady.ts";
import { codeNow } from "../support/world/two-factor.ts";

/** Asks for a mail on the page that a visitor is led to, and returns the path of its link. */
async function mailedLink(page: Page, portal: ReturnType<typeof aPortal>, email: string): Promise<string> {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Email me a link" }).click();
  await expect.poll(() => portal.linksTo(email, "/sign-in/link")).toHaveLength(1);
  return portal.linksTo(email, "/sign-in/link")[0] ?? "";
}

/** Writes a comment at a post, and presses the button that leads a visitor to the sign-in. */
async function writesComment(page: Page, slug: string, text: string): Promise<void> {
  await page.goto(`/posts/${slug}`);
  await scriptAnswers(page);
  await page.getByRole("textbox", { name: "Comment" }).fill(text);
  await page.getByRole("button", { name: "Add comment" }).click();
  await page.getByText("Sign in to comment on").waitFor();
}

/** Lets another tab of the same browser sign in. */
async function signsInElsewhere(page: Page, token: string): Promise<void> {
  const tab = await page.context().newPage();
  await tab.goto("/robots.txt");
  await tab.evaluate(`localStorage.setItem("token", ${JSON.stringify(token)})`);
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account", exact: true }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign in", exact: true }).waitFor();
}

/** Holds back what a page does after more than a second, until it is let go. */
async function holdsTimers(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(`{
    const { setTimeout } = window;
    window.held = [];
    window.setTimeout = (work, ms) => ms > 1000 ? held.push(work) : setTimeout(work, ms);
  }`);
  return () => page.evaluate("held.forEach((work) => work())");
}

const typedIn = (page: Page) => page.evaluate<string>("JSON.stringify({ ...sessionStorage })");

const HEIGHT = 760;

async function isInSight(page: Page, words: string): Promise<boolean> {
  const { y = -1, height = 0 } = (await page.getByText(words).boundingBox()) ?? {};
  return y >= 0 && y + height <= HEIGHT;
}

describe.skipIf(!BROWSER)("The link of a mail", () => {
  const portal = aPortal();

  it("says in the browser that asked for it what is done then, and so does the second step", async () => {
    const token = await portal.join("Zoe");
    await portal.confirm("zoe@example.com", token);
    const secret = await portal.withTwoFactor(token);
    const { slug } = await portal.post("Wanted by mail");
    const page = await portal.open(`/posts/${slug}`);
    await page.locator(".vote").first().click();
    await page.goto(await mailedLink(page, portal, "zoe@example.com"));
    await page.getByText("Then your vote for “Wanted by mail” is cast.").waitFor();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Two-step sign-in" }).waitFor();
    await page.getByText("Sign in to vote for “Wanted by mail”.").waitFor();
    await page.getByLabel("Code from the app").fill(codeNow(secret, 1));
    await page.keyboard.press("Enter");
    await page.locator(".vote[aria-pressed=true]:focus").waitFor();
  });

  it("publishes a comment of a new person, whose first tab shows it and says so", async () => {
    const text = "A line of a long post.\n\n".repeat(60);
    const { slug } = await portal.post("Long, with a first comment", { contentMarkdown: text });
    const page = await portal.open("/");
    await page.setViewportSize({ width: 390, height: HEIGHT });
    await writesComment(page, slug, "From a new person");
    const tab = await page.context().newPage();
    await tab.goto(await mailedLink(page, portal, "newt@example.com"));
    await tab.getByRole("button", { name: "Sign in" }).click();
    await tab.getByRole("heading", { name: "How should others see you?" }).waitFor();
    await page.locator(".notice", { hasText: "Your comment is published." }).waitFor();
    await expect.poll(() => isInSight(page, "From a new person")).toBe(true);
    // Of the comment the browser keeps nothing more.
    expect((await page.evaluate<string[]>("Object.keys(localStorage)")).sort()).toEqual(["door", "token"]);
  });

  it("does nothing for another person who has asked in the same browser", async () => {
    await portal.join("Anna");
    await portal.join("Bert");
    const { slug } = await portal.post("Wanted by Anna");
    const page = await portal.open("/password-reset");
    await page.getByLabel("Email").fill("bert@example.com");
    await page.getByRole("button", { name: "Send a link" }).click();
    await page.getByText("a link is on its way").waitFor();
    await page.goto(`/posts/${slug}`);
    await page.locator(".vote").first().click();
    const ofAnna = await mailedLink(page, portal, "anna@example.com");
    await expect.poll(() => portal.linksTo("bert@example.com", "/password-reset/confirm")).toHaveLength(1);
    await page.goto(portal.linksTo("bert@example.com", "/password-reset/confirm")[0] ?? "");
    await page.getByText("bert@example.com").waitFor();
    await page.getByLabel("New password").fill("battery staple horse");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your new password is set. You are signed in.").waitFor();
    await page.waitForURL("**/");
    const votes = () =>
      portal.call("POST", "/posts/slug", undefined, { slug }).then(({ body }) => body.post.voters.votesCount);
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    expect(await votes()).toBe(0);
    await page.goto(ofAnna);
    await page.getByText("Then your vote for “Wanted by Anna” is cast.").waitFor();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Later" }).click();
    await page.locator(".vote[aria-pressed=true]:focus").waitFor();
    expect(await votes()).toBe(1);
  });

  it("casts the vote that an invited person had wanted before", async () => {
    const { slug } = await portal.post("Wanted by a guest");
    const page = await portal.open(`/posts/${slug}`);
    await page.locator(".vote").first().click();
    await mailedLink(page, portal, "guest@example.com");
    await portal.call("POST", "/users/invitations", portal.owner, { email: "guest@example.com", role: "member" });
    await expect.poll(() => portal.linksTo("guest@example.com", "/password-reset/confirm")).toHaveLength(1);
    await page.goto(portal.linksTo("guest@example.com", "/password-reset/confirm")[0] ?? "");
    await page.getByLabel("New password").fill("battery staple horse");
    await page.getByRole("button", { name: "Set the password and sign in" }).click();
    await page.getByLabel("Your name").fill("Gus");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Wanted by a guest" }).waitFor();
    await page.locator(".vote[aria-pressed=true]:focus").waitFor();
  });

  it.each([
    ["Follow", "You wanted to follow this."],
    ["Add comment", "You wanted to comment on this."],
  ])("says in another browser beside what was pressed what it was for: %s", async (button, words) => {
    const text = "A line of a long post.\n\n".repeat(60);
    const { slug } = await portal.post(`Long, for ${button}`, { contentMarkdown: text });
    const page = await portal.open(`/posts/${slug}`);
    if (button === "Add comment") await page.getByRole("textbox", { name: "Comment" }).fill("Typed here");
    await page.getByRole("button", { name: button, exact: true }).click();
    const link = await mailedLink(page, portal, `${button.replace(" ", "").toLowerCase()}@example.com`);
    const other = await (await portal.enterAlone()).newPage();
    await other.setViewportSize({ width: 390, height: HEIGHT });
    await other.goto(link);
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.getByRole("button", { name: "Later" }).click();
    await expect.poll(() => isInSight(other, words)).toBe(true);
    await other.locator("article :is(button, textarea):focus").waitFor();
    expect(await isInSight(other, words)).toBe(true);
  });

  it("that is over gives nobody what another person has written, and leaves it to them", async () => {
    await portal.join("Berta");
    const title = "Secret of Alice";
    const first = await portal.open("/new");
    const page = await first.context().newPage();
    await page.goto("/new");
    await scriptAnswers(page);
    await typeTitle(page, title);
    await page.getByRole("button", { name: "Publish" }).click();
    await mailedLink(page, portal, "alice@example.com");
    await page.close();
    await portal.call("POST", "/auth/magic", undefined, { email: "berta@example.com" });
    await first.goto(await portal.linkTo("berta@example.com"));
    await scriptAnswers(first);
    expect(await first.getByText(title).count()).toBe(0);
    await first.goto("/password-reset/confirm?token=over");
    await first.getByRole("link", { name: "Send another link" }).click();
    await first.getByRole("heading", { name: "Reset your password" }).waitFor();
    expect(await typedIn(first)).not.toContain(title);
    await first.goto("/sign-in/link?token=over");
    await first.getByRole("button", { name: "Sign in" }).click();
    await first.getByRole("link", { name: "Send another link" }).click();
    await signIn(first, "berta@example.com");
    await first.waitForURL("**/");
    await first.getByRole("heading", { name: "What can we do better?" }).waitFor();
    expect(await typedIn(first)).not.toContain(title);
    await signOut(first);
    // Her next mail has it.
    await first.goto("/sign-in/link?token=over");
    await first.getByRole("button", { name: "Sign in" }).click();
    await first.getByRole("link", { name: "Send another link" }).click();
    await first.getByLabel("Email").fill("alice@example.com");
    await first.getByRole("button", { name: "Email me a link" }).click();
    await first.goto(await portal.linkTo("alice@example.com", 2));
    await first.getByRole("button", { name: "Sign in" }).click();
    await first.getByRole("button", { name: "Later" }).click();
    await first.getByRole("heading", { name: title }).waitFor();
    await first.locator(".by", { hasText: "New member" }).first().waitFor();
  });

  it("loses nothing of a tab that cannot read who has signed in by another one", async () => {
    const eve = await portal.join("Eve");
    const { slug } = await portal.post("Read later");
    const page = await portal.open(`/posts/${slug}`);
    await writesComment(page, slug, "Typed by Eve");
    await mailedLink(page, portal, "eve@example.com");
    const profile = "**/api/v1/users/profile";
    await page.route(profile, (route) => route.abort());
    await signsInElsewhere(page, eve);
    const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.unroute(profile);
    await again.click();
    await page.locator(".comment", { hasText: "Typed by Eve" }).waitFor();
  });

  it("publishes a comment though another person has asked for a mail since", async () => {
    await portal.join("Alma");
    await portal.join("Bob");
    const { slug } = await portal.post("Asked by two");
    const page = await portal.open(`/posts/${slug}`);
    await writesComment(page, slug, "Typed by Alma");
    const link = await mailedLink(page, portal, "alma@example.com");
    const ofBob = await page.context().newPage();
    await ofBob.goto("/password-reset");
    await ofBob.getByLabel("Email").fill("bob@example.com");
    await ofBob.getByRole("button", { name: "Send a link" }).click();
    await ofBob.getByText("a link is on its way").waitFor();
    const tab = await page.context().newPage();
    await tab.goto(link);
    await tab.getByText("If you wrote a comment on “Asked by two” in this browser, it is published then.").waitFor();
    await tab.getByRole("button", { name: "Sign in" }).click();
    await tab.getByRole("button", { name: "Later" }).click();
    await tab.locator(".comment", { hasText: "Typed by Alma" }).waitFor();
  });

  it("casts a vote that it names and that was pressed here too, for another address, whose link casts its own", async () => {
    await portal.join("Ulrika");
    await portal.join("Valerie");
    const { slug } = await portal.post("Wanted in two browsers");
    const link = async (page: Page, email: string) => {
      await page.goto(`/posts/${slug}`);
      await scriptAnswers(page);
      await page.locator(".vote").first().click();
      return mailedLink(page, portal, email);
    };
    const ofUlrika = await link(await (await portal.enterAlone()).newPage(), "ulrika@example.com");
    const page = await (await portal.enterAlone()).newPage();
    const ofValerie = await link(page, "valerie@example.com");
    for (const each of [ofUlrika, ofValerie]) {
      await page.goto(each);
      await page.getByText("Then your vote for “Wanted in two browsers” is cast.").waitFor();
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("button", { name: "Later" }).click();
      await page.locator(".vote[aria-pressed=true]:focus").waitFor();
      await signOut(page);
    }
    const { body } = await portal.call("POST", "/posts/slug", undefined, { slug });
    expect(body.post.voters.votesCount).toBe(2);
  });

  it("promises and publishes nothing of what another address has written about the same post", async () => {
    await portal.join("Wendelin");
    const { slug } = await portal.post("Written about in two browsers");
    const first = await (await portal.enterAlone()).newPage();
    await writesComment(first, slug, "Typed elsewhere");
    const link = await mailedLink(first, portal, "wendelin@example.com");
    const page = await (await portal.enterAlone()).newPage();
    await writesComment(page, slug, "Typed here");
    await mailedLink(page, portal, "zacharias@example.com");
    await page.goto(link);
    await page.getByText("If you wrote a comment on “Written about in two browsers” in this browser").waitFor();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByText("You wanted to comment on this. Your text is still in the browser").waitFor();
    expect(await page.locator(".comment").count()).toBe(0);
  });

  it("publishes a comment though another person has typed a code since", async () => {
    await portal.join("Cara");
    await portal.join("Dan");
    const { slug } = await portal.post("Waits for Dan");
    const page = await portal.open("/sign-in/mail?next=%2Froadmap");
    await mailedLink(page, portal, "cara@example.com");
    const ofDan = await page.context().newPage();
    await writesComment(ofDan, slug, "Typed by Dan");
    const link = await mailedLink(ofDan, portal, "dan@example.com");
    await page.getByLabel("Code").fill(portal.codes("cara@example.com")[0] ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Later" }).click();
    await page.waitForURL("**/roadmap");
    // The page is hers now, and shows nothing of his.
    await ofDan.waitForURL(`**/posts/${slug}`);
    expect(await typedIn(ofDan)).not.toContain("Typed by Dan");
    await signOut(page);
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Later" }).click();
    await page.locator(".comment", { hasText: "Typed by Dan" }).waitFor();
  });

  it("casts a vote, and the tab that asked for it publishes what was written there since", async () => {
    await portal.join("Fifi");
    const voted = await portal.post("Voted for first");
    const commented = await portal.post("Commented on after");
    const page = await portal.open(`/posts/${voted.slug}`);
    await page.locator(".vote").first().click();
    const link = await mailedLink(page, portal, "fifi@example.com");
    await writesComment(page, commented.slug, "Typed by Fifi");
    const tab = await page.context().newPage();
    await tab.goto(link);
    await tab.getByText("Then your vote for “Voted for first” is cast.").waitFor();
    await tab.getByRole("button", { name: "Sign in" }).click();
    await tab.getByRole("button", { name: "Later" }).click();
    await tab.locator(".vote[aria-pressed=true]").first().waitFor();
    await page.locator(".comment", { hasText: "Typed by Fifi" }).waitFor();
  });

  it("publishes what was written last, though an earlier mail was asked for since the first words", async () => {
    const { slug } = await portal.post("Written twice");
    const page = await portal.open(`/posts/${slug}`);
    await page.getByRole("textbox", { name: "Comment" }).fill("First words");
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await page.getByRole("link", { name: "Email me a link" }).click();
    const link = await mailedLink(page, portal, "greta@example.com");
    await writesComment(page, slug, "Last words");
    const door = page.url();
    await page.goto("/robots.txt");
    const tab = await page.context().newPage();
    await tab.goto(link);
    await tab.getByRole("button", { name: "Sign in" }).click();
    await tab.getByRole("button", { name: "Later" }).click();
    await tab.locator(".comment", { hasText: "words" }).waitFor();
    expect(await tab.locator(".comment", { hasText: "words" }).innerText()).toContain("Last words");
    // The first tab, loaded again, does not do it once more.
    await page.goto(door);
    await page.waitForURL(`**/posts/${slug}?comment=*`);
    await page.getByRole("heading", { name: "1 comment", exact: true }).waitFor();
    expect(await page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("");
  });

  it.each(["/sign-in/mail?next=%2Froadmap", "/password-reset?next=%2Froadmap"])(
    "leads nobody back who has left the page that waited for it: %s",
    async (address) => {
      const jane = await portal.join(`Jane${address.length}`);
      const page = await portal.open(address);
      await page.getByLabel("Email").fill(`jane${address.length}@example.com`);
      await page.getByRole("button", { name: /link$/ }).click();
      await page.getByText(/We have sent an email|a link is on its way/).waitFor();
      const letGo = await holdBack(page, "**/api/v1/users/profile");
      const asked = page.waitForRequest("**/api/v1/users/profile");
      await signsInElsewhere(page, jane);
      await asked;
      await page.getByRole("link", { name: "Posts", exact: true }).click();
      await page.getByRole("heading", { name: "What can we do better?" }).waitFor();
      letGo();
      await expect.poll(() => page.evaluate("sessionStorage.getItem('mailed to')")).toBe(null);
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
      expect(new URL(page.url()).pathname).toBe("/");
    },
  );

  /** Opens the link of a mail in another tab of the same browser, and signs in by it: as a new person. */
  async function signsUpBy(link: string, page: Page): Promise<Page> {
    const tab = await page.context().newPage();
    await tab.goto(link);
    await tab.getByRole("button", { name: "Sign in" }).click();
    return tab;
  }

  const asksName = (page: Page) => page.getByRole("heading", { name: "How should others see you?" }).waitFor();

  /** The texts of the comments on a post, as everybody sees them, the newest first. */
  async function commentsOn({ postId }: { postId: string }): Promise<string[]> {
    const { activity } = (await portal.call("GET", `/posts/${postId}/activity?type=comment`)).body;
    return activity.map(({ comment }: { comment: { body: string } }) => comment.body);
  }

  const COMMENTS = "**/api/v1/posts/*/comments";

  /** Signs a new person up in another tab, whose comment has no answer until it is let go. */
  async function signsUpUnanswered(page: Page, email: string) {
    const tab = await page.context().newPage();
    const letGo = await holdBack(tab, COMMENTS);
    const sent = tab.waitForRequest(COMMENTS);
    await tab.goto(await mailedLink(page, portal, email));
    await tab.getByRole("button", { name: "Sign in" }).click();
    await sent;
    return { tab, letGo };
  }

  it("publishes the comment of a new person who closes the tab that asks for a name", async () => {
    const post = await portal.post("Left at the name");
    const page = await portal.open(`/posts/${post.slug}`);
    await writesComment(page, post.slug, "Typed by Nina");
    const tab = await signsUpBy(await mailedLink(page, portal, "nina@example.com"), page);
    await asksName(tab);
    expect(await commentsOn(post)).toEqual(["Typed by Nina"]);
    await tab.close();
    // The tab that waited shows it, and does not do it once more.
    await page.locator(".comment", { hasText: "Typed by Nina" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("");
    expect(await typedIn(page)).not.toContain("Typed by Nina");
    expect(await commentsOn(post)).toEqual(["Typed by Nina"]);
    const { subscription } = await page.evaluate<{ subscription: object }>(
      `fetch("/api/v1/posts/${post.postId}/subscription", { headers: { authorization: "Bearer " + localStorage.token } })
        .then((answer) => answer.json())`,
    );
    expect(subscription).toMatchObject({ isFollowing: true });
  });

  it("leads a new person to their reply, published once, after a reload and a name", async () => {
    const post = await portal.post("Answered by a newcomer");
    const path = `/posts/${post.postId}/comments`;
    await portal.call("POST", path, portal.owner, { body: "What do you need?" });
    const page = await portal.open(`/posts/${post.slug}?order=oldest`);
    await page.getByRole("button", { name: /^Reply/ }).click();
    await page.getByRole("form", { name: "Reply" }).getByRole("textbox").fill("A reply by Otto");
    await page.getByRole("form", { name: "Reply" }).getByRole("button", { name: "Reply" }).click();
    const tab = await signsUpBy(await mailedLink(page, portal, "otto@example.com"), page);
    await asksName(tab);
    await tab.reload();
    // The service changes the name in what was written a moment later.
    await tab.route(/\/comments/, async (route) => {
      const response = await fromServer(route);
      await route.fulfill({ response, body: (await response.text()).replaceAll("Otto the Second", "otto") });
    });
    await tab.getByLabel("Your name").fill("Otto the Second");
    await tab.getByRole("button", { name: "Save" }).click();
    await tab.getByRole("region", { name: "Linked comment" }).getByText("A reply by Otto").waitFor();
    expect(new URL(tab.url()).searchParams.get("order")).toBe("oldest");
    await tab.locator(".comment .by", { hasText: "Otto the Second" }).first().waitFor();
    expect(await commentsOn(post)).toEqual(["A reply by Otto", "What do you need?"]);
  });

  it("publishes the post of a new person who leaves the page that asks for a name", async () => {
    const title = "Wanted by a newcomer";
    const page = await portal.open("/new");
    await typeTitle(page, title);
    await page.getByLabel("Details").fill("In **bold**");
    await page.getByRole("button", { name: "Publish" }).click();
    await mailedLink(page, portal, "paula@example.com");
    await page.getByLabel("Code").fill(portal.codes("paula@example.com")[0] ?? "");
    await page.keyboard.press("Enter");
    await asksName(page);
    await page.getByText("Your post is published.").waitFor();
    await page.getByRole("link", { name: "Roadmap", exact: true }).click();
    await page.waitForURL("**/roadmap");
    await page.goto("/my/posts");
    await page.getByRole("link", { name: title }).click();
    await page.locator(".vote[aria-pressed=true]").first().waitFor();
    await page.locator("strong", { hasText: "bold" }).waitFor();
    await page.goto("/new");
    await scriptAnswers(page);
    expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("");
  });

  it("publishes the comment of an invited person before they are asked for a name", async () => {
    const post = await portal.post("Commented on by a guest");
    const page = await portal.open(`/posts/${post.slug}`);
    await writesComment(page, post.slug, "Typed by Ulla");
    await mailedLink(page, portal, "ulla@example.com");
    await portal.call("POST", "/users/invitations", portal.owner, { email: "ulla@example.com", role: "member" });
    await expect.poll(() => portal.linksTo("ulla@example.com", "/password-reset/confirm")).toHaveLength(1);
    await page.goto(portal.linksTo("ulla@example.com", "/password-reset/confirm")[0] ?? "");
    await page.getByLabel("New password").fill("battery staple horse");
    await page.getByRole("button", { name: "Set the password and sign in" }).click();
    await asksName(page);
    expect(await commentsOn(post)).toEqual(["Typed by Ulla"]);
    await page.getByRole("button", { name: "Later" }).click();
    await page.locator(".comment", { hasText: "Typed by Ulla" }).waitFor();
  });

  it("keeps what a new person had typed and not sent, though the tab is closed", async () => {
    const { slug } = await portal.post("Only begun");
    const page = await portal.open(`/posts/${slug}`);
    await page.getByRole("textbox", { name: "Comment" }).fill("Begun by Vera");
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    const tab = await signsUpBy(await mailedLink(page, portal, "vera@example.com"), page);
    await asksName(tab);
    await tab.close();
    await page.getByRole("button", { name: "Stop following" }).waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("Begun by Vera");
    // It is nobody else's.
    await signOut(page);
    expect(await page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })")).not.toContain(
      "Begun by Vera",
    );
  });

  it("says that a new post is published then, and of another person's not which", async () => {
    const title = "Said before the sign-in";
    const page = await portal.open("/new");
    await typeTitle(page, title);
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText(`Sign in to publish “${title}”. Your text is kept, and published afterwards.`).waitFor();
    const link = await mailedLink(page, portal, "wim@example.com");
    await page.getByText(`Sign in to publish “${title}”. Your text is kept, and published afterwards.`).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(link);
    await tab.getByText("If you wrote a post in this browser, it is published then.").waitFor();
    expect(await tab.getByText(title).count()).toBe(0);
    const other = await (await portal.enterAlone()).newPage();
    await other.goto(link);
    await other.getByText("Did you ask for this email in another browser?").waitFor();
    expect(await other.getByText("If you wrote a post").count()).toBe(0);
  });

  it("says to a new person that the team looks at their comment first", async () => {
    const holds = (comments: string) =>
      portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "none", comments });
    const post = await portal.post("Looked at first");
    await holds("first");
    const page = await portal.open(`/posts/${post.slug}`);
    await writesComment(page, post.slug, "Typed by Quinn");
    const tab = await signsUpBy(await mailedLink(page, portal, "quinn@example.com"), page);
    await asksName(tab);
    await holds("none");
    await tab.getByText("The team will look at it first.").waitFor();
    await tab.getByRole("button", { name: "Later" }).click();
    await tab.waitForURL(`**/posts/${post.slug}`);
    expect(await typedIn(tab)).not.toContain("Typed by Quinn");
    expect(await commentsOn(post)).toEqual([]);
  });

  it("loses no comment of a new person that was refused, and says in the form why", async () => {
    const post = await portal.post("Locked meanwhile");
    const page = await portal.open(`/posts/${post.slug}`);
    await writesComment(page, post.slug, "Typed by Rita");
    const tab = await page.context().newPage();
    const comments = "**/api/v1/posts/*/comments";
    const refused = { status: 429, json: { code: "TOO_MANY_REQUESTS", message: "Too many" } };
    await tab.route(comments, (route) => route.fulfill(refused));
    await tab.goto(await mailedLink(page, portal, "rita@example.com"));
    await tab.getByRole("button", { name: "Sign in" }).click();
    await asksName(tab);
    await tab.reload();
    await tab.getByRole("button", { name: "Later" }).click();
    await tab.getByText("Too many attempts. Please wait a moment and try again.").waitFor();
    expect(await tab.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("Typed by Rita");
    await tab.unroute(comments);
    await tab.getByRole("button", { name: "Add comment" }).click();
    await tab.locator(".comment", { hasText: "Typed by Rita" }).waitFor();
    // The tab that waited has it in its form as well: to send it there too does nothing twice.
    await expect.poll(() => page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("Typed by Rita");
    await page.getByRole("button", { name: "Add comment" }).click();
    await page.getByText("Your comment is published.").waitFor();
    expect(await commentsOn(post)).toEqual(["Typed by Rita"]);
    await page.reload();
    await scriptAnswers(page);
    expect(await page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("");
  });

  it.each(["no request", "no answer"])(
    "keeps a comment of a new person for the form where there was %s, also when the tab is closed",
    async (failure) => {
      const post = await portal.post(`Written with ${failure}`);
      const page = await portal.open(`/posts/${post.slug}`);
      await writesComment(page, post.slug, "Typed by Sven");
      const tab = await page.context().newPage();
      await tab.route("**/api/v1/posts/*/comments", async (route) => {
        if (failure === "no answer") await fromServer(route);
        await route.abort();
      });
      const email = `${failure.replace(" ", "")}@example.com`;
      await tab.goto(await mailedLink(page, portal, email));
      await tab.getByRole("button", { name: "Sign in" }).click();
      await asksName(tab);
      await tab.close();
      await page.goto(`/posts/${post.slug}`);
      const form = page.getByRole("form", { name: "Comment" });
      await expect.poll(() => form.getByRole("textbox").inputValue()).toBe("Typed by Sven");
      await form.getByRole("button", { name: "Add comment" }).click();
      await page.getByText("Your comment is published.").waitFor();
      expect(await commentsOn(post)).toEqual(["Typed by Sven"]);
      await page.reload();
      await scriptAnswers(page);
      expect(await form.getByRole("textbox").inputValue()).toBe("");
    },
  );

  it("publishes nothing before a tab is closed that a person could not find again", async () => {
    const post = await portal.post("Closed in between");
    const page = await portal.open(`/posts/${post.slug}`);
    await writesComment(page, post.slug, "Typed by Tom");
    const { tab } = await signsUpUnanswered(page, "tom@example.com");
    await tab.close();
    // The tab that waits has it all: another mail does it.
    await page.getByRole("button", { name: "Send another email" }).click();
    await page.locator(".notice", { hasText: "We have sent an email to tom@example.com" }).waitFor();
    await expect.poll(() => portal.codes("tom@example.com")).toHaveLength(2);
    await page.getByLabel("Code").fill(portal.codes("tom@example.com")[1] ?? "");
    await page.keyboard.press("Enter");
    await asksName(page);
    expect(await commentsOn(post)).toEqual(["Typed by Tom"]);
  });

  it("keeps the button of the code pressed until the comment of a new person is published", async () => {
    const post = await portal.post("Sent by a code");
    const page = await portal.open(`/posts/${post.slug}`);
    await writesComment(page, post.slug, "Typed by Xaver");
    await mailedLink(page, portal, "xaver@example.com");
    const letGo = await holdBack(page, COMMENTS);
    const sent = page.waitForRequest(COMMENTS);
    await page.getByLabel("Code").fill(portal.codes("xaver@example.com")[0] ?? "");
    await page.keyboard.press("Enter");
    await sent;
    await page.locator("form[aria-busy=true]").waitFor();
    expect(await page.getByLabel("Code").inputValue()).not.toBe("");
    letGo();
    await asksName(page);
    await page.getByRole("button", { name: "Later" }).click();
    await page.locator(".comment", { hasText: "Typed by Xaver" }).waitFor();
  });

  it.each(["never", "late"])(
    "lets a new person in whose comment is answered %s, and publishes it once",
    async (when) => {
      const post = await portal.post(`Answered ${when}`);
      const page = await portal.open(`/posts/${post.slug}`);
      await writesComment(page, post.slug, "Typed by Yara");
      const tab = await page.context().newPage();
      await tab.goto(await mailedLink(page, portal, `yara.${when}@example.com`));
      const letGo = await holdBack(tab, COMMENTS);
      const letTimersGo = await holdsTimers(tab);
      const sent = tab.waitForRequest(COMMENTS);
      await tab.getByRole("button", { name: "Sign in" }).click();
      await sent;
      await letTimersGo();
      await asksName(tab);
      await expect.poll(() => page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("Typed by Yara");
      if (when === "late") {
        letGo();
        await tab.getByText("Your comment is published.").waitFor();
      } else await tab.unroute(COMMENTS);
      await tab.getByRole("button", { name: "Later" }).click();
      await tab.locator(".comment", { hasText: "Typed by Yara" }).waitFor();
      // No form has sent itself without a text.
      expect(await tab.locator("[aria-invalid=true]").count()).toBe(0);
      expect(await commentsOn(post)).toEqual(["Typed by Yara"]);
      // No tab offers it once more.
      await page.reload();
      await scriptAnswers(page);
      await page.getByRole("button", { name: "Stop following" }).waitFor();
      expect(await page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("");
    },
  );

  it("opens no session for a new person who signs out before their comment is there", async () => {
    const post = await portal.post("Left before the answer");
    const page = await portal.open(`/posts/${post.slug}`);
    await writesComment(page, post.slug, "Typed by Adam");
    const { tab, letGo } = await signsUpUnanswered(page, "adam@example.com");
    await signOut(tab);
    letGo();
    await tab.getByText("Your comment is published.").waitFor();
    await tab.getByRole("link", { name: "Roadmap", exact: true }).click();
    await tab.waitForURL("**/roadmap");
    expect(await tab.evaluate("localStorage.token")).toBeUndefined();
  });

  it("asks nobody else for a name who has signed in before the comment of a new person is there", async () => {
    const other = await portal.join("Bella");
    const post = await portal.post("Overtaken by Bella");
    const page = await portal.open(`/posts/${post.slug}`);
    await writesComment(page, post.slug, "Typed by Carl");
    const { tab, letGo } = await signsUpUnanswered(page, "carl@example.com");
    await signsInElsewhere(page, other);
    letGo();
    await tab.getByText("Your comment is published.").waitFor();
    await tab.getByRole("link", { name: "Roadmap", exact: true }).click();
    await tab.waitForURL("**/roadmap");
    expect(await tab.evaluate("localStorage.token")).toBe(other);
    expect(await commentsOn(post)).toEqual(["Typed by Carl"]);
  });

  it("sends a comment once that another tab still shows, which waits no more", async () => {
    const post = await portal.post("Still shown elsewhere");
    const page = await portal.open(`/posts/${post.slug}`);
    await writesComment(page, post.slug, "Typed by Dora");
    const link = await mailedLink(page, portal, "dora@example.com");
    await page.goBack();
    await expect.poll(() => page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("Typed by Dora");
    const tab = await signsUpBy(link, page);
    await asksName(tab);
    await page.getByRole("button", { name: "Stop following" }).waitFor();
    if ((await page.getByRole("textbox", { name: "Comment" }).inputValue()) !== "") {
      await page.getByRole("button", { name: "Add comment" }).click();
      await page.getByText("Your comment is published.").waitFor();
    }
    expect(await commentsOn(post)).toEqual(["Typed by Dora"]);
    await signOut(page);
    await page.goto(`/posts/${post.slug}`);
    await scriptAnswers(page);
    expect(await page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("");
  });

  it("shows what a new person had typed as they have left it, in a new tab too", async () => {
    const { slug } = await portal.post("Begun and changed");
    const page = await portal.open(`/posts/${slug}`);
    await page.getByRole("textbox", { name: "Comment" }).fill("Begun by Emma");
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await mailedLink(page, portal, "emma@example.com");
    await page.getByLabel("Code").fill(portal.codes("emma@example.com")[0] ?? "");
    await page.keyboard.press("Enter");
    await asksName(page);
    await page.getByRole("button", { name: "Later" }).click();
    await expect.poll(() => page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("Begun by Emma");
    await page.getByRole("textbox", { name: "Comment" }).fill("Changed by Emma");
    const tab = await page.context().newPage();
    await tab.goto(`/posts/${slug}`);
    await scriptAnswers(tab);
    await expect.poll(() => tab.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("Changed by Emma");
  });

  it("shows the comment of an invited person in the tab that waits for another mail, and offers it no more", async () => {
    const post = await portal.post("Wanted before the invitation");
    const page = await portal.open(`/posts/${post.slug}`);
    await writesComment(page, post.slug, "Typed by Finn");
    await mailedLink(page, portal, "finn@example.com");
    await portal.call("POST", "/users/invitations", portal.owner, { email: "finn@example.com", role: "moderator" });
    await expect.poll(() => portal.linksTo("finn@example.com", "/password-reset/confirm")).toHaveLength(1);
    const tab = await page.context().newPage();
    await tab.goto(portal.linksTo("finn@example.com", "/password-reset/confirm")[0] ?? "");
    await tab.getByText("finn@example.com").waitFor();
    const letGo = await holdBack(tab, COMMENTS);
    const sent = tab.waitForRequest(COMMENTS);
    await tab.getByLabel("New password").fill("battery staple horse");
    await tab.getByRole("button", { name: "Set the password and sign in" }).click();
    await sent;
    expect(await tab.evaluate("localStorage.token")).toBeUndefined();
    letGo();
    await asksName(tab);
    await page.locator(".comment", { hasText: "Typed by Finn" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("");
    expect(await commentsOn(post)).toEqual(["Typed by Finn"]);
  });
});
