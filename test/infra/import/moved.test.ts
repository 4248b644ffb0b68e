import { beforeEach, describe, expect, it } from "vitest";
import { undo } from "../../../infra/import/undo.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import * as lists from "../../../lib/lists/lists.ts";
import { newId } from "../../../lib/values/ids.ts";
import { crawl } from "../../support/http/crawler.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { theEngine } from "../../support/process/operate.ts";
import { anAttempt, startProvider } from "../../support/process/provider.ts";
import { startServer } from "../../support/process/server-process.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { portalOf } from "../../support/world/dumps.ts";
import { aProvider } from "../../support/world/fixtures.ts";
import { aDumpFolder, unpaced } from "../../support/world/imports.ts";
import { sendLetters, tokenIn } from "../../support/world/letters.ts";
import { aSsoSecret, claimsOf, signedBy } from "../../support/world/sso.ts";

// What people find who come to the new site: their account with its votes, and the posts of their old links.

const { bringIn } = aDumpFolder();

beforeEach(async () => {
  await freshTable();
  const owner = newAccount("olive@example.com", "Olive", "owner");
  await site.setUp("Feedback", owner, "no password", site.firstBoard(newId()));
});

const EMAIL = "person.3@example.com";
const PASSWORD = "battery staple";

type Session = { userId: string; authToken: string };

/** Each way to an account that has neither a password nor a confirmed address. */
const ways: Record<string, () => Promise<Session>> = {
  "a sign-in mail": async () => {
    success(await invoke("auth-magic", { body: { email: EMAIL } }), 200);
    const letters = await sendLetters();
    expect(letters.map(({ to }) => to)).toEqual([EMAIL]);
    return success(await invoke("auth-magic-verify", { body: { token: tokenIn(letters[0]) } }), 200).user;
  },

  "a new password": async () => {
    refusal(await portal.logIn(EMAIL, ""), "PASSWORD_MISSING");
    success(await invoke("auth-password-reset", { body: { email: EMAIL } }), 200);
    const [letter] = await sendLetters();
    expect(letter).toMatchObject({ to: EMAIL, subject: "Set a new password" });
    success(await invoke("auth-password-set", { body: { token: tokenIn(letter), password: PASSWORD } }), 200);
    return success(await portal.logIn(EMAIL, PASSWORD), 200).user;
  },

  "a provider": async () => {
    const server = await startProvider();
    const { providerId } = await aProvider(server);
    const signIn = async (sub: string, confirmed: boolean): Promise<Session> => {
      const attempt = anAttempt(sub);
      const claims = { sub, email: EMAIL, email_verified: confirmed, name: "Three" };
      server.grant(attempt.code, { ...attempt, claims });
      return success(await invoke("auth-oidc", { params: { providerId }, body: attempt }), 200).user;
    };
    // Nobody gets the account by a provider that has not confirmed the address.
    expect((await signIn("thief", false)).userId).not.toBe(await users.idOf(EMAIL));
    return signIn("three", true);
  },

  "the product that they use": async () => {
    const token = signedBy(await aSsoSecret(), claimsOf({ id: "3", email: EMAIL, name: "Three" }));
    return success(await invoke("auth-sso", { body: { token } }), 200).user;
  },
};

describe("An imported account", () => {
  it.each(Object.keys(ways))("is claimed by %s, and has its votes", async (name) => {
    await bringIn("csv", portalOf());
    const userId = await users.idOf(EMAIL);
    expect((await users.find(userId ?? ""))?.isVerified ?? false).toBe(false);
    const user = await (ways[name] as () => Promise<Session>)();
    expect(user.userId).toBe(userId);
    const claimed = success(await portal.profile({ token: user.authToken }), 200).user;
    expect(claimed).toMatchObject({ email: EMAIL, isVerified: true });
    const { results } = success(await invoke("users-votes", { token: user.authToken }), 200);
    expect(results).toHaveLength(portalOf().votes.filter(({ voter }) => voter.endsWith("03")).length);
    const lines = await undo("csv", unpaced());
    expect(lines).toContain("Removed 11 accounts; 1 stay, because people have used them");
    await expectSound();
  });
});

describe("A link to a post of the old portal", () => {
  // The addresses that posts had there, and what the posts are called here.
  const links: Record<string, [path: string, title: string][]> = {
    logchimp: [["/posts/wish-0-ab12", "Dark mode"]],
    fider: [
      ["/posts/7/wish-6", "=SUM(A1:A9)"],
      ["/posts/10/wish-9", "Dark mode"],
    ],
    uservoice: [
      ["/forums/1-ideas/suggestions/1006-sum-a1-a9", "=SUM(A1:A9)"],
      ["/forums/2-bugs/suggestions/1009", "Dark mode"],
    ],
    canny: [["/ideas/p/wish-1", "Emoji 👩‍👩‍👧 and 🇫🇷"]],
    jsonl: [["/posts/wish-8", "Dark mode"]],
  };

  it("leads to its page, also of a post that was merged into another one", async () => {
    const server = await startServer({ env: theEngine() });
    const { origin } = new URL(server.baseUrl);
    for (const [source, ofSource] of Object.entries(links)) {
      await bringIn(source, portalOf());
      const posts = await lists.read({ order: "asc", offset: 0, limit: 20 });
      for (const [path, title] of ofSource) {
        const slug = posts.find(({ post }) => post.title === title)?.post.slug;
        const url = `${origin}/posts/${encodeURIComponent(slug ?? "none")}`;
        expect((await crawl(origin + path)).status, path).toBe(301);
        const page = await fetch(origin + path);
        expect({ status: page.status, url: page.url }, path).toEqual({ status: 200, url });
        expect(await page.text()).toContain(`<title>${title}`);
      }
      await undo(source, unpaced());
    }
  });
});
