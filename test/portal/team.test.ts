import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Locator, Page, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openInput } from "../../infra/import/formats/input.ts";
import { run as exportCommand } from "../../infra/operator/export.ts";
import { run as importCommand } from "../../infra/operator/import.ts";
import * as counting from "../../lib/figures/counting.ts";
import { BROWSER } from "../support/process/browser.ts";
import { signIn } from "../support/process/entering.ts";
import { operateHere } from "../support/process/operate.ts";
import { aPortal } from "../support/process/portal.ts";
import { AGREES, beginWith, LOGO, PICTURE } from "../support/process/profiles.ts";
import { aFolder } from "../support/process/server-process.ts";
import { holdBack, typeTitle } from "../support/process/steady.ts";
import { freshTable, newContainer } from "../support/setup.ts";
import { anImport } from "../support/world/fixtures.ts";

const names = (page: Page) => page.locator(".item summary").allInnerTexts();

/** Adds an item by the form below a list. */
async function add(page: Page, part: string, ...items: string[]): Promise<void> {
  await page.goto(`/manage/${part}`);
  for (const item of items) {
    await page.getByRole("form", { name: "Add" }).getByLabel("Name").fill(item);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.locator(".item", { hasText: item }).waitFor();
  }
}

/** Lets another session change a thing just before the page calls an address: the page cannot have read it before. */
async function comesFirst(page: Page, address: string, change: () => Promise<unknown>): Promise<void> {
  const letThrough = (route: Route) => change().then(() => route.continue());
  await page.route(address, letThrough, { times: 1 });
}

describe.skipIf(!BROWSER)("The team", () => {
  const portal = aPortal({ isSetUp: false });
  /** A session of the owner beside the page's, with the roadmaps that it sees. */
  const signedIn = async () => {
    const account = { email: "owner@example.com", password: "correct horse" };
    const token = (await portal.call("POST", "/auth/login", undefined, account)).body.user.authToken;
    return { token, ...(await portal.call("GET", "/roadmaps/get", token)) };
  };

  it("sets a site up, and manages it from then on, without a call by hand", async () => {
    const page = await portal.open("/");
    await page.waitForURL("**/setup");
    await page.getByLabel("Name of the site").fill("Wishes");
    await page.getByLabel("Your name").fill("Olive");
    await page.getByLabel("Email").fill("owner@example.com");
    await page.getByLabel("Password").fill("correct horse");
    await page.getByRole("button", { name: "Set up" }).click();
    await page.waitForURL("**/manage");
    const steps = page.getByRole("list", { name: "First steps" });
    await expect.poll(() => steps.getByRole("listitem").count()).toBe(5);
    expect(await steps.getByText("Done").count()).toBe(0);
    // They are the next thing to do: the page is theirs while no post waits.
    await page.getByRole("heading", { name: "First steps", level: 1 }).waitFor();
    expect(await page.getByRole("main").innerText()).not.toMatch(/Nobody waits|has not answered/);
    await page.goto(await portal.linkTo("owner@example.com"));
    await page.getByRole("heading", { name: "Your email address is confirmed" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Manage" }).click();
    await page.getByText("1 of 5").waitFor();
    await page.goto("/manage/tags");
    await page.getByRole("heading", { name: "No tags yet" }).waitFor();
    await page.goto("/manage");

    await steps.getByRole("link", { name: "Look at the statuses of posts" }).click();
    await page.getByRole("heading", { name: "Statuses" }).waitFor();
    const kept = async () => (await portal.call("GET", "/settings/site")).body.settings.firstSteps;
    await expect.poll(kept).toEqual(["statuses"]);
    // A board of one's own may have the name of the first one.
    await page.goto("/manage/boards");
    await page.locator(".item summary", { hasText: "Feedback" }).click();
    await page.locator(".item").getByRole("button", { name: "Save" }).click();
    await expect.poll(kept).toEqual(["statuses", "board"]);
    await page.goto("/manage");
    const done = steps.getByRole("listitem").filter({ hasText: "Done" });
    await expect
      .poll(() => done.allInnerTexts())
      .toEqual([expect.stringMatching(/Confirm/), expect.stringMatching(/board/), expect.stringMatching(/statuses/)]);
    await page.getByRole("button", { name: "Hide these steps" }).click();
    await page.getByText("The first steps are hidden.").waitFor();
    // For each browser.
    await page.evaluate("localStorage.removeItem('first-steps')");
    await page.reload({ waitUntil: "networkidle" });
    await page.getByText("Nobody waits for an answer").waitFor();
    expect(await page.getByText("First steps").count()).toBe(0);
    await add(page, "boards", "Ideas", "Bugs");
    const ideas = page.locator(".item", { hasText: "Ideas" });
    await ideas.locator("summary").click();
    await ideas.getByText("/boards/… stays when the name changes.").waitFor();
    await ideas.getByLabel("Description").fill("All that is missing.");
    await ideas.getByRole("button", { name: "Save" }).click();
    const described = async () => (await portal.call("GET", "/boards/ideas")).body.board.description;
    await expect.poll(described).toBe("All that is missing.");
    await page.getByRole("button", { name: "Move Bugs up" }).click();
    await expect.poll(async () => (await names(page)).join()).toMatch(/Feedback.*Bugs.*Ideas/s);
    await page.goto("/");
    const ways = page.getByRole("navigation", { name: "Boards" }).getByRole("link");
    await expect.poll(async () => (await ways.allInnerTexts()).join()).toMatch(/Feedback.*Bugs.*Ideas/s);
    await add(page, "roadmaps", "Now");
    // The keyboard stays where it has moved while a form is sent.
    const moveAway = (route: Route) =>
      page
        .locator(".item summary")
        .focus()
        .then(() => route.continue());
    await page.route("**/api/v1/roadmaps", moveAway, { times: 1 });
    await add(page, "roadmaps", "Later");
    const focused = "new Promise((is) => requestAnimationFrame(() => is(document.activeElement.tagName)))";
    expect(await page.evaluate(focused)).toBe("SUMMARY");
    // By keyboard: the order changes, and the focus stays with the row.
    const up = page.getByRole("button", { name: /up/i }).filter({ hasText: "↑" }).last();
    await up.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => names(page)).toEqual([expect.stringMatching(/Later/), expect.stringMatching(/Now/)]);
    await expect.poll(() => page.evaluate("document.activeElement.id")).toMatch(/^up /);
    // By mouse, there and back.
    const first = page.locator(".item").first();
    const second = page.locator(".item").nth(1);
    for (const name of [/Now/, /Later/]) {
      await second.locator(".handle").dragTo(first);
      await expect.poll(async () => (await names(page))[0]).toMatch(name);
    }
    await page.goto("/roadmap");
    await page.getByText("Only the team sees this roadmap.").first().waitFor();
    await page.goto("/manage/roadmaps");
    for (const roadmap of ["Later", "Now"]) {
      const row = page.locator(".item", { hasText: roadmap });
      await row.locator("summary").click();
      await row.getByRole("checkbox").check();
      await row.getByRole("button", { name: "Save" }).click();
      await expect.poll(() => row.locator("summary").innerText()).not.toMatch(/hidden/i);
    }
    // A change of the same field by another session comes first, twice; each time the form says so.
    const { token, body } = await signedIn();
    let reads = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/roadmaps/get")) reads++;
    });
    for (const name of ["Later on", "Later, maybe"]) {
      const change = () => portal.call("PATCH", "/roadmaps", token, { id: body.roadmaps[0].id, name });
      await comesFirst(page, "**/api/v1/roadmaps/later", change);
      const row = page.locator(".item", { hasText: "Later" });
      await row.getByLabel("Name").fill("Much later");
      await row.getByRole("button", { name: "Save" }).click();
      await row
        .getByRole("alert")
        .getByText(/^This was changed in the meantime.* keep your version\.$/)
        .waitFor();
      await row.getByText(`Saved meanwhile: ${name}`).waitFor();
      await expect.poll(() => row.locator("summary").innerText()).toContain(name);
    }
    // Once after each.
    expect(reads).toBe(2);
    // A change of another field stays, and the audit log names only what the form has changed.
    const paint = () => portal.call("PATCH", "/roadmaps", token, { id: body.roadmaps[0].id, color: "0000ff" });
    await comesFirst(page, "**/api/v1/roadmaps/later", paint);
    await page.locator(".item", { hasText: "Later" }).getByRole("button", { name: "Save" }).click();
    await page.locator(".item", { hasText: "Much later" }).waitFor();
    const [saved] = (await portal.call("GET", "/roadmaps/get", token)).body.roadmaps;
    expect(saved).toMatchObject({ name: "Much later", color: "0000ff" });
    const { records } = (await portal.call("GET", "/audit?action=roadmap.updated", token)).body;
    expect(records[0].changed).toEqual(["name"]);
    await page.goto("/roadmap");
    await expect
      .poll(async () => (await page.locator(".columns h2 .badge").allInnerTexts()).join())
      .toMatch(/Much later.*Now/);

    await page.goto("/manage/keys");
    await page.getByLabel("Name").fill("Robot");
    await page.getByRole("button", { name: "Add" }).click();
    const least = page.getByRole("alert").getByText("Select at least one right.");
    await least.waitFor();
    await page.getByRole("button", { name: "Read only" }).click();
    await expect.poll(() => least.count()).toBe(0);
    await page.locator("fieldset summary").first().click();
    await page.getByRole("checkbox").first().check();
    await page.getByRole("combobox", { name: "Valid for" }).selectOption("30 days");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("shown only once").waitFor();
    await page.locator(".item", { hasText: /Robot.*Valid until .*not used yet/s }).waitFor();
    const days = (time: string) => Math.floor((Date.parse(time) - Date.now()) / 86_400_000);
    const keys = (await portal.call("GET", "/keys", token)).body.keys;
    expect(days(keys[0].expiresAt)).toBe(30);

    await page.route(PICTURE, (route) => route.fulfill({ contentType: "image/svg+xml", body: LOGO }));
    await page.goto("/manage/site");
    await page.getByLabel("People can sign up").uncheck();
    await page.getByRole("form", { name: "Accounts" }).getByRole("button").click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    // What was said before ends with the next press, also where that is refused.
    const look = page.getByRole("form", { name: "Appearance" });
    await page.getByLabel("Name of the site").fill("  ");
    await look.getByRole("button").click();
    await look.getByText("Please fill this in.").waitFor();
    expect(await page.getByText("Saved.", { exact: true }).count()).toBe(0);
    const owns = page.getByRole("link", { name: "Switch on your own two-step sign-in first" });
    expect(await owns.getAttribute("href")).toBe("/profile/two-factor");
    await page.getByLabel("Name of the site").fill("Requests");
    await page.getByLabel("Logo URL").fill(PICTURE.replace("https:", "http:"));
    await look.getByRole("button").click();
    await page.getByText("Use https://, not http://.").waitFor();
    // What is asked for is read while one types it.
    await look.getByText("at least 84 pixels wide.").waitFor();
    await look.getByText("The picture appears here once it is saved.").waitFor();
    await page.getByLabel("Logo URL").fill(PICTURE.replace("https://", ""));
    await look.getByRole("button").click();
    await page.getByText(`Begin with https://, as in ${PICTURE}`).waitFor();
    await page.getByLabel("Logo URL").fill(PICTURE);
    // What was said of the field ends with the mistake.
    await page.getByText("Begin with https://").waitFor({ state: "detached" });
    await look.getByRole("button").click();
    await page.locator(".brand", { hasText: "Requests" }).waitFor();
    for (const shown of [".brand img", ".preview"])
      await expect.poll(() => page.evaluate(`document.querySelector("${shown}")?.naturalWidth`)).toBe(8);
    await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("H1");
    // A picture that is none is saved, and the page says so where it is mended.
    await page.getByLabel("Icon URL").fill(new URL("/none.svg", page.url()).href);
    await look.getByRole("button").click();
    await page.getByText("Saved, but the picture cannot be shown.").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("icon");
    // A conflict leads to its own words, not to that older warning.
    const rename = () => portal.call("PATCH", "/settings/site", token, { title: "Wanted" });
    await comesFirst(page, "**/api/v1/settings/site", rename);
    await page.getByLabel("Name of the site").fill("Wishes");
    await look.getByRole("button").click();
    const conflict = look.locator("[role=alert]:focus", { hasText: /^This was changed in the meantime/ });
    await conflict.getByText(/keep your version\.$/).waitFor();
    // Until then the page takes its own name for the saved one.
    await look.getByText("Saved meanwhile: Wanted").waitFor();
    await page.getByLabel("Name of the site").fill("Requests");
    await page.getByLabel("Icon URL").fill("");
    await look.getByRole("button").click();
    await page.locator(".notice", { hasText: /^Saved\.$/ }).waitFor();
    const visitor = await portal.enter();
    await visitor.route(PICTURE, (route) => route.abort());
    await visitor.goto("/sign-in");
    await visitor.getByRole("heading", { name: "Sign in" }).waitFor();
    await visitor.locator(".brand .mark", { hasText: "R" }).waitFor();
    expect(await visitor.getByRole("link", { name: "Create an account" }).count()).toBe(0);
  });

  it("answers a post with a status and a response, and keeps notes from visitors", async () => {
    const { token } = await signedIn();
    const { slug } = await portal.post("Answer me", {}, token);
    const page = await portal.open(`/posts/${slug}`, token);
    // From the top of the post, by keyboard: the panel is below it, however long it is. An early press counts too.
    const letGo = await holdBack(page, "**/statuses");
    await page.reload();
    await page.getByRole("button", { name: "Respond", exact: true }).press("Enter");
    letGo();
    // Not at the choice, which typing would change.
    await page.locator("[name=text]:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("summary:focus", { hasText: "Respond" }).waitFor();
    expect(await page.locator("[name=text]").isVisible()).toBe(false);
    await page.keyboard.press("Enter");
    await page.getByLabel("Status", { exact: true }).selectOption("Planned");
    await page.getByLabel("Response").fill("We **look** at it.");
    const answering = page.getByRole("form", { name: "Respond" });
    // What is public is not only saved.
    expect(await answering.getByRole("button", { name: "Save" }).count()).toBe(0);
    await answering.getByRole("button", { name: "Publish response" }).click();
    await page.locator(".response strong", { hasText: "look" }).waitFor();
    // It leads to the response, and has closed: it cannot be sent twice by mistake.
    await page.locator(".response h2:focus").waitFor();
    expect(await answering.count()).toBe(0);
    await page.getByRole("button", { name: "Respond", exact: true }).click();
    const response = page.getByRole("textbox", { name: "Response" });
    expect(await response.inputValue()).toBe("We **look** at it.");
    await response.fill("We **looked** at it.");
    // A corrected word needs no mail.
    await answering.getByRole("checkbox", { name: "Tell followers by email" }).uncheck();
    const sent = page.waitForRequest(/\/status$/);
    await answering.getByRole("button", { name: "Publish response" }).click();
    expect((await sent).postDataJSON()).toMatchObject({ notify: false });
    await page.locator(".response strong", { hasText: "looked" }).waitFor();
    // Without a response, at what opens the form.
    await page.getByRole("button", { name: "Respond", exact: true }).click();
    await response.fill("");
    await answering.getByRole("button", { name: "Remove response" }).click();
    await page.locator("summary:focus", { hasText: "Respond" }).waitFor();
    expect(await page.locator(".response").count()).toBe(0);
    await page.keyboard.press("Enter");
    await response.fill("We **looked** at it.");
    await answering.getByRole("button", { name: "Publish response" }).click();
    await page.locator(".response h2:focus").waitFor();
    await page.getByRole("textbox", { name: "Comment" }).fill("Between us");
    await page.getByRole("checkbox", { name: "Only for the team" }).check();
    // While it is written, it looks like what it will be; also as a draft.
    const note = page.getByRole("form", { name: "Note for the team" });
    for (const open of [async () => {}, () => page.reload()]) {
      await open();
      await note.getByRole("button", { name: "Add note" }).waitFor();
      expect(await note.getByRole("textbox", { name: "Note for the team" }).inputValue()).toBe("Between us");
      expect(await note.getByRole("checkbox", { name: "Follow this post" }).count()).toBe(0);
      expect(
        await page.evaluate("getComputedStyle(document.querySelector('form:has([name=is_internal])')).borderStyle"),
      ).toBe("dashed");
    }
    await note.getByRole("button", { name: "Add note" }).click();
    await page.locator(".note", { hasText: /visitors cannot see it.*Between us/s }).waitFor();
    await page.getByRole("form", { name: "Comment" }).getByRole("button", { name: "Add comment" }).waitFor();
    const visitor = await portal.open(`/posts/${slug}`);
    await visitor.locator(".response strong", { hasText: "look" }).waitFor();
    await visitor.getByText("Planned").first().waitFor();
    expect(await visitor.getByText("Between us").count()).toBe(0);
    const change = /Status Open → Planned/;
    for (const each of [page, visitor]) await each.locator(".comments li", { hasText: change }).waitFor();

    await page.getByRole("button", { name: "Lock: no new comments" }).click();
    await page.getByText("This post is locked").waitFor();
    await page.getByRole("textbox", { name: "Comment" }).waitFor();
    await visitor.goto(`/posts/${slug}`);
    await visitor.getByText("This post is locked: only the team can comment.").waitFor();
    await visitor.locator(".comments li", { hasText: change }).waitFor();
    expect(await visitor.getByRole("textbox").count()).toBe(0);
    await page.getByRole("button", { name: "Unlock: allow comments" }).click();
    await page.getByRole("button", { name: "Lock: no new comments" }).waitFor();
    await visitor.goto(`/posts/${slug}`);
    await visitor.getByRole("textbox", { name: "Comment" }).waitFor();
  });

  it("keeps a choice that another person was faster to make otherwise, and shows theirs beside it", async () => {
    const { token } = await signedIn();
    const { postId, slug } = await portal.post("Chosen twice", {}, token);
    const page = await portal.open(`/posts/${slug}`, token);
    await page.getByRole("button", { name: "Respond", exact: true }).click();
    const answering = page.getByRole("form", { name: "Respond" });
    const status = answering.getByRole("combobox", { name: "Status" });
    await status.selectOption("Completed");
    const plan = () => portal.call("PUT", `/posts/${postId}/status`, token, { status: "planned" });
    await comesFirst(page, `**/api/v1/posts/${postId}/status`, plan);
    await answering.getByRole("button", { name: "Save" }).click();
    await answering.getByText("Saved meanwhile: Planned").waitFor();
    expect(await status.inputValue()).toBe("completed");
    await answering.getByRole("button", { name: "Save" }).click();
    await page.locator(".notice", { hasText: "The status is now Completed." }).waitFor();
    expect(await answering.getByText("Saved meanwhile").count()).toBe(0);

    await page.goto("/manage/statuses");
    const ids = (await portal.call("GET", "/statuses")).body.statuses.map(({ id }: { id: string }) => id);
    const row = page.locator(".item").nth(ids.indexOf("planned"));
    await row.locator("summary").click();
    const kind = row.getByRole("combobox", { name: "Kind" });
    await kind.selectOption("Declined");
    await row.getByLabel("Name").fill("Put off");
    const change = async () => {
      const { statuses } = (await portal.call("GET", "/statuses")).body;
      const changed = statuses.map((each: { id: string }) =>
        each.id === "planned" ? { ...each, name: "Agreed", kind: "started" } : each,
      );
      await portal.call("PUT", "/statuses", token, { statuses: changed });
    };
    await comesFirst(page, "**/api/v1/statuses", change);
    await row.getByRole("button", { name: "Save" }).click();
    await row.getByText("Saved meanwhile: Agreed").waitFor();
    await row.getByText("Saved meanwhile: Started").waitFor();
    expect(await kind.inputValue()).toBe("declined");
    await row.getByRole("button", { name: "Save" }).click();
    await row.locator("summary", { hasText: "Put off" }).waitFor();
    const { statuses } = (await portal.call("GET", "/statuses")).body;
    expect(statuses.find(({ id }: { id: string }) => id === "planned")).toMatchObject({
      name: "Put off",
      kind: "declined",
    });
    const before = statuses.map((each: { id: string }) =>
      each.id === "planned" ? { ...each, name: "Planned", kind: "planned" } : each,
    );
    await portal.call("PUT", "/statuses", token, { statuses: before });
  });

  it("saves an answer at the first press while another person locks, pins, tags, moves or renames the post", async () => {
    const { token } = await signedIn();
    const { body } = await portal.call("POST", "/users", token, { email: "ivo@example.com", name: "Ivo" });
    const authorId = body.user.userId;
    const { postId, slug } = await portal.post("Moved about", { authorId }, token);
    const { tag } = (await portal.call("POST", "/tags", token, { tag: { name: "Moved", color: "c026d3" } })).body;
    const patch = (change: object) => () => portal.call("PATCH", "/posts", token, { id: postId, ...change });
    const changes = [
      patch({ isLocked: true }),
      patch({ isPinned: true }),
      patch({ boardId: null }),
      () => portal.call("PUT", `/posts/${postId}/tags`, token, { tags: [tag.id] }),
    ];
    const page = await portal.open(`/posts/${slug}`, token);
    const form = page.getByRole("form", { name: "Respond" });
    const response = form.getByRole("textbox", { name: "Response" });
    for (const [index, change] of changes.entries()) {
      await page.getByRole("button", { name: "Respond", exact: true }).click();
      await response.fill(`Word ${index}`);
      await comesFirst(page, `**/api/v1/posts/${postId}/status`, change);
      await form.getByRole("button", { name: "Publish response" }).click();
      await page.locator(".response", { hasText: `Word ${index}` }).waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
    }
    const waits = (await portal.post("Renamed", { authorId }, token)).postId;
    await page.goto("/manage/waiting");
    await page.getByRole("button", { name: "Respond Renamed" }).click();
    await page.getByRole("textbox", { name: "Response" }).fill("Soon.");
    const rename = () => portal.call("PATCH", "/posts", token, { id: waits, title: "Renamed since" });
    await comesFirst(page, `**/api/v1/posts/${waits}/status`, rename);
    await page.getByRole("button", { name: "Publish response" }).click();
    await page.getByText(/“Renamed.*” is answered/).waitFor();
    const { post } = (await portal.call("GET", `/posts/${waits}`)).body;
    expect(post).toMatchObject({ title: "Renamed since", response: { text: "Soon." } });
    await portal.call("DELETE", "/posts", token, { id: postId });
    await portal.call("DELETE", `/tags/${tag.id}`, token);
  });

  it("finds its tools folded on a phone, above the comments, until it answers", async () => {
    const { token } = await signedIn();
    const { slug } = await portal.post("On a phone", {}, token);
    const page = await portal.open(`/posts/${slug}`, token, { viewport: { width: 390, height: 844 } });
    const tools = page.locator("details", { has: page.getByText("For the team", { exact: true }) });
    await tools.waitFor();
    const lock = page.getByRole("button", { name: "Lock: no new comments" });
    expect(await lock.count()).toBe(0);
    await page.getByRole("button", { name: "Respond", exact: true }).click();
    await tools.locator("[name=text]:focus").waitFor();
    expect(await lock.count()).toBe(1);
  });

  it("shows what another person has saved in a field that was only touched, and saves that", async () => {
    const { token } = await signedIn();
    const { postId, slug } = await portal.post("Answered twice", {}, token);
    const page = await portal.open(`/posts/${slug}`, token);
    await page.getByRole("button", { name: "Respond", exact: true }).click();
    const answering = page.getByRole("form", { name: "Respond" });
    const text = answering.getByRole("textbox", { name: "Response" });
    await text.fill("Hm");
    await text.fill("");
    await answering.getByRole("combobox", { name: "Status" }).selectOption("Completed");
    const respond = () => portal.call("PUT", `/posts/${postId}/status`, token, { status: "planned", text: "In May" });
    await comesFirst(page, `**/api/v1/posts/${postId}/status`, respond);
    await answering.getByRole("button", { name: "Save" }).click();
    await answering.getByText("Saved meanwhile: Planned").waitFor();
    expect(await text.inputValue()).toBe("In May");
    await answering.getByRole("button", { name: "Save" }).click();
    await page.locator(".notice", { hasText: "The status is now Completed." }).waitFor();
    const { post } = (await portal.call("GET", `/posts/${postId}`)).body;
    expect(post).toMatchObject({ status: { id: "completed" }, response: { text: "In May" } });
  });

  it("pins a post, which stands above its list, once, and marked", async () => {
    const { token } = await signedIn();
    const { slug } = await portal.post("Read me first", {}, token);
    await portal.post("A later one", {}, token);
    const page = await portal.open(`/posts/${slug}`, token);
    await page.getByRole("button", { name: "Pin to the top of the lists" }).click();
    await page.getByRole("button", { name: "Unpin" }).waitFor();
    await page.locator(".meta", { hasText: "Pinned" }).first().waitFor();
    const visitor = await portal.open("/?order=newest");
    const rows = visitor.locator(".rows .row");
    await expect.poll(() => rows.first().innerText()).toMatch(/Read me first.*Pinned/s);
    expect(await rows.filter({ hasText: "Read me first" }).count()).toBe(1);
    await rows.filter({ hasText: "A later one" }).waitFor();
    await page.getByRole("button", { name: "Unpin" }).click();
    await page.getByRole("button", { name: "Pin to the top of the lists" }).waitFor();
    await visitor.goto("/?order=newest");
    await expect.poll(() => rows.first().innerText()).toMatch(/A later one/);
  });

  it("answers waiting posts in place, by keyboard, the most wanted first", async () => {
    const { token } = await signedIn();
    const { body } = await portal.call("POST", "/users", token, { email: "vera@example.com", name: "Vera" });
    const authorId = body.user.userId;
    const long = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `Paragraph ${n} of what I want.`).join("\n\n");
    await portal.post("Wanted", { authorId, contentMarkdown: long }, token);
    const asked = await portal.post("Asked", { authorId }, token);
    await portal.post("An idea of the team", {}, token);
    const page = await portal.open("/manage/waiting", token);
    const titles = () => page.locator(".row h2").allInnerTexts();
    await expect.poll(titles).toEqual(["Asked", "Wanted"]);
    const number = (text: string) => page.getByRole("link", { name: `Unanswered, ${text}` }).waitFor();
    await number("2 waiting");
    await page.locator(".bar").getByText("2 posts", { exact: true }).waitFor();
    await page.getByRole("combobox", { name: "Order" }).selectOption("Oldest first");
    await expect.poll(titles).toEqual(["Wanted", "Asked"]);
    await page.getByRole("button", { name: "Respond Wanted" }).press("Enter");
    const status = page.getByRole("combobox", { name: "Status" });
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("text");
    // Nobody answers what they cannot read.
    await page.locator(".answer").getByText("Paragraph 9 of what I want.").waitFor();
    expect(await page.locator(".row", { hasText: "Wanted" }).locator(".excerpt").isVisible()).toBe(false);
    await page.keyboard.press("Control+Enter");
    await page.getByText("“Wanted” still waits: it is open and has no response.").waitFor();
    await page.getByRole("textbox", { name: "Response" }).fill("Next month.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("“Wanted” is answered.").waitFor();
    await expect.poll(titles).toEqual(["Asked"]);
    await number("1 waiting");
    await page.locator(".bar").getByText("1 post", { exact: true }).waitFor();
    // The next one, by the keyboard that has moved there.
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Respond Asked");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("text");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Respond Asked");
    await page.keyboard.press("Enter");
    // Another moderator is faster: what was typed stays, beside the status that the post has now.
    const response = page.getByRole("textbox", { name: "Response" });
    await response.fill("Soon.");
    // The tab keeps it as a draft: no question on the way to another page, and the form is open on the way back.
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    await page.goBack();
    await expect.poll(() => response.inputValue()).toBe("Soon.");
    const plan = () => portal.call("PUT", `/posts/${asked.postId}/status`, token, { status: "planned" });
    await comesFirst(page, `**/api/v1/posts/${asked.postId}/status`, plan);
    await page.getByRole("button", { name: "Publish response" }).click();
    await page.getByRole("alert").getByText("This was changed in the meantime").waitFor();
    await expect.poll(() => status.inputValue()).toBe("planned");
    expect(await response.inputValue()).toBe("Soon.");
    await page.getByRole("button", { name: "Publish response" }).click();
    await page.getByText("“Asked” is answered.").waitFor();
    await page.getByText("Nobody waits for an answer").waitFor();
    await page.getByRole("link", { name: "Unanswered", exact: true }).waitFor();
    // Its author deletes a post just before the answer: the row goes, and the page says why.
    const { postId } = await portal.post("Taken back", { authorId }, token);
    await page.reload();
    await page.getByRole("button", { name: "Respond Taken back" }).click();
    await response.fill("Why?");
    await comesFirst(page, `**/api/v1/posts/${postId}/status`, () =>
      portal.call("DELETE", "/posts", token, { id: postId }),
    );
    await page.getByRole("button", { name: "Publish response" }).click();
    await page.locator(".notice").getByText("This post no longer exists.").waitFor();
    await page.getByText("Nobody waits for an answer").waitFor();
    // Filters stand there once something waits. The order stands in the address.
    await portal.post("Comes last", { authorId }, token);
    await page.goBack();
    await page.getByRole("combobox", { name: "Board" }).selectOption("Ideas");
    await page.waitForURL(/\/manage\/waiting\?board=/);
  });

  it("finds a person, and changes a role only when it is saved, whatever the keys pass over", async () => {
    const { token } = await signedIn();
    for (const name of ["Grace Hopper", "Ada Lovelace"])
      await portal.call("POST", "/users", token, { email: `${name.replace(" ", ".")}@example.com`, name });
    const page = await portal.open("/manage/people", token);
    const changes: string[] = [];
    page.on("request", (request) => request.method() === "PATCH" && changes.push(request.postData() ?? ""));
    await page.getByRole("searchbox", { name: "Search by name or email address" }).fill("lovel");
    await expect.poll(() => page.locator(".item").allInnerTexts()).toEqual([expect.stringContaining("Ada Lovelace")]);
    // The address has it, for a reload.
    await page.waitForURL("**/manage/people?q=lovel");
    await page.reload();
    await expect.poll(() => page.locator(".item").allInnerTexts()).toEqual([expect.stringContaining("Ada Lovelace")]);
    // Who is there already is found, and stands there once.
    await page.getByText("Add a person without sending an email").click();
    await page.getByRole("textbox", { name: "Email address of the person" }).fill("grace.hopper@example.com");
    await page.getByRole("button", { name: "Add" }).click();
    await expect.poll(() => page.locator(".item").allInnerTexts()).toEqual([expect.stringContaining("Grace Hopper")]);

    const grace = page.locator(".item");
    const role = grace.getByRole("combobox", { name: "Role of Grace Hopper" });
    await role.focus();
    for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    await expect.poll(() => role.inputValue()).toBe("suspended");
    await grace.getByRole("status").getByText("Still Member until you save").waitFor();
    // What that means is said before it is saved.
    await grace.getByRole("status").getByText("Suspended people can only read.").waitFor();
    // A choice survives a search that does not find the person.
    const search = page.getByRole("searchbox", { name: "Search by name or email address" });
    for (const name of ["Ada Lovelace", "Grace Hopper"]) {
      await search.fill(name.slice(0, 5));
      await expect.poll(() => page.locator(".item").allInnerTexts()).toEqual([expect.stringContaining(name)]);
    }
    expect(await role.inputValue()).toBe("suspended");
    await page.getByRole("link", { name: "Boards" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    expect(await role.getByRole("option").allInnerTexts()).toEqual(["Member", "Moderator", "Suspended"]);
    // A hand-over stands apart from the roles.
    await grace.getByRole("button", { name: "More about Grace Hopper" }).click();
    await grace.getByRole("button", { name: "Make owner" }).click();
    await grace.getByText("Make Grace Hopper the owner of this site?").waitFor();
    // The way back leads to the button that asked: at the role, an arrow key would choose another one.
    const focused = (name: string) => grace.getByRole("button", { name }).and(page.locator(":focus"));
    await focused("Cancel").press("Escape");
    await focused("Make owner").waitFor();
    expect(await role.inputValue()).toBe("suspended");
    // The next one closes what "⋯" has opened.
    await focused("Make owner").press("Escape");
    await focused("More about Grace Hopper").waitFor();
    expect(await grace.getByRole("button", { name: "Make owner" }).count()).toBe(0);
    // Another session comes first: the row shows its role, and keeps what is chosen here.
    const [user] = (await portal.call("GET", "/users?q=grace", token)).body.users;
    expect(user.role).toBe("member");
    expect(changes).toEqual([]);
    const change = () => portal.call("PATCH", `/users/${user.userId}`, token, { role: "moderator" });
    await comesFirst(page, `**/api/v1/users/${user.userId}`, change);
    const save = grace.getByRole("button", { name: "Save" });
    await save.click();
    await grace.getByRole("alert").getByText("This was changed in the meantime").waitFor();
    await grace.getByText("Still Moderator until you save").waitFor();
    expect(await role.inputValue()).toBe("suspended");
    await save.click();
    await expect.poll(() => save.isVisible()).toBe(false);
    const ending = grace.getByRole("form", { name: "Delete account: Grace Hopper" });
    await grace.getByRole("button", { name: "More about Grace Hopper" }).click();
    await grace.getByRole("button", { name: "Delete account" }).click();
    await ending.getByText("Delete the account of Grace Hopper for good?").waitFor();
    await ending.getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).press("Enter");
    await focused("Delete account").waitFor();
    expect(await ending.count()).toBe(0);
    expect((await portal.call("GET", "/users?q=grace", token)).body.users[0].role).toBe("suspended");
  });

  it("loads each script of its pages with their document, none because of another one", async () => {
    const { token } = await signedIn();
    const page = await portal.enter(token);
    const asked: string[] = [];
    page.on("request", (each) => asked.push(new URL(each.url()).pathname));
    const document = await page.goto("/manage/keys").then((answer) => answer?.text());
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    const scripts = asked.filter((path) => path.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.filter((path) => !document?.includes(`"${path}"`))).toEqual([]);
    // Nor is it called a sign-in until the script has run.
    expect(document).toMatch(/<title>Manage · /);
    await expect.poll(() => page.title()).toMatch(/^API keys · /);
  });

  it("chooses the rights of a key, and all events of a webhook, by one press", async () => {
    const { token } = await signedIn();
    const page = await portal.open("/manage/keys", token);
    const rights = page.getByRole("group", { name: "What the key may do" });
    const checked = () =>
      rights.locator("input[name]:checked").evaluateAll((boxes) => boxes.map((box) => box.getAttribute("name") ?? ""));
    // The form of the first one is open.
    const unfold = async (label: string, form: Locator) => {
      const summary = page.locator("summary", { hasText: label });
      await summary.waitFor();
      if (!(await form.isVisible())) await summary.click();
    };
    await unfold("Add a key", rights);
    // Who wants a longer one chooses it.
    expect(await page.getByRole("combobox", { name: "Valid for" }).inputValue()).toBe("90");
    await rights.getByRole("button", { name: "Everything" }).click();
    expect(await checked()).toEqual(expect.arrayContaining(["post:create", "settings:update", "audit:read"]));
    const pressed = () => rights.getByRole("button", { pressed: true }).allInnerTexts();
    await expect.poll(pressed).toEqual(["Everything"]);
    await rights.getByRole("button", { name: "Read only" }).click();
    await expect.poll(pressed).toEqual(["Read only"]);
    const reading = await checked();
    expect(reading).toEqual(expect.arrayContaining(["board:read", "audit:read", "comment:view_internal"]));
    expect(reading.filter((scope) => /create|update|write|delete|destroy|assign|moderate/.test(scope))).toEqual([]);
    await page.locator(".notice", { hasText: `${reading.length} rights selected.` }).waitFor();
    // The groups count what is checked in them.
    const audit = rights.locator("summary", { hasText: "Audit log" });
    await audit.getByText("1 of 1").waitFor();
    await audit.click();
    await rights.locator("[name='audit:read']").uncheck();
    await expect.poll(pressed).toEqual([]);

    await page.goto("/manage/webhooks");
    const events = page.getByRole("group", { name: "Events" });
    await unfold("Add a webhook", events);
    const all = events.getByRole("checkbox", { name: "All events" });
    const adding = page.getByRole("form", { name: "Add a webhook" });
    await adding.getByLabel("Receiver URL").fill("https://hooks.example.com/in");
    await adding.getByRole("button", { name: "Add" }).click();
    await adding.getByRole("alert").getByText("Select at least one event.").waitFor();
    await all.check();
    const [first, boxes] = [events.locator("input[name]").first(), events.locator("input[name]")];
    expect(await events.locator("input[name]:checked").count()).toBe(await boxes.count());
    await first.uncheck();
    expect(await all.isChecked()).toBe(false);
    await first.check();
    expect(await all.isChecked()).toBe(true);
  });

  it("is told what has become of a post, and not only that something is saved", async () => {
    const { token } = await signedIn();
    await portal.call("POST", "/tags", token, { tag: { name: "Told", color: "c026d3" } });
    const { slug } = await portal.post("Is told of", {}, token);
    const page = await portal.open(`/posts/${slug}`, token);
    const told = (words: string) => page.locator(".notice", { hasText: words }).waitFor();
    await page.getByRole("button", { name: "Pin to the top of the lists" }).click();
    await told("Pinned.");
    await page.getByRole("button", { name: "Unpin" }).click();
    await told("No longer pinned.");
    await page.getByRole("button", { name: "Lock: no new comments" }).click();
    await told("Locked.");
    await page.locator("summary", { hasText: "Choose tags" }).click();
    const tags = page.getByRole("form", { name: "Choose tags" });
    await tags.getByLabel("Told", { exact: true }).check();
    await tags.getByRole("button", { name: "Save" }).click();
    await told("Tags saved.");
    await page.locator("summary", { hasText: "Respond" }).click();
    const answer = page.getByRole("form", { name: "Respond" });
    await answer.getByRole("combobox", { name: "Status" }).selectOption("planned");
    await answer.getByRole("textbox", { name: "Response" }).fill("We build it.");
    await answer.getByRole("button", { name: "Publish response" }).click();
    await told("The response is published. The status is now Planned.");
    await page.locator("summary", { hasText: "Respond" }).click();
    await answer.getByRole("textbox", { name: "Response" }).fill("");
    await answer.getByRole("button", { name: "Remove response" }).click();
    await told("The response is removed.");
  });

  it("lists the team and the suspended apart, also among the ones that a search finds", async () => {
    const { token } = await signedIn();
    const roles = { "Mona Owns": "moderator", "Mona Waits": "suspended", "Mona Reads": "member" };
    for (const [name, role] of Object.entries(roles)) {
      const added = await portal.call("POST", "/users", token, {
        email: `${name.replace(" ", ".")}@example.com`,
        name,
      });
      await portal.call("PATCH", `/users/${added.body.user.userId}`, token, { role });
    }
    const page = await portal.open("/manage/people?q=mona", token);
    const rows = () => page.locator(".item bdi").allInnerTexts();
    await expect.poll(rows).toHaveLength(3);
    const group = page.getByRole("navigation", { name: "People" });
    await group.getByRole("link", { name: "Suspended" }).click();
    await expect.poll(rows).toEqual(["Mona Waits"]);
    await group.getByRole("link", { name: "Team" }).click();
    await page.waitForURL("**/manage/people?group=team&q=mona");
    await expect.poll(rows).toEqual(["Mona Owns"]);
    await page.getByRole("searchbox", { name: "Search by name or email address" }).fill("");
    await page.waitForURL("**/manage/people?group=team");
    await expect.poll(rows).toContain("Mona Owns");
    // Who leaves the team is in the other list.
    const moderator = page.locator(".item", { hasText: "Mona Owns" });
    await moderator.getByRole("combobox").selectOption("suspended");
    await moderator.getByRole("button", { name: "Save" }).click();
    await page.locator(".notice", { hasText: "Mona Owns is suspended." }).waitFor();
    await group.getByRole("link", { name: "Suspended" }).click();
    await expect.poll(rows).toContain("Mona Owns");
    expect(await rows()).not.toContain("Mona Reads");
    expect(await group.locator("[aria-current]").innerText()).toBe("Suspended");
    // A person who is added is found, and is none of the suspended; who has left the page is not led back.
    const form = page.getByRole("form", { name: "People" });
    await page.getByText("Add a person without sending an email").click();
    await form.getByLabel("Email address of the person").fill("mona.new@example.com");
    await form.getByRole("button", { name: "Add" }).click();
    // No name was asked for yet. A second press leaves it out.
    await form.locator(".field:has(:focus)", { hasText: "Nobody has this address yet." }).waitFor();
    await form.getByRole("button", { name: "Add" }).click();
    await page.waitForURL("**/manage/people?q=mona.new%40example.com");
    await expect.poll(rows).toEqual(["New member"]);
    await group.getByRole("link", { name: "Suspended" }).click();
    const letGo = await holdBack(page, "**/api/v1/users");
    await form.getByLabel("Email address of the person").fill("mona.last@example.com");
    await form.getByLabel("Name of the new person").fill("Mona Last");
    await form.getByRole("button", { name: "Add" }).click();
    await page.getByRole("link", { name: "Boards" }).click();
    await page.waitForURL("**/manage/boards");
    letGo();
    await page.locator(".notice", { hasText: "Mona Last is in the list." }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/manage/boards");
  });

  it("gives a choice that was kept over a sign-in back to its row, also among people of one name", async () => {
    const { token } = await signedIn();
    for (const n of [1, 2]) await portal.call("POST", "/users", token, { email: `sam${n}@example.com`, name: "Sam" });
    const page = await portal.open("/manage/people", token);
    const roleOf = (email: string) => page.locator(".item", { hasText: email }).getByRole("combobox");
    await roleOf("sam1@example.com").selectOption("suspended");
    await portal.call("POST", "/auth/logout", token);
    await page.locator(".item", { hasText: "sam1@example.com" }).getByRole("button", { name: "Save" }).click();
    await signIn(page, "owner@example.com");
    const sam = page.locator(".item", { hasText: "sam1@example.com" });
    await sam.getByRole("status").getByText("Still Member until you save").waitFor();
    expect(await roleOf("sam1@example.com").inputValue()).toBe("suspended");
    expect(await roleOf("sam2@example.com").inputValue()).toBe("member");
  });

  it("sees all voters, votes for others, and takes that back", async () => {
    const { token } = await signedIn();
    for (const name of ["Verona", "Victor"])
      await portal.call("POST", "/users", token, { email: `${name}@voters.example`, name });
    for (const site of ["one", "two"])
      await portal.call("POST", "/users", token, { email: `twin@${site}.example`, name: "Twin" });
    // As an import leaves who has no address.
    await portal.call("POST", "/users", token, { email: "f00@import.invalid", name: "Viola" });
    const page = await portal.enter(token);
    await beginWith(page, AGREES);
    await page.goto("/new");
    await typeTitle(page, "Vote for me");
    // A name will do.
    await page.getByLabel("On behalf of").fill("Verona");
    // The first vote is the author's.
    await page.getByRole("checkbox", { name: "Count the author’s vote" }).waitFor();
    await page.getByRole("button", { name: "Publish" }).click();
    const faces = page.getByRole("list", { name: "Voters" });
    await faces.getByText("Verona").waitFor({ state: "attached" });
    const panel = page.locator("details", { hasText: "Vote on behalf of" }).last();
    await panel.locator("summary").click();
    const person = panel.getByLabel("Name or email address");
    await person.fill("v");
    await panel.getByRole("button", { name: "Add the vote" }).click();
    await panel.locator(".field:has(:focus)", { hasText: "This is only the beginning of a name." }).waitFor();
    await person.fill("twin");
    await panel.getByRole("button", { name: "Add the vote" }).click();
    await panel.locator(".field:has(:focus)", { hasText: "Several people have this name." }).waitFor();
    await person.fill("nobody");
    await panel.getByRole("button", { name: "Add the vote" }).click();
    await panel.locator(".field:has(:focus)", { hasText: "Nobody has this name." }).waitFor();
    // The browser offers who is known, by name.
    await person.fill("vict");
    await panel.locator("option[value='victor@voters.example']", { hasText: "Victor" }).waitFor({ state: "attached" });
    await person.fill("vio");
    await panel.locator("option[value=Viola]").waitFor({ state: "attached" });
    await person.fill("Victor");
    await panel.getByRole("button", { name: "Add the vote" }).click();
    await faces.getByText("Victor").waitFor({ state: "attached" });
    await person.fill("victor@voters.example");
    await panel.getByRole("button", { name: "Add the vote" }).click();
    await panel.locator(".field", { hasText: "This vote is already counted." }).waitFor();
    await panel.locator("input:focus").waitFor();
    // Nobody is asked for the name of a person who is known.
    expect(await panel.getByLabel("Name of the new person").count()).toBe(0);
    await person.fill("violet@voters.example");
    await panel.getByLabel("Name of the new person").fill("Violet");
    await panel.getByRole("button", { name: "Add the vote" }).click();
    await faces.getByText("Violet").waitFor({ state: "attached" });
    // Who is faster than the field for a name is led to it before an account is made.
    const letGo = await holdBack(page, "**/api/v1/users?*q=vince*");
    await person.fill("vince@voters.example");
    await person.press("Enter");
    letGo();
    await panel.locator(".field:has(:focus)", { hasText: "Nobody has this address yet." }).waitFor();
    expect((await portal.call("GET", "/users?q=vince", token)).body.users).toEqual([]);
    await panel.getByLabel("Name of the new person").fill("Vince");
    await panel.getByRole("button", { name: "Add the vote" }).click();
    await faces.getByText("Vince").waitFor({ state: "attached" });
    await page.getByText("All voters").click();
    const voters = page.locator(".beside .item");
    await expect.poll(() => voters.count()).toBe(4);
    await page.getByRole("searchbox", { name: "Search voters by name" }).fill("vic");
    await expect.poll(() => voters.allInnerTexts()).toEqual([expect.stringMatching(/Victor.*added by the team/s)]);
    await voters.getByRole("button", { name: "Take back" }).click();
    await page.getByText("The vote of Victor is taken back.").waitFor();
    await page.getByRole("heading", { name: "3 votes" }).waitFor();
  });

  it("merges a post into another one, where everybody counts once, and takes that back", async () => {
    const { token } = await signedIn();
    const target = await portal.post("Dark colours", {}, token);
    const duplicate = await portal.post("Dark colours at night", {}, token);
    const voteOf = async (name: string, posts: { postId: string }[]) => {
      const account = { email: `${name}@merges.example`, name };
      const { userId } = (await portal.call("POST", "/users", token, account)).body.user;
      for (const { postId } of posts) await portal.call("POST", `/posts/${postId}/votes/${userId}`, token);
    };
    await voteOf("Wanda", [target, duplicate]);
    await voteOf("Walter", [duplicate]);
    await portal.call("POST", `/posts/${duplicate.postId}/comments`, token, { body: "Or at dusk" });
    // Words of new titles are found a moment later.
    const similar = () => portal.call("POST", "/posts/similar", token, { title: "Dark colours at night" });
    await expect.poll(async () => (await similar()).body.posts).toHaveLength(2);
    const page = await portal.enter(token);
    await beginWith(page, AGREES);
    await page.goto(`/posts/${duplicate.slug}`);
    await page.locator("summary", { hasText: "Merge with another post" }).click();
    await page.getByRole("button", { name: "Merge into this one Dark colours", exact: true }).click();
    const question = page.getByRole("heading", { name: "Merge “Dark colours at night” into “Dark colours”?" });
    await question.and(page.locator(":focus")).waitFor();
    await page.getByText("Its 2 votes move there.").waitFor();
    await page.getByRole("button", { name: "Merge", exact: true }).click();
    await page.getByRole("heading", { name: "Dark colours", exact: true }).waitFor();
    // The page begins at its top, with what came of it in sight.
    await page.locator("h1:focus", { hasText: "Dark colours" }).waitFor();
    await page.locator(".notice").getByText("All votes and comments have been moved.", { exact: true }).waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.getByRole("heading", { name: "2 votes" }).waitFor();
    const comment = page.locator(".comment", { hasText: "Or at dusk" });
    await comment.getByText("From “Dark colours at night”").waitFor();

    const visitor = await portal.open(`/posts/${duplicate.slug}`);
    await visitor.getByText("“Dark colours at night” was merged into this post.").waitFor();
    expect(new URL(visitor.url()).pathname).toBe(`/posts/${target.slug}`);

    await page.locator(".item", { hasText: "Dark colours at night" }).getByRole("button").click();
    await page.getByText("“Dark colours at night” is a post of its own again.").waitFor();
    await page.getByRole("heading", { name: "1 vote", exact: true }).waitFor();
    await page.getByRole("link", { name: "Dark colours at night" }).click();
    await page.getByRole("heading", { name: "Dark colours at night" }).waitFor();
    await page.getByRole("heading", { name: "2 votes" }).waitFor();
    await comment.waitFor();
    expect(await page.getByText("From “").count()).toBe(0);
    await visitor.goto(`/posts/${duplicate.slug}`);
    await visitor.getByRole("heading", { name: "Dark colours at night" }).waitFor();
  });

  it("makes a key after ten minutes by its password, and copies the secret", async () => {
    const { token } = await signedIn();
    const page = await portal.open("/manage/keys", token);
    let isOld = true;
    await page.route("**/api/v1/keys", (route) => {
      if (!isOld || route.request().method() !== "POST") return route.fallback();
      return route.fulfill({ status: 403, json: { message: "Sign in again", code: "SIGN_IN_AGAIN" } });
    });
    await page.getByText("Add a key").click();
    await page.getByLabel("Name").fill("Deploy");
    await page.locator("summary", { hasText: "Posts" }).click();
    await page.getByRole("checkbox", { name: "All: Posts" }).check();
    await page.getByText(/^(\d) of \1$/).waitFor();
    await page.getByRole("button", { name: "Add" }).click();
    // The keyboard is led to the field that is asked for, which says why.
    await page.locator(".field:has([name=password]:focus)", { hasText: "Please confirm that it is you" }).waitFor();
    expect(await page.getByText("Please confirm that it is you").count()).toBe(1);
    isOld = false;
    await page.getByLabel("Password").fill("wrong password");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("This is not your password.").waitFor();
    await page.getByLabel("Password").fill("correct horse");
    await page.getByRole("button", { name: "Add" }).click();
    await page.locator(".panel:focus", { hasText: "shown only once" }).waitFor();
    // One press on a link would lose the secret for good.
    const question = page.getByRole("alertdialog", {
      name: "Leave without copying the secret? It is shown only once.",
    });
    await page.getByRole("link", { name: "Tags" }).click();
    await question.getByRole("button", { name: "Cancel" }).click();
    await page.locator(".panel", { hasText: "shown only once" }).waitFor();
    await page.locator(".item", { hasText: /Deploy.*Posts \(Create, .*Set statuses and respond/ }).waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.locator("form[data-draft=copied]").waitFor();
    await page.getByRole("link", { name: "Tags" }).click();
    await page.getByRole("heading", { name: "Tags" }).waitFor();
    expect(await question.count()).toBe(0);
    // No session has ended.
    await portal.call("GET", "/users/profile", token);
  });

  it("exports the site, and gets all of it back in another table", async () => {
    const { token } = await signedIn();
    await anImport("old-forum");
    const page = await portal.open("/manage/export", token);
    const report = page.getByRole("article").filter({ hasText: "old-forum (fider)" });
    await report.getByText("People: 12, posts: 7, votes: 30, comments and notes: 2").waitFor();
    await report.getByText("3 × votes.csv: voter").waitFor();
    const folder = aFolder();
    /** Asks for an export, follows the link in its mail, and downloads it as a file of this name. */
    const exportAs = async (format: string, name: string, mails: number): Promise<string> => {
      await page.getByLabel("Format", { exact: true }).selectOption({ label: format });
      await page.getByRole("button", { name: "Export everything" }).click();
      await expect.poll(() => portal.linksTo("owner@example.com", "/manage/export")).toHaveLength(mails);
      await page.goto(portal.linksTo("owner@example.com", "/manage/export").at(-1) ?? "");
      await page.getByText(`${format},`).waitFor();
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: /^Download \(.* kB\)$/ }).click();
      const file = await downloading;
      expect(file.suggestedFilename()).toMatch(new RegExp(`^site-\\d{4}-\\d\\d-\\d\\d\\.${name}$`));
      await file.saveAs(join(folder, `site.${name}`));
      await page.getByText("It is deleted after an hour.").waitFor();
      return join(folder, `site.${name}`);
    };
    const archive = await openInput(await exportAs("CSV sheets (for people)", "zip", 1), () => {});
    expect(archive.names).toContain("people.csv");
    expect(await text(await archive.open("posts.csv"))).toContain(",Answer me,");
    archive.close();
    const path = await exportAs("JSON lines (for programs)", "jsonl", 2);

    const table = process.env.TABLE_NAME;
    await freshTable();
    const words = ["jsonl", path, "--write", "--problems", join(folder, "problems.csv")];
    expect(await operateHere(importCommand, words)).toMatchObject({ code: 0 });
    const again = join(folder, "again.jsonl");
    expect(await operateHere(exportCommand, ["--format", "jsonl", again])).toMatchObject({ code: 0 });
    newContainer({ TABLE_NAME: table });
    expect(readFileSync(again, "utf8")).toBe(readFileSync(path, "utf8"));
    expect(readFileSync(path, "utf8")).toContain('"title":"Answer me"');
  });

  it("reads who changed what, of one thing and of one kind, and takes it home as a sheet", async () => {
    const { token, body } = await signedIn();
    const { post } = (await portal.call("POST", "/posts", token, { title: "Grey mode" })).body;
    await portal.call("PUT", `/posts/${post.postId}/status`, token, { status: "planned" });
    await portal.call("PATCH", "/roadmaps", token, { id: body.roadmaps[0].id, color: "123456" });
    const page = await portal.open("/manage/audit", token);
    const rows = page.locator(".rows .item");
    await rows.first().locator("bdi", { hasText: "Olive changed the roadmap" }).waitFor();
    await rows.first().locator(".hint", { hasText: "Fields: Colour" }).waitFor();
    // Only the title leads to the post.
    await rows.getByRole("link", { name: "Grey mode", exact: true }).first().waitFor();
    const planned = rows.filter({ hasText: "Olive set “Grey mode” to Planned" });
    await planned.locator(".hint", { hasText: "Before: Open" }).waitFor();
    await planned.getByRole("button", { name: /^More about/ }).click();
    await planned.getByRole("button", { name: "Only this item" }).click();
    await expect
      .poll(() => rows.locator("bdi").allInnerTexts())
      .toEqual(["Olive set “Grey mode” to Planned", "Olive created the post “Grey mode”"]);
    const loads = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download as CSV" }).click();
    const sheet = await text(await (await loads).createReadStream());
    expect(sheet.split("\r\n").map((row) => row.split(",")[1])).toEqual([
      "action",
      "post.status_changed",
      "post.created",
      undefined,
    ]);
    await page.getByRole("link", { name: "All changes" }).click();
    await page.getByLabel("Kind of change").selectOption("Roadmaps");
    await expect.poll(async () => (await rows.locator("bdi").allInnerTexts()).join()).not.toContain("Grey mode");
    await page.getByLabel("To", { exact: true }).fill("2020-01-01");
    await page.getByRole("heading", { name: "No changes" }).waitFor();
    await page.getByText("Choose other days, or all changes.").waitFor();
    // The address is all of it: for another person, after a reload, on the way back.
    await page.waitForURL("**/manage/audit?action=roadmap&to=2020-01-01");
    await page.reload();
    await page.getByRole("heading", { name: "No changes" }).waitFor();
    expect(await page.getByLabel("Kind of change").inputValue()).toBe("roadmap");
    expect(await page.getByLabel("To", { exact: true }).inputValue()).toBe("2020-01-01");
    await page.goBack();
    await rows.first().locator("bdi", { hasText: "Olive changed the roadmap" }).waitFor();
    expect(await page.getByLabel("To", { exact: true }).inputValue()).toBe("");
    await page.goBack();
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByText("Olive set “Grey mode” to Planned").first().waitFor();
  });

  it("reads the figures of a period, which its address names, as plots, tables and a sheet", async () => {
    const { token } = await signedIn();
    const settings = (allowSignup: boolean) => portal.call("PATCH", "/settings/site", token, { allowSignup });
    // A post of the team waits for no answer.
    await settings(true);
    const author = await portal.join("Petra Purple");
    await settings(false);
    const { post } = (await portal.call("POST", "/posts", author, { title: "Purple mode" })).body;
    const day = post.createdAt.slice(0, 10);
    // The server of the test carries out no work of the background.
    await counting.begin();
    await counting.carryOut(() => false);
    const page = await portal.open("/manage/figures", token);
    const plot = page.getByRole("figure").filter({ hasText: "New posts" });
    await plot.getByRole("img", { name: /^New posts from .* to .*: \d+ in all/ }).waitFor();
    await plot.getByText("As a table").click();
    const rows = plot.getByRole("row");
    expect(await rows.count()).toBe(1 + 30);
    const dayText = new Date(day).toLocaleDateString("en", { dateStyle: "medium", timeZone: "UTC" });
    const ofDay = rows.filter({ hasText: dayText }).getByRole("cell");
    const made = Number(await ofDay.innerText());
    expect(made).toBeGreaterThan(0);
    await page.getByRole("heading", { name: "Since the beginning" }).waitFor();
    const waiting = page.getByRole("table", { name: "Waiting longest for an answer" });
    await waiting.getByRole("row", { name: /Purple mode.*just now/ }).waitFor();
    await waiting.getByRole("link", { name: "Purple mode" }).press("Enter");
    await page.getByRole("heading", { name: "Purple mode", level: 1 }).waitFor();
    await page.locator(".back").getByRole("link", { name: "Figures" }).press("Enter");
    await waiting.getByRole("link", { name: "Purple mode" }).and(page.locator(":focus")).waitFor();
    await plot.getByText("As a table").click();
    await page.getByLabel("Period").selectOption("Last 7 days");
    await page.waitForURL(/from=.*&to=/);
    await expect.poll(() => rows.count()).toBe(1 + 7);
    await page.getByLabel("From", { exact: true }).fill(day);
    await page.waitForURL(`**/manage/figures?from=${day}&to=*`);
    await page.getByLabel("To", { exact: true }).fill(day);
    await page.waitForURL(`**/manage/figures?from=${day}&to=${day}`);
    await expect.poll(() => rows.count()).toBe(1 + 1);
    // A day to come, as the keyboard can type it, is explained. What is shown ends today.
    const toCome = new Date(Date.parse(day) + 2 * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel("To", { exact: true }).fill(toCome);
    await page.locator(".notice", { hasText: "That day is still to come:" }).waitFor();
    await expect.poll(() => page.getByLabel("To", { exact: true }).inputValue()).not.toBe(toCome);
    await page.getByLabel("To", { exact: true }).fill(day);
    await page.waitForURL(`**/manage/figures?from=${day}&to=${day}`);
    await page.reload();
    await plot.getByText("As a table").click();
    expect(await ofDay.innerText()).toBe(String(made));
    const loads = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download as CSV" }).click();
    const sheet = await text(await (await loads).createReadStream());
    expect(sheet).toMatch(new RegExp(`^day,posts,votes,comments,accounts\r\n${day},${made},`));
    // The day before the site was there: all is counted, and there is nothing.
    const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    await page.goto(`/manage/figures?from=${before}&to=${before}`);
    await expect.poll(() => page.getByRole("figure").getByText("Nothing in these days").count()).toBe(4);
    // An address that names no period: what can be read of it counts, and the days can be chosen anew.
    await page.goto("/manage/figures?from=2026-02-30&to=2026-01-31");
    await page.getByLabel("To", { exact: true }).waitFor();
    expect(await page.getByLabel("To", { exact: true }).inputValue()).toBe("2026-01-31");
    await page.getByRole("figure").first().getByRole("img").waitFor();
    // Nothing is known of those days, so no day has the most, and none is said to have nothing.
    await expect.poll(() => page.getByText(/At most|Nothing in these days/).count()).toBe(0);
  });

  it("is led by the first steps into the form that invites", async () => {
    const { token } = await signedIn();
    await portal.call("PATCH", "/settings/site", token, { firstSteps: [] });
    const page = await portal.open("/manage", token);
    await page.getByRole("link", { name: "Invite your team" }).click();
    await page.getByRole("heading", { name: "People" }).waitFor();
    await page.getByLabel("Email addresses").and(page.locator(":focus")).waitFor();
    expect(await page.getByLabel("Invite as").inputValue()).toBe("moderator");
  });

  it("invites several people, whose mail leads to a password of their own", async () => {
    const { token } = await signedIn();
    const page = await portal.open("/manage/people", token);
    await page.getByText("Invite people").first().click();
    await page.getByLabel("Email addresses").fill("nora@example.com, no address");
    const form = page.getByRole("form", { name: "Invite people" });
    await form.getByRole("combobox", { name: "Invite as" }).selectOption("Moderator");
    await form.getByRole("button").click();
    await page.getByText("no: This is not a valid email address.").waitFor();
    // Nobody was invited before all addresses were looked at.
    const { users } = (await portal.call("GET", "/users?q=nora", token)).body;
    expect(users).toEqual([]);
    await page.getByLabel("Email addresses").fill("nora@example.com\nolaf@example.com\nowner@example.com");
    await form.getByRole("button").click();
    await page.getByText("Invitations sent: nora@example.com, olaf@example.com").waitFor();
    const nora = page.locator(".item", { hasText: "nora@example.com" });
    await nora.getByText("Invited").waitFor();
    expect(await nora.getByRole("combobox").inputValue()).toBe("moderator");
    await expect.poll(() => portal.links("nora@example.com").length).toBe(1);
    const invited = await portal.open(portal.links("nora@example.com")[0] ?? "");
    await invited.getByRole("heading", { name: "Welcome to Requests" }).waitFor();
    await invited.getByText("nora@example.com · Moderator").waitFor();
    await invited.getByText("as a moderator you answer posts").waitFor();
    // A person may be faster than the page, which asks whose the link is.
    const letGo = await holdBack(invited, "**/auth/password/validateToken");
    await invited.reload();
    await invited.getByText("The owner of this site has invited you.").waitFor();
    await invited.getByLabel("New password").fill("battery staple horse");
    await invited.getByRole("button", { name: "Set the password and sign in" }).click();
    letGo();
    await invited.getByText("You are signed in.").waitFor();
    // The owner has only named an address, after which the account is called.
    await invited.getByLabel("Your name").fill("Nora Novak");
    await invited.getByRole("button", { name: "Save" }).click();
    await invited.waitForURL("**/manage");
    await invited.getByRole("heading", { name: "Unanswered" }).waitFor();
    const used = await portal.open(portal.links("nora@example.com")[0] ?? "");
    await used.getByRole("alert").getByText("expired or has already been used").waitFor();
    expect(await used.getByText("Choose a password").count()).toBe(0);
    const account = { email: "nora@example.com", password: "battery staple horse" };
    await portal.call("POST", "/auth/login", undefined, account);
    await page.reload();
    await nora.locator("bdi", { hasText: "Nora Novak" }).waitFor();
    expect(await nora.getByText("Invited").count()).toBe(0);
    // What a moderator changes is one press away.
    await page.getByRole("button", { name: "More about Nora Novak" }).click();
    const changes = await page.getByRole("link", { name: "Changes by Nora Novak" }).getAttribute("href");
    expect(changes).toMatch(/^\/manage\/audit\?by=.+/);
    // Who has not come yet gets another link.
    await page
      .locator(".person", { hasText: "olaf@example.com" })
      .getByRole("button", { name: "More about New member" })
      .click();
    await page.getByRole("button", { name: "Send the invitation again" }).click();
    await expect.poll(() => portal.links("olaf@example.com").length).toBe(2);
  });

  it("says whom it has invited where the service refuses one of them, and invites the rest as it chooses then", async () => {
    const { token } = await signedIn();
    const page = await portal.open("/manage/people", token);
    await page.getByText("Invite people").first().click();
    const form = page.getByRole("form", { name: "Invite people" });
    const field = page.getByLabel("Email addresses");
    await field.fill("Pia Pine <pia@example.com>, rob@exa_mple.com, owner@example.com");
    await form.getByRole("button").click();
    await page.getByText("rob@exa_mple.com: This is not a valid email address.").waitFor();
    await page.locator(".notice", { hasText: "Invitations sent: pia@example.com" }).waitFor();
    await page.locator(".item", { hasText: "pia@example.com" }).getByText("Invited").waitFor();
    expect(await field.inputValue()).toBe("rob@exa_mple.com\nowner@example.com");
    await field.fill("rob@example.com\nowner@example.com");
    await form.getByRole("combobox", { name: "Invite as" }).selectOption("Moderator");
    await form.getByRole("button").click();
    await page.getByText("Invitations sent: rob@example.com. They already have an account").waitFor();
    const rob = page.locator(".item", { hasText: "rob@example.com" });
    await expect.poll(() => rob.getByRole("combobox").inputValue()).toBe("moderator");
    expect(await page.locator(".item", { hasText: "owner@example.com" }).getByText("Invited").count()).toBe(0);
  });

  it("is asked before edits are lost, by a link and by the way back, and not once they are saved", async () => {
    const { token } = await signedIn();
    const page = await portal.open("/manage/people", token);
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    const stay = question.getByRole("button", { name: "Cancel" });
    await page.getByRole("link", { name: "Site", exact: true }).click();
    const description = page.getByLabel("Description");
    await description.fill("Not saved yet");
    await page.getByRole("link", { name: "Boards" }).click();
    const asked = await question.elementHandle();
    await page.evaluate("history.back()");
    // Another question takes its place.
    await asked?.waitForElementState("hidden");
    await question.waitFor();
    expect(await page.locator("dialog[open]").count()).toBe(1);
    await stay.click();
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe("/manage/site");
    expect(await description.inputValue()).toBe("Not saved yet");
    await page.getByRole("form", { name: "Appearance" }).getByRole("button").click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Boards" }).click();
    await page.getByRole("heading", { name: "Boards" }).waitFor();
    await page.getByRole("textbox", { name: "Name of a new board" }).fill("Half a na");
    await page.getByRole("link", { name: "People" }).click();
    await question.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { name: "People" }).waitFor();
  });

  it("gives a status its kind, and deletes it while no post has it", async () => {
    const { token } = await signedIn();
    const page = await portal.open("/manage/statuses", token);
    await beginWith(page, AGREES);
    await page.reload();
    // The status that always stays says so, and its arrows stand below the others.
    await page.getByRole("button", { name: "Delete Open", exact: true }).press("Enter");
    await page.locator(".notice", { hasText: "New posts get this status, so it cannot be deleted." }).waitFor();
    const downs = page.getByRole("button", { name: /^Move .* down$/ });
    const places = await downs.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
    expect(places.length).toBeGreaterThan(4);
    expect(new Set(places).size).toBe(1);
    const adding = page.getByRole("form", { name: "Add" });
    await adding.getByLabel("Name").fill("planned");
    await adding.getByRole("button", { name: "Add" }).click();
    await adding.getByText("Planned already exists. Choose another name.").waitFor();
    await adding.getByLabel("Name").fill("Later");
    await adding.getByRole("combobox", { name: "Kind" }).selectOption("Planned");
    await adding.getByRole("button", { name: "Add" }).click();
    const later = page.locator(".item", { hasText: /Later.*Kind: Planned/ });
    await later.waitFor();
    // Where the name is the kind, it stands once.
    await page.locator(".item summary", { hasText: /^\s*Planned\s*\d+ posts?\s*$/ }).waitFor();
    const { postId } = await portal.post("Not now", {}, token);
    const [{ id }] = (await portal.call("GET", "/statuses")).body.statuses.slice(-1);
    await portal.call("PUT", `/posts/${postId}/status`, token, { status: id });
    const counts: string[] = [];
    page.on("request", (request) => request.url().endsWith("/posts/get") && counts.push(request.postData() ?? ""));
    await page.reload();
    await later.locator("summary").click();
    const staying = "It can be deleted once no post has it: 1 post has it now.";
    await later.getByText(staying).waitFor();
    await later.getByRole("button", { name: "Delete" }).click();
    // Once, after the name, which stays where it is.
    await later.locator("summary + .outcome", { hasText: staying }).waitFor();
    expect(await later.getByText(staying).count()).toBe(1);
    // In its place, with the way to them, and without a question before.
    const why = later.locator(".outcome", { hasText: staying });
    expect(await why.getByRole("link", { name: "Show the posts" }).getAttribute("href")).toBe(`/?status=${id}`);
    // The number of waiting posts beside the page reads more at a time.
    const others = counts.filter((body) => !body.includes(id) && !body.includes(`"first":50`));
    expect(new Set(others).size).toBe(others.length);
    // Two quick presses are one move, and no change of another person's.
    const down = `document.querySelector('[aria-label="Move Started down"]')`;
    await page.evaluate(`${down}.click(); ${down}.click()`);
    await page.getByText("Started is now in place 4").waitFor();
    // A file that is dropped on a row is none of its list.
    const takes = `!document.querySelector(".item").dispatchEvent(new DragEvent("dragover", { cancelable: true }))`;
    expect(await page.evaluate(takes)).toBe(false);
    await portal.call("DELETE", "/posts", token, { id: postId });
    // What cannot be deleted is as it was before.
    await page.route("**/api/v1/statuses/*", (route) => route.abort("internetdisconnected"));
    await later.getByRole("button", { name: "Delete" }).click();
    await page.locator(".notice .problem").waitFor();
    expect((await portal.call("GET", "/statuses")).body.statuses.at(-1)).toMatchObject({
      name: "Later",
      archived: false,
    });
    await page.unrouteAll();
    await later.getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => later.count()).toBe(0);
  });

  it("gets a mail about its queue once it chooses so in the profile", async () => {
    const { token } = await signedIn();
    const page = await portal.open("/profile", token);
    const digest = page.getByLabel(", once an hour at most");
    expect(await digest.isChecked()).toBe(false);
    await digest.check();
    const mails = page.getByRole("form").filter({ has: digest });
    await mails.getByRole("button", { name: "Save" }).click();
    await page.locator(".notice", { hasText: "Saved" }).waitFor();
    expect((await portal.call("GET", "/users/notifications", token)).body.mail).toMatchObject({ digest: true });
  });

  it("holds what newcomers send, and decides it one by one or together", async () => {
    const { token } = await signedIn();
    const page = await portal.open("/manage/queue", token);
    await page.getByText("Nothing waits for approval").waitFor();
    await page.locator("summary", { hasText: "Approval rules" }).click();
    const policy = page.getByRole("form", { name: "Approval rules" });
    await policy.getByRole("combobox", { name: "Hold new posts" }).selectOption("all");
    await policy.getByLabel("Hold texts with these words").fill(`${"x".repeat(51)}`);
    await policy.getByRole("button", { name: "Save" }).click();
    await policy.getByText("is too long: at most 50 characters").waitFor();
    await policy.getByLabel("Hold texts with these words").fill("Casino, buy now");
    await policy.getByRole("button", { name: "Save" }).click();
    await page.locator(".notice", { hasText: "Saved" }).waitFor();
    const settings = (allowSignup: boolean) => portal.call("PATCH", "/settings/site", token, { allowSignup });
    await settings(true);
    const nell = await portal.join("Nell");
    await settings(false);
    const writing = await portal.open("/new", nell);
    await typeTitle(writing, "Quiet mode");
    await writing.getByRole("button", { name: "Publish" }).click();
    await writing.waitForURL("**/my/posts");
    const held = writing.getByRole("region", { name: "Waiting for the team" });
    await held.locator("b", { hasText: "Quiet mode" }).waitFor();
    // A failure to read is shown, not an empty list.
    await writing.route("**/users/profile/held", (route) => route.abort());
    await writing.reload();
    const retry = writing.getByRole("button", { name: "Try again" });
    await retry.waitFor();
    await writing.unroute("**/users/profile/held");
    await retry.click();
    await held.locator("b", { hasText: "Quiet mode" }).waitFor();
    for (const title of ["Loud mode", "Slow mode", "Fast mode"]) {
      await portal.call("POST", "/posts", nell, { title, contentMarkdown: `**${title}** for all` });
    }

    await page.reload();
    const row = (name: string) => page.locator(".queue .row", { hasText: name });
    await row("Quiet mode").getByText("Every new text is held").waitFor();
    const link = (name: string) => page.getByRole("link", { name, exact: true });
    await link("Approval, 4 waiting").waitFor();
    await row("Quiet mode").getByRole("button", { name: "Approve Quiet mode", exact: true }).click();
    const notice = page.locator(".notice", { hasText: "“Quiet mode” is approved." });
    await notice.waitFor();
    await expect.poll(() => row("Quiet mode").count()).toBe(0);
    await link("Approval, 3 waiting").waitFor();
    // The keyboard continues at the row that has taken its place.
    await expect.poll(() => page.evaluate("!!document.activeElement.closest('.queue .row, main h1')")).toBe(true);
    await notice.getByRole("button", { name: "Open the post" }).click();
    await page.getByRole("heading", { name: "Quiet mode", level: 1 }).waitFor();
    await page.goBack();
    await link("Approval, 3 waiting").waitFor();
    await row("Loud mode").getByRole("checkbox").check();
    await row("Slow mode").getByRole("checkbox").check();
    await page.locator(".decisions > .quiet-text", { hasText: "2 selected" }).waitFor();
    // Another session is faster with one of them.
    const slow = async () => {
      const { results } = (await portal.call("GET", "/moderation", token)).body;
      const { id } = results.find(({ title }: { title: string }) => title === "Slow mode");
      await portal.call("POST", "/moderation", token, { decision: "approve", ids: [id] });
    };
    await comesFirst(page, "**/api/v1/moderation", slow);
    await page.getByRole("button", { name: "Decline 2 selected", exact: true }).click();
    await page.getByRole("alertdialog").getByText("Decline 2 texts? They are deleted for good.").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Decline", exact: true }).click();
    await page.locator(".notice", { hasText: "1 text declined. 1 was decided already or withdrawn." }).waitFor();
    await beginWith(page, AGREES);
    await page.reload();
    await row("Fast mode")
      .getByRole("button", { name: /Decline and suspend/ })
      .click();
    await page.getByText("Nothing waits for approval").waitFor();
    await link("Approval").waitFor();
    await writing.reload();
    await writing.getByRole("link", { name: "Quiet mode" }).waitFor();
    expect(await held.count()).toBe(0);
    await portal.call("PATCH", "/settings/moderation", token, { posts: "none", words: [] });
  });

  it("blocks a mail domain, by which nobody signs up or takes another address", async () => {
    const { token } = await signedIn();
    const page = await portal.open("/manage/queue", token);
    await page.locator("summary", { hasText: "Blocked email domains" }).click();
    const blocked = page.getByRole("form", { name: "Blocked email domains" });
    const domains = blocked.getByLabel("Domains that cannot sign up");
    await domains.fill("ada@spam.example");
    await blocked.getByRole("button", { name: "Save" }).click();
    await blocked.getByText("enter only what follows the @").waitFor();
    await domains.fill("Spam.example, @bücher.example");
    await blocked.getByRole("button", { name: "Save" }).click();
    await page.locator(".notice", { hasText: "Saved" }).waitFor();
    await page.reload();
    await page.locator("summary", { hasText: "Blocked email domains" }).click();
    await expect.poll(() => domains.inputValue()).toBe("spam.example\nxn--bcher-kva.example");
    await portal.call("PATCH", "/settings/site", token, { allowSignup: true });
    const visitor = await portal.open("/sign-up");
    await visitor.getByLabel("Your name").fill("Sam");
    await visitor.getByLabel("Email").fill("sam@mx.spam.example");
    await visitor.getByLabel("Password", { exact: true }).fill("a password of mine");
    await visitor.getByRole("button", { name: "Create an account" }).click();
    await visitor.getByText("or not with this email address").waitFor();
    // What was typed is still there, for another address.
    await visitor.getByLabel("Email").fill("sam@example.com");
    await visitor.getByRole("button", { name: "Create an account" }).click();
    await visitor.waitForURL((url) => url.pathname === "/");
    await visitor.goto(new URL("/profile", visitor.url()).href);
    const address = visitor.getByRole("form", { name: "Change your email address" });
    await address.getByLabel("Email").fill("sam@spam.example");
    await address.getByLabel("Email").press("Enter");
    await visitor.getByText("Email addresses of this domain cannot be used here").waitFor();
    await portal.call("PATCH", "/settings/moderation", token, { blockedMailDomains: [] });
    await portal.call("PATCH", "/settings/site", token, { allowSignup: false });
  });

  it("makes tags, gives them to a post, and finds posts by them; a rename and an end are seen everywhere", async () => {
    const { token } = await signedIn();
    const page = await portal.open("/manage/tags", token);
    await beginWith(page, AGREES);
    // With more than ten tags the boxes on a post have a search.
    const names = Array.from({ length: 11 }, (_, n) => `Topic ${n + 1}`);
    for (const name of names) await portal.call("POST", "/tags", token, { tag: { name, color: "c026d3" } });
    await page.goto("/manage/tags");
    const adding = page.getByRole("form", { name: "Add" });
    await adding.getByLabel("Name").fill("Mobile");
    await adding.getByLabel("Colour").fill("#0d9488");
    await adding.getByRole("button", { name: "Add" }).click();
    await page.locator(".item", { hasText: "Mobile" }).waitFor();
    const { tags } = (await portal.call("GET", "/tags")).body;
    expect(tags.find(({ name }: { name: string }) => name === "Mobile").color).toBe("0d9488");
    const { slug } = await portal.post("Works on phones", {}, token);
    await portal.post("Works elsewhere", {}, token);
    await page.goto(`/posts/${slug}`);
    await page.locator("summary", { hasText: "Choose tags" }).click();
    const boxes = page.getByRole("form", { name: "Choose tags" });
    await boxes.getByRole("searchbox").fill("mob");
    await expect.poll(() => boxes.getByRole("checkbox").count()).toBe(1);
    await boxes.getByLabel("Mobile", { exact: true }).check();
    await boxes.getByRole("button", { name: "Save" }).click();
    const chip = page.locator(".meta").getByRole("link", { name: "Mobile", exact: true });
    await chip.waitFor();
    await chip.click();
    await page.waitForURL("**/?order=newest&tag=*");
    const titles = () => page.locator(".rows h2").allInnerTexts();
    await expect.poll(titles).toEqual(["Works on phones"]);
    const choices = page.getByRole("navigation", { name: "Tags", exact: true });
    expect(await choices.locator("[aria-current]").innerText()).toBe("Mobile");
    await choices.getByRole("link", { name: "All tags" }).click();
    await expect.poll(async () => (await titles()).length).toBeGreaterThan(1);
    await page.goto("/manage/tags");
    const row = page.locator(".item", { hasText: "Mobile" });
    await row.locator("summary").click();
    await row.getByLabel("Name").fill("Phones");
    await row.getByRole("button", { name: "Save" }).click();
    await page.locator(".item", { hasText: "Phones" }).waitFor();
    await page.goto(`/posts/${slug}`);
    await page.locator(".meta").getByRole("link", { name: "Phones", exact: true }).waitFor();
    await page.goto("/manage/tags");
    await page.locator(".item", { hasText: "Phones" }).getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => page.locator(".item", { hasText: "Phones" }).count()).toBe(0);
    await page.goto(`/posts/${slug}`);
    await page.getByRole("heading", { name: "Works on phones" }).waitFor();
    expect(await page.getByRole("link", { name: "Phones", exact: true }).count()).toBe(0);
  });

  it("says that a part of it is missing, once a second load has not helped", async () => {
    const page = await portal.enter((await signedIn()).token);
    let documents = 0;
    page.on("request", (request) => request.isNavigationRequest() && documents++);
    await page.route("**/assets/manage-*", (route) => route.fulfill({ status: 404 }));
    await page.goto("/manage");
    await page.getByRole("alert").getByText("Part of this page is missing").waitFor();
    expect(documents).toBe(2);
    await page.unroute("**/assets/manage-*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Unanswered" }).waitFor();
  });
});
