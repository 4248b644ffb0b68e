import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

const OLD = "correct horse";
const NEW = "battery staple";

/** Opens the page of the password from the profile. */
async function openFromProfile(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Password", exact: true }).click();
  await page.getByRole("heading", { name: "Password" }).waitFor();
}

const save = (page: Page) => page.getByRole("button", { name: "Save" }).click();

describe.skipIf(!BROWSER)("The own password", () => {
  const portal = aPortal();
  const logIn = (email: string, password: string) =>
    portal.call("POST", "/auth/login", undefined, { email, password }).then(({ body }) => body.user.authToken);

  it("is changed in the profile: this browser stays signed in, and all others are signed out", async () => {
    const page = await portal.open("/profile", await portal.join("Ida"));
    const elsewhere = await portal.open("/profile", await logIn("ida@example.com", OLD));
    await openFromProfile(page);
    await page.getByLabel("Current password").fill("wrong horse");
    await page.getByLabel("New password").fill("short");
    await save(page);
    await page.locator(".problem", { hasText: "This is too short. At least 8 characters." }).waitFor();
    await page.getByLabel("New password").fill(NEW);
    await save(page);
    await page.getByText("This is not your password.").waitFor();
    await page.locator("[name=password]:focus").fill(OLD);
    await save(page);
    await page.locator(".notice", { hasText: "Your password is changed." }).waitFor();
    await page.waitForURL("**/profile");
    await page.getByLabel("Your name").fill("Ida B.");
    await page.getByRole("button", { name: "Save" }).first().click();
    await page.getByText("Saved").waitFor();
    await elsewhere.getByLabel("Your name").fill("Ida C.");
    await elsewhere.getByRole("button", { name: "Save" }).first().click();
    await elsewhere.getByLabel("Password", { exact: true }).waitFor();
    await logIn("ida@example.com", NEW);
  });

  it("is filled in and kept by managers of passwords, under the address of the account", async () => {
    const page = await portal.open("/profile/password", await portal.join("Mona"));
    await page.getByLabel("Current password").waitFor();
    const fields = `[...document.querySelectorAll("form input")].map(({ autocomplete, value }) => [autocomplete, value])`;
    expect(await page.evaluate(fields)).toEqual([
      ["username", "mona@example.com"],
      ["current-password", ""],
      ["new-password", ""],
    ]);
  });

  it("is asked for again if the account has one after all", async () => {
    const page = await portal.open("/profile/password", await portal.join("Nell"));
    await page.getByRole("button", { name: "No password?" }).click();
    await page.getByLabel("Current password").waitFor({ state: "detached" });
    await page.getByLabel("New password").fill(NEW);
    await save(page);
    await page.getByText("Please enter a password.").waitFor();
    await page.locator("[name=password]:focus").fill(OLD);
    await save(page);
    await page.locator(".notice", { hasText: "Your password is changed." }).waitFor();
  });

  it("is the owner's alone where passwords are switched off", async () => {
    const member = await portal.join("Olaf");
    await portal.call("POST", "/sso/rotate", portal.owner);
    await portal.call("PATCH", "/settings/site", portal.owner, { password: false });
    const page = await portal.open("/profile", member);
    await page.getByRole("link", { name: "Two-step sign-in" }).waitFor();
    expect(await page.getByRole("link", { name: "Password", exact: true }).count()).toBe(0);
    await openFromProfile(await portal.open("/profile", portal.owner));
    await portal.call("PATCH", "/settings/site", portal.owner, { password: true });
  });

  it("is set by a mail if it is forgotten", async () => {
    const page = await portal.open("/profile", await portal.join("Fay"));
    await openFromProfile(page);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "Reset your password" }).waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe("fay@example.com");
  });

  it("is set first by who signs in by a mail, and does so again where the session is old", async () => {
    const email = "mel@example.com";
    await portal.call("POST", "/auth/magic", undefined, { email });
    await expect.poll(() => portal.codes(email)).toHaveLength(1);
    const verified = await portal.call("POST", "/auth/magic/verify", undefined, {
      email,
      code: portal.codes(email)[0],
    });
    const page = await portal.open("/profile/password", verified.body.user.authToken);
    await page.getByRole("button", { name: "No password?" }).click();
    await page.getByLabel("New password").fill(NEW);
    const old = { status: 403, json: { message: "Sign in again", code: "SIGN_IN_AGAIN" } };
    await page.route("**/users/profile/password", (route) => route.fulfill(old), { times: 1 });
    await save(page);
    await page.getByText("you signed in more than ten minutes ago").waitFor();
    const again = page.getByRole("link", { name: "Email me a link" });
    expect(await again.getAttribute("href")).toBe("/sign-in/mail?next=%2Fprofile%2Fpassword");
    await save(page);
    await page.locator(".notice", { hasText: "Your password is changed." }).waitFor();
    await portal.call("POST", "/auth/login", undefined, { email, password: NEW });
  });
});
