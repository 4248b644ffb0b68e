import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { disturbCalls } from "../support/process/disturbed-calls.ts";
import { signIn, signUp } from "../support/process/entering.ts";
import { aPortal } from "../support/process/portal.ts";
import { eventually } from "../support/process/server-process.ts";
import {
  fromServer,
  holdBack,
  openProfile,
  profileIsWhole,
  scriptAnswers,
  typeTitle,
} from "../support/process/steady.ts";
import { addComments } from "../support/world/bulk.ts";
import { codeNow, secretIn } from "../support/world/two-factor.ts";

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

// What a visitor wanted is done after the sign-in, and nothing that they wrote is lost.

const said = (page: Page, words: string) => page.getByRole("status").getByText(words).waitFor();
/** Whether what has the keyboard is on the screen, whole. */
const isOnScreen = (page: Page) =>
  page.evaluate(`(() => {
    const { top, bottom } = document.activeElement.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`);
const voteFor = (page: Page, title: string) => page.getByRole("button", { name: `Vote for ${title},` });

describe.skipIf(!BROWSER)("Of the portal's people", () => {
  const portal = aPortal();

  describe("a visitor who is asked to sign in", () => {
    it("reads for what, and has voted after the sign-up, where they were on the third page of the list", async () => {
      await portal.post("A vote that stays");
      for (let n = 0; n < 42; n++) await portal.call("POST", "/posts", portal.owner, { title: `Above it ${n}` });
      const page = await portal.open("/?order=newest");
      for (const shown of [40, 43]) {
        await page.getByRole("link", { name: "Show more" }).click();
        await expect.poll(() => page.locator(".row").count()).toBe(shown);
      }
      await voteFor(page, "A vote that stays").click();
      await page.getByText("Sign in to vote for “A vote that stays”.").waitFor();
      await signUp(page, "Vera");
      await said(page, "You voted for “A vote that stays”.");
      await page.locator(".vote[aria-pressed=true]:focus").waitFor();
      expect(await page.locator(":focus").getAttribute("aria-label")).toContain("A vote that stays");
      expect(await isOnScreen(page)).toBe(true);
    });

    it("keeps the keyboard at their vote, though it moves the post from the third page of the list to the first", async () => {
      const top = async (first: number) => {
        const { posts } = (await portal.call("POST", "/posts/get", undefined, { sort: "top", first })).body;
        return posts.map(({ postId }: { postId: string }) => `vote-${postId}`);
      };
      await expect.poll(() => top(50)).toHaveLength(43);
      // Each page is in the order of today, but a vote moves a post to another page a moment later.
      const [most] = await top(50);
      await expect.poll(() => top(1)).toEqual([most]);
      const page = await portal.open("/?order=top");
      for (const shown of [40, 43]) {
        await page.getByRole("link", { name: "Show more" }).click();
        await expect.poll(() => page.locator(".row").count()).toBe(shown);
      }
      const vote = page.locator(".row .vote").last();
      const id = (await vote.getAttribute("id")) ?? "";
      await vote.click();
      await page.getByText(/^Sign in to vote/).waitFor();
      // The page reads its list again for who has signed in, once the post has moved.
      await page.route("**/api/v1/posts/get", async (route) => {
        await eventually(async () => expect(await top(20)).toContain(id));
        await route.continue();
      });
      await signUp(page, "Tova");
      const first = page.locator(".page").first();
      await first.locator(`#${id}[aria-pressed=true]:focus`).waitFor();
      await expect.poll(() => page.locator(`#${id}`).count()).toBe(1);
      expect(await first.locator(`#${id}:focus`).count()).toBe(1);
      await page.unrouteAll({ behavior: "wait" });
    });

    it("follows a post after the sign-in, though the page reads before that whether they do", async () => {
      await portal.join("Finn");
      const { slug } = await portal.post("News of this");
      const page = await portal.open(`/posts/${slug}`);
      const read = Promise.withResolvers<void>();
      const followed = page.waitForResponse((each) => each.request().method() === "PUT");
      await page.route("**/subscription", async (route) => {
        if (route.request().method() === "PUT") return read.promise.then(() => route.continue());
        const response = await fromServer(route);
        read.resolve();
        await followed;
        await route.fulfill({ response });
      });
      await page.getByRole("button", { name: "Follow" }).click();
      await page.getByText("Sign in to follow “News of this”.").waitFor();
      await signIn(page, "finn@example.com");
      await page.locator("button:focus", { hasText: "Stop following" }).waitFor();
    });

    it("has commented after the sign-in, with the words written before it", async () => {
      await portal.join("Cora");
      const { slug } = await portal.post("Say something");
      const page = await portal.open(`/posts/${slug}`);
      await page.getByRole("textbox", { name: "Comment" }).fill("Written first");
      await page.keyboard.press("Control+Enter");
      await page.getByText("Sign in to comment on “Say something”.").waitFor();
      await signIn(page, "cora@example.com");
      await said(page, "Your comment is published.");
      await page.locator("section:focus", { hasText: "Written first" }).waitFor();
      expect(await isOnScreen(page)).toBe(true);
      await page.waitForURL(/comment=/);
      expect(await page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("");
    });

    it("has replied after the sign-up, and reads the reply where its address leads", async () => {
      const { slug, postId } = await portal.post("Answer this");
      const body = { body: "Who else?" };
      await portal.call("POST", `/posts/${postId}/comments`, portal.owner, body);
      const page = await portal.open(`/posts/${slug}`);
      await page.getByRole("button", { name: "Reply Olive" }).click();
      await page.getByRole("textbox", { name: "Reply" }).fill("I, without an account");
      await page.getByRole("button", { name: "Reply", exact: true }).click();
      await page.getByText("Sign in to comment on “Answer this”.").waitFor();
      await signUp(page, "Rena");
      // The page shows the reply itself, not what it answers.
      await page.locator("section:focus", { hasText: "I, without an account" }).waitFor();
      expect(await isOnScreen(page)).toBe(true);
      const { activity } = (await portal.call("GET", `/posts/${postId}/activity`)).body;
      expect(new URL(page.url()).searchParams.get("comment")).toBe(activity[0].id);
      const question = page.locator(".comments > li", { hasText: "Who else?" }).first();
      await question.locator(".comments", { hasText: "I, without an account" }).waitFor();
    });

    it("has posted after the sign-up, once", async () => {
      const page = await portal.open("/new");
      await typeTitle(page, "Wished before the account");
      await page.getByRole("button", { name: "Publish" }).click();
      await page.getByText("Sign in to publish “Wished before the account”.").waitFor();
      await signUp(page, "Paula");
      await page.getByRole("heading", { name: "Wished before the account" }).waitFor();
      await page.goto("/new");
      await page.getByLabel("Title", { exact: true }).waitFor();
      expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("");
    });

    it("has voted for a similar post in place of a new one, whose words are still there", async () => {
      await portal.join("Sima");
      const { slug } = await portal.post("Marmalade in jars");
      const page = await portal.open("/new");
      await page.getByLabel("Title", { exact: true }).fill("Marmalade jars");
      await voteFor(page, "Marmalade in jars").click();
      await page.getByText("Sign in to vote for “Marmalade in jars”.").waitFor();
      await signIn(page, "sima@example.com");
      await said(page, "You voted for “Marmalade in jars”.");
      await page.locator(".vote[aria-pressed=true]:focus").waitFor();
      expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("Marmalade jars");
      await page.getByText("Your vote is counted.").waitFor();
      await page.getByRole("link", { name: "Open the post" }).click();
      await page.getByRole("heading", { name: "Marmalade in jars" }).waitFor();
      const { post } = (await portal.call("POST", "/posts/slug", undefined, { slug })).body;
      expect(post.voters.votesCount).toBe(1);
    });

    it.each(["Posts", "Back", "Browser"])(
      "has not voted who leaves by %s, and signs in by the head later",
      async (way) => {
        await portal.join(`Lena ${way}`);
        const { slug } = await portal.post("Only looked at");
        const page = await portal.open(`/posts/${slug}`);
        await voteFor(page, "Only looked at").click();
        await page.getByText("Sign in to vote for “Only looked at”.").waitFor();
        if (way === "Browser") await page.goBack();
        else await page.getByRole("link", { name: way, exact: true }).click();
        await page
          .getByRole("heading", { name: way === "Posts" ? "What can we do better?" : "Only looked at" })
          .waitFor();
        await page.getByRole("link", { name: "Sign in", exact: true }).click();
        await signIn(page, `lena${way}@example.com`);
        await page.getByRole("button", { name: "Account", exact: true }).waitFor();
        await page.goto(`/posts/${slug}`);
        await page.getByRole("button", { name: "Edit" }).or(voteFor(page, "Only looked at")).first().waitFor();
        expect(await voteFor(page, "Only looked at").getAttribute("aria-pressed")).toBe("false");
      },
    );

    const mailFor = async (page: Page, email: string) => {
      const link = page.getByRole("link", { name: "Email me a link" });
      const button = page.getByRole("button", { name: "Email me a link" });
      await link.or(button).first().waitFor();
      if (await link.isVisible()) await link.click();
      await button.waitFor();
      await page.getByLabel("Email").fill(email);
      await button.click();
      await said(page, `We have sent an email to ${email}, if that address can sign in here.`);
    };
    const saysTheirName = async (page: Page, name: string) => {
      await page.getByRole("heading", { name: "How should others see you?" }).waitFor();
      await page.getByLabel("Your name").fill(name);
      await page.getByRole("button", { name: "Save" }).click();
    };

    it("has posted once after a mail's link in another tab, and the first tab continues", async () => {
      const page = await portal.open("/new");
      await typeTitle(page, "Wished without a password");
      // Twice, while the sign-in is still loading.
      const letGo = await holdBack(page, "**/sign-in-*.js");
      await page.getByRole("button", { name: "Publish" }).dblclick();
      letGo();
      await page.waitForURL((url) => url.searchParams.get("next") === "/new");
      await mailFor(page, "mia@example.com");
      const tab = await page.context().newPage();
      // Scanners open links too: that changes nothing.
      const link = await portal.linkTo("mia@example.com");
      for (let n = 0; n < 3; n++) await tab.goto(link);
      await tab.getByRole("button", { name: "Sign in" }).click();
      await saysTheirName(tab, "Mia Lund");
      await tab.getByRole("heading", { name: "Wished without a password" }).waitFor();
      await tab.locator(".by", { hasText: "Mia Lund" }).first().waitFor();
      await page.getByRole("button", { name: "Account", exact: true }).waitFor();
      // An empty form would say nothing of it.
      await page.getByRole("heading", { name: "Wished without a password" }).waitFor();
      await said(page, "Your post is published.");
      const found = await portal.call("POST", "/posts/get", undefined, { first: 50, created: "desc" });
      const titles = found.body.posts.map(({ title }: { title: string }) => title);
      expect(titles.filter((title: string) => title === "Wished without a password")).toHaveLength(1);
    });

    it("has voted after the code of a mail that another device shows, on a phone", async () => {
      await portal.post("A vote by code");
      const page = await portal.open("/", undefined, { viewport: { width: 360, height: 640 } });
      await voteFor(page, "A vote by code").click();
      await mailFor(page, "cody@example.com");
      await expect.poll(() => portal.codes("cody@example.com")).toHaveLength(1);
      const [code = ""] = portal.codes("cody@example.com");
      await page.reload();
      const field = page.getByLabel("Code");
      await field.fill("AAAA AAAA");
      await page.keyboard.press("Enter");
      await page.getByText("The code is wrong, has been used, or has expired.").waitFor();
      await page.locator("input[name=code]:focus").waitFor();
      await field.fill(`${code.slice(0, 4).toLowerCase()} ${code.slice(4)}`);
      await page.keyboard.press("Enter");
      await said(page, "You voted for “A vote by code”.");
      await page.reload();
      await page.getByText("you are shown as New member.").waitFor();
      await page.getByRole("button", { name: "Later" }).click();
      await page.locator("[aria-label^='Vote for A vote by code']:focus").waitFor();
      expect(await voteFor(page, "A vote by code").getAttribute("aria-pressed")).toBe("true");
    });

    it.each([
      ["Follow", "You wanted to follow this", "button:focus"],
      ["Add comment", "You wanted to comment on this", "textarea:focus"],
    ])("comes from a mail in another browser to the post, for %s", async (button, wanted, focused) => {
      const email = `${button.replace(" ", "").toLowerCase()}@example.com`;
      const { slug } = await portal.post(`On two devices: ${button}`);
      const page = await portal.open(`/posts/${slug}`);
      await page.getByRole("textbox", { name: "Comment" }).fill("Typed in the first one");
      await page.getByRole("button", { name: button, exact: true }).click();
      await mailFor(page, email);
      const context = await portal.enterAlone();
      const other = await context.newPage();
      await expect.poll(() => portal.linksTo(email, "/sign-in/link")).toHaveLength(1);
      await other.goto(portal.linksTo(email, "/sign-in/link")[0] ?? "");
      const hint =
        button === "Follow"
          ? "You do not follow it yet: press “Follow” there."
          : "Did you ask for this email in another browser?";
      await other.getByText(hint).waitFor();
      await other.getByRole("button", { name: "Sign in" }).click();
      await other.getByRole("button", { name: "Later" }).click();
      await other.getByText(wanted).waitFor();
      await other.locator(focused).waitFor();
      expect(new URL(other.url()).pathname).toBe(`/posts/${slug}`);
      await expect.poll(() => new URL(other.url()).search).toBe("");
      if (button !== "Follow") return;
      await other.keyboard.press("Enter");
      await other.locator("p.response", { hasText: "You follow this post." }).waitFor();
    });

    it("learns that the code is used up once the link was opened in another browser, and what to do", async () => {
      const { slug } = await portal.post("Wanted on two devices");
      const page = await portal.open("/");
      await voteFor(page, "Wanted on two devices").click();
      await mailFor(page, "dora@example.com");
      const context = await portal.enterAlone();
      const other = await context.newPage();
      await other.goto(await portal.linkTo("dora@example.com"));
      await other.getByText("Your vote is not cast yet: cast it there.").waitFor();
      await other.reload();
      await other.getByRole("button", { name: "Sign in" }).click();
      await other.getByRole("button", { name: "Later" }).click();
      await other.getByText("You wanted to vote for this. Your vote is not cast yet").waitFor();
      const vote = other.locator("[aria-label^='Vote for Wanted on two devices']:focus");
      await vote.waitFor();
      // Anybody may have asked for the mail, so that its link does not vote.
      expect(await vote.getAttribute("aria-pressed")).toBe("false");
      const letGo = await holdBack(other, "**/api/v1/votes");
      await other.keyboard.press("Enter");
      await other.locator("[aria-label^='Vote for Wanted on two devices'][aria-pressed=true]").waitFor();
      // The button answers before the service does; what is said waits for it.
      expect(await other.getByText("Your vote is counted.").count()).toBe(0);
      letGo();
      await other.getByText("Your vote is counted.").waitFor();
      const { post } = (await portal.call("POST", "/posts/slug", undefined, { slug })).body;
      expect(post.voters.votesCount).toBe(1);
      await page.getByLabel("Code").fill(portal.codes("dora@example.com")[0] ?? "");
      await page.keyboard.press("Enter");
      await page.getByText("If the link was opened in another browser, it has signed you in there").waitFor();
      await page.getByRole("button", { name: "Send another email" }).click();
      await expect.poll(() => portal.codes("dora@example.com")).toHaveLength(2);
      await page.getByRole("button", { name: "Use another address" }).click();
      await page.getByRole("button", { name: "Email me a link" }).waitFor();
    });

    it("learns that a link was used, and finds the way back and to another one", async () => {
      const page = await portal.open("/sign-in");
      await mailFor(page, "ulla@example.com");
      await page.goBack();
      await page.getByLabel("Password").waitFor();
      await page.goto(await portal.linkTo("ulla@example.com"));
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("button", { name: "Account", exact: true }).waitFor();
      const other = await portal.open(await portal.linkTo("ulla@example.com"));
      await other.getByRole("button", { name: "Sign in" }).click();
      await other.getByText("This link has expired or has already been used.").waitFor();
      expect(await other.getByRole("button", { name: "Sign in" }).count()).toBe(0);
      await other.getByRole("link", { name: "Send another link" }).click();
      await other.getByRole("button", { name: "Email me a link" }).waitFor();
    });

    it("is not offered a mail where the owner has switched that off", async () => {
      await portal.call("PATCH", "/settings/site", portal.owner, { magic: false });
      const page = await portal.open("/sign-in");
      await page.getByLabel("Password").waitFor();
      expect(await page.getByRole("link", { name: "Email me a link" }).count()).toBe(0);
      await page.goto("/sign-in/mail");
      await page.getByText("Signing in by email is switched off on this site.").waitFor();
      await portal.call("PATCH", "/settings/site", portal.owner, { magic: true });
    });

    const NEW_PASSWORD = "battery staple";
    /** Forgets the password where a person is asked to sign in, and has a link mailed. */
    const forgets = async (page: Page, email: string) => {
      await page.getByRole("link", { name: "Sign in with a password" }).click();
      await page.getByRole("link", { name: "Forgot your password?" }).click();
      await asksForLink(page, email);
    };
    const asksForLink = async (page: Page, email: string) => {
      await page.getByRole("heading", { name: "Reset your password" }).waitFor();
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Send a link" }).click();
      await page.getByText("a link is on its way").waitFor();
    };
    const resetLinkTo = async (email: string, count = 1) => {
      const links = () => portal.linksTo(email, "/password-reset/confirm");
      await expect.poll(links).toHaveLength(count);
      return links().at(-1) ?? "";
    };
    /** Sets a new password by the link of a mail, which signs in. */
    const setsPassword = async (page: Page, link: string) => {
      await page.goto(link);
      await page.getByLabel("New password").fill(NEW_PASSWORD);
      await page.getByRole("button", { name: "Save" }).click();
    };

    it("has commented once after a new password in another tab, and the first tab continues", async () => {
      await portal.join("Fara");
      const { slug, postId } = await portal.post("Forgotten in between");
      const page = await portal.open(`/posts/${slug}`);
      await page.getByRole("textbox", { name: "Comment" }).fill("Typed before the password was new");
      await page.getByRole("button", { name: "Add comment" }).click();
      await forgets(page, "fara@example.com");
      const tab = await page.context().newPage();
      await setsPassword(tab, await resetLinkTo("fara@example.com"));
      await tab.locator("section:focus", { hasText: "Typed before the password was new" }).waitFor();
      await page.waitForURL(`**/posts/${slug}`);
      await page.getByRole("button", { name: "Account", exact: true }).waitFor();
      expect(await page.getByRole("textbox", { name: "Comment" }).inputValue()).toBe("");
      const { activity } = (await portal.call("GET", `/posts/${postId}/activity`)).body;
      expect(activity.filter(({ type }: { type: string }) => type === "comment")).toHaveLength(1);
    });

    it("comes from a new password in another browser to the post, also by another link, and has not voted", async () => {
      await portal.join("Otto");
      const { slug } = await portal.post("Forgotten on two devices");
      const page = await portal.open("/");
      await voteFor(page, "Forgotten on two devices").click();
      await forgets(page, "otto@example.com");
      const other = await (await portal.enterAlone()).newPage();
      await other.goto(await resetLinkTo("otto@example.com"));
      await other.getByRole("link", { name: "Send another link" }).click();
      await asksForLink(other, "otto@example.com");
      const third = await (await portal.enterAlone()).newPage();
      await setsPassword(third, await resetLinkTo("otto@example.com", 2));
      await third.getByText("You wanted to vote for this").waitFor();
      const vote = third.locator("[aria-label^='Vote for Forgotten on two devices']:focus");
      await vote.waitFor();
      expect(await vote.getAttribute("aria-pressed")).toBe("false");
      expect(new URL(third.url()).pathname).toBe(`/posts/${slug}`);
      const { post } = (await portal.call("POST", "/posts/slug", undefined, { slug })).body;
      expect(post.voters.votesCount).toBe(0);
    });

    it("is asked for the second factor after a new password, and has followed after it", async () => {
      const token = await portal.join("Tilda");
      // A password by mail ends the second factor of an address that nobody has confirmed.
      await portal.confirm("tilda@example.com", token);
      const secret = await portal.withTwoFactor(token);
      const { slug } = await portal.post("Followed by two steps");
      const page = await portal.open(`/posts/${slug}`);
      await page.getByRole("button", { name: "Follow", exact: true }).click();
      await forgets(page, "tilda@example.com");
      await setsPassword(page, await resetLinkTo("tilda@example.com"));
      const code = page.getByLabel("Code from the app");
      await code.waitFor();
      expect(await page.evaluate("localStorage.getItem('token')")).toBeNull();

      await page.getByRole("button", { name: "Start again" }).click();
      await page.getByText("Sign in to follow “Followed by two steps”.").waitFor();
      await page.getByLabel("Password", { exact: true }).fill(NEW_PASSWORD);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await code.fill(codeNow(secret, 1));
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/posts/${slug}`);
      await page.getByRole("button", { name: "Stop following" }).waitFor();
    });

    it("still types the code of a mail after asking for a new password", async () => {
      await portal.join("Odile");
      const page = await portal.open("/sign-in/mail");
      await mailFor(page, "odile@example.com");
      await expect.poll(() => portal.codes("odile@example.com")).toHaveLength(1);
      await page.goto("/password-reset");
      await asksForLink(page, "odile@example.com");
      await page.goto("/sign-in/mail");
      await page.getByLabel("Code").fill(portal.codes("odile@example.com")[0] ?? "");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Account", exact: true }).waitFor();
    });

    it("stays where the link was asked for when another tab renews their session", async () => {
      const first = await portal.join("Petra");
      const page = await portal.open("/password-reset", first);
      await asksForLink(page, "petra@example.com");
      const body = { email: "petra@example.com", password: "correct horse" };
      const { authToken } = (await portal.call("POST", "/auth/login", undefined, body)).body.user;
      const tab = await page.context().newPage();
      await tab.goto("/robots.txt");
      const arrived = page.evaluate(
        "new Promise((done) => addEventListener('storage', done, { once: true })).then(() => 1)",
      );
      await tab.evaluate(`localStorage.setItem("token", ${JSON.stringify(authToken)})`);
      await arrived;
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
      expect(new URL(page.url()).pathname).toBe("/password-reset");
      await page.getByText("a link is on its way").waitFor();
    });

    it("reads each page as it is for them, once another tab has signed them in", async () => {
      const first = await portal.join("Uma");
      const second = await portal.join("Nils");
      const { slug } = await portal.post("Written by Uma", {}, first);
      const page = await portal.open("/my/posts", first);
      const own = page.getByRole("link", { name: "Written by Uma" });
      await own.waitFor();
      const tab = await page.context().newPage();
      await tab.goto("/robots.txt");
      const becomes = (token: string) => tab.evaluate(`localStorage.setItem("token", ${JSON.stringify(token)})`);
      let isDown = true;
      await disturbCalls(page, ({ url }) => (isDown && url.includes("/users/profile/posts") ? "no answer" : undefined));
      await becomes(second);
      await page.getByRole("button", { name: "Try again" }).waitFor();
      expect(await own.count()).toBe(0);
      isDown = false;
      await page.goto(`/posts/${slug}`);
      await page.getByRole("textbox", { name: "Comment", exact: true }).waitFor();
      await becomes(first);
      await page.getByRole("button", { name: "Delete" }).waitFor();
      await page.getByRole("textbox", { name: "Comment", exact: true }).waitFor();
      await expect.poll(() => page.getByRole("status", { name: "Loading" }).count()).toBe(0);
    });

    it("comes from the mail of the sign-up to the post on which they have voted", async () => {
      const { slug } = await portal.post("Confirmed later");
      const page = await portal.open("/");
      await voteFor(page, "Confirmed later").click();
      await signUp(page, "Kira");
      await said(page, "You voted for “Confirmed later”.");
      const other = await (await portal.enterAlone()).newPage();
      await other.goto(await portal.linkTo("kira@example.com"));
      await signIn(other, "kira@example.com");
      await other.waitForURL(`**/posts/${slug}`);
      await said(other, "Your email address is kira@example.com, and it is confirmed.");
      await other.locator("[aria-label^='Vote for Confirmed later'][aria-pressed=true]").waitFor();
    });

    it("takes the typed address along to a new password", async () => {
      const page = await portal.open("/sign-in");
      await page.getByLabel("Email").fill("typed@example.com");
      await page.getByRole("link", { name: "Forgot your password?" }).click();
      await page.getByRole("heading", { name: "Reset your password" }).waitFor();
      expect(await page.getByLabel("Email").inputValue()).toBe("typed@example.com");
      await page.getByRole("button", { name: "Send a link" }).click();
      // The keyboard is at the answer.
      await page.locator("[role=status]:focus", { hasText: "on its way" }).waitFor();
    });
  });

  describe("a reader", () => {
    it("opens more than ten matches, and reads how many there are", async () => {
      for (let n = 0; n < 11; n++) await portal.call("POST", "/posts", portal.owner, { title: `Bulk wish ${n}` });
      await portal.post("Bulk wish 11");
      const found = async () => (await portal.call("POST", "/posts/search", portal.owner, { query: "bulk" })).body;
      await expect.poll(found).toMatchObject({ total_count: 12 });
      const page = await portal.open("/");
      const search = page.locator("input[type=search]:focus");
      // The key works once the page's script runs.
      await expect.poll(() => page.keyboard.press("/").then(() => search.count())).toBe(1);
      await page.keyboard.type("bulk");
      await said(page, "The best 10 of 12 matches");
      await page.getByRole("link", { name: "Show more" }).click();
      await expect.poll(() => page.locator(".row").count()).toBe(12);
    });

    it("keeps the old list, dimmed, until the new one is read, and hears how long it is", async () => {
      await portal.post("Kept in sight");
      const page = await portal.open("/");
      await page.getByRole("link", { name: "Kept in sight" }).waitFor();
      let answer = () => {};
      const asked = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route("**/api/v1/posts/search", (route) => asked.then(() => route.continue()));
      await page.getByRole("searchbox").fill("sight");
      await page.locator("[aria-busy=true]", { hasText: "Kept in sight" }).waitFor();
      expect(await page.locator(".skeleton").count()).toBe(0);
      answer();
      await said(page, "1 post");
      expect(await page.locator("main [aria-busy=true]").count()).toBe(0);
    });

    it("opens more of a roadmap's column, and sees numbers that no translator has replaced", async () => {
      const aRoadmap = async (name: string) => {
        const { roadmap } = (await portal.call("POST", "/roadmaps", portal.owner, { name })).body;
        await portal.call("PATCH", "/roadmaps", portal.owner, { id: roadmap.id, display: true });
        return roadmap;
      };
      const roadmap = await aRoadmap("Far");
      await aRoadmap("Farther");
      for (let n = 0; n < 21; n++) {
        const { post } = (await portal.call("POST", "/posts", portal.owner, { title: `Far wish ${n}` })).body;
        await portal.call("PATCH", "/posts", portal.owner, { id: post.postId, roadmapId: roadmap.id });
      }
      const page = await portal.open("/roadmap");
      const far = page.getByRole("region", { name: /^Far / });
      await expect
        .poll(async () => {
          await page.reload();
          return far.getByRole("link", { name: "Show more" }).count();
        })
        .toBe(1);
      await scriptAnswers(page);
      await far.getByRole("link", { name: "Show more" }).click();
      await expect.poll(() => far.locator("li").count()).toBe(21);
      await page.setViewportSize({ width: 390, height: 700 });
      await page.getByRole("link", { name: "Farther 0 posts" }).click();
      await expect.poll(() => isOnScreen(page)).toBe(true);
      expect(await page.locator(":focus").innerText()).toContain("Farther");
      // The way to the other columns stays.
      await expect
        .poll(async () => (await page.getByRole("navigation", { name: "Roadmaps" }).boundingBox())?.y)
        .toBe(0);
      expect(await far.locator(".vote [translate=no]").count()).toBe(21);
    });

    it("is told that nothing matches, on a board and on all, with a way on", async () => {
      const page = await portal.open("/boards/feedback?q=unheardof");
      await said(page, "0 posts");
      expect(await page.title()).toBe("Search: unheardof · Wishes");
      await page.getByText("Search looks at titles only.").waitFor();
      await page.getByRole("link", { name: "Search all boards" }).click();
      await page.waitForURL("**/?q=unheardof");
      await said(page, "0 posts");
      expect(await page.getByRole("link", { name: "Search all boards" }).count()).toBe(0);
      await page.getByRole("link", { name: "Write “unheardof” as a new post" }).click();
      await expect.poll(() => page.getByLabel("Title", { exact: true }).inputValue()).toBe("unheardof");
    });

    it("is led to a search without filters where nothing matches with them", async () => {
      await portal.post("Quokka feeds");
      const page = await portal.open("/?q=quokka&status=planned");
      await page.getByText("Search looks at titles only.").waitFor();
      await page.getByRole("link", { name: "Search all boards" }).click();
      await page.waitForURL("**/?q=quokka");
      await page.locator(".row", { hasText: "Quokka feeds" }).waitFor();
      expect(await page.getByRole("link", { name: "Search all boards" }).count()).toBe(0);
    });

    it("is offered posts with another form of a word, and to write what they looked for", async () => {
      await portal.post("Okapi exports");
      const page = await portal.open("/?q=okapis%20exporting");
      await said(page, "0 posts");
      const near = page.getByRole("region", { name: "Is it one of these?" });
      await near.getByRole("link", { name: "Okapi exports" }).waitFor();
      // What may be it comes first.
      await page
        .locator("section[aria-labelledby=near] ~ p")
        .getByRole("link", { name: /^Write/ })
        .waitFor();
      // "No posts match" says it once.
      expect(await page.locator(".found .quiet-text").count()).toBe(0);
      await page.getByRole("searchbox").fill("okapiexport");
      await near.getByRole("link", { name: "Okapi exports" }).waitFor();
      await page.getByRole("searchbox").fill("okapi");
      await said(page, "1 post");
      expect(await near.count()).toBe(0);
      await page.getByRole("link", { name: "Write “okapi” as a new post" }).click();
      await expect.poll(() => page.getByLabel("Title", { exact: true }).inputValue()).toBe("okapi");
    });

    it("opens a board, an order and a page by addresses that can be read and shared", async () => {
      const { board } = (await portal.call("POST", "/boards", portal.owner, { name: "Night Owls", display: true }))
        .body;
      const page = await portal.open("/");
      await page.getByRole("navigation", { name: "Boards" }).getByRole("link", { name: "Night Owls 0 posts" }).click();
      await page.waitForURL("**/boards/night-owls");
      await page.getByRole("heading", { name: "Night Owls" }).waitFor();
      await page.getByRole("link", { name: "New", exact: true }).click();
      await page.waitForURL("**/boards/night-owls?order=newest");
      await portal.post("Open all night", { boardId: board.boardId });
      await page.reload();
      // The page names the board, so its rows do not.
      await page.getByRole("link", { name: "Open all night" }).waitFor();
      expect(await page.locator(".row .badge", { hasText: "Night Owls" }).count()).toBe(0);
      await page.getByRole("link", { name: "Posts", exact: true }).click();
      await page.locator(".row", { hasText: "Open all night" }).locator(".badge", { hasText: "Night Owls" }).waitFor();
      const reader = await portal.open("/boards/none", undefined, { hasScripts: false });
      await reader.getByRole("heading", { name: "Board not found" }).waitFor();
      await reader.getByRole("link", { name: "Show all posts" }).click();
      await reader.getByRole("heading", { name: "What can we do better?" }).waitFor();
    });

    it("finds the boards beside the list, and folded above it on a phone", async () => {
      const page = await portal.open("/");
      const beside = page.getByRole("navigation", { name: "Boards" });
      await beside.getByRole("link", { name: /^Feedback \d+ posts$/ }).click();
      await page.getByRole("heading", { name: "Feedback" }).waitFor();
      expect(await beside.locator("[aria-current]").innerText()).toMatch(/^Feedback/);
      expect(await page.getByRole("combobox", { name: "Board" }).count()).toBe(0);
      const phone = await portal.open("/", undefined, { viewport: { width: 390, height: 640 } });
      const button = await phone.getByRole("link", { name: "New post" }).boundingBox();
      expect(button?.width).toBeGreaterThan(button?.height ?? 0);
      // Each choice stands once, on every screen.
      const boards = phone.getByRole("navigation", { name: "Boards" });
      expect(await boards.count()).toBe(0);
      await phone.getByRole("button", { name: "Filters" }).click();
      await boards.getByRole("link", { name: /^Feedback/ }).click();
      await phone.waitForURL("**/boards/feedback");
      await expect.poll(() => boards.count()).toBe(0);
      await phone.getByRole("button", { name: "Filters" }).click();
      await phone.getByRole("link", { name: "Planned" }).click();
      await phone.getByRole("button", { name: "Planned" }).waitFor();
    });

    it("comes back from a new post to the list before it, however late its form comes", async () => {
      const page = await portal.open("/", await portal.join("Hanna"));
      const letGo = await holdBack(page, "**/new-post-*.js");
      await page.getByRole("link", { name: "New post" }).first().click();
      await page.waitForURL("**/new");
      letGo();
      await typeTitle(page, "Written from the list");
      await page.getByRole("button", { name: "Publish" }).click();
      await page.getByRole("heading", { name: "Written from the list" }).waitFor();
      expect(await page.getByRole("link", { name: "Back to the list" }).getAttribute("href")).toBe("/");
    });

    it("goes back from a post to the list that led to it, and copies the post's address", async () => {
      for (let n = 0; n < 20; n++) await portal.call("POST", "/posts", portal.owner, { title: `Listed ${n}` });
      const { slug } = await portal.post("Worth a link");
      const page = await portal.open("/?q=worth");
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByRole("link", { name: "Worth a link" }).click();
      await page.getByRole("button", { name: "Copy the link" }).click();
      await said(page, "The link is copied.");
      expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(new RegExp(`^http://.*/posts/${slug}$`));
      await page.getByRole("link", { name: "Back to the list" }).click();
      await page.waitForURL("**/?q=worth");
      await page.goto("/?order=newest");
      await scriptAnswers(page);
      await page.getByRole("link", { name: "Show more" }).click();
      const last = page.locator(".row h2 a").nth(20);
      await last.scrollIntoViewIfNeeded();
      const at = await page.evaluate("scrollY");
      expect(at).toBeGreaterThan(0);
      await last.click();
      await page.getByRole("link", { name: "Back to the list" }).click();
      await expect.poll(() => page.evaluate("scrollY")).toBe(at);
      const again = page.locator(".row h2 a").nth(20);
      await again.click();
      await page.getByRole("heading", { name: "Comments" }).waitFor();
      await page.goBack();
      await again.and(page.locator(":focus")).waitFor();
      expect(await page.evaluate("scrollY")).toBe(at);
    });

    it("opens page after page without the script", async () => {
      for (let n = 0; n < 21; n++) await portal.call("POST", "/posts", portal.owner, { title: `Paged ${n}` });
      const page = await portal.open("/?order=newest", undefined, { hasScripts: false });
      const first = await page.locator(".row h2").first().innerText();
      await page.getByRole("link", { name: "Show more" }).click();
      await page.waitForURL(/after=/);
      expect(await page.locator(".row h2").first().innerText()).not.toBe(first);
      await page.getByRole("link", { name: "Back to the first page" }).click();
      await page.waitForURL("**/?order=newest");
      expect(await page.locator(".row h2").first().innerText()).toBe(first);
      // A vote needs the script, and the page says so.
      await page.locator(".vote").first().click();
      await page.waitForURL("**/sign-in?next=%2F%3Forder%3Dnewest");
      expect(await page.locator("form noscript").first().textContent()).toContain("Voting, writing and signing");
      await page.getByRole("link", { name: "Back", exact: true }).click();
      await page.waitForURL("**/?order=newest");
    });

    it("finds a comment by its own address, on whatever page it stands, and replies below what they answer", async () => {
      const { slug, postId } = await portal.post("Long talk");
      const { user } = (await portal.call("GET", "/users/profile", portal.owner)).body;
      const asked = await portal.call("POST", `/posts/${postId}/comments`, portal.owner, { body: "The very first" });
      const { id } = asked.body.activity;
      await addComments(
        postId,
        user,
        Array.from({ length: 30 }, (_, n) => `Later ${n}`),
      );
      const page = await portal.open(`/posts/${slug}?comment=${id}`);
      await page.locator("section:focus", { hasText: "The very first" }).waitFor();
      // As mails name it.
      await page.goto("/");
      await page.goto(`/posts/${slug}#${id}`);
      await page.locator("section:focus", { hasText: "The very first" }).waitFor();
      const gone = await page.goto(`/posts/${slug}?comment=${postId}`);
      expect(gone?.status()).toBe(200);
      await page.getByText("This comment no longer exists.").waitFor();
      const newest = page.locator(".comments > li").first();
      const body = await newest.locator(".prose").innerText();
      await newest.getByRole("link").click();
      await page.waitForURL(/comment=[-0-9a-f]+$/);
      await page.getByRole("region", { name: "Linked comment" }).getByText(body).waitFor();
      const member = await portal.open(`/posts/${slug}`, await portal.join("Rolf"));
      const parent = member.locator(".comments > li").nth(1);
      await parent.getByRole("button", { name: "Reply" }).click();
      await parent.getByRole("textbox", { name: "Reply" }).fill("Below it");
      await parent.getByRole("button", { name: "Reply", exact: true }).last().click();
      await parent.locator(".comments", { hasText: "Below it" }).waitFor();
    });

    it("sees on a phone one line to comment, which opens for the keyboard and stays open", async () => {
      const { slug, postId } = await portal.post("Read before written");
      for (const body of ["The first", "The second"]) {
        await portal.call("POST", `/posts/${postId}/comments`, portal.owner, { body });
      }
      const page = await portal.open(`/posts/${slug}`, undefined, { viewport: { width: 390, height: 844 } });
      const field = page.getByRole("textbox", { name: "Comment" });
      const send = page.getByRole("button", { name: "Add comment" });
      const form = page.getByRole("form", { name: "Comment" });
      const height = async () => (await form.boundingBox())?.height ?? 0;
      expect(await height()).toBeLessThan(60);
      expect(await send.isVisible()).toBe(false);
      await page.getByRole("link", { name: "Oldest first" }).focus();
      await page.keyboard.press("Tab");
      await page.locator("textarea:focus").waitFor();
      await send.waitFor();
      // What is pressed next does not move away.
      const reply = page.getByRole("button", { name: "Reply" }).first();
      const before = await reply.boundingBox();
      await field.evaluate((each) => (each as unknown as { blur(): void }).blur());
      expect(await reply.boundingBox()).toEqual(before);
      const reader = await portal.open(`/posts/${slug}`);
      await reader.getByRole("button", { name: "Add comment" }).waitFor();
    });

    it("closes an edit by Escape, and keeps the keyboard where it was after each step", async () => {
      const token = await portal.join("Kit");
      const { slug, postId } = await portal.post("Keys only", {}, token);
      const page = await portal.open(`/posts/${slug}`, token);
      const edit = page.getByRole("button", { name: "Edit" });
      await edit.press("Enter");
      await page.getByLabel("Title", { exact: true }).press("Escape");
      await page.locator("#edit-post:focus").waitFor();
      await edit.press("Enter");
      await page.getByLabel("Title", { exact: true }).fill("Keys alone");
      await page.keyboard.press("Enter");
      await said(page, "Saved");
      await page.locator("#edit-post:focus").waitFor();
      await portal.call("POST", `/posts/${postId}/comments`, token, { body: "Only keys" });
      await page.reload();
      await page.locator(".comment").getByRole("button", { name: "Edit" }).press("Enter");
      await page.locator(".comment textarea").press("Escape");
      await page.locator(".comment button:focus", { hasText: "Edit" }).waitFor();
    });

    it("finds their own posts, and the posts with their vote", async () => {
      const token = await portal.join("Mine");
      await portal.post("Written by me", {}, token);
      const { postId } = await portal.post("Voted for by me");
      await portal.call("POST", "/votes", token, { postId });
      const page = await portal.open("/profile", token);
      await page.getByRole("link", { name: "My posts" }).click();
      await page.getByRole("link", { name: "Written by me" }).waitFor();
      expect(await page.locator(".row").count()).toBe(1);
      await page.getByRole("link", { name: "My votes" }).click();
      await page.getByRole("link", { name: "Voted for by me" }).waitFor();
      await page.locator(".vote[aria-pressed=true]").click();
      await page.locator(".vote[aria-pressed=false]").waitFor();
    });

    it("learns before writing that the account is suspended, or that no account can be made", async () => {
      const token = await portal.join("Sue");
      const { user } = (await portal.call("GET", "/users/profile", token)).body;
      await portal.call("PATCH", `/users/${user.userId}`, portal.owner, { role: "suspended" });
      const page = await portal.open("/new", token);
      await page.getByText("Your account is suspended").waitFor();
      expect(await page.getByLabel("Title", { exact: true }).count()).toBe(0);
      await portal.call("PATCH", "/settings/site", portal.owner, { allowSignup: false });
      const visitor = await portal.open("/sign-up");
      await visitor.getByText("New accounts are not allowed here.").waitFor();
      expect(await visitor.locator("form").count()).toBe(0);
      await portal.call("PATCH", "/settings/site", portal.owner, { allowSignup: true });
    });

    it("reads that a mail was sent if its address can sign in: one of a blocked domain gets none", async () => {
      const block = (blockedMailDomains: string[]) =>
        portal.call("PATCH", "/settings/moderation", portal.owner, { blockedMailDomains });
      await block(["spam.example"]);
      const page = await portal.open("/sign-in/mail");
      await page.getByLabel("Email").fill("someone@spam.example");
      await page.keyboard.press("Enter");
      await said(page, "We have sent an email to someone@spam.example, if that address can sign in here.");
      await block([]);
    });

    it("switches a second factor on, signs in by the app and by a recovery code, and switches it off", async () => {
      const token = await portal.join("Two");
      const page = await portal.open("/profile", token);
      await profileIsWhole(page);
      await page.getByRole("link", { name: "Two-step sign-in" }).click();
      await page.getByRole("button", { name: "Switch it on" }).click();
      await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
      await page.evaluate(AXE);
      const findings = "axe.run(document).then(r => r.violations.map(v => v.id))";
      expect(await page.evaluate(findings)).toEqual([]);
      const secret = secretIn((await page.locator("form code").innerText()).replaceAll(" ", ""));
      await page.getByLabel("Code from the app").fill("000000");
      await page.keyboard.press("Enter");
      await page.getByText("The code is wrong, has been used, or has expired.").waitFor();
      await page.getByLabel("Code from the app").fill(codeNow(secret));
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Recovery codes" }).waitFor();
      const recovery = await page.locator(".codes code").allInnerTexts();
      expect(recovery).toHaveLength(10);
      await page.getByRole("button", { name: "I have saved them" }).click();
      await page.getByText("It is switched on.").waitFor();

      const phone = await portal.open("/sign-in?next=/roadmap");
      const signIn = async (code: string) => {
        await scriptAnswers(phone);
        await phone.getByLabel("Email").fill("two@example.com");
        await phone.getByLabel("Password").fill("correct horse");
        await phone.keyboard.press("Enter");
        await phone.getByLabel("Code from the app").fill(code);
        await phone.keyboard.press("Enter");
      };
      // The code that has switched it on is used up, and the next one good until two steps later.
      await signIn(codeNow(secret, 1));
      await phone.waitForURL((url) => url.pathname === "/roadmap");
      await openProfile(phone);
      await phone.getByRole("button", { name: "Sign out", exact: true }).click();
      await phone.getByText("You are signed out").waitFor();
      await phone.goto(new URL("/sign-in", phone.url()).href);
      await signIn(recovery[0] ?? "");
      await phone.waitForURL((url) => url.pathname === "/");
      await phone.goto(new URL("/profile/two-factor", phone.url()).href);
      // The panel above grows by it, and moves the button away under a press.
      await phone.getByText("9 codes are left.").waitFor();
      await phone.getByLabel("Code from the app").fill(recovery[1] ?? "");
      await phone.getByRole("button", { name: "Switch it off" }).click();
      await phone.getByText("Two-step sign-in is switched off.").waitFor();
    });

    it("sees the ways in that the owner leaves, and the owner's own", async () => {
      const team = await portal.open("/manage/site", portal.owner);
      await team.getByLabel("Domains for new accounts").fill("example.com, @acme.example");
      await team.getByLabel("People can sign in with a password").uncheck();
      await team.getByRole("form", { name: "Accounts and sign-in" }).getByRole("button").click();
      await team.getByText("Saved").waitFor();
      const visitor = await portal.open("/sign-up");
      await visitor.getByText("New accounts need an email address at example.com, acme.example.").waitFor();
      expect(await visitor.locator("form").count()).toBe(0);
      await visitor.getByRole("link", { name: "Email me a link" }).click();
      await visitor.getByText("New accounts need an email address").waitFor();
      expect(await visitor.getByText("Sign in with a password").count()).toBe(0);
      const owner = await portal.open("/sign-in");
      expect(await owner.getByLabel("Password").count()).toBe(0);
      await owner.getByRole("button", { name: "Owner: sign in with a password" }).click();
      await owner.getByLabel("Password").waitFor();
      await portal.call("PATCH", "/settings/site", portal.owner, { password: true, signupDomains: [] });
    });
  });
});
