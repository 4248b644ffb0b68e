import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

describe.skipIf(!BROWSER)("The number of posts that wait for an answer", () => {
  const portal = aPortal();

  it("is beside other pages, also after an answer on a post's own page, and says when it is a minimum", async () => {
    const account = { email: "wanda@example.com", name: "Wanda" };
    const authorId = (await portal.call("POST", "/users", portal.owner, account)).body.user.userId;
    await portal.post("Answered where it stands", { authorId }, portal.owner);
    await portal.post("Waits", { authorId }, portal.owner);
    const page = await portal.open("/manage/keys", portal.owner);
    const number = (text: string) => page.getByRole("link", { name: `Waiting for an answer, ${text}`, exact: true });
    await number("2 waiting").waitFor();
    // By links, so that the page still knows the number when it comes back.
    await page.locator("header .brand").click();
    await page.getByRole("link", { name: "Answered where it stands" }).first().click();
    await page.getByRole("button", { name: "Respond", exact: true }).click();
    await page.getByRole("form", { name: "Respond" }).getByRole("textbox").fill("Next month.");
    await page.getByRole("form", { name: "Respond" }).getByRole("button", { name: "Save" }).click();
    await page.locator(".notice", { hasText: "The response is published." }).waitFor();
    await page.getByRole("link", { name: "Manage" }).click();
    await number("1 waiting").waitFor();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    await number("1 waiting").waitFor();
    // On a phone it is in the navigation that is folded.
    for (let n = 0; n < 20; n++) await portal.post(`Waits ${n}`, { authorId }, portal.owner);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await page.locator(".parts summary").click();
    await number("20 or more waiting").getByText("20+", { exact: true }).waitFor();
    await number("20 or more waiting").click();
    await page.locator(".bar").getByText("At least 20 posts", { exact: true }).waitFor();
    // Beside its own page nothing more is read, in whatever order.
    const reads: string[] = [];
    page.on("request", (each) => reads.push(new URL(each.url()).pathname));
    await page.getByRole("combobox", { name: "Order" }).selectOption("Oldest first");
    await expect.poll(() => page.locator(".row h2").first().innerText()).toBe("Waits");
    // The answered post is one of the twenty oldest open ones.
    await page.locator(".bar").getByText("At least 19 posts", { exact: true }).waitFor();
    await page.locator(".parts summary").click();
    await number("19 or more waiting").waitFor();
    expect(reads.filter((path) => path.includes("/posts/"))).toEqual(["/api/v1/posts/get"]);
  });
});
