import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { signIn } from "../support/process/entering.ts";
import { aPortal } from "../support/process/portal.ts";
import { AGREES, beginWith } from "../support/process/profiles.ts";

const said = (page: Page, words: string) => page.locator(".notice", { hasText: words }).waitFor();

describe.skipIf(!BROWSER)("A report", () => {
  const portal = aPortal();

  it("leads a visitor through the sign-in, and back to what they report", async () => {
    const { slug, postId } = await portal.post("Cheap watches");
    const { activity } = (await portal.call("POST", `/posts/${postId}/comments`, portal.owner, { body: "Buy" })).body;
    await portal.join("Rita");
    const page = await portal.open(`/posts/${slug}`);
    await page.getByRole("button", { name: /^Report Olive/ }).click();
    await page.getByText("Sign in to report “Cheap watches”.").waitFor();
    await signIn(page, "rita@example.com");
    await page.waitForURL(`**/posts/${slug}?comment=${activity.id}`);
    const form = page.getByRole("form", { name: "Report" });
    await form.getByRole("textbox").fill("Advertising");
    await form.getByRole("button", { name: "Report" }).click();
    await said(page, "The team will look at it");
    // Once more, from another tab: it says so, and nothing else.
    await page.getByRole("button", { name: /^Report Olive/ }).click();
    await form.getByRole("button", { name: "Report" }).click();
    await said(page, "You have reported this already");
    expect(await form.count()).toBe(0);
  });

  it("is not offered for what is one's own, nor to the team", async () => {
    const nell = await portal.join("Nell");
    const { slug } = await portal.post("My own", {}, nell);
    const own = await portal.open(`/posts/${slug}`, nell);
    await own.getByRole("button", { name: "Edit" }).waitFor();
    expect(await own.getByRole("button", { name: "Report" }).count()).toBe(0);
    const team = await portal.open(`/posts/${slug}`, portal.owner);
    await team.getByRole("button", { name: "Edit" }).waitFor();
    expect(await team.getByRole("button", { name: "Report" }).count()).toBe(0);
  });

  it("is opened again where it was closed, also where the comment is shown twice", async () => {
    const { slug, postId } = await portal.post("Much discussed");
    const written: string[] = [];
    for (let n = 0; n <= 20; n++) {
      const body = { body: `Words ${n}` };
      written.push((await portal.call("POST", `/posts/${postId}/comments`, portal.owner, body)).body.activity.id);
    }
    const page = await portal.open(`/posts/${slug}?comment=${written[0]}`, await portal.join("Una"));
    await page.getByRole("region", { name: "Linked comment" }).waitFor();
    await page.getByRole("link", { name: "More" }).click();
    const below = page.locator(`li[id="${written[0]}"]`);
    await below.getByRole("button", { name: /^Report/ }).click();
    await below.getByRole("form", { name: "Report" }).getByRole("button", { name: "Cancel" }).click();
    const focused = `document.activeElement.closest("li")?.id`;
    await expect.poll(() => page.evaluate(focused)).toBe(written[0]);
    expect(await page.locator("[id]").evaluateAll((all) => new Set(all.map(({ id }) => id)).size - all.length)).toBe(0);
  });

  it.each([
    ["wrote it", "wendywroteit@example.com", "You cannot report what you wrote yourself."],
    ["is of the team", "owner@example.com", "You are on the team, so you can decide on this yourself."],
  ])("is refused in words after the sign-in of a visitor who %s", async (who, email, words) => {
    const { slug } = await portal.post(`Rude for one who ${who}`, {}, await portal.join(`Wendy ${who}`));
    const page = await portal.open(`/posts/${slug}`);
    await page.getByRole("button", { name: "Report", exact: true }).click();
    await signIn(page, email);
    await said(page, words);
    expect(await page.getByRole("form", { name: "Report" }).count()).toBe(0);
  });

  it("is not decided by an old row of the queue, from before the post was approved", async () => {
    const policy = (posts: string) => portal.call("PATCH", "/settings/moderation", portal.owner, { posts });
    await policy("all");
    const writer = await portal.join("Willa");
    const once = "Held once";
    const twice = "Held twice";
    const ids: string[] = [];
    for (const title of [once, twice]) {
      ids.push((await portal.call("POST", "/posts", writer, { title })).body.post.postId);
    }
    await policy("none");
    const page = await portal.open("/manage/queue", portal.owner);
    const row = (name: string) => page.locator(".queue .row", { hasText: name });
    await row(twice).getByRole("checkbox").check();
    // Another one of the team approves both, and a person reports them.
    await portal.call("POST", "/moderation", portal.owner, { decision: "approve", ids });
    const person = await portal.join("Xenia");
    for (const id of ids) await portal.call("POST", `/posts/${id}/report`, person, { reason: "Advertising" });
    const decided = "1 was decided already or withdrawn.";
    await row(once)
      .getByRole("button", { name: /^Decline Held once/ })
      .click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Decline" }).click();
    await said(page, decided);
    await row(once).getByText("1 report").waitFor();
    // What has come back is another thing to decide: nobody has selected it.
    await row(twice).getByText("1 report").waitFor();
    expect(await row(twice).getByRole("checkbox").isChecked()).toBe(false);
    expect(await page.getByRole("group", { name: "0 selected" }).count()).toBe(1);
    expect(await page.getByRole("button", { name: "Delete 0 selected", exact: true }).isDisabled()).toBe(true);
    for (const id of ids) await portal.call("GET", `/posts/${id}`, portal.owner);
    await portal.call("POST", "/moderation", portal.owner, { decision: "approve", ids });
  });

  it("is decided with held texts only once the question has told them apart", async () => {
    const spam = await portal.join("Mixed");
    const { postId, slug } = await portal.post("Seen by all", {}, spam);
    await portal.call("POST", "/votes", portal.owner, { postId });
    await portal.call("POST", `/posts/${postId}/report`, await portal.join("Udo"), {});
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "all" });
    await portal.call("POST", "/posts", spam, { title: "Held back" });
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "none" });
    const page = await portal.open("/manage/queue", portal.owner);
    const row = (name: string) => page.locator(".queue .row", { hasText: name });
    await row("Seen by all").getByText("1 vote 0 comments").waitFor();
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    // Nothing is said twice.
    await row("Seen by all").locator(".badge", { hasText: "1 report" }).waitFor();
    expect(await row("Seen by all").getByText("Reported", { exact: true }).count()).toBe(0);
    await button("Approve or keep 0 selected").waitFor();
    await row("Held back").getByRole("checkbox").check();
    await button("Decline 1 selected").waitFor();
    await button("Approve 1 selected").waitFor();
    // The bar looks as the rows do: red only where one is about to delete.
    const colors = `[".decisions", ".queue .row"].map((place) =>
      getComputedStyle(document.querySelector(place + " .danger")).color)`;
    await expect.poll(async () => new Set(await page.evaluate<string[]>(colors)).size).toBe(1);
    await row("Seen by all").getByRole("checkbox").check();
    await button("Approve or keep 2 selected").waitFor();
    await button("Delete 2 selected").click();
    const question = page.getByRole("alertdialog");
    const all = "1 held text, 1 published post with its comments, and 1 vote";
    await question.getByText(`Delete ${all} for good?`, { exact: true }).waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await row("Held back").getByRole("checkbox").uncheck();
    await button("Delete 1 selected").waitFor();
    await button("Keep 1 selected").click();
    await said(page, "1 reported text kept.");
    await row("Held back").getByRole("button", { name: "Approve" }).click();
    await said(page, "“Held back” is approved.");
    await page.goto(`/posts/${slug}`);
    await page.getByRole("heading", { name: "Seen by all" }).waitFor();
  });

  it("is decided in the queue, with who made it and why", async () => {
    const spam = await portal.join("Spam");
    const kept = await portal.post("Kept after all", {}, spam);
    const gone = await portal.post("Gone soon", {}, spam);
    const people = await Promise.all(["Uma", "Vera"].map((name) => portal.join(name)));
    for (const [at, token] of people.entries()) {
      await portal.call("POST", `/posts/${gone.postId}/report`, token, { reason: `Reason ${at}` });
    }
    await portal.call("POST", `/posts/${kept.postId}/report`, people[0], {});
    const page = await portal.open("/manage/queue", portal.owner);
    await beginWith(page, AGREES);
    await page.reload();
    const row = (name: string) => page.locator(".queue .row", { hasText: name });
    await row("Gone soon").getByText("2 reports").waitFor();
    for (const words of ["Uma", "Reason 0", "Vera", "Reason 1"]) await row("Gone soon").getByText(words).waitFor();
    await row("Kept after all").getByText("No reason given").waitFor();
    await row("Kept after all").getByRole("button", { name: "Keep Kept after all", exact: true }).click();
    await said(page, "1 reported text kept.");
    await row("Gone soon")
      .getByRole("button", { name: /^Delete Gone soon/ })
      .click();
    await said(page, "1 reported text deleted.");
    await expect.poll(() => row("Gone soon").count()).toBe(0);
    await page.goto(`/posts/${gone.slug}`);
    await page.getByRole("heading", { name: "Post not found" }).waitFor();
    await page.goto(`/posts/${kept.slug}`);
    await page.getByRole("heading", { name: "Kept after all" }).waitFor();
  });
});
