import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

describe.skipIf(!BROWSER)("A moderator", () => {
  const portal = aPortal();

  it("writes a new post in their own name only", async () => {
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
});
