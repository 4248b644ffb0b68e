import { globSync, readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { disturbCalls, type Fault } from "../support/process/disturbed-calls.ts";
import { aPortal } from "../support/process/portal.ts";
import { AGREES, beginWith } from "../support/process/profiles.ts";
import { startReceiver } from "../support/process/receiver.ts";
import { eventually } from "../support/process/server-process.ts";
import { openProfile } from "../support/process/steady.ts";
import { codeNow, secretIn } from "../support/world/two-factor.ts";

// Each press has no answer, then a 503, then works; each time the page says so, and what was typed stays.
// visitors.test.ts loses the answers of what repeats by itself.

const SELF_REPEATING = ["POST /posts", "POST /posts/{postId}/comments", "POST /votes"];
// The pages that a provider and a product lead to, and what they have linked: providers.test.ts.
const AT_A_PROVIDER = [
  "POST /auth/oidc/{providerId}",
  "POST /auth/oidc/{providerId}/link",
  "POST /auth/sso",
  "POST /auth/sso/link",
  "DELETE /users/profile/identities/{identityId}",
];
const READS = /^POST \/(posts\/(get|search|slug)|auth\/password\/validateToken)$/;

/** The writes that the source of the portal names. */
function writes(): string[] {
  const source = globSync("portal/**/*.{ts,tsx}").map((file) => readFileSync(file, "utf8"));
  const calls = source.join("").matchAll(/api\.(POST|PUT|PATCH|DELETE)\("([^"]+)"/g);
  return [...new Set([...calls].map(([, method, path]) => `${method} ${path}`))].filter((each) => !READS.test(each));
}

const NO_ANSWER: Fault = "no answer";
const BUSY: Fault = { status: 503, json: { message: "Busy", code: "SERVER_ERROR" } };
const FAULTS = [
  { fault: NO_ANSWER, said: /No connection.*try again/ },
  { fault: BUSY, said: /busy.*try again/ },
];

const TYPED = "[...document.querySelectorAll('input, textarea')].map(({ value, checked }) => [value, checked].join())";

/** The writes that were tried, of all tests of this file. */
const tried = new Set<string>();

/** A person at a page whose writes can fail. */
class Presser {
  readonly page: Page;
  #failing: { method: string; ofPath: RegExp; fault: Fault } | undefined;

  constructor(page: Page) {
    this.page = page;
  }

  // All calls are watched from the start: a press may be faster than a watch that begins just before it.
  static async at(page: Page): Promise<Presser> {
    await beginWith(page, AGREES);
    const presser = new Presser(page);
    await disturbCalls(page, (call) => presser.faultOf(call));
    return presser;
  }

  faultOf(call: { method: string; url: string }): Fault | undefined {
    const { method, ofPath, fault } = this.#failing ?? {};
    return call.method === method && ofPath?.test(call.url) ? fault : undefined;
  }

  /** Lets a write meet a fault until it `works`. */
  fails(write: string, fault: Fault): void {
    const [method = "", path = ""] = write.split(" ");
    const ofPath = new RegExp(`/api/v1${path.replace(/\{\w+\}/g, "[^/]+")}$`);
    this.#failing = { method, ofPath, fault };
  }

  works(): void {
    this.#failing = undefined;
  }

  /** Waits until the page says what went wrong; otherwise the failure has what the page says instead. */
  async says(words: RegExp, write: string): Promise<void> {
    const problem = this.page.locator(".problem").filter({ hasText: words, visible: true }).first();
    await problem.waitFor().catch(async (error) => {
      throw new Error(`${write}: ${await this.page.innerText("body")}`, { cause: error });
    });
  }

  /** What is pressed leaves the keyboard a place, also where it has gone. */
  async keepsKeyboard(write: string): Promise<void> {
    const held = "document.hasFocus() && document.activeElement.matches('body, html') ? 'nothing' : 'a place'";
    await eventually(async () => expect(await this.page.evaluate(held), write).toBe("a place"));
  }

  /** Presses until it works, by default until the page says that it is saved. */
  async tries(write: string, button: Locator, done = this.page.locator(".notice .done")): Promise<void> {
    await button.waitFor();
    const typed = (await this.page.evaluate(TYPED)) as string[];
    for (const { fault, said } of FAULTS) {
      this.fails(write, fault);
      await button.click();
      await this.says(said, write);
      expect(await done.count(), write).toBe(0);
      expect(await this.page.evaluate(TYPED), write).toEqual(expect.arrayContaining(typed));
      await this.keepsKeyboard(write);
    }
    this.works();
    await button.click();
    await done.first().waitFor();
    await this.keepsKeyboard(write);
    tried.add(write);
  }

  async fills(path: string, fields: Record<string, string>): Promise<void> {
    await this.page.goto(path);
    for (const [label, text] of Object.entries(fields)) await this.fill(label, text);
  }

  fill(label: string, text: string): Promise<void> {
    return this.page.getByLabel(label).first().fill(text);
  }

  form(name: string): Locator {
    return this.page.getByRole("form", { name });
  }

  button(name: string): Locator {
    return this.page.getByRole("button", { name }).first();
  }

  /** The first item of a list of the team. */
  get row(): Locator {
    return this.page.locator(".item").first();
  }

  async opensFirst(part: string): Promise<void> {
    await this.page.goto(`/manage/${part}`);
    await this.row.locator("summary").first().click();
  }
}

const ACCOUNT = { Email: "owner@example.com", Password: "correct horse" };

describe.skipIf(!BROWSER)("The portal, where a write has no answer or a 503,", () => {
  const portal = aPortal({ isSetUp: false });
  let token: string;

  const pressAs = async (person?: string) => Presser.at(await portal.enter(person));

  // By the page: the first write of a site is the setup.
  beforeAll(async () => {
    const owner = await pressAs();
    await owner.fills("/setup", { ...ACCOUNT, "Name of the site": "Wishes" });
    await owner.page.getByLabel("Your name").fill("Olive");
    await owner.tries(
      "POST /auth/setup",
      owner.button("Set up"),
      owner.page.getByRole("heading", { name: "First steps" }),
    );
    const body = { email: ACCOUNT.Email, password: ACCOUNT.Password };
    token = (await portal.call("POST", "/auth/login", undefined, body)).body.user.authToken;
  });

  it.each(["boards", "roadmaps"])("keeps the team's %s", async (part) => {
    for (const name of ["First", "Second"]) await portal.call("POST", `/${part}`, token, { name });
    const owner = await pressAs(token);
    await owner.page.goto(`/manage/${part}`);
    await owner.form("Add").getByLabel("Name").fill("Third");
    await owner.tries(`POST /${part}`, owner.form("Add").getByRole("button"));
    await owner.opensFirst(part);
    await owner.row.getByLabel("Name").fill("Other");
    await owner.tries(`PATCH /${part}`, owner.row.getByRole("button", { name: "Save" }));
    await owner.page.goto(`/manage/${part}`);
    const end = owner.row.getByRole("button", { name: "Delete" });
    // The row of a board then asks which one takes its posts.
    if (part === "boards") await end.click();
    await owner.tries(`DELETE /${part}`, end);
  });

  it.each(["boards", "roadmaps"])("keeps the order of %s", async (part) => {
    for (const name of ["Above", "Below"]) await portal.call("POST", `/${part}`, token, { name });
    const owner = await pressAs(token);
    await owner.page.goto(`/manage/${part}`);
    await owner.tries(`PATCH /${part}/sort`, owner.row.getByRole("button", { name: /down/i }));
  });

  it("keeps statuses", async () => {
    const owner = await pressAs(token);
    await owner.page.goto("/manage/statuses");
    await owner.form("Add").getByLabel("Name").fill("On hold");
    await owner.tries("PUT /statuses", owner.form("Add").getByRole("button"));
    const held = owner.page.locator(".item", { hasText: "On hold" });
    await held.locator("summary").click();
    await held.getByRole("checkbox").check();
    await held.getByRole("button", { name: "Save" }).click();
    await held.locator("summary").getByText("archived").waitFor();
    await owner.tries("DELETE /statuses/{statusId}", held.getByRole("button", { name: "Delete" }));
  });

  it("keeps tags, and the tags of a post", async () => {
    const { slug } = await portal.post("About something", {}, token);
    const owner = await pressAs(token);
    await owner.page.goto("/manage/tags");
    await owner.form("Add").getByLabel("Name").fill("Mobile");
    await owner.tries("POST /tags", owner.form("Add").getByRole("button"));
    await owner.page.goto(`/posts/${slug}`);
    await owner.page.locator("summary", { hasText: "Choose tags" }).click();
    await owner.page.getByLabel("Mobile", { exact: true }).check();
    await owner.tries("PUT /posts/{postId}/tags", owner.form("Choose tags").getByRole("button"));
    await owner.opensFirst("tags");
    await owner.row.getByLabel("Name").fill("Phones");
    await owner.tries("PATCH /tags/{tagId}", owner.row.getByRole("button", { name: "Save" }));
    await owner.page.goto("/manage/tags");
    await owner.tries("DELETE /tags/{tagId}", owner.row.getByRole("button", { name: "Delete" }));
  });

  it("keeps people and their roles", async () => {
    await portal.join("Mo");
    const owner = await pressAs(token);
    await owner.page.goto("/manage/people");
    await owner.page.getByText("Add a person without sending an email").click();
    await owner.fill("Email address of the person", "far@example.com");
    await owner.page.getByLabel("Name of the new person").fill("Far");
    await owner.tries("POST /users", owner.button("Add"));
    await owner.page.getByText("Invite people").first().click();
    await owner.fill("Email addresses", "nia@example.org");
    await owner.tries("POST /users/invitations", owner.form("Invite people").getByRole("button"));
    await owner.page.getByRole("searchbox").fill("mo@");
    await owner.row.getByRole("combobox", { name: "Role of Mo" }).selectOption("moderator");
    await owner.tries("PATCH /users/{userId}", owner.row.getByRole("button", { name: "Save" }));
  });

  it("keeps keys and the site", async () => {
    const owner = await pressAs(token);
    await owner.fills("/manage/keys", { Name: "Robot" });
    await owner.page.locator("fieldset summary").first().click();
    await owner.page.getByRole("checkbox").first().check();
    await owner.tries("POST /keys", owner.button("Add"), owner.page.getByText("shown only once"));
    await owner.tries("DELETE /keys/{keyId}", owner.row.getByRole("button", { name: "Delete" }));
    await owner.fills("/manage/site", { Description: "What people wish" });
    await owner.tries("PATCH /settings/site", owner.form("Appearance").getByRole("button"));
    await owner.page.goto("/manage/export");
    await owner.tries("POST /exports", owner.button("Export everything"), owner.page.getByText("Last export"));
  });

  it("keeps webhooks, and sends each message again once", async () => {
    const receiver = await startReceiver();
    const owner = await pressAs(token);
    const { page, row } = owner;
    const secret = page.getByText("shown only once");
    await owner.fills("/manage/webhooks", { "Receiver URL": receiver.url });
    await page.getByRole("checkbox", { name: "post.created" }).check();
    await owner.tries("POST /webhooks", owner.form("Add a webhook").getByRole("button"), secret);
    receiver.secrets = [await page.getByRole("status").locator("code").innerText()];
    const answered = page.getByText("The receiver answered 204");
    await owner.tries("POST /webhooks/{webhookId}/test", owner.button("Send a test"), answered);
    expect(receiver.messages.map(({ message }) => message.type)).toEqual(["ping"]);

    await portal.post("Try again", {}, token);
    const told = () => receiver.messages.filter(({ message }) => message.type === "post.created").map(({ id }) => id);
    await expect.poll(told).toHaveLength(1);
    await owner.opensFirst("webhooks");
    const again = row.getByRole("button", { name: "Send again post.created" });
    await owner.tries("POST /webhooks/{webhookId}/replay", again);
    await expect.poll(told).toHaveLength(2);
    expect(new Set(told()).size).toBe(1);
    // The page follows the message.
    await row.getByText("delivered", { exact: true }).first().waitFor();
    const anew = row.getByRole("button", { name: "Create a new secret" });
    await owner.tries("POST /webhooks/{webhookId}/rotate", anew, secret);

    await owner.opensFirst("webhooks");
    await row.locator("summary", { hasText: "Edit" }).click();
    await row.getByLabel("Description").fill("Chat");
    await owner.tries("PATCH /webhooks/{webhookId}", row.getByRole("button", { name: "Save" }));
    await row.locator("summary", { hasText: "Chat" }).waitFor();
    await row.getByRole("button", { name: "Switch off" }).click();
    await row.locator("summary", { hasText: "switched off" }).waitFor();
    await anew.click();
    await secret.waitFor();
    await owner.tries("DELETE /webhooks/{webhookId}", row.getByRole("button", { name: "Delete" }));
    expect(await secret.count()).toBe(0);
    await page.getByText("No webhooks yet").waitFor();
  });

  it("keeps what the owner decides on a post", async () => {
    await portal.join("Ferry");
    const { slug, postId } = await portal.post("An open question", {}, token);
    await portal.call("POST", "/votes", token, { postId });
    const owner = await pressAs(token);
    const opens = () => owner.page.goto(`/posts/${slug}`);
    const unfolds = async (panel: string) => {
      await opens();
      await owner.page.locator("summary", { hasText: panel }).click();
    };
    await opens();
    const [voted, unvoted] = ["true", "false"].map((is) => owner.page.locator(`.vote[aria-pressed=${is}]`));
    await owner.tries("DELETE /votes", voted as Locator, unvoted);
    await opens();
    await owner.tries("PUT /posts/{postId}/subscription", owner.button("Follow"));
    await unfolds("Respond");
    await owner.fill("Response", "Soon");
    await owner.tries("PUT /posts/{postId}/status", owner.form("Respond").getByRole("button"));
    await unfolds("Set board and roadmap");
    await owner.tries("PATCH /posts", owner.form("Set board").getByRole("button"));
    await opens();
    await owner.tries("PATCH /posts", owner.button("Lock: no new comments"), owner.button("Unlock: allow comments"));
    await opens();
    await owner.tries("PATCH /posts", owner.button("Pin to the top of the lists"), owner.button("Unpin"));
    await unfolds("Vote on behalf of");
    await owner.form("Vote on").getByLabel("Name or email address").fill("ferry@example.com");
    await owner.tries("POST /posts/{postId}/votes/{userId}", owner.form("Vote on").getByRole("button"));
    await unfolds("All voters");
    await owner.tries("DELETE /posts/{postId}/votes/{userId}", owner.button("Take back"));
  });

  it("chooses rules of approval, and approves a post", async () => {
    const owner = await pressAs(token);
    await owner.page.goto("/manage/queue");
    await owner.page.locator("summary", { hasText: "Approval rules" }).click();
    const policy = owner.page.getByRole("form", { name: "Approval rules" });
    await policy.getByRole("combobox", { name: "Hold new posts" }).selectOption("all");
    const saved = owner.page.locator(".notice", { hasText: "Saved" });
    await owner.tries("PATCH /settings/moderation", policy.getByRole("button", { name: "Save" }), saved);
    const member = await portal.join("Held");
    await portal.call("POST", "/posts", member, { title: "A post that waits" });
    await portal.call("PATCH", "/settings/moderation", token, { posts: "none" });
    await owner.page.reload();
    const approve = owner.page.getByRole("button", { name: "Approve A post that waits", exact: true });
    await owner.tries("POST /moderation", approve, owner.page.getByText("Nothing waits for approval"));
  });

  it("reports a post and a comment", async () => {
    const { slug, postId } = await portal.post("Report this", {}, token);
    await portal.call("POST", `/posts/${postId}/comments`, token, { body: "And this" });
    const person = await pressAs(await portal.join("Reporter"));
    await person.page.goto(`/posts/${slug}`);
    const of = (words: string) => person.page.locator(words).getByRole("form", { name: "Report" });
    const thanks = person.page.locator(".notice", { hasText: "The team will look at it" });
    await person.page.locator(".content > .actions").getByRole("button").click();
    const send = of(".content").getByRole("button", { name: "Report" });
    await person.tries("POST /posts/{postId}/report", send, thanks);
    await person.page
      .locator(".comment")
      .getByRole("button", { name: /^Report/ })
      .click();
    const sendOther = of(".comment").getByRole("button", { name: "Report" });
    await person.tries("POST /posts/{postId}/comments/{commentId}/report", sendOther, thanks);
  });

  it("merges a post into another one, and takes it out again", async () => {
    const title = "Ferries at night and at dawn";
    await portal.post("Ferries at night", {}, token);
    const { slug } = await portal.post(title, {}, token);
    const similar = async () => (await portal.call("POST", "/posts/similar", token, { title })).body.posts;
    // Words of new titles are found a moment later.
    await eventually(async () => expect(await similar()).toHaveLength(2));
    const owner = await pressAs(token);
    await owner.page.goto(`/posts/${slug}`);
    await owner.page.locator("summary", { hasText: "Merge with another post" }).click();
    await owner.page.getByRole("button", { name: "Merge into this one Ferries at night", exact: true }).click();
    const merged = owner.page.locator(".item", { hasText: title });
    const merge = owner.page.getByRole("button", { name: "Merge", exact: true });
    await owner.tries("POST /posts/{postId}/merge", merge, merged);
    const ownAgain = owner.page.getByRole("link", { name: title });
    await owner.tries("DELETE /posts/{postId}/merge", merged.getByRole("button"), ownAgain);
  });

  it("keeps the edit of a post and of a comment, and deletes each once", async () => {
    const { slug, postId } = await portal.post("Mistyped", {}, token);
    await portal.call("POST", `/posts/${postId}/comments`, token, { body: "Not for long" });
    const author = await pressAs(token);
    await author.page.goto(`/posts/${slug}`);
    // The team's forms move the comments away under a press.
    await author.page.locator("summary", { hasText: "Respond" }).waitFor();
    const comments = author.page.locator(".comments");
    await comments.getByRole("button", { name: "Edit" }).click();
    await comments.getByRole("textbox").fill("Later");
    const changed = comments.locator(".prose", { hasText: "Later" });
    const save = comments.getByRole("button", { name: "Save" });
    await author.tries("PUT /posts/{postId}/comments/{commentId}", save, changed);
    const remove = comments.getByRole("button", { name: "Delete" });
    await author.tries("DELETE /posts/{postId}/comments/{commentId}", remove);
    await author.page.goto(`/posts/${slug}`);
    await author.button("Edit").click();
    // The form takes the keyboard when it is there.
    await author.page.locator("input[name=title]:focus").waitFor();
    await author.fill("Details", "More of it");
    const edited = author.page.locator("article .prose", { hasText: "More of it" });
    await author.tries("PATCH /posts", author.button("Save"), edited);
    await author.tries("DELETE /posts", author.button("Delete"));
  });

  it("withdraws a post once that the team has not seen", async () => {
    await portal.call("PATCH", "/settings/moderation", token, { posts: "all" });
    const hilda = await portal.join("Hilda");
    await portal.call("POST", "/posts", hilda, { title: "Written in haste" });
    await portal.call("PATCH", "/settings/moderation", token, { posts: "none" });
    const author = await pressAs(hilda);
    await author.page.goto("/my/posts");
    await author.tries("DELETE /users/profile/held/{heldId}", author.button("Withdraw"));
    await author.page.getByText("Written in haste").waitFor({ state: "detached" });
  });

  it("keeps a profile, its mails and its address, and a sign-out", async () => {
    const member = await pressAs(await portal.join("Petra"));
    await member.fills("/profile", { Name: "Petra Again" });
    await member.tries("PATCH /users/profile", member.button("Save"));
    await member.page.goto("/profile");
    await member.page.getByLabel("All comments").check();
    await member.tries("PUT /users/notifications", member.form("Emails").getByRole("button"));
    await member.page.goto("/profile");
    await member.tries("POST /auth/email/verify", member.form("Confirm").getByRole("button"));
    await member.page.goto("/profile");
    const another = member.form("Change your email address");
    await another.getByLabel("Email").fill("petra@new.example");
    await member.tries("POST /users/profile/email", another.getByRole("button", { name: "Send" }));
    const isChanged = member.page.getByText("Your password is changed.");
    await member.fills("/profile/password", { "Current password": "correct horse", "New password": "horse correct" });
    await member.tries("POST /users/profile/password", member.button("Change your password"), isChanged);
    await openProfile(member.page);
    await member.tries(
      "POST /auth/logout",
      member.button("Sign out on all devices"),
      member.page.getByRole("link", { name: "Sign in" }),
    );
  });

  it("lets a person in: by sign-in, sign-up, confirmation and a new password", async () => {
    const visitor = await pressAs();
    const { page } = visitor;
    const profile = page.getByRole("button", { name: "Account", exact: true });
    const newest = () => portal.links("nia@example.com").at(-1) ?? "";
    await visitor.fills("/sign-in", ACCOUNT);
    await visitor.tries("POST /auth/login", visitor.button("Sign in"), profile);
    await page.evaluate("localStorage.clear()");
    await visitor.fills("/sign-up", { Name: "Nia", Email: "nia@example.com", Password: "correct horse" });
    await visitor.tries("POST /auth/signup", visitor.button("Create an account"), profile);
    await expect.poll(newest).not.toBe("");
    // The page confirms by itself.
    visitor.fails("POST /auth/email/validate", BUSY);
    await page.goto(newest());
    await visitor.tries("POST /auth/email/validate", visitor.button("Try again"), page.getByText("is confirmed"));
    expect(page.url()).not.toContain("token");
    const confirmation = newest();
    await visitor.fills("/password-reset", { Email: "nia@example.com" });
    await visitor.tries("POST /auth/password/reset", visitor.button("Send"), page.getByText("on its way"));
    await expect.poll(newest).not.toBe(confirmation);
    await visitor.fills(newest(), { "New password": "horse correct" });
    await visitor.tries("POST /auth/password/set", visitor.button("Save"), page.getByText("You are signed in."));
    await profile.waitFor();
  });

  it("signs a person in by a mail", async () => {
    const visitor = await pressAs();
    const { page } = visitor;
    const link = () => portal.links("mia@example.com").at(-1) ?? "";
    await visitor.fills("/sign-in/mail", { Email: "mia@example.com" });
    await visitor.tries("POST /auth/magic", visitor.button("Email me a link"), page.getByLabel("Code"));
    await expect.poll(link).not.toBe("");
    await page.goto(link());
    const profile = page.getByRole("button", { name: "Account", exact: true });
    await visitor.tries("POST /auth/magic/verify", visitor.button("Sign in"), profile);
  });

  it("switches a second factor on and off, and switches another person's off", async () => {
    const member = await pressAs(await portal.join("Tia"));
    const { page } = member;
    const shown = page.getByRole("img", { name: "QR code of the secret" });
    await page.goto("/profile/two-factor");
    await member.tries("POST /users/profile/two-factor", member.button("Switch it on"), shown);
    // The page asks for the secret by itself.
    member.fails("POST /auth/two-factor/enrol", BUSY);
    await page.reload();
    await member.button("Switch it on").click();
    await member.tries("POST /auth/two-factor/enrol", member.button("Try again"), shown);
    const secret = secretIn((await page.locator("form code").innerText()).replaceAll(" ", ""));
    await member.fill("Code from the app", codeNow(secret, 1));
    const codes = page.locator(".codes code");
    await member.tries("POST /auth/two-factor", member.button("Switch it on"), codes);
    const [first = ""] = await codes.allInnerTexts();
    await member.button("I have saved them").click();
    await page.getByText("It is switched on.").waitFor();
    await page.getByText("10 codes are left.").waitFor();
    await member.button("Create new codes").click();
    const renewal = member.form("Recovery codes");
    await renewal.getByRole("button", { name: "Use a recovery code instead" }).click();
    await renewal.getByLabel("Recovery code").fill(first);
    await member.tries("POST /users/profile/recovery-codes", renewal.getByRole("button", { name: "Create" }), codes);
    const [recovery = ""] = await codes.allInnerTexts();
    const file = await page.getByRole("link", { name: "Download" }).getAttribute("href");
    expect(decodeURIComponent(file ?? "")).toContain(`\n${recovery}\n`);
    await member.button("I have saved them").click();
    const end = member.form("Two-step sign-in");
    await end.getByRole("button", { name: "Use a recovery code instead" }).click();
    await end.getByLabel("Recovery code").fill(recovery);
    await member.tries("DELETE /users/profile/two-factor", member.button("Switch it off"));

    await portal.withTwoFactor(await portal.join("Tom"));
    const account = { email: ACCOUNT.Email, password: ACCOUNT.Password };
    const signedIn = (await portal.call("POST", "/auth/login", undefined, account)).body;
    const owner = await pressAs(signedIn.user.authToken);
    await owner.page.goto("/manage/people");
    await owner.button("More about Tom").click();
    await owner.button("Switch off two-step sign-in").click();
    await owner.tries("DELETE /users/{userId}/two-factor", owner.button("Switch off two-step sign-in"));
  });

  it("deletes an account, and hands nothing over to who is unconfirmed", async () => {
    const leaver = await pressAs(await portal.join("Uma"));
    await openProfile(leaver.page);
    const [saved] = await Promise.all([
      leaver.page.waitForEvent("download"),
      leaver.button("Download as a web page").click(),
    ]);
    expect(saved.suggestedFilename()).toBe("my-data.html");
    expect(readFileSync(await saved.path(), "utf8")).toContain('<td dir="auto">Uma</td>');
    const [lines] = await Promise.all([
      leaver.page.waitForEvent("download"),
      leaver.button("Download as JSON").click(),
    ]);
    const [data = ""] = readFileSync(await lines.path(), "utf8").split("\n");
    expect(JSON.parse(data)).toMatchObject({ account: { name: "Uma" }, posts: [] });
    await leaver.page.getByRole("link", { name: "Delete my account" }).click();
    await leaver.page.getByLabel("Also take back my votes").check();
    const gone = leaver.page.getByText(
      /^Your account is deleted\. The last backup that contains it is deleted on [A-Z]/,
    );
    await leaver.tries("DELETE /users/profile", leaver.button("Delete my account for good"), gone);
    await leaver.page.getByRole("link", { name: "Sign in" }).first().waitFor();

    await portal.join("Vera");
    const account = { email: ACCOUNT.Email, password: ACCOUNT.Password };
    const signedIn = (await portal.call("POST", "/auth/login", undefined, account)).body;
    const owner = await pressAs(signedIn.user.authToken);
    await owner.page.goto("/manage/people");
    const row = owner.page.locator(".item", { hasText: "Vera" });
    await row.getByRole("button", { name: "More about Vera" }).click();
    const refused = "Only a confirmed account can become the owner.";
    await row.getByText(refused).waitFor();
    await row.getByRole("button", { name: "Make owner" }).click();
    const handOver = row.getByRole("form", { name: "Make owner: Vera" });
    await handOver.getByRole("button", { name: "Make owner" }).click();
    await handOver.getByRole("alert").getByText(refused).waitFor();
    await handOver.getByRole("button", { name: "Cancel" }).click();
    await row.getByRole("button", { name: "Delete account" }).click();
    await owner.tries("DELETE /users/{userId}", row.getByRole("button", { name: "Delete account" }));
    await expect.poll(() => row.count()).toBe(0);
  });

  it("keeps the providers that people sign in by", async () => {
    const account = { email: ACCOUNT.Email, password: ACCOUNT.Password };
    const owner = await pressAs((await portal.call("POST", "/auth/login", undefined, account)).body.user.authToken);
    const fields = {
      Name: "Example",
      Issuer: "http://127.0.0.1:9",
      "Client ID": "feedback",
      "Client secret": "secret",
    };
    await owner.fills("/manage/providers", fields);
    const add = owner.form("Add a provider").getByRole("button", { name: "Add" });
    await owner.tries("POST /providers", add, owner.page.getByText("not tested yet"));
    const failed = owner.page.getByText("The test of Example failed");
    await owner.tries("POST /providers/{providerId}/test", owner.button("Test"), failed);
    await owner.row.locator("summary").click();
    const off = owner.row.getByText("switched off");
    await owner.tries("PATCH /providers/{providerId}", owner.row.getByRole("button", { name: "Switch off" }), off);
    await owner.tries("DELETE /providers/{providerId}", owner.row.getByRole("button", { name: "Delete" }));
  });

  it("keeps the secret of the product", async () => {
    const account = { email: ACCOUNT.Email, password: ACCOUNT.Password };
    const owner = await pressAs((await portal.call("POST", "/auth/login", undefined, account)).body.user.authToken);
    await owner.page.goto("/manage/providers");
    const secret = owner.page.getByText("It is shown only once");
    await owner.tries("POST /sso/rotate", owner.button("Create a secret"), secret);
    const staff = owner.form("The team may also sign in with it");
    await staff.getByLabel("The team may also sign in with it").check();
    await owner.tries("PATCH /sso", staff.getByRole("button", { name: "Save" }), owner.page.getByText("Saved"));
    await owner.tries("DELETE /sso", owner.page.getByRole("button", { name: "Switch off" }));
  });

  // After all tests above, which fill the list.
  it("was tried for each write that its source names", () => {
    expect([...tried, ...SELF_REPEATING, ...AT_A_PROVIDER].sort()).toEqual(writes().sort());
  });
});
