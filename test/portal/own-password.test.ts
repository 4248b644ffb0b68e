import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import { holdBack, scriptAnswers } from "../support/process/steady.ts";
import { claimsOf, signedBy } from "../support/world/sso.ts";

const OLD = "correct horse";
const NEW = "battery staple";

/** Opens the page of the password from the profile. */
async function openFromProfile(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Password", exact: true }).click();
  await page.getByRole("heading", { name: "Change your password" }).waitFor();
}

const change = (page: Page) => page.getByRole("button", { name: "Change your password" }).click();
const setFirst = (page: Page) => page.getByRole("button", { name: "Set a password" }).click();

describe.skipIf(!BROWSER)("The own password", () => {
  const portal = aPortal();
  const logIn = (email: string, password: string) =>
    portal.call("POST", "/auth/login", undefined, { email, password }).then(({ body }) => body.user.authToken);

  const signInByMail = async (email: string): Promise<string> => {
    await portal.call("POST", "/auth/magic", undefined, { email });
    await expect.poll(() => portal.codes(email)).toHaveLength(1);
    const code = portal.codes(email)[0];
    const { body } = await portal.call("POST", "/auth/magic/verify", undefined, { email, code });
    return body.user.authToken;
  };

  it("is changed in the profile: this browser stays signed in, and all others are signed out", async () => {
    const page = await portal.open("/profile", await portal.join("Ida"));
    const elsewhere = await portal.open("/profile", await logIn("ida@example.com", OLD));
    await openFromProfile(page);
    await page.getByLabel("Current password").fill("wrong horse");
    await page.getByLabel("New password").fill("short");
    await change(page);
    await page.locator(".problem", { hasText: "This is too short. At least 8 characters." }).waitFor();
    await page.getByLabel("New password").fill(NEW);
    await change(page);
    await page.getByText("This is not your password.").waitFor();
    await page.locator("[name=password]:focus").fill(OLD);
    await change(page);
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

  it("says before it changes that this ends the wait for a new address", async () => {
    const member = await portal.join("Nia");
    const page = await portal.open("/profile/password", member);
    await page.getByLabel("Current password").waitFor();
    expect(await page.getByText("ends the change to").count()).toBe(0);
    await portal.call("POST", "/users/profile/email", member, { email: "nia.new@example.com" });
    await page.reload();
    await page.getByText("This also ends the change to nia.new@example.com").waitFor();
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

  it("is asked for once it is set in another tab", async () => {
    const page = await portal.open("/profile/password", await signInByMail("nell@example.com"));
    await page.getByRole("heading", { name: "Set a password" }).waitFor();
    const other = await page.context().newPage();
    await other.goto("/profile/password");
    await other.getByLabel("Password", { exact: true }).fill(NEW);
    await setFirst(other);
    await page.getByRole("heading", { name: "Change your password" }).waitFor();
    await page.getByLabel("Current password").waitFor();
  });

  it("is none of an account without an address", async () => {
    const { secret } = (await portal.call("POST", "/sso/rotate", portal.owner)).body;
    const unchecked = signedBy(secret, claimsOf({ id: "7", email_verified: false }));
    const { body } = await portal.call("POST", "/auth/sso", undefined, { token: unchecked });
    const page = await portal.open("/profile", body.user.authToken);
    await page.getByRole("link", { name: "Two-step sign-in" }).waitFor();
    expect(await page.getByRole("link", { name: "Password", exact: true }).count()).toBe(0);
    const typed = await portal.open("/profile/password", body.user.authToken);
    await typed.getByText("A password needs an email address, and your account has none.").waitFor();
    expect(await typed.locator("[type=password]").count()).toBe(0);
  });

  it("is the owner's alone where passwords are switched off", async () => {
    const member = await portal.join("Olaf");
    await portal.call("POST", "/sso/rotate", portal.owner);
    await portal.call("PATCH", "/settings/site", portal.owner, { password: false });
    const page = await portal.open("/profile", member);
    await page.getByRole("link", { name: "Two-step sign-in" }).waitFor();
    expect(await page.getByRole("link", { name: "Password", exact: true }).count()).toBe(0);
    const typed = await portal.open("/profile/password", member);
    await typed.getByText("Signing in with a password is switched off on this site.").waitFor();
    expect(await typed.locator("[type=password]").count()).toBe(0);
    await openFromProfile(await portal.open("/profile", portal.owner));
    await portal.call("PATCH", "/settings/site", portal.owner, { password: true });
  });

  it("waits for the rights of the account only where passwords are switched off, and says that it cannot read them", async () => {
    const page = await portal.open("/", portal.owner);
    const isDown = { status: 500, json: { message: "Internal server error", code: "SERVER_ERROR" } };
    await page.route("**/api/v1/users/permissions", (route) => route.fulfill(isDown));
    await page.goto("/profile/password");
    await page.getByRole("heading", { name: "Change your password" }).waitFor();
    await portal.call("POST", "/sso/rotate", portal.owner);
    await portal.call("PATCH", "/settings/site", portal.owner, { password: false });
    await page.reload();
    const again = page.getByRole("main").getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.unroute("**/api/v1/users/permissions");
    await again.click();
    await page.getByRole("heading", { name: "Change your password" }).waitFor();
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
    const page = await portal.open("/profile", await signInByMail(email));
    await page.getByRole("link", { name: "Password", exact: true }).click();
    await page.getByRole("heading", { name: "Set a password" }).waitFor();
    expect(await page.locator("[type=password]").count()).toBe(1);
    expect(await page.getByRole("link", { name: "Forgot your password?" }).count()).toBe(0);
    await page.getByLabel("Password", { exact: true }).fill(NEW);
    const old = { status: 403, json: { message: "Sign in again", code: "SIGN_IN_AGAIN" } };
    await page.route("**/users/profile/password", (route) => route.fulfill(old), { times: 1 });
    await setFirst(page);
    await page.getByText("you signed in more than ten minutes ago").waitFor();
    const again = page.getByRole("link", { name: "Email me a link" });
    expect(await again.getAttribute("href")).toBe("/sign-in/mail?next=%2Fprofile%2Fpassword");
    await setFirst(page);
    await page.locator(".notice", { hasText: "Your password is set." }).waitFor();
    await logIn(email, NEW);
    await openFromProfile(page);
  });

  it("is asked for by mail in one form, whose failure is shown, though the page learns meanwhile whose it is", async () => {
    const page = await portal.open("/", await portal.join("Greta"));
    const letProfileGo = await holdBack(page, "**/api/v1/users/profile");
    let fail: () => void = () => undefined;
    const isPressed = new Promise<void>((pressed) => {
      void page.route("**/auth/password/reset", async (route) => {
        pressed();
        await new Promise<void>((done) => {
          fail = done;
        });
        await route.abort();
      });
    });
    await page.goto("/password-reset");
    await scriptAnswers(page);
    await page.getByLabel("Email").fill("typed@example.com");
    await page.getByRole("button", { name: "Send a link" }).click();
    await isPressed;
    letProfileGo();
    await page.getByRole("button", { name: "Account", exact: true }).click();
    await page.getByRole("banner").getByText("Greta").waitFor();
    fail();
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe("typed@example.com");
  });

  it("is asked for with what is typed, also where the page fills the field in that moment", async () => {
    const page = await portal.open("/", await portal.join("Hilde"));
    const letProfileGo = await holdBack(page, "**/api/v1/users/profile");
    await page.goto("/password-reset");
    await scriptAnswers(page);
    const email = page.getByLabel("Email");
    await email.click();
    letProfileGo();
    await expect.poll(() => email.inputValue()).toBe("hilde@example.com");
    await page.keyboard.type("typed@example.com");
    expect(await email.inputValue()).toBe("typed@example.com");
  });
});
