import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { disturbCalls, type Fault } from "../support/process/disturbed-calls.ts";
import { aPortal } from "../support/process/portal.ts";
import { scriptAnswers } from "../support/process/steady.ts";

const BUSY: Fault = { status: 503, json: { message: "Busy", code: "SERVER_ERROR" } };

const select = (page: Page, name: string) =>
  page.getByRole("form", { name: "Respond" }).getByRole("combobox", { name, exact: true });
const chosen = (page: Page) => select(page, "Roadmap").locator("option:checked").innerText();
const press = (page: Page, name: string) =>
  page.getByRole("form", { name: "Respond" }).getByRole("button", { name }).click();

describe.skipIf(!BROWSER)("The answer of the team", () => {
  const portal = aPortal();

  const roadmapOf = async ({ postId }: { postId: string }) =>
    (await portal.call("GET", `/posts/${postId}`, portal.owner)).body.post.roadmap?.name;
  const addRoadmap = async (name: string) =>
    (await portal.call("POST", "/roadmaps", portal.owner, { name })).body.roadmap as { id: string };

  it("has no roadmap to choose where there is none", async () => {
    const { slug } = await portal.post("Without roadmaps");
    const page = await portal.open(`/posts/${slug}`, portal.owner);
    await page.getByRole("button", { name: "Respond", exact: true }).click();
    await select(page, "Status").selectOption("planned");
    expect(await select(page, "Roadmap").count()).toBe(0);
    await press(page, "Save");
    await page.locator(".notice", { hasText: "The status is now Planned." }).waitFor();
  });

  it("puts a waiting post on the roadmap that has the name of its status, in one call", async () => {
    for (const name of ["Later", "planned "]) await addRoadmap(name);
    const author = await portal.join("Rhea");
    const post = await portal.post("Wants a column", {}, author);
    const page = await portal.open("/manage/waiting", portal.owner);
    await page.getByRole("button", { name: "Respond Wants a column" }).click();
    expect(await chosen(page)).toBe("None");
    await select(page, "Status").selectOption("planned");
    expect(await chosen(page)).toBe("planned");
    await page.getByText("The roadmap “planned” is selected with the status.").waitFor();
    // It follows the status, as long as nobody has chosen otherwise.
    await select(page, "Status").selectOption("started");
    expect(await chosen(page)).toBe("None");
    await select(page, "Status").selectOption("planned");
    const calls: string[] = [];
    page.on("request", (request) => request.method() !== "GET" && calls.push(`${request.method()} ${request.url()}`));
    const answered = page.waitForResponse((response) => response.url().endsWith(`/posts/${post.postId}/status`));
    await press(page, "Save");
    await answered;
    await page.getByText("“Wants a column” is answered.").waitFor();
    expect(calls.filter((call) => call.includes(post.postId) || call.startsWith("PATCH"))).toHaveLength(1);
    expect(await roadmapOf(post)).toBe("planned");
  });

  it("leaves a roadmap alone that a person has chosen, and shows the roadmap of a post", async () => {
    const { slug, ...post } = await portal.post("Chosen otherwise");
    const page = await portal.open(`/posts/${slug}`, portal.owner);
    await page.getByRole("button", { name: "Respond", exact: true }).click();
    await select(page, "Status").selectOption("planned");
    expect(await chosen(page)).toBe("planned");
    await select(page, "Roadmap").selectOption("None");
    await select(page, "Status").selectOption("started");
    await select(page, "Status").selectOption("planned");
    expect(await chosen(page)).toBe("None");
    await select(page, "Roadmap").selectOption("Later");
    await press(page, "Save");
    await page.locator(".notice", { hasText: "“Chosen otherwise” is now in Later." }).waitFor();
    expect(await roadmapOf(post)).toBe("Later");
    await page.getByRole("button", { name: "Respond", exact: true }).click();
    expect(await chosen(page)).toBe("Later");
    await select(page, "Roadmap").selectOption("None");
    await press(page, "Save");
    await page.locator(".notice", { hasText: "is no longer on the roadmap." }).waitFor();
    expect(await roadmapOf(post)).toBeUndefined();
    // What was chosen for a saved answer is nobody's choice for the next one.
    await page.getByRole("button", { name: "Respond", exact: true }).click();
    await select(page, "Status").selectOption("started");
    await select(page, "Status").selectOption("planned");
    expect(await chosen(page)).toBe("planned");
  });

  it("gives up the roadmap of a status that was chosen before the form was closed", async () => {
    const author = await portal.join("Romy");
    const post = await portal.post("Thought better of", {}, author);
    const page = await portal.open("/manage/waiting", portal.owner);
    const open = () => page.getByRole("button", { name: "Respond Thought better of" }).click();
    await open();
    await select(page, "Status").selectOption("planned");
    expect(await chosen(page)).toBe("planned");
    await press(page, "Cancel");
    await open();
    expect(await chosen(page)).toBe("planned");
    await page.getByText("The roadmap “planned” is selected with the status.").waitFor();
    await select(page, "Status").selectOption("declined");
    expect(await chosen(page)).toBe("None");
    await press(page, "Save");
    await page.getByText("“Thought better of” is answered.").waitFor();
    expect(await roadmapOf(post)).toBeUndefined();
  });

  it("keeps the chosen roadmap where a call fails, over a reload, and where another person was faster", async () => {
    const author = await portal.join("Remy");
    const post = await portal.post("Refused at first", {}, author);
    const page = await portal.open("/manage/waiting", portal.owner);
    await page.getByRole("button", { name: "Respond Refused at first" }).click();
    await page.getByRole("textbox", { name: "Response" }).fill("Soon.");
    await select(page, "Status").selectOption("planned");
    let fault: Fault | undefined = BUSY;
    await disturbCalls(page, ({ url }) => (url.endsWith("/status") ? fault : undefined));
    await press(page, "Publish response");
    await page.getByRole("alert").waitFor();
    expect(await chosen(page)).toBe("planned");
    fault = undefined;
    await page.reload();
    await scriptAnswers(page);
    await select(page, "Roadmap").waitFor();
    expect(await chosen(page)).toBe("planned");
    const change = { id: post.postId, roadmapId: (await addRoadmap("Never")).id };
    await portal.call("PATCH", "/posts", portal.owner, change);
    await press(page, "Publish response");
    await page.getByRole("alert").getByText("This was changed in the meantime").waitFor();
    await page.getByText("Saved meanwhile: Never").waitFor();
    expect(await chosen(page)).toBe("planned");
    expect(await page.getByRole("textbox", { name: "Response" }).inputValue()).toBe("Soon.");
    await press(page, "Publish response");
    await page.getByText("“Refused at first” is answered.").waitFor();
    expect(await roadmapOf(post)).toBe("planned");
  });

  it("is in the audit log with the roadmap of before and after, by their names", async () => {
    const soon = await addRoadmap("Soon");
    const then = await addRoadmap("Then");
    const { postId } = await portal.post("Moved twice");
    const answer = (roadmapId: string | null) =>
      portal.call("PUT", `/posts/${postId}/status`, portal.owner, { status: "planned", roadmapId });
    for (const roadmapId of [soon.id, then.id, null]) await answer(roadmapId);
    const page = await portal.open(`/manage/audit?item=${postId}`, portal.owner);
    const told = page.locator(".item .wide");
    await told.nth(0).getByText("Roadmap: Then → None").waitFor();
    await told.nth(1).getByText("Roadmap: Soon → Then").waitFor();
    expect(await told.nth(1).innerText()).toMatch(/changed the post “Moved twice”/);
    expect(await told.nth(2).innerText()).toMatch(/set “Moved twice” to Planned.*Before: Open · Roadmap: None → Soon/s);
    expect(await told.filter({ hasText: "Fields:" }).count()).toBe(0);
  });

  it("reads the roadmaps for nobody else", async () => {
    const { slug } = await portal.post("Seen by visitors");
    const page = await portal.enter(await portal.join("Ruth"));
    const reads: string[] = [];
    page.on("request", (request) => reads.push(request.url()));
    await page.goto(`/posts/${slug}`, { waitUntil: "networkidle" });
    expect(reads.filter((url) => url.endsWith("/roadmaps/get"))).toEqual([]);
  });
});
