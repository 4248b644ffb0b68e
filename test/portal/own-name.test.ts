import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

describe.skipIf(!BROWSER)("A person of the team", () => {
  const portal = aPortal();

  it("writes a new post in their own name only, as a moderator", async () => {
    const moderator = await portal.join("Modest Moe");
    const { userId } = (await portal.call("GET", "/users/profile", moderator)).body.user;
    await portal.call("PATCH", `/users/${userId}`, portal.owner, { role: "moderator" });
    const page = await portal.enter(moderator);
    const loads = page.waitForResponse(/assets\/manage-/);
    await page.goto("/new");
    await loads.then((answer) => answer.finished());
    await page.getByRole("link", { name: "Manage", exact: true }).waitFor();
    await page.getByRole("checkbox", { name: "Count my vote" }).waitFor();
    expect(await page.getByLabel("On behalf of").count()).toBe(0);
  });

  it("finds for whom they were writing, and the name of a new person, after a reload, as the owner", async () => {
    const page = await portal.open("/new", portal.owner);
    const person = page.getByLabel("On behalf of");
    const name = page.getByLabel("Name of the new person");
    await person.fill("nadia@example.com");
    await name.fill("Nadia");
    await page.reload();
    await expect.poll(() => person.inputValue()).toBe("nadia@example.com");
    await expect.poll(() => name.inputValue()).toBe("Nadia");
    // What is typed then keeps it.
    await page.getByLabel("Title").fill("A bench");
    await page.reload();
    await expect.poll(() => name.inputValue()).toBe("Nadia");
  });
});
