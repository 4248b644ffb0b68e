import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import { scriptAnswers } from "../support/process/steady.ts";

describe.skipIf(!BROWSER)("What a page says", () => {
  const portal = aPortal();

  it("is in the language that a reader chooses while an error is shown", async () => {
    const page = await portal.open("/sign-in");
    await page.getByLabel("Email").fill("nobody@example.com");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".field .problem", { hasText: "Please fill this in." }).waitFor();
    await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
    await page.locator("html[lang=de]").waitFor();
    await expect.poll(() => page.locator(".field .problem").allInnerTexts()).toContain("Bitte fülle dieses Feld aus.");
    await page.getByLabel("Passwort").fill("a wrong one");
    await page.getByRole("button", { name: "Anmelden" }).click();
    const alert = page.locator("form .problem:not(:empty)");
    await alert.waitFor();
    const german = await alert.innerText();
    await page.getByRole("combobox", { name: "Sprache" }).selectOption("English");
    await page.locator("html[lang=en]").waitFor();
    await expect.poll(() => alert.innerText()).not.toBe(german);
  });

  it("promises that nothing is sent twice where something is sent, and not where it is read", async () => {
    const page = await portal.open("/roadmap");
    await page.route("**/api/v1/**", (route) => route.abort());
    await page.getByRole("link", { name: "Posts", exact: true }).click();
    await page
      .getByRole("alert")
      .getByText(/^You seem to be offline\. Please try again\.$/)
      .waitFor();
    await page.unroute("**/api/v1/**");
    await page.goto("/sign-in/mail");
    await scriptAnswers(page);
    await page.route("**/api/v1/**", (route) => route.abort());
    await page.getByLabel("Email").fill("una@example.com");
    await page.getByRole("button", { name: "Email me a link" }).click();
    await page
      .getByRole("alert")
      .getByText("You seem to be offline. Please try again. Nothing will be sent twice.")
      .waitFor();
  });
});
