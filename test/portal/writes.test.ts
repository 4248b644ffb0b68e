import { globSync, readFileSync } from "node:fs";
import type { Locator, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import { startReceiver } from "../support/process/receiver.ts";

// Each press has no answer, then a 503, then works. visitors.test.ts loses the answers of what repeats by itself.

const SELF_REPEATING = ["POST /posts", "POST /posts/{postId}/comments", "POST /votes"];
const READS = /^POST \/posts\/(get|search)$/;

/** The writes that the source of the portal names. */
function writes(): string[] {
  const source = globSync("portal/**/*.{ts,tsx}").map((file) => readFileSync(file, "utf8"));
  const calls = source.join("").matchAll(/api\.(POST|PUT|PATCH|DELETE)\("([^"]+)"/g);
  return [...new Set([...calls].map(([, method, path]) => `${method} ${path}`))].filter((each) => !READS.test(each));
}

const TYPED = "[...document.querySelectorAll('input, textarea')].map(({ value, checked }) => [value, checked].join())";

describe.skipIf(!BROWSER)("The portal", () => {
  const portal = aPortal({ isSetUp: false });

  it("tells of each write that got no answer or a 503, keeps what was typed, and works at the next press", async () => {
    const page = await (await portal.enter()).newPage();
    await page.addInitScript("window.confirm = () => true");
    const tried = new Set<string>();
    let failing: { write: string; fault: (route: Route) => Promise<void> } | undefined;
    const faults: [said: RegExp, fault: (route: Route) => Promise<void>][] = [
      [/offline.*try again/, (route) => route.abort("internetdisconnected")],
      [/busy.*try again/, (route) => route.fulfill({ status: 503, json: { message: "Busy", code: "SERVER_ERROR" } })],
    ];
    await page.route("**/api/v1/**", (route) => {
      const [method, path] = (failing?.write ?? "").split(" ");
      const isIt = new RegExp(`/api/v1${path?.replace(/\{\w+\}/g, "[^/]+")}$`).test(route.request().url());
      return failing && isIt && route.request().method() === method ? failing.fault(route) : route.fallback();
    });
    const saved = page.locator(".notice .done");
    const check = async (write: string, press: Locator | (() => Promise<unknown>), done = saved) => {
      const go = () => (typeof press === "function" ? press() : press.click());
      if (typeof press !== "function") await press.waitFor();
      const typed = (await page.evaluate(TYPED)) as string[];
      for (const [said, fault] of faults) {
        failing = { write, fault };
        await go();
        await page.locator(".problem", { hasText: said }).waitFor();
        expect(await done.count(), write).toBe(0);
        expect(await page.evaluate(TYPED), write).toEqual(expect.arrayContaining(typed));
      }
      failing = undefined;
      await go();
      await done.first().waitFor();
      tried.add(write);
    };
    const form = (name: string) => page.getByRole("form", { name });
    const button = (name: string) => page.getByRole("button", { name }).first();
    const row = page.locator(".item").first();
    const fill = (label: string, text: string) => page.getByLabel(label).first().fill(text);
    const fillIn = async (path: string, fields: Record<string, string>) => {
      await page.goto(path);
      for (const [label, text] of Object.entries(fields)) await fill(label, text);
    };
    const account = { Email: "owner@example.com", Password: "correct horse" };

    await fillIn("/setup", { ...account, "Name of the site": "Wishes" });
    await page.getByLabel("Name", { exact: true }).fill("Olive");
    await check("POST /auth/setup", button("Set up"), page.getByRole("heading", { name: "Boards" }));
    const body = { email: account.Email, password: account.Password };
    const token = (await portal.call("POST", "/auth/login", undefined, body)).body.user.authToken;

    for (const path of ["/boards", "/roadmaps"]) {
      for (const name of ["First", "Second"]) await portal.call("POST", path, token, { name });
      await page.goto(`/manage${path}`);
      await form("Add").getByLabel("Name").fill("Third");
      await check(`POST ${path}`, form("Add").getByRole("button"));
      await page.goto(`/manage${path}`);
      await row.locator("summary").click();
      await row.getByLabel("Name").fill("Other");
      await check(`PATCH ${path}`, row.getByRole("button", { name: "Save" }));
      await page.goto(`/manage${path}`);
      await check(`DELETE ${path}`, row.getByRole("button", { name: "Delete" }));
    }
    await page.goto("/manage/roadmaps");
    await check("PATCH /roadmaps/sort", row.getByRole("button", { name: /down/i }));
    await page.goto("/manage/statuses");
    await form("Add").getByLabel("Name").fill("On hold");
    await check("PUT /statuses", form("Add").getByRole("button"));

    await portal.join("Mo");
    await fillIn("/manage/people", { Email: "far@example.com" });
    await check("POST /users", button("Add"));
    await page.getByRole("searchbox").fill("mo@");
    await row.getByRole("combobox", { name: "Role of Mo" }).selectOption("moderator");
    await check("PATCH /users/{userId}", row.getByRole("button", { name: "Save" }));

    await fillIn("/manage/keys", { Name: "Robot" });
    await page.getByRole("checkbox").first().check();
    await check("POST /keys", button("Add"), page.getByText("shown only once"));
    await check("DELETE /keys/{keyId}", row.getByRole("button", { name: "Delete" }));
    await fillIn("/manage/site", { Description: "What people wish" });
    await check("PATCH /settings/site", form("Site").getByRole("button"));

    const receiver = await startReceiver();
    await fillIn("/manage/webhooks", { Address: receiver.url });
    await page.getByRole("checkbox", { name: "post.created" }).check();
    const secret = page.getByText("shown only once");
    await check("POST /webhooks", form("Add a webhook").getByRole("button"), secret);
    receiver.secrets = [await page.getByRole("status").locator("code").innerText()];
    await check("POST /webhooks/{webhookId}/test", button("Send a test"), page.getByText("The receiver answered 204"));
    expect(receiver.messages.map(({ message }) => message.type)).toEqual(["ping"]);
    const { slug, postId } = await portal.post("Try again", {}, token);
    const told = () => receiver.messages.filter(({ message }) => message.type === "post.created").map(({ id }) => id);
    await expect.poll(told).toHaveLength(1);
    await page.goto("/manage/webhooks");
    await row.locator("summary").click();
    await check("POST /webhooks/{webhookId}/replay", row.getByRole("button", { name: "Send again post.created" }));
    await expect.poll(() => [...told(), ...new Set(told())]).toHaveLength(3);
    await check("POST /webhooks/{webhookId}/rotate", row.getByRole("button", { name: "Make a new secret" }), secret);
    await page.goto("/manage/webhooks");
    await row.locator("summary").click();
    await row.getByLabel("Description").fill("Chat");
    await check("PATCH /webhooks/{webhookId}", row.getByRole("button", { name: "Save" }));
    await row.locator("summary", { hasText: "Chat" }).waitFor();
    await row.getByRole("button", { name: "Switch off" }).click();
    await row.locator("summary", { hasText: "switched off" }).waitFor();
    await page.goto("/manage/webhooks");
    await check("DELETE /webhooks/{webhookId}", row.getByRole("button", { name: "Delete" }));
    await page.getByText("No webhooks yet").waitFor();

    await portal.call("POST", "/votes", token, { postId });
    await portal.call("POST", `/posts/${postId}/comments`, token, { body: "Not for long" });
    const post = `/posts/${slug}`;
    const answering = async () => {
      await page.goto(post);
      await page.getByText("Set status and respond").click();
    };
    await page.goto(post);
    await check("DELETE /votes", page.locator(".vote[aria-pressed=true]"), page.locator(".vote[aria-pressed=false]"));
    await page.goto(post);
    await check("PUT /posts/{postId}/subscription", button("Follow"));
    await answering();
    await fill("Response", "Soon");
    await check("PUT /posts/{postId}/status", form("Set status").getByRole("button"));
    await answering();
    await check("PATCH /posts", form("Set board").getByRole("button"));
    await answering();
    await form("Vote on").getByRole("textbox").fill("far@example.com");
    await check("POST /posts/{postId}/votes/{userId}", form("Vote on").getByRole("button"));
    await page.goto(post);
    const comments = page.locator(".comments");
    await comments.getByRole("button", { name: "Edit" }).click();
    await comments.getByRole("textbox").fill("Later");
    const changed = comments.locator(".prose", { hasText: "Later" });
    await check("PUT /posts/{postId}/comments/{commentId}", comments.getByRole("button", { name: "Save" }), changed);
    await check("DELETE /posts/{postId}/comments/{commentId}", comments.getByRole("button", { name: "Delete" }));
    await page.goto(post);
    await button("Edit").click();
    // The form takes the keyboard when it is there.
    await page.locator("input[name=title]:focus").waitFor();
    await fill("Details", "More of it");
    await check("PATCH /posts", button("Save"), page.locator("article .prose", { hasText: "More of it" }));
    await check("DELETE /posts", button("Delete"));

    await fillIn("/profile", { Name: "Olive Again" });
    await check("PATCH /users/profile", button("Save"));
    await page.goto("/profile");
    await page.getByLabel("Every comment").check();
    await check("PUT /users/notifications", form("Mails").getByRole("button"));
    await page.goto("/profile");
    await check("POST /auth/email/verify", form("Confirm").getByRole("button"));
    await page.goto("/profile");
    await form("Another address").getByLabel("Email").fill("olive@new.example");
    await check("POST /users/profile/email", form("Another address").getByRole("button", { name: "Send" }));
    await page.goto("/profile");
    await check("POST /auth/logout", button("Sign out"), page.getByRole("link", { name: "Sign in" }));

    const profile = page.getByRole("link", { name: "Profile" });
    await fillIn("/sign-in", account);
    await check("POST /auth/login", button("Sign in"), profile);
    await page.evaluate("localStorage.clear()");
    await fillIn("/sign-up", { Name: "Nia", Email: "nia@example.com", Password: "correct horse" });
    await check("POST /auth/signup", button("Sign up"), profile);
    const newest = () => portal.links("nia@example.com").at(-1) ?? "";
    await expect.poll(newest).not.toBe("");
    failing = { write: "POST /auth/email/validate", fault: faults[1]?.[1] as (route: Route) => Promise<void> };
    await page.goto(newest());
    await check("POST /auth/email/validate", button("Try again"), page.getByText("confirmed."));
    expect(page.url()).not.toContain("token");
    const confirmation = newest();
    await fillIn("/password-reset", { Email: "nia@example.com" });
    await check("POST /auth/password/reset", button("Send"), page.getByText("on its way"));
    await expect.poll(newest).not.toBe(confirmation);
    await fillIn(newest(), { "New password": "horse correct" });
    await check("POST /auth/password/set", button("Save"));
    await page.waitForURL("**/sign-in");
    await fill("Email", "nia@example.com");
    await fill("Password", "horse correct");
    await button("Sign in").click();
    await profile.waitFor();

    expect([...tried, ...SELF_REPEATING].sort()).toEqual(writes().sort());
  });
});
