import { describe, expect, it } from "vitest";
import { newId } from "../../lib/values/ids.ts";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

describe.skipIf(!BROWSER)("The posts of a person", () => {
  const portal = aPortal();

  it("are read from the person's row, voted for in place, and come back from a post", async () => {
    const vera = await portal.join("Vera Writes");
    for (const title of ["Darker mode", "Louder bell"]) await portal.post(title, {}, vera);
    const page = await portal.open("/manage/people?q=vera", portal.owner);
    await page.getByRole("link", { name: "2 posts, Vera Writes" }).click();
    const heading = page.getByRole("heading", { name: "Posts by Vera Writes" });
    await heading.waitFor();
    await expect.poll(() => page.locator(".row h2").allInnerTexts()).toEqual(["Louder bell", "Darker mode"]);
    const vote = page.getByRole("button", { name: /^Vote for Darker mode/ });
    await vote.click();
    await expect.poll(() => vote.getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("link", { name: "Darker mode" }).click();
    await page.getByRole("link", { name: "Back to the list" }).click();
    await heading.waitFor();
    expect(await vote.getAttribute("aria-pressed")).toBe("true");
    await page.locator(".back").getByRole("link", { name: "People" }).click();
    await page.waitForURL("**/manage/people");
  });

  it("are read page by page, by a moderator too", async () => {
    const moderator = await portal.join("Mo Derates");
    const { userId } = (await portal.call("GET", "/users/profile", moderator)).body.user;
    await portal.call("PATCH", `/users/${userId}`, portal.owner, { role: "moderator" });
    for (let n = 1; n <= 21; n++) await portal.post(`Wish ${n}`, { authorId: userId }, portal.owner);
    const page = await portal.open(`/manage/people/${userId}`, moderator);
    await expect.poll(() => page.locator(".row").count()).toBe(20);
    expect(await page.locator(".back").count()).toBe(0);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => page.locator(".row").count()).toBe(21);
    // A post leads there: a moderator has no list of people.
    await page.getByRole("link", { name: "Wish 21" }).click();
    await page.getByRole("link", { name: "Posts by Mo Derates" }).click();
    await page.waitForURL(`**/manage/people/${userId}`);
  });

  it("stand below the address and the role of the person, whom the owner suspends and deletes there", async () => {
    const person = { email: "spam@example.com", name: "Sam Spams" };
    const { user } = (await portal.call("POST", "/users", portal.owner, person)).body;
    await portal.post("Cheap pills", { authorId: user.userId }, portal.owner);
    const page = await portal.open(`/manage/people/${user.userId}`, portal.owner);
    const row = page.locator(".person");
    await row.getByText(person.email).waitFor();
    expect(await row.getByRole("link").count()).toBe(0);
    const role = row.getByRole("combobox", { name: "Role of Sam Spams" });
    expect(await role.inputValue()).toBe("member");
    await role.selectOption("suspended");
    await row.getByRole("button", { name: "Save" }).click();
    await page.getByText("Sam Spams is suspended.").waitFor();
    expect(await role.inputValue()).toBe("suspended");
    await page.getByRole("link", { name: "Cheap pills" }).waitFor();
    await row.getByRole("button", { name: "More about Sam Spams" }).click();
    await row.getByRole("button", { name: /^Delete account/ }).click();
    await row.getByRole("button", { name: "Delete account" }).click();
    await page.waitForURL("**/manage/people");
    await page.getByText("Sam Spams").waitFor();
  });

  it("are shown to a moderator without the address of the person", async () => {
    const person = { email: "hidden@example.com", name: "Hide Address" };
    const { user } = (await portal.call("POST", "/users", portal.owner, person)).body;
    const moderator = await portal.join("Moe Derates");
    const { userId } = (await portal.call("GET", "/users/profile", moderator)).body.user;
    await portal.call("PATCH", `/users/${userId}`, portal.owner, { role: "moderator" });
    const page = await portal.open(`/manage/people/${user.userId}`, moderator);
    await page.getByRole("heading", { name: "No posts yet" }).waitFor();
    expect(await page.locator(".person").count()).toBe(0);
    expect(await page.getByText(person.email).count()).toBe(0);
  });

  it("are none of a person who has written nothing, whose row leads to none, and none of nobody", async () => {
    const person = { email: "silent@example.com", name: "Silent Reader" };
    const { user } = (await portal.call("POST", "/users", portal.owner, person)).body;
    const page = await portal.open("/manage/people?q=silent", portal.owner);
    await page.locator(".person").getByText("0 posts").waitFor();
    expect(await page.locator(".person").getByRole("link").count()).toBe(0);
    await page.goto(`/manage/people/${user.userId}`);
    await page.getByRole("heading", { name: "No posts yet" }).waitFor();
    for (const path of [`/manage/people/${newId()}`, "/my/following"]) {
      await page.goto(path);
      await page.getByRole("heading", { name: "Page not found" }).waitFor();
    }
  });
});
