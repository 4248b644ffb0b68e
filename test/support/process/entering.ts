import type { Page } from "playwright-core";

// How people sign in and up in the tests of the pages. Each step waits for its page: the one before has fields of like
// names.

const PASSWORD = "correct horse";

/** Leaves the offer of a mail, if that is where a person stands, for the sign-in with a password. */
async function withPassword(page: Page): Promise<void> {
  const link = page.getByRole("link", { name: "Sign in with a password" });
  const password = page.getByLabel("Password", { exact: true });
  await link.or(password).first().waitFor();
  if (await link.isVisible()) await link.click();
  await password.waitFor();
}

export async function signIn(page: Page, email: string): Promise<void> {
  await withPassword(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** The way up is one page away, by mail or not. */
export async function signUp(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: /^Create an account/ }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(`${name.toLowerCase()}@example.com`);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create an account" }).click();
}
