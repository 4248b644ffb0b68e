import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import { openWithoutScript } from "../support/process/steady.ts";

// How people come in by the mails to their address, and change it.

const PASSWORD = "correct horse";

describe.skipIf(!BROWSER)("A person", () => {
  const portal = aPortal();
  const press = (page: Page, name: string) => page.getByRole("button", { name }).click();
  const signIn = async (page: Page, email: string) => {
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await press(page, "Sign in");
  };

  it("whom the team added signs up, and is led to a password by mail with the typed address", async () => {
    const email = "far@example.com";
    await portal.call("POST", "/users", portal.owner, { email, name: "Far Away" });
    const page = await portal.open("/sign-up");
    await page.getByLabel("Name").fill("Far Away");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await press(page, "Create an account");
    await page.getByText("There is already an account with this email address.").waitFor();
    await page.getByRole("link", { name: "Set or change your password by email" }).click();
    await page.waitForURL("**/password-reset?next=%2F");
    expect(await page.getByLabel("Email").inputValue()).toBe(email);
    await press(page, "Send a link");
    await page.getByText("a link is on its way").waitFor();
    await page.goto(await portal.linkTo(email));
    await page.getByLabel("New password").fill("battery staple");
    await press(page, "Save");
    await page.locator(".notice", { hasText: "Your new password is set. You are signed in." }).waitFor();
    await page.getByRole("button", { name: "Account", exact: true }).waitFor();
  });

  it("who forgot the password finds the typed address on the next page, and in no address of a page", async () => {
    const page = await portal.open("/");
    const letGo = await openWithoutScript(page, "/sign-in");
    await page.getByLabel("Email").fill("ada@example.com");
    letGo();
    await page.getByRole("button", { name: "Sign in", exact: true, disabled: false }).waitFor();
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.waitForURL("**/password-reset?next=%2F");
    expect(await page.getByLabel("Email").inputValue()).toBe("ada@example.com");
    expect(page.url()).not.toContain("ada");
  });

  it("who is signed in with another account is told so, changes it, and confirms; a second time too", async () => {
    const grace = await portal.join("Grace");
    await portal.join("Nia");
    const link = await portal.linkTo("nia@example.com");
    const page = await portal.open(link, grace);
    await page.getByText("This link is for another account. You are signed in as grace@example.com.").waitFor();
    await press(page, "Sign in with the other account");
    await page.getByText("Sign in to confirm your email address.").waitFor();
    await signIn(page, "nia@example.com");
    const said = page.getByRole("status");
    await said.getByText("nia@example.com", { exact: true }).waitFor();
    await page.goto(link);
    await said.getByText(/^This link is no longer valid\. Your email address is nia@example.com, and/).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("who is not confirmed reads that a link counts no more, and gets another one there", async () => {
    const ada = await portal.join("Ida");
    const page = await portal.open("/email-verify?token=old", ada);
    const alert = page.getByRole("alert");
    await alert.getByText("This link is no longer valid. Your email address is not confirmed yet.").waitFor();
    // The same link would do no better.
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await alert.getByRole("button", { name: "Send another link" }).click();
    await page.getByText("A link is on its way to ida@example.com.").waitFor();
    await page.goto(await portal.linkTo("ida@example.com", 2));
    await page.getByRole("status").getByText("ida@example.com", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Your email address is confirmed", level: 1 }).waitFor();
  });

  it("asks for another address, keeps the present one, asks again and confirms it", async () => {
    const token = await portal.join("Mia");
    const page = await portal.open("/profile", token);
    const form = page.getByRole("form", { name: "Change your email address" });
    const ask = async (email: string) => {
      await form.getByLabel("Email").fill(email);
      await form.getByRole("button", { name: "Send a link" }).click();
      await page.getByText(`We have sent a link to ${email}. Open it to finish the change.`).waitFor();
    };
    await ask("mia@wrong.example");
    const cancelled = await portal.linkTo("mia@wrong.example");
    await form.getByRole("button", { name: "Keep the current email address" }).click();
    await page.getByText("Open it to finish the change").waitFor({ state: "detached" });
    await ask("mia@new.example");
    await page.goto(cancelled);
    const waits = "This link is no longer valid. We have sent a link to mia@new.example. Open it to finish the change.";
    await page.getByRole("alert").getByText(waits).waitFor();
    const link = await portal.linkTo("mia@new.example");
    await page.goto(link);
    await page.getByRole("status").getByText("mia@new.example", { exact: true }).waitFor();
    // Cancelled, and nothing waits any more.
    await page.goto(cancelled);
    await page.getByText("This link is no longer valid. Your email address is mia@new.example, and it").waitFor();
    await page.goto("/profile");
    await page.getByText("mia@new.example").first().waitFor();
    expect(await page.getByText("not confirmed yet").count()).toBe(0);
    await form.getByLabel("Email").fill("owner@example.com");
    await form.getByRole("button", { name: "Send a link" }).click();
    await form.getByText("There is already an account with this email address.").waitFor();
  });
});
